/**
 * Texts of the `detail` parameter of `Cache-Status` (RFC 9211 §2.8). A request that bypasses the cache has
 * the reasons of `wordpress/shared-requests.ts` instead.
 */

/** Why a request was forwarded, or could not be served, beyond what `fwd` says. */
export const FORWARD_DETAILS = {
  noStore: 'request no-store',
  /** `If-Match` or `If-Unmodified-Since`, which only the site evaluates. */
  precondition: 'request precondition',
  /** A reload. */
  noCache: 'request no-cache',
  maxAge: 'request max-age',
  onlyIfCached: 'request only-if-cached',
  /**
   * The last response with this key could not be shared, so the request did not wait for another client's.
   */
  hitForPass: 'hit-for-pass',
} as const;

/** Why a stored response was served although it is stale. */
export const STALE_DETAILS = {
  whileRevalidate: 'stale-while-revalidate',
  /** As above, but there is no refresh now: the last one has just failed. */
  refreshBackoff: 'refresh backoff',
  ifError: 'stale-if-error',
} as const;

/** The detail of a stale response that replaces one of an unreachable or silent site. */
export function formatUnreachableDetail(failureKind: string): string {
  return `unreachable ${failureKind}`;
}

/**
 * Added to the detail of a stale response that the site should have confirmed, after a soft purge or a write
 * of unknown outcome.
 */
export const UNCONFIRMED_DETAIL = 'unconfirmed';

/** Why a response was not stored, or not yet. Further reasons contain a status or the name of a field. */
export const NOT_STORED_DETAILS = {
  /** Only the response to a `GET` has a body to store. */
  head: 'method HEAD',
  noStore: 'no-store',
  private: 'private',
  /** It must be revalidated each time, but has no validator. */
  noCache: 'no-cache',
  /** The cache does not know the response's status. */
  mustUnderstand: 'must-understand',
  varyStar: 'vary *',
  /** It states no freshness and has no validator, so it could never be reused. */
  noFreshness: 'no-freshness',
  /** 206. */
  partial: 'partial',
  tooLarge: 'too large',
  /** A content coding that cannot or must not be removed. */
  contentCoding: 'content coding',
  /** The body ended before its `Content-Length`. */
  incomplete: 'incomplete',
  /** A purge or a later response came, or might have come, after the request was sent. */
  purged: 'purged meanwhile',
  /** The response is an error although its status is 200. */
  broken: 'broken response',
  /** The analysis of the body threw an exception: a defect of the gateway. */
  analysisFailed: 'analysis failed',
  /** It can be stored once it is complete, which was not known when its head was sent. */
  storable: 'storable',
} as const;

export function formatStatusDetail(status: number): string {
  return `status ${status}`;
}

/** The detail of a response that a field of its request (in lower case) can make personal. */
export function formatRequestFieldDetail(name: string): string {
  return name === 'authorization' || name === 'cookie' ? name : `header ${name}`;
}
