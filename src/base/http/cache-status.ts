import { memoizeByString } from '../memoize.ts';
import WORDS from './cache-reasons.json' with { type: 'json' };
import { type CacheReason, explainReasons, writePublicReasons } from './cache-reasons.ts';

/** What the cache did with a request, as data, as the field `Cache-Status` (RFC 9211), and in a sentence. */

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
  readonly detail?: readonly CacheReason[];
}

export function formatCacheStatus(status: CacheStatus): string {
  let member = 'waygate';
  if (status.hit === true) member += '; hit';
  if (status.fwd !== undefined) member += `; fwd=${status.fwd}`;
  if (status.fwdStatus !== undefined) member += `; fwd-status=${status.fwdStatus}`;
  if (status.ttl !== undefined) member += `; ttl=${Math.trunc(status.ttl)}`;
  if (status.stored === true) member += '; stored';
  if (status.collapsed === true) member += '; collapsed';
  if (status.detail !== undefined && status.detail.length > 0)
    member += `; detail=${quoteDetail(writePublicReasons(status.detail))}`;
  return member;
}

const TOKEN = /^[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*$/;

/** It can contain a name that a client or a site chose. */
const MAX_DETAIL_LENGTH = 100;

const quoteDetail = memoizeByString((detail): string => {
  const text = detail.length > MAX_DETAIL_LENGTH ? `${detail.slice(0, MAX_DETAIL_LENGTH - 3)}...` : detail;
  if (TOKEN.test(text)) return text;
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
});

export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

export function toCacheOutcome(status: CacheStatus | undefined): CacheOutcome {
  if (status === undefined) return 'none';
  const { detail = [], fwd, hit, ttl = 0 } = status;
  // A stale response that replaces an error of the site has `fwd` and a negative `ttl`.
  if (ttl <= -1) return 'stale';
  if (hit === true) return detail.length === 0 ? 'hit' : 'stale';
  if (fwd === undefined) return 'none';
  return fwd === 'bypass' ? 'bypass' : 'miss';
}

const FORWARD_WORDS: Readonly<Record<ForwardReason, string>> = WORDS.forwardReasons;

export function explainCacheStatus({ collapsed, detail = [], fwd, hit, stored, ttl }: CacheStatus): string {
  if (hit === true) {
    if (ttl === undefined) return 'The gateway sent a stored response.';
    const seconds = Math.trunc(ttl);
    return seconds >= 0
      ? `The gateway sent a stored response, fresh for another ${seconds} seconds.`
      : `The gateway sent a stored response that has been stale for ${-seconds} seconds.`;
  }
  const words = explainReasons(detail);
  const forwarded = fwd === undefined ? 'The gateway forwarded the request' : FORWARD_WORDS[fwd];
  const reason = fwd === 'bypass' && words !== '' ? 'The gateway did not use its store' : forwarded;
  const ofStore = stored === true ? ' It stored this one.' : '';
  const shared = collapsed === true ? ' It shared the response of another request.' : '';
  return `${reason}${words === '' ? '' : `: ${words}`}.${ofStore}${shared}`;
}

/** Why the gateway's response was not stored; empty if it was, or could be. `visit_1080` is `visit_*`: names have ids. */
export function listUnstoredReasons({ detail = [], hit, stored }: CacheStatus): readonly CacheReason[] {
  const last = detail.at(-1)?.kind;
  if (hit === true || stored === true || last === 'storable' || last === 'arrived') return [];
  return detail
    .filter(({ kind }) => kind !== 'first request' && kind !== 'hit-for-pass')
    .map((reason) =>
      reason.kind === 'cookie' || reason.kind === 'set-cookie'
        ? { ...reason, name: reason.name.replace(/(?<=[^\d ]{2})\d.*/s, '*') }
        : reason,
    );
}
