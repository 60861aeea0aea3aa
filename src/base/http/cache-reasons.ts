import { detachString } from '../memoize.ts';
import WORDS from './cache-reasons.json' with { type: 'json' };
import type { UpstreamFailureKind } from './network-errors.ts';

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
type PrivateKind = 'cookie' | 'set-cookie';

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

/** Characters of a name. */
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

/** The reasons as clients read them: without names of cookies. */
export function writePublicReasons(reasons: readonly CacheReason[]): string {
  return reasons
    .map((reason) => (reason.kind.endsWith('cookie') ? reason.kind : writeReason(reason)))
    .join(', ');
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
export function findRemedy(reason: CacheReason | undefined): string {
  if (reason === undefined || (reason.kind === 'header' && FORM_FIELDS.has(reason.name.toLowerCase())))
    return '';
  return REASON_WORDS[reason.kind].remedy ?? '';
}
