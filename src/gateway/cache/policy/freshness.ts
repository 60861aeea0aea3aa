import { type Dictionary, parseDictionary } from 'structured-headers';
import {
  type CacheDirective,
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  NO_DIRECTIVES,
  parseCacheControl,
  parseDeltaSeconds,
  parseDirectiveSeconds,
  parseHttpDate,
} from '../../../base/http/cache-fields.ts';
import { fieldValue, firstFieldValue, hasField } from '../../../base/http/fields.ts';
import type { PurgeMode, StoredResponse } from '../store.ts';

export interface CacheRule extends StaleWindows {
  /** Lifetimes in seconds, by status. `undefined`: the response or RFC 9111 §4.2.2's heuristic decides. */
  readonly getTtl: (status: number) => number | undefined;
  /** Seconds. @default a day */
  readonly maxHeuristicLifetime?: number;
  /** Whether the rule has precedence over the directives of a storable response. @default false */
  readonly overridesResponse: boolean;
  /** Windows that no operator has stated: they only hold for responses without a lifetime. @default none */
  readonly defaultWindows?: readonly (keyof StaleWindows)[];
  /** Whether the rule replaces a `max-age=0` without `Pragma`, which is meant for browsers. @default false */
  readonly replacesZeroMaxAge?: boolean;
  /** Whether clients cannot demand a response of the origin. @default false */
  readonly ignoresReload?: boolean;
  /** Maximum seconds of a lifetime that the response states, and of its use while refreshed. @default none */
  readonly maxStatedLifetime?: number;
}

/** RFC 9110 §15.1. */
const HEURISTICALLY_CACHEABLE_STATUSES: ReadonlySet<number> = new Set([
  200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
]);

export interface EffectiveCacheControl {
  readonly directives: CacheDirectives;
  /** `Cache-Control` and `Expires` are then ignored. */
  readonly isTargeted: boolean;
}

/** RFC 9213 §2.2, the most applicable first. */
export const TARGETED_FIELDS: readonly string[] = ['waygate-cache-control', 'cdn-cache-control'];

/** RFC 9213 §2.2: the first target field with a valid value counts, in place of `Cache-Control` and `Expires`. */
export function parseEffectiveCacheControl(headers: readonly string[]): EffectiveCacheControl {
  for (const name of TARGETED_FIELDS) {
    const field = fieldValue(headers, name);
    const directives = field === undefined ? null : parseTargetedField(field);
    if (directives !== null && directives.length > 0) return { directives, isTargeted: true };
  }
  const field = fieldValue(headers, 'cache-control');
  return { directives: field === undefined ? NO_DIRECTIVES : parseCacheControl(field), isTargeted: false };
}

/** Directives with an Integer (RFC 9213 §2.1). One of another type makes the field invalid. */
const NUMERIC_DIRECTIVES = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);
/** A decimal, which the parser can't tell from an integer if its fraction is 0. */
const DECIMAL = new RegExp(`(?:${[...NUMERIC_DIRECTIVES].join('|')})=-?\\d+\\.`);

function parseTargetedField(field: string): CacheDirectives | null {
  const directives: CacheDirective[] = [];
  const members = readDictionary(field);
  if (members === null || DECIMAL.test(field)) return null;
  for (const [name, [value]] of members) {
    if (NUMERIC_DIRECTIVES.has(name) && !Number.isInteger(value)) return null;
    if (value === false) continue;
    const argument = Array.isArray(value) ? value.map(([item]) => String(item)).join(',') : String(value);
    directives.push({ name, argument: value === true ? null : argument });
  }
  return directives;
}

/** RFC 9651 §4.2: a field that cannot be parsed is ignored. */
function readDictionary(field: string): Dictionary | null {
  try {
    return parseDictionary(field);
  } catch {
    return null;
  }
}

/** Milliseconds since the epoch; `responseTime` if it is absent (RFC 9110 §6.6.1) or invalid. */
export function parseDateField(headers: readonly string[], responseTime: number): number {
  const field = firstFieldValue(headers, 'date');
  return (field === undefined ? null : parseHttpDate(field, responseTime)) ?? responseTime;
}

