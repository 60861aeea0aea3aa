import { ConfigurationError } from '../errors.ts';
import type { Json } from '../json.ts';
import { parseShapesReport, type SeenResponses } from '../validation/shapes/index.ts';

/** Where shapes come from. */
export interface GatewayShapesSource {
  /** URL of the site that is reconciled: its own, or that of the gateway's mount. */
  readonly base: string;
  /** URL of the gateway's mount, or of its operations; `undefined` if it is unknown. */
  readonly gatewayUrl: string | undefined;
}

/**
 * Reads the shapes that a gateway reports.
 *
 * @throws {ConfigurationError} when the content has another format, or is about another site
 */
export function readGatewayShapes(
  content: Json,
  { base, gatewayUrl }: GatewayShapesSource,
): readonly SeenResponses[] {
  const parsed = parseShapesReport(content);
  if (parsed === null) {
    throw new ConfigurationError('The gateway does not report shapes of responses. Is its version the same?');
  }
  const { responses, site } = parsed;
  const isOfSite = !URL.canParse(site) || new URL(site).host === new URL(base).host;
  if (isOfSite || (gatewayUrl !== undefined && isSameMount(base, gatewayUrl))) return responses;
  throw new ConfigurationError(
    `The gateway reports responses of ${new URL(site).host}, not of ${new URL(base).host}. ` +
      "Name the site by its own URL or by that of the gateway's mount.",
  );
}

/**
 * Whether two URLs are of one mount. The operations of a gateway may have a port of their own (`admin.port`), so ports are not
 * compared.
 */
function isSameMount(url: string, otherUrl: string): boolean {
  if (!URL.canParse(otherUrl)) return false;
  const [one, other] = [new URL(url), new URL(otherUrl)];
  return one.hostname === other.hostname && mountOf(one) === mountOf(other);
}

function mountOf({ pathname }: URL): string {
  return pathname.split('/').find((segment) => segment !== '') ?? '';
}
