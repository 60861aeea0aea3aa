import { splitNames } from '../../base/glob.ts';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, parseConnectionFields, removeFields } from '../../base/http/fields.ts';
import { memoizeByString } from '../../base/memoize.ts';
import {
  rewriteLinkField,
  rewriteRefreshField,
  rewriteSetCookieField,
  rewriteUrlReference,
  type SiteUrls,
} from './rewrite-urls.ts';

export interface UrlRewriteOptions {
  readonly siteUrls: SiteUrls;
  readonly publicBase: string;
  /** {@link findLocation}. @default the rewritten one */
  readonly location?: string | undefined;
}

/**
 * - `drop`: mostly of the upstream connection (RFC 9110 §7.6.1). `Alt-Svc` would lead around the gateway.
 * - `connection`: names further fields to drop.
 * - `location`: a URL to rewrite, unless it's one of {@link findLocation}.
 * - a function: rewrites the URLs in the field.
 */
type FieldTreatment = 'drop' | 'connection' | 'location' | typeof rewriteUrlReference;
const FIELD_TREATMENTS: ReadonlyMap<string, FieldTreatment> = new Map<string, FieldTreatment>([
  ['connection', 'connection'],
  ['location', 'location'],
  ['content-location', rewriteUrlReference],
  ['x-pingback', rewriteUrlReference],
  ['link', rewriteLinkField],
  ['refresh', rewriteRefreshField],
  ['set-cookie', rewriteSetCookieField],
  // The gateway adds its own request id. @hono/node-server sets the last one.
  ...splitNames(
    'keep-alive proxy-connection proxy-authenticate proxy-authentication-info te trailer transfer-encoding upgrade alt-svc x-request-id x-hono-already-sent',
  ).map((name) => [name, 'drop'] as const),
]);

const treatmentOfResponseField = memoizeByString(
  (name): FieldTreatment | 'pass' => FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass',
);

const LENGTH_FIELD: ReadonlySet<string> = new Set(['content-length']);

export function toClientHeaders(
  { headers: fields, status }: ResponseHead,
  { location, publicBase, siteUrls }: UrlRewriteOptions,
): string[] {
  const headers: string[] = [];
  let connection: string | undefined;

  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    const treatment = treatmentOfResponseField(name);
    switch (treatment) {
      case 'pass':
        headers.push(name, value);
        break;
      case 'drop':
        break;
      case 'connection':
        connection = connection === undefined ? value : `${connection}, ${value}`;
        break;
      case 'location':
        headers.push(name, location ?? rewriteUrlReference(value, siteUrls, publicBase));
        break;
      default:
        headers.push(name, treatment(value, siteUrls, publicBase));
    }
  }

  const named = connection === undefined ? undefined : parseConnectionFields(connection);
  if (named !== undefined) removeFields(headers, named);
  // RFC 9110 §8.6 forbids it in a 204. A `Response` has no body with 205, and the client would wait for it.
  if (status === 204 || status === 205) removeFields(headers, LENGTH_FIELD);
  return headers;
}

/**
 * Finds the `Location` of a redirect to the same path at another address of the site (`https`, its public host): rewritten, it would
 * lead to itself. One that adds a slash is rewritten whatever its port, which is the server's.
 * @param requested URL of the request as the site knows it @param isPrivateHost whether visitors can't reach a URL's host
 */
export function findLocation(
  { headers, status }: ResponseHead,
  requested: string,
  { publicBase, siteUrls }: Pick<UrlRewriteOptions, 'publicBase' | 'siteUrls'>,
  isPrivateHost: (url: URL) => boolean,
): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = fieldValue(headers, 'location') ?? '';
  if (!URL.canParse(location) || !URL.canParse(requested)) return undefined;
  const [from, to] = [new URL(requested), new URL(location)];
  const isSameHost = to.hostname === from.hostname;
  if (
    isSameHost &&
    to.protocol === 'http:' &&
    to.pathname === `${from.pathname}/` &&
    to.search === from.search
  )
    return rewriteUrlReference(from.origin + to.pathname + to.search, siteUrls, publicBase);
  const isItself = to.pathname === from.pathname && to.search === from.search;
  const isElsewhere = isSameHost
    ? to.host === from.host && to.protocol === 'https:' && from.protocol === 'http:'
    : !isPrivateHost(to);
  const isRewritten = rewriteUrlReference(location, siteUrls, publicBase) !== location;
  return isItself && isElsewhere && isRewritten ? location : undefined;
}

/** Undefined for a single `chunked` (RFC 9112 §7): the gateway sends no `TE`. */
export function findUnsupportedTransferCoding(headers: readonly string[]): string | undefined {
  const codings = fieldValue(headers, 'transfer-encoding');
  return codings === undefined || SUPPORTED.test(codings) ? undefined : codings;
}

/** `identity` is obsolete and means no coding. */
const SUPPORTED = /^\s*(?:chunked|identity)?\s*$/i;
