/** Why the cache forwarded a request (RFC 9211 §2.2): the most specific reason applies. */
export type ForwardReason =
  /** The cache was configured not to handle the request. */
  | 'bypass'
  /** The semantics of the method require it. */
  | 'method'
  /** Nothing is stored for the URI. */
  | 'uri-miss'
  /** The stored responses do not match the request's values of the `Vary` fields. */
  | 'vary-miss'
  /** Either of the two, where the cache cannot tell. */
  | 'miss'
  /** The request's directives forbid the stored response. */
  | 'request'
  | 'stale'
  | 'partial';

/** How the cache handled a request (RFC 9211). */
export interface CacheStatus {
  /** Served from the store without forwarding. */
  readonly hit?: boolean;
  readonly fwd?: ForwardReason;
  /** Status of the origin's response, where the client gets another. */
  readonly fwdStatus?: number;
  /** Seconds of freshness left; negative where it is stale. */
  readonly ttl?: number;
  readonly stored?: boolean;
  readonly collapsed?: boolean;
  /** Additional information for people. */
  readonly detail?: string;
}

/** Formats one member of the `Cache-Status` field (RFC 9211): `waygate; fwd=stale; fwd-status=304; ttl=60`. */
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
