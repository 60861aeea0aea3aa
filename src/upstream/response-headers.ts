import type { ResponseHead } from '../http/exchange.ts';
import { parseConnectionFields, removeFields } from '../http/fields.ts';
import { memoizeByString } from '../memoize.ts';
import type { SiteUrls } from './base-urls.ts';
import { isRewritableBody } from './rewrite-body.ts';
import { rewriteCookie, rewriteLinks, rewriteReference, rewriteRefresh } from './rewrite-fields.ts';

/** How a response's URLs of the site are replaced by URLs of the gateway. */
export interface RewriteOptions {
  readonly siteUrls: SiteUrls;
  /** The gateway's URL of this site as the client sees it, with the mount, without a trailing slash. */
  readonly publicBase: string;
  /** Whether bodies of a suitable type are rewritten too. */
  readonly rewriteBodies: boolean;
}

/** The header section of a response to the client. */
export interface ClientResponseHeaders {
  /** Flat list name, value, name, value. */
  readonly headers: string[];
  /** Whether the body has to pass through a `BodyRewriter`. `Content-Length` is removed then. */
  readonly rewriteBody: boolean;
}

/**
 * How a field of the site's response is treated.
 *
 * - `drop`: fields of the upstream connection (RFC 9110 §7.6.1); `Alt-Svc`, which would lead clients around the
 *   gateway; `Trailer`, because the client's connection decides whether trailers can follow.
 * - `connection`: names further fields to drop.
 * - the others: the syntax by which URLs in the field are rewritten.
 */
type FieldTreatment = 'drop' | 'connection' | 'url' | 'links' | 'refresh' | 'cookie';
const FIELD_TREATMENTS: ReadonlyMap<string, FieldTreatment> = new Map([
  ['connection', 'connection'],
  ['location', 'url'],
  ['content-location', 'url'],
  ['x-pingback', 'url'],
  ['link', 'links'],
  ['refresh', 'refresh'],
  ['set-cookie', 'cookie'],
  ['keep-alive', 'drop'],
  ['proxy-connection', 'drop'],
  ['proxy-authenticate', 'drop'],
  ['proxy-authentication-info', 'drop'],
  ['te', 'drop'],
  ['trailer', 'drop'],
  ['transfer-encoding', 'drop'],
  ['upgrade', 'drop'],
  ['alt-svc', 'drop'],
  // The gateway adds its own request id.
  ['x-request-id', 'drop'],
]);

const treatmentOf = memoizeByString(
  (name): FieldTreatment | 'pass' => FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass',
);

/** Fields that describe the bytes of the site's body, and are wrong for a rewritten one. */
const BODY_BYTE_FIELDS = new Set([
  'content-length',
  'accept-ranges',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
]);

/** Makes the header section for the client from the site's response head. */
export function toClientHeaders(head: ResponseHead, rewriting: RewriteOptions): ClientResponseHeaders {
  const { siteUrls, publicBase } = rewriting;
  const fields = head.headers;
  const headers: string[] = [];
  let connection: string | undefined;

  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    switch (treatmentOf(name)) {
      case 'pass':
        headers.push(name, value);
        break;
      case 'drop':
        break;
      case 'connection':
        connection = connection === undefined ? value : `${connection}, ${value}`;
        break;
      case 'url':
        headers.push(name, rewriteReference(value, siteUrls, publicBase));
        break;
      case 'links':
        headers.push(name, rewriteLinks(value, siteUrls, publicBase));
        break;
      case 'refresh':
        headers.push(name, rewriteRefresh(value, siteUrls, publicBase));
        break;
      case 'cookie':
        headers.push(name, rewriteCookie(value, siteUrls, publicBase));
    }
  }

  const named = connection === undefined ? undefined : parseConnectionFields(connection);
  if (named !== undefined) removeFields(headers, named);
  if (!rewriting.rewriteBodies) return { headers, rewriteBody: false };
  const rewriteBody = isRewritableBody(head.status, headers);
  if (rewriteBody) removeFields(headers, BODY_BYTE_FIELDS);
  // A 304 has no type, but it confirms an entity tag that the gateway may have weakened in the earlier response.
  if (rewriteBody || head.status === 304) weakenEntityTag(headers);
  return { headers, rewriteBody };
}

/** RFC 9110 §8.8.1: a strong validator promises the same bytes, which rewriting does not keep. */
function weakenEntityTag(headers: string[]): void {
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (headers[at]?.toLowerCase() === 'etag' && !value.startsWith('W/')) headers[at + 1] = `W/${value}`;
  }
}
