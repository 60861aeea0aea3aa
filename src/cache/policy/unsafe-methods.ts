import { splitNames } from '../../glob.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue, hasField } from '../../http/fields.ts';
import type { StoredResponseDraft } from '../store.ts';
import {
  evaluateStorability,
  getExplicitLifetime,
  type OriginResponse,
  parseEffectiveCacheControl,
} from './storability.ts';

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

/**
 * Whether the response to a `POST` is a representation of the target, so that later reads of it may be served with the
 * response. RFC 9110 §9.3.3: "Responses to POST requests are only cacheable when they include explicit freshness
 * information […] and a Content-Location header field that has the same value as the POST's target URI".
 *
 * @param head as the origin sent it
 * @param target the absolute URI of the request
 */
export function isRepresentationOfTarget({ headers, status }: ResponseHead, target: string): boolean {
  if (status !== 200 || hasField(headers, 'content-range')) return false;
  // Several lines become one value with a comma, which is another URI.
  const location = fieldValue(headers, 'content-location');
  if (location === undefined || !URL.canParse(location, target)) return false;
  return new URL(location, target).href === new URL(target).href;
}

/**
 * Creates the draft of a response to a `POST` that {@link isRepresentationOfTarget}.
 *
 * @param response with a request for reading it, which has the fields of the `POST`
 * @returns `null` if it must not be stored: besides the rules for `GET`, it must state its freshness, and no field of the
 * request may identify the client, because the response to a write is made for its writer first
 */
export function createPostDraft(response: OriginResponse): StoredResponseDraft | null {
  const { head, request, responseTime } = response;
  if (request.identifyingFields.length > 0) return null;
  const { headers, status } = head;
  const cacheControl = parseEffectiveCacheControl(headers);
  const lifetime = getExplicitLifetime({ status, headers, cacheControl, responseTime }) ?? 0;
  if (lifetime <= 0) return null;
  const storability = evaluateStorability(response);
  return storability.kind === 'storable' && storability.draft.freshnessLifetime > 0
    ? storability.draft
    : null;
}
