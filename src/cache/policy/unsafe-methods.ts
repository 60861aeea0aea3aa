import { splitNames } from '../../glob.ts';
import { firstFieldValue } from '../../http/fields.ts';

/**
 * Safe methods (RFC 9110 §9.2.1, and the others of the method registry). RFC 9111 §4.4: "a cache MUST invalidate […]
 * when it receives a non-error status code in response to an unsafe request method (including methods whose safety is
 * unknown)."
 */
const SAFE_METHODS: ReadonlySet<string> = new Set(
  splitNames('GET HEAD OPTIONS TRACE PROPFIND REPORT SEARCH QUERY PRI'),
);

/**
 * Lists the absolute URIs, without fragment, whose stored responses a response to an unsafe request invalidates.
 *
 * §4.4: "A cache MUST invalidate the target URI […]. A cache MAY invalidate other URIs […]. In particular, the URI(s) in
 * the Location and Content-Location response header fields (if present) are candidates for invalidation […]. However, a
 * cache MUST NOT trigger an invalidation under these conditions if the origin […] of the URI to be invalidated differs
 * from that of the target URI. This helps prevent denial-of-service attacks. […] a "non-error response" is one with a
 * 2xx (Successful) or 3xx (Redirection) status code."
 *
 * @param target the absolute URI of the request
 */
export function getInvalidatedUris(
  method: string,
  target: string,
  response: { readonly status: number; readonly headers: readonly string[] },
): readonly string[] {
  if (SAFE_METHODS.has(method) || response.status < 200 || response.status > 399) return [];
  const base = new URL(target);
  const uris = new Set([formatUri(base)]);
  for (const name of ['location', 'content-location']) {
    const reference = firstFieldValue(response.headers, name);
    if (reference === undefined || !URL.canParse(reference, base)) continue;
    const referenced = new URL(reference, base);
    if (referenced.origin === base.origin) uris.add(formatUri(referenced));
  }
  return [...uris];
}

function formatUri(url: URL): string {
  return `${url.origin}${url.pathname}${url.search}`;
}
