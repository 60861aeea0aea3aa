import { firstValue } from '../../http/fields.ts';

/**
 * Methods that change nothing (RFC 9110 §9.2.1, and the registry's others). RFC 9111 §4.4: "a cache MUST invalidate […]
 * when it receives a non-error status code in response to an unsafe request method (including methods whose safety is
 * unknown)."
 */
const SAFE: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'PRI'],
]);

export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/**
 * The addresses, absolute and without fragment, whose stored answers an answer to an unsafe request makes void.
 *
 * §4.4: "A cache MUST invalidate the target URI […]. A cache MAY invalidate other URIs […]. In particular, the URI(s) in
 * the Location and Content-Location response header fields (if present) are candidates for invalidation […]. However, a
 * cache MUST NOT trigger an invalidation under these conditions if the origin […] of the URI to be invalidated differs
 * from that of the target URI. This helps prevent denial-of-service attacks. […] a "non-error response" is one with a
 * 2xx (Successful) or 3xx (Redirection) status code."
 *
 * @param target the absolute address that the request was for
 */
export function invalidated(
  method: string,
  target: string,
  answer: { readonly status: number; readonly headers: readonly string[] },
): readonly string[] {
  if (isSafe(method) || answer.status < 200 || answer.status > 399) return [];
  const base = new URL(target);
  const addresses = new Set([addressOf(base)]);
  for (const name of ['location', 'content-location']) {
    const reference = firstValue(answer.headers, name);
    if (reference === undefined || !URL.canParse(reference, base)) continue;
    const named = new URL(reference, base);
    if (named.origin === base.origin) addresses.add(addressOf(named));
  }
  return [...addresses];
}

function addressOf(url: URL): string {
  return `${url.origin}${url.pathname}${url.search}`;
}
