/** Why a request went forward (RFC 9211 §2.2): the most specific reason. */
export type ForwardReason =
  /** The cache was told not to handle this request. */
  | 'bypass'
  /** The method's semantics require it. */
  | 'method'
  /** Nothing was stored under the address. */
  | 'uri-miss'
  /** Something was, but for other values of what `Vary` names. */
  | 'vary-miss'
  /** Either of the two. */
  | 'miss'
  /** The request's own directives forbade what was stored. */
  | 'request'
  | 'stale'
  | 'partial';

/** What a cache says of how it dealt with a request. */
export interface CacheStatus {
  /** Answered from the store, without going forward. */
  readonly hit?: boolean;
  readonly fwd?: ForwardReason;
  /** The status that the site answered with, where another goes out. */
  readonly fwdStatus?: number;
  /** Seconds of freshness left; negative where it is stale. */
  readonly ttl?: number;
  readonly stored?: boolean;
  readonly collapsed?: boolean;
  /** Anything else, for people. */
  readonly detail?: string;
}

/** One member of `Cache-Status` (RFC 9211): `waygate; fwd=stale; fwd-status=304; ttl=60`. */
export function formatCacheStatus(status: CacheStatus): string {
  let member = 'waygate';
  if (status.hit === true) member += '; hit';
  if (status.fwd !== undefined) member += `; fwd=${status.fwd}`;
  if (status.fwdStatus !== undefined) member += `; fwd-status=${status.fwdStatus}`;
  if (status.ttl !== undefined) member += `; ttl=${Math.trunc(status.ttl)}`;
  if (status.stored === true) member += '; stored';
  if (status.collapsed === true) member += '; collapsed';
  if (status.detail !== undefined) member += `; detail=${status.detail}`;
  return member;
}
