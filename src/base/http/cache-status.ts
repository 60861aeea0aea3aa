import { memoizeByString } from '../memoize.ts';

/** What the cache did with a request, as data and as the field `Cache-Status` (RFC 9211). */

/** RFC 9211 §2.2. */
export type ForwardReason =
  | 'bypass'
  | 'uri-miss'
  /** Other values of the `Vary` fields are stored. */
  | 'vary-miss'
  | 'request'
  | 'stale';

export interface CacheStatus {
  readonly hit?: boolean;
  readonly fwd?: ForwardReason;
  readonly fwdStatus?: number;
  readonly ttl?: number;
  readonly stored?: boolean;
  readonly collapsed?: boolean;
  readonly detail?: string;
}

export function formatCacheStatus(status: CacheStatus): string {
  let member = 'waygate';
  if (status.hit === true) member += '; hit';
  if (status.fwd !== undefined) member += `; fwd=${status.fwd}`;
  if (status.fwdStatus !== undefined) member += `; fwd-status=${status.fwdStatus}`;
  if (status.ttl !== undefined) member += `; ttl=${Math.trunc(status.ttl)}`;
  if (status.stored === true) member += '; stored';
  if (status.collapsed === true) member += '; collapsed';
  if (status.detail !== undefined) member += `; detail=${formatDetail(status.detail)}`;
  return member;
}

const TOKEN = /^[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*$/;

/** It can contain a name that a client or a site chose. */
const MAX_DETAIL_LENGTH = 100;

const formatDetail = memoizeByString((detail): string => {
  const text = detail.length > MAX_DETAIL_LENGTH ? `${detail.slice(0, MAX_DETAIL_LENGTH - 3)}...` : detail;
  if (TOKEN.test(text)) return text;
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
});

export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

export function toCacheOutcome(status: CacheStatus | undefined): CacheOutcome {
  if (status === undefined) return 'none';
  const { detail, fwd, hit, ttl = 0 } = status;
  // A stale response that replaces an error of the site has `fwd` and a negative `ttl`.
  if (ttl <= -1) return 'stale';
  if (hit === true) return detail === undefined ? 'hit' : 'stale';
  if (fwd === undefined) return 'none';
  return fwd === 'bypass' ? 'bypass' : 'miss';
}