/** Seconds at `responseTime` (RFC 9111 §4.2.3). `Date` counts seconds, so the apparent age is rounded down. */
export function calculateInitialAge(
  headers: readonly string[],
  requestTime: number,
  responseTime: number,
): number {
  const apparentAge = Math.max(0, Math.floor((responseTime - parseDateField(headers, responseTime)) / 1000));
  const responseDelay = Math.max(0, responseTime - requestTime) / 1000;
  // §5.1: a list's first member counts.
  const [age = ''] = fieldValue(headers, 'age')?.split(',', 1) ?? [];
  const correctedAge = (parseDeltaSeconds(age.trim()) ?? 0) + responseDelay;
  return Math.max(apparentAge, correctedAge);
}

/** Returns the selected response after a purge; `null` if it is removed. */
export function applyPurge(stored: StoredResponse, mode: PurgeMode): StoredResponse | null {
  if (mode === 'hard') return null;
  // While the origin fails, its lifetime goes on.
  const windows =
    mode === 'unconfirmed' ? { staleWhileRevalidate: 0 } : { freshnessLifetime: 0, ...NO_WINDOWS };
  return { ...stored, isSoftPurged: true, ...windows };
}

export interface FreshnessInput {
  readonly status: number;
  readonly headers: readonly string[];
  readonly cacheControl: EffectiveCacheControl;
  readonly responseTime: number;
  /** {@link getExplicitLifetime} */
  readonly explicitLifetime: number | undefined;
}

/** RFC 9111 §4.2.2. */
const HEURISTIC_FRACTION = 0.1;
const MAX_HEURISTIC_LIFETIME = 24 * 3600;

/** Seconds (RFC 9111 §4.2.1). A rule precedes the heuristic, and with `overridesResponse` the response. */
export function calculateFreshnessLifetime(input: FreshnessInput, rule: CacheRule): number {
  const ruleLifetime = rule.getTtl(input.status);
  if (rule.overridesResponse && ruleLifetime !== undefined) return ruleLifetime;
  // §5.2.2.4: not without validation.
  if (hasUnqualifiedDirective(input.cacheControl.directives, 'no-cache')) return 0;
  const stated = getStatedLifetime(input, rule);
  if (stated !== undefined) return Math.min(stated, rule.maxStatedLifetime ?? stated);
  if (ruleLifetime !== undefined) return ruleLifetime;
  return Math.min(calculateHeuristicLifetime(input), rule.maxHeuristicLifetime ?? MAX_HEURISTIC_LIFETIME);
}

function getStatedLifetime(input: FreshnessInput, rule: CacheRule): number | undefined {
  const { cacheControl, explicitLifetime, headers, status } = input;
  const { directives, isTargeted } = cacheControl;
  const isForBrowsers =
    rule.replacesZeroMaxAge === true &&
    explicitLifetime === 0 &&
    !isTargeted &&
    parseDirectiveSeconds(directives, 'max-age') === 0 &&
    !hasDirective(directives, 's-maxage') &&
    !hasField(headers, 'pragma');
  return isForBrowsers && (rule.getTtl(status) ?? 0) > 0 ? undefined : explicitLifetime;
}

/** §4.2.1: `s-maxage`, else `max-age`, else `Expires` minus `Date`. @returns undefined without any; 0 for an invalid one */
export function getExplicitLifetime({
  headers,
  cacheControl,
  responseTime,
}: Omit<FreshnessInput, 'explicitLifetime' | 'status'>): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = parseDirectiveSeconds(cacheControl.directives, name);
    if (seconds !== undefined) return seconds ?? 0;
  }
  const expires = cacheControl.isTargeted ? undefined : firstFieldValue(headers, 'expires');
  if (expires === undefined) return undefined;
  // §5.3: an invalid date, such as "0", is in the past.
  const at = parseHttpDate(expires, responseTime);
  if (at === null) return 0;
  return Math.max(0, (at - parseDateField(headers, responseTime)) / 1000);
}

