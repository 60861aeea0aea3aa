import { detachString, memoizeByString } from '../memoize.ts';
import WORDS from './cache-reasons.json' with { type: 'json' };
import type { UpstreamFailureKind } from './network-errors.ts';

/** What the cache did with a request, and why: as data, as the field `Cache-Status` (RFC 9211), and in a sentence. */

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
  /** Set if the store answered; with `fwd`, in place of a failure of the site. */
  readonly served?: 'fresh' | 'stale';
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
  const { fwd, served } = status;
  if (served !== undefined) return served === 'fresh' ? 'hit' : 'stale';
  if (fwd === undefined) return 'none';
  return fwd === 'bypass' ? 'bypass' : 'miss';
}

const FORWARD_WORDS: Readonly<Record<ForwardReason, string>> = WORDS.forwardReasons;

export function explainCacheStatus(status: CacheStatus): string {
  const { collapsed, detail = [], fwd, hit, served, stored, ttl = 0 } = status;
  if (hit === true) {
    const seconds = Math.abs(Math.trunc(ttl));
    return served === 'fresh'
      ? `The gateway sent a stored response, fresh for another ${seconds} seconds.`
      : `The gateway sent a stored response that has been stale for ${seconds} seconds.`;
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
      isOfCookie(reason) ? { ...reason, name: reason.name.replace(/(?<=[^\d ]{2})\d.*/s, '*') } : reason,
    );
}

/** Why the cache did what it did, as data. `Cache-Status` has it as `detail`, operators as sentences. */
export type CacheReason =
  /** A response older than its lifetime on arrival, e.g. because the site's clock is slow. In seconds. */
  | { readonly kind: 'arrived'; readonly age: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'failed' | 'unreachable'; readonly failure: UpstreamFailureKind }
  | { readonly kind: NamingKind; readonly name: string }
  | { readonly kind: PlainKind };

/** Kinds with the name of a field, parameter, path segment or namespace, as clients or sites chose it. */
type NamingKind =
  | PrivateKind
  | 'header'
  | 'parameter'
  | 'path parameter'
  | 'personal path'
  | 'query'
  | 'namespace'
  | 'forbidden by';

/** Kinds with the name of a cookie, which only operators read. */
const PRIVATE_KINDS = ['cookie', 'set-cookie'] as const;

type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** All others that have words. */
type PlainKind = Exclude<
  keyof typeof WORDS.reasons,
  NamingKind | 'arrived' | 'status' | 'failed' | 'unreachable'
>;

interface ReasonWords {
  /** `…` stands for the name or number. */
  readonly means: string;
  /** By {@link UpstreamFailureKind}, in place of `means`. */
  readonly failures?: Readonly<Record<string, string>>;
  /** What an operator can do about it, with code between backticks. @default nothing */
  readonly remedy?: string;
}

const REASON_WORDS: Readonly<Record<CacheReason['kind'], ReasonWords>> = WORDS.reasons;

const MAX_NAME_LENGTH = 100;

/** Copies a name that a client or a site chose: reasons outlive their request. */
export function keepName(name: string): string {
  return detachString(name.slice(0, MAX_NAME_LENGTH));
}

function argumentOf(reason: CacheReason): string {
  switch (reason.kind) {
    case 'arrived':
      return `${Math.round(reason.age)} s old`;
    case 'status':
      return String(reason.status);
    case 'failed':
    case 'unreachable':
      return reason.failure;
    default:
      return 'name' in reason ? reason.name : '';
  }
}

/** The reason as operators read it, e.g. `cookie visit`. */
export function writeReason(reason: CacheReason): string {
  const argument = argumentOf(reason);
  return argument === '' ? reason.kind : `${reason.kind} ${argument}`;
}

function isOfCookie(reason: CacheReason): reason is CacheReason & { readonly kind: PrivateKind } {
  return PRIVATE_KINDS.some((kind) => kind === reason.kind);
}

/** The reasons as clients read them: without names of cookies. */
function writePublicReasons(reasons: readonly CacheReason[]): string {
  return reasons.map((reason) => (isOfCookie(reason) ? reason.kind : writeReason(reason))).join(', ');
}

export function explainReasons(reasons: readonly CacheReason[]): string {
  const isAlone = reasons.length === 1;
  return reasons
    .filter(({ kind }) => isAlone || kind !== 'first request')
    .map(explainReason)
    .join(', ');
}

function explainReason(reason: CacheReason): string {
  const { failures, means } = REASON_WORDS[reason.kind];
  const argument = argumentOf(reason);
  return failures?.[argument] ?? means.replace(argument === '' ? ' …' : '…', () => argument);
}

/** Fields that choose another form of a response, such as JSON for a page: requests with them stay as they are. */
const FORM_FIELDS: ReadonlySet<string> = new Set(['accept', 'x-requested-with']);

/** What an operator can do about a reason, with code between backticks; empty if nothing. */
/** Cookies with content behind them. */
const SESSION_NAME = /sess|cart|guest|token/i;

export function findRemedy(reason: CacheReason | undefined): string {
  if ((reason?.kind === 'cookie' || reason?.kind === 'set-cookie') && SESSION_NAME.test(reason.name))
    return 'let its plugin set it for those visitors only who have something in it, e.g. a cart';
  if (reason === undefined || (reason.kind === 'header' && FORM_FIELDS.has(reason.name.toLowerCase())))
    return '';
  return REASON_WORDS[reason.kind].remedy ?? '';
}
