/**
 * Texts of the `detail` parameter of `Cache-Status` (RFC 9211 §2.8): why a request was forwarded although a response is
 * stored, and why its response was not stored. A request that bypasses the cache has the reasons of
 * `wordpress/shared-requests.ts` instead.
 */

/** Why a request was forwarded, or could not be served, beyond what `fwd` says. */
export const FORWARD_DETAILS = {
  /** The request has `Cache-Control: no-store`: it neither uses nor changes the store. */
  noStore: 'request no-store',
  /** The request has `If-Match` or `If-Unmodified-Since`, which only the site evaluates. */
  precondition: 'request precondition',
  /** The request has `Cache-Control: no-cache` (a reload). */
  noCache: 'request no-cache',
  /** The request has `max-age`, and the stored response is older. */
  maxAge: 'request max-age',
  /** The request has `only-if-cached`, and no stored response can be used for it. */
  onlyIfCached: 'request only-if-cached',
  /** The last response with this key could not be shared, so the request did not wait for that of another client. */
  hitForPass: 'hit-for-pass',
} as const;

/** Why a stored response was served although it is stale. */
export const STALE_DETAILS = {
  /** The response is within its window `stale-while-revalidate`, and is refreshed in the background. */
  whileRevalidate: 'stale-while-revalidate',
  /** As above, but there is no refresh now: the last one has just failed. */
  refreshBackoff: 'refresh backoff',
  /** The site responded with an error, and `stale-if-error` allows the stored response instead. */
  ifError: 'stale-if-error',
} as const;

/** The detail of a stale response that replaces one of a site that could not be reached, or has not responded in time. */
export function formatUnreachableDetail(failureKind: string): string {
  return `unreachable ${failureKind}`;
}

/** Added to the detail of a response that the site should have confirmed, after a soft purge or a write of unknown outcome. */
export const UNCONFIRMED_DETAIL = 'unconfirmed';

/** Why a response was not stored, or not yet. Further reasons contain a status or the name of a field. */
export const NOT_STORED_DETAILS = {
  /** Only the response to a `GET` has a body to store. */
  head: 'method HEAD',
  noStore: 'no-store',
  private: 'private',
  /** The response must be revalidated each time, but has no validator. */
  noCache: 'no-cache',
  /** The response has `must-understand`, and the cache does not know its status. */
  mustUnderstand: 'must-understand',
  varyStar: 'vary *',
  /** The response states no freshness and has no validator, so it could never be reused. */
  noFreshness: 'no-freshness',
  /** Partial responses (206) are not stored. */
  partial: 'partial',
  tooLarge: 'too large',
  /** The body has a content coding that cannot or must not be removed, so that it cannot be inspected or sent to all clients. */
  contentCoding: 'content coding',
  /** The body ended before its `Content-Length`. */
  incomplete: 'incomplete',
  /** The store refused it: a purge, or a later response, came or might have come after the request was sent, so it might be outdated. */
  purged: 'purged meanwhile',
  /** The response is an error although its status is 200. */
  broken: 'broken response',
  /** The analysis of the body threw an exception, which is a defect of the gateway. */
  analysisFailed: 'analysis failed',
  /** The response can be stored once it is complete, which was not known when its head was sent. */
  storable: 'storable',
} as const;

/** The detail of a response that is not stored because of its status. */
export function formatStatusDetail(status: number): string {
  return `status ${status}`;
}

/**
 * The detail of a response that is not stored because a field of its request can identify the client, and the response
 * does not allow to share it.
 *
 * @param name in lower case
 */
export function formatRequestFieldDetail(name: string): string {
  return name === 'authorization' || name === 'cookie' ? name : `header ${name}`;
}