/** §4.2.2: for responses without explicit freshness, by their status or because of e.g. `public`. */
function calculateHeuristicLifetime({ status, headers, cacheControl, responseTime }: FreshnessInput): number {
  if (!HEURISTICALLY_CACHEABLE_STATUSES.has(status) && !hasDirective(cacheControl.directives, 'public'))
    return 0;
  const field = firstFieldValue(headers, 'last-modified');
  const modified = field === undefined ? null : parseHttpDate(field, responseTime);
  if (modified === null) return 0;
  const unmodifiedSeconds = (parseDateField(headers, responseTime) - modified) / 1000;
  return Math.max(0, Math.floor(unmodifiedSeconds * HEURISTIC_FRACTION));
}

type StaleWindows = Pick<StoredResponse, 'staleWhileRevalidate' | 'staleIfError' | 'staleIfUnreachable'>;

/** A day, for a cache that "is disconnected" (RFC 9111 §4.2.4). */
export const DEFAULT_STALE_IF_UNREACHABLE: number = 24 * 3600;

export const NO_WINDOWS: StaleWindows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };

/** RFC 9111 §4.2.4. `s-maxage` only implies it. */
function requiresRevalidation(directives: CacheDirectives): boolean {
  return (
    hasDirective(directives, 'must-revalidate') ||
    hasDirective(directives, 'proxy-revalidate') ||
    hasUnqualifiedDirective(directives, 'no-cache')
  );
}

/**
 * The response's windows, else the rule's. With a stated lifetime, default windows are only that of a disconnected cache (§4.2.4),
 * or none if it is 0. `s-maxage` forbids stale responses beyond stated windows (§5.2.2.10).
 */
export function calculateStaleWindows(input: FreshnessInput, rule: CacheRule): StaleWindows {
  const { cacheControl, status } = input;
  const { directives } = cacheControl;
  // A stored server error must not replace a later one. Where a redirect leads is confirmed first (§4.2.2).
  const ruleWindows: StaleWindows =
    status >= 500 ? NO_WINDOWS : status >= 300 && status < 400 ? { ...rule, staleWhileRevalidate: 0 } : rule;
  if (rule.overridesResponse && rule.getTtl(status) !== undefined) {
    const { staleWhileRevalidate, staleIfError, staleIfUnreachable } = ruleWindows;
    return { staleWhileRevalidate, staleIfError, staleIfUnreachable };
  }
  if (requiresRevalidation(directives)) return NO_WINDOWS;
  const lifetime = getStatedLifetime(input, rule);
  const getRuleWindow = (name: keyof StaleWindows): number => {
    if (hasDirective(directives, 's-maxage')) return 0;
    const isDefault = lifetime !== undefined && rule.defaultWindows?.includes(name) === true;
    return isDefault && (name !== 'staleIfUnreachable' || lifetime <= 0) ? 0 : ruleWindows[name];
  };
  // An origin's statement about its errors also holds while it does not respond.
  const declaredIfError = getDeclaredWindow(directives, 'stale-if-error');
  const declared = getDeclaredWindow(directives, 'stale-while-revalidate');
  return {
    staleWhileRevalidate:
      declared === undefined
        ? getRuleWindow('staleWhileRevalidate')
        : Math.min(declared, rule.maxStatedLifetime ?? declared),
    staleIfError: declaredIfError ?? getRuleWindow('staleIfError'),
    staleIfUnreachable: declaredIfError ?? getRuleWindow('staleIfUnreachable'),
  };
}

function getDeclaredWindow(directives: CacheDirectives, name: string): number | undefined {
  const seconds = parseDirectiveSeconds(directives, name);
  return seconds === undefined ? undefined : (seconds ?? 0);
}

/** §3: by its directives, the lifetime of a rule ("a cache extension that allows it to be cached"), or its status. */
export function isCacheable(input: FreshnessInput, rule: CacheRule): boolean {
  return (
    input.explicitLifetime !== undefined ||
    hasDirective(input.cacheControl.directives, 'public') ||
    HEURISTICALLY_CACHEABLE_STATUSES.has(input.status) ||
    (rule.getTtl(input.status) ?? 0) > 0
  );
}

export function isReusable(headers: readonly string[], lifetime: number, windows: StaleWindows): boolean {
  return (
    lifetime > 0 ||
    windows.staleWhileRevalidate > 0 ||
    windows.staleIfError > 0 ||
    hasField(headers, 'etag') ||
    hasField(headers, 'last-modified')
  );
}
