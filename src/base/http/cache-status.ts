import { memoizeByString } from '../memoize.ts';
import { NOT_SENT_KINDS, type UpstreamFailureKind } from './exchange.ts';

/** RFC 9211 §2.2: the most specific reason applies. */
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
  /** Status of the origin's response, if it differs from the client's. */
  readonly fwdStatus?: number;
  /** Seconds until the response is stale; negative after that. */
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

/** Formats the member of an error response of the gateway itself. @param status without the failure */
export function formatFailureStatus(
  { detail, ...status }: CacheStatus,
  failureKind: UpstreamFailureKind,
): string {
  const failure = `failed ${failureKind}`;
  const explained = { detail: detail === undefined ? failure : `${detail}, ${failure}` };
  // RFC 9211 §2.2: `fwd` states that the request was forwarded.
  return formatCacheStatus(NOT_SENT_KINDS.has(failureKind) ? explained : { ...status, ...explained });
}

/** RFC 9651 §3.3.4. */
const TOKEN = /^[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*$/;
/** It can contain a name that a client or a site chose. */
const MAX_DETAIL_LENGTH = 100;

/** Formats a token or a string (RFC 9211 §2.8) in ASCII. */
const formatDetail = memoizeByString((detail): string => {
  const text = detail.length > MAX_DETAIL_LENGTH ? `${detail.slice(0, MAX_DETAIL_LENGTH - 3)}...` : detail;
  if (TOKEN.test(text)) return text;
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
});
