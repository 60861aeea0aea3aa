import type { ResponseHead } from '../http/exchange.ts';
import { connectionOptions, dropFields } from '../http/fields.ts';
import { memoizeByString } from '../memoize.ts';
import type { SiteUrls } from './base-urls.ts';
import { isRewritableBody } from './rewrite-body.ts';
import { rewriteCookie, rewriteLinks, rewriteReference, rewriteRefresh } from './rewrite-fields.ts';

/** What becomes of the site's own addresses in an answer. */
export interface RewriteOptions {
  readonly siteUrls: SiteUrls;
  /** The gateway's address of this site as its caller knows it, mount included, without a trailing slash. */
  readonly publicBase: string;
  /** Whether bodies are rewritten, where their type allows it. */
  readonly rewriteBodies: boolean;
}

export interface ClientResponseHeaders {
  /** Flat list, as it goes to the caller. */
  readonly headers: string[];
  /** Put a `bodyRewriter` between the transport and the caller. `Content-Length` is gone then. */
  readonly rewriteBody: boolean;
}

/**
 * - `drop`: for this connection only (RFC 9110 §7.6.1); an invitation to go round the gateway (`Alt-Svc`); and
 *   `Trailer`, because whether trailers can follow is for the caller's own connection to say.
 * - the others: how the addresses in the field are rewritten.
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
  ...(
    [
      ...['keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authentication-info'],
      ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'alt-svc'],
      // The gateway has its own, under which it sent the request.
      'x-request-id',
    ] as const
  ).map((name) => [name, 'drop'] as const),
]);

const treatmentOf = memoizeByString(
  (name): FieldTreatment | 'pass' => FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass',
);

/** What a body loses with its bytes. Ranges and digests would be those of the body that the site sent. */
const BODY_BYTE_FIELDS = new Set([
  ...['content-length', 'accept-ranges', 'content-md5', 'digest', 'content-digest', 'repr-digest'],
]);

/** The header section as it goes to the caller, made from the site's. */
export function toClientHeaders(head: ResponseHead, rewriting: RewriteOptions): ClientResponseHeaders {
  const { siteUrls, publicBase } = rewriting;
  const raw = head.headers;
  const headers: string[] = [];
  let connection: string | undefined;

  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
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

  const named = connection === undefined ? undefined : connectionOptions(connection);
  if (named !== undefined) dropFields(headers, named);
  if (!rewriting.rewriteBodies) return { headers, rewriteBody: false };
  const rewriteBody = isRewritableBody(head.status, headers);
  if (rewriteBody) dropFields(headers, BODY_BYTE_FIELDS);
  // A 304 has no type to tell by, but it confirms an entity tag that was weak when it was given out.
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
