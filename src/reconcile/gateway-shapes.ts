import { ConfigurationError } from '../errors.ts';
import type { Json } from '../json.ts';
import { parseShapes, type SeenResponses } from '../validation/shapes/index.ts';

/**
 * Reads the shapes that a gateway reports.
 *
 * @param base URL of the site that is reconciled
 * @throws {ConfigurationError} when the content has another format, or is about another site
 */
export function readGatewayShapes(content: Json, base: string): readonly SeenResponses[] {
  const parsed = parseShapes(content);
  if (parsed === null) {
    throw new ConfigurationError('The gateway does not report shapes of responses. Is its version the same?');
  }
  const { responses, site } = parsed;
  if (URL.canParse(site) && new URL(site).host !== new URL(base).host) {
    throw new ConfigurationError(
      `The gateway reports responses of ${new URL(site).host}, not of ${new URL(base).host}.`,
    );
  }
  return responses;
}
