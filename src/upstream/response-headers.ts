import { splitNames } from '../glob.ts';
import type { ResponseHead } from '../http/exchange.ts';
import { fieldValue, parseConnectionFields, removeFields } from '../http/fields.ts';
import { TRANSFER_CODING_ERROR } from '../http/network-errors.ts';
import { memoizeByString } from '../memoize.ts';
import { BODY_BYTE_FIELDS, isRewritableBody } from './rewrite-body.ts';
import {
  rewriteLinkField,
  rewriteRefreshField,
  rewriteSetCookieField,
  rewriteUrlReference,
  type SiteUrls,
} from './rewrite-urls.ts';

/** The URLs of the site in a response, and the gateway's URL that replaces them. */
export interface UrlRewriteOptions {
  readonly siteUrls: SiteUrls;
  /** The gateway's URL of this site as the client sees it, with the mount, without a trailing slash. */
  readonly publicBase: string;
  /** Whether URLs are also rewritten in bodies whose media type allows it (`isRewritableBody`). */
  readonly rewriteBodies: boolean;
  /** Whether `Location` stays as it is: see {@link isRedirectToHttps}. @default false */
  readonly keepsLocation?: boolean;
}

export interface ClientResponseHeaders {
  /** Flat list name, value, name, value. */
  readonly headers: string[];
  /** Whether a `BodyRewriter` has to rewrite the body. If so, the fields that describe its bytes are removed. */
  readonly needsBodyRewrite: boolean;
}

/**
 * Treatment of a field of the site's response.
 *
 * - `drop`: the field is not forwarded. Most of these fields belong to the upstream connection (RFC 9110 §7.6.1). `Alt-Svc`
 *   would lead clients around the gateway. `Trailer` depends on the client's connection.
 * - `connection`: the field names further fields to drop.
 * - `location`: a URL to rewrite, unless the response redirects to https.
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
  // The gateway adds its own request id. By the last one @hono/node-server knows that nothing is left to write.
  ...splitNames(
    'keep-alive proxy-connection proxy-authenticate proxy-authentication-info te trailer transfer-encoding upgrade alt-svc x-request-id x-hono-already-sent',
  ).map((name) => [name, 'drop'] as const),
]);

const treatmentOfResponseField = memoizeByString(
  (name): FieldTreatment | 'pass' => FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass',
);

/** Creates the header section for the client from the site's response head. */
export function toClientHeaders(head: ResponseHead, rewriting: UrlRewriteOptions): ClientResponseHeaders {
  const { siteUrls, publicBase, keepsLocation = false } = rewriting;
  const fields = head.headers;
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
        headers.push(name, keepsLocation ? value : rewriteUrlReference(value, siteUrls, publicBase));
        break;
      default:
        headers.push(name, treatment(value, siteUrls, publicBase));
    }
  }

  const named =
    connection === undefined || connection === 'keep-alive' ? undefined : parseConnectionFields(connection);
  if (named !== undefined) removeFields(headers, named);
  if (!rewriting.rewriteBodies) return { headers, needsBodyRewrite: false };
  const needsBodyRewrite = isRewritableBody(head.status, headers);
  if (needsBodyRewrite) removeFields(headers, BODY_BYTE_FIELDS);
  // A 304 has no type, but it confirms an entity tag that the gateway may have weakened in the earlier response.
  if (needsBodyRewrite || head.status === 304) weakenEntityTag(headers);
  return { headers, needsBodyRewrite };
}

/**
 * Whether a response redirects from `http` to `https` and to nothing else. At the gateway both are one address: rewritten, the
 * redirect would lead to itself.
 *
 * @param requested URL of the request as the site knows it
 */
export function isRedirectToHttps({ headers, status }: ResponseHead, requested: string): boolean {
  if (status < 300 || status > 399 || !requested.startsWith('http:')) return false;
  const location = fieldValue(headers, 'location') ?? '';
  if (!/^https:/i.test(location) || !URL.canParse(location) || !URL.canParse(requested)) return false;
  const from = new URL(requested);
  const to = new URL(location);
  return to.host === from.host && to.pathname === from.pathname && to.search === from.search;
}

/** Makes the entity tag weak: a strong validator promises the same bytes (RFC 9110 §8.8.1), and rewriting changes them. */
function weakenEntityTag(headers: string[]): void {
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (headers[at]?.toLowerCase() === 'etag' && !value.startsWith('W/')) headers[at + 1] = `W/${value}`;
  }
}

/**
 * Returns the transfer codings of a response if one of them is not decoded: all but a single `chunked` (RFC 9112 §7). The
 * gateway sends no `TE`, so a site must not use others. Without the field the body would be relayed coded.
 *
 * @param headers flat list name, value
 */
export function findUnsupportedTransferCoding(headers: readonly string[]): string | undefined {
  const codings = fieldValue(headers, 'transfer-encoding');
  return codings === undefined || SUPPORTED.test(codings) ? undefined : codings;
}

/** `identity` is obsolete and means no coding. */
const SUPPORTED = /^\s*(?:chunked|identity)?\s*$/i;

/** The cause of a failure `transfer-coding`. */
export class TransferCodingError extends Error {
  readonly code: string = TRANSFER_CODING_ERROR;

  constructor(codings: string) {
    super(`the site sent the transfer coding ${JSON.stringify(codings.slice(0, 60))}`);
  }
}
