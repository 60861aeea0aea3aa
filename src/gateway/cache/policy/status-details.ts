/** `detail` of `Cache-Status` (RFC 9211 §2.8). Reasons to bypass the cache are in `wordpress/bypass-rules.ts`. */

export const FORWARD_DETAILS = {
  noStore: 'request no-store',
  precondition: 'request precondition',
  range: 'request range',
  noCache: 'request no-cache',
  maxAge: 'request max-age',
  onlyIfCached: 'request only-if-cached',
  first: 'first request',
  hitForPass: 'hit-for-pass',
} as const;

export const STALE_DETAILS = {
  whileRevalidate: 'stale-while-revalidate',
  ifError: 'stale-if-error',
} as const;

export function formatUnreachableDetail(failureKind: string): string {
  return `unreachable ${failureKind}`;
}

/** For a stale response that the site should have confirmed after a soft purge or an unclear write. */
export const UNCONFIRMED_DETAIL = 'unconfirmed';

export const NOT_STORED_DETAILS = {
  head: 'method HEAD',
  noStore: 'no-store',
  private: 'private',
  noCache: 'no-cache',
  varyStar: 'vary *',
  noFreshness: 'no-freshness',
  partial: 'partial',
  tooLarge: 'too large',
  contentCoding: 'content coding',
  incomplete: 'incomplete',
  purged: 'purged meanwhile',
  broken: 'broken response',
  analysisFailed: 'analysis failed',
  storable: 'storable',
} as const;

/** Of a stored response older than its lifetime on arrival, e.g. because the site's clock is slow. */
export function formatArrivalDetail(age: number): string {
  return `arrived ${Math.round(age)} s old`;
}

/** @returns seconds; `null` for another `detail` */
export function readArrivalAge(detail: string): number | null {
  const [, age] = /arrived (\d+) s old/.exec(detail) ?? [];
  return age === undefined ? null : Number(age);
}

export function formatStatusDetail(status: number): string {
  return `status ${status}`;
}

export function formatRequestFieldDetail(name: string): string {
  return name === 'authorization' || name === 'cookie' ? name : `header ${name}`;
}

export function formatForbiddenDetail(name: string): string {
  return `forbidden by ${name}`;
}
