import {
  type CacheDirective,
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  MAX_DELTA_SECONDS,
  NO_DIRECTIVES,
  parseCacheControl,
  parseDeltaSeconds,
  parseDirectiveSeconds,
} from '../../http/cache-directives.ts';
import { formatHttpDate, parseHttpDate } from '../../http/date.ts';
import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import { type DictionaryMember, parseDictionary } from '../../http/structured-fields.ts';
import type { StoredResponse } from '../store.ts';

/** Configured freshness, in seconds. */
export interface CacheRule {
  /** Returns the freshness lifetime for a status. `undefined`: the response or the heuristic of RFC 9111 §4.2.2 decides. */
  readonly getTtl: (status: number) => number | undefined;
  /** Stale window of RFC 5861 §3. */
  readonly staleWhileRevalidate: number;
  /** Stale window of RFC 5861 §4. */
  readonly staleIfError: number;
  /** Seconds for which a stale response may be served while the origin cannot be reached (RFC 9111 §4.2.4). */
  readonly staleIfUnreachable: number;
  /** Whether the rule has precedence over the directives of a storable response. @default false */
  readonly overridesResponse: boolean;
}

/**
 * RFC 9110 §15.1: "Responses with status codes that are defined as heuristically cacheable (e.g., 200, 203, 204, 206,
 * 300, 301, 308, 404, 405, 410, 414, and 501 in this specification) can be reused by a cache with heuristic
 * expiration".
 */
export const HEURISTICALLY_CACHEABLE_STATUSES: ReadonlySet<number> = new Set([
  200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
]);

/**
 * RFC 9111 §5.2.2.3, `must-understand`: "limits caching of the response to a cache that understands and conforms to the
 * requirements for that response's status code". These statuses of RFC 9110 require no more of a cache than §3 does.
 */
export const UNDERSTOOD_STATUSES: ReadonlySet<number> = new Set([
  200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409,
  410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505,
]);

/** RFC 5861 §4: "an error is any situation that would result in a 500, 502, 503, or 504 HTTP response status code". */
const ERROR_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Whether `stale-if-error` applies to a response with this status. */
export function isStaleIfErrorStatus(status: number): boolean {
  return ERROR_STATUSES.has(status);
}

/** The response directives that apply to this cache: from a targeted field, else from `Cache-Control`. */
export interface EffectiveCacheControl {
  readonly directives: CacheDirectives;
  /** Whether a targeted field supplied them: `Cache-Control` and `Expires` are then ignored. */
  readonly isTargeted: boolean;
}

/**
 * RFC 9213 §2.2: a cache "maintains a target list — an ordered list of the targeted field names that it uses for caching
 * policy, with the order reflecting priority from most applicable to least applicable."
 */
const TARGETED_FIELDS = ['waygate-cache-control', 'cdn-cache-control'] as const;

/**
 * RFC 9213 §2.2: "the cache MUST select the first (in target list order) field with a valid, non-empty value and use
 * its value to determine the caching policy for the response, and it MUST ignore the Cache-Control and Expires header
 * fields in that response, unless no valid, non-empty value is available from the listed header fields."
 */
export function parseEffectiveCacheControl(headers: readonly string[]): EffectiveCacheControl {
  for (const name of TARGETED_FIELDS) {
    const field = fieldValue(headers, name);
    const directives = field === undefined ? null : parseTargetedField(field);
    if (directives !== null && directives.length > 0) return { directives, isTargeted: true };
  }
  const field = fieldValue(headers, 'cache-control');
  return { directives: field === undefined ? NO_DIRECTIVES : parseCacheControl(field), isTargeted: false };
}

/** Directives whose argument is a number (RFC 9213 §2.1: an Integer). One of another type makes the field invalid. */
const NUMERIC_DIRECTIVES = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error']);

/** Parses a targeted field (RFC 9213 §2.1). Returns `null` if it is invalid. */
function parseTargetedField(field: string): CacheDirectives | null {
  const members = parseDictionary(field);
  if (members === null) return null;
  const directives: CacheDirective[] = [];
  for (const [name, member] of members) {
    if (NUMERIC_DIRECTIVES.has(name) && member.kind !== 'integer') return null;
    const argument = formatArgument(member);
    if (argument !== undefined) directives.push({ name, argument });
  }
  return directives;
}

/** Formats an argument as in `Cache-Control`. Returns `undefined` if the directive is switched off (`no-store=?0`). */
function formatArgument(member: DictionaryMember): string | null | undefined {
  if (member.kind === 'boolean') return member.value ? null : undefined;
  if (member.kind === 'list') return member.items.map(({ value }) => String(value)).join(',');
  return String(member.value);
}

/**
 * Parses the `Age` field, in seconds; 0 if it is absent or invalid.
 *
 * RFC 9111 §5.1: "Although it is defined as a singleton header field, a cache encountering a message with a list-based
 * Age field value SHOULD use the first member of the field value, discarding subsequent ones. If the field value (after
 * discarding additional members, as per above) is invalid […], a cache SHOULD ignore the field."
 */
function parseAgeField(headers: readonly string[]): number {
  const field = fieldValue(headers, 'age');
  return field === undefined ? 0 : (parseDeltaSeconds(field.split(',', 1)[0]?.trim() ?? null) ?? 0);
}

/**
 * Parses the `Date` field. RFC 9110 §6.6.1: "A recipient with a clock that receives a response message without a Date header field MUST record
 * the time it was received".
 *
 * @returns milliseconds since the epoch; `responseTime` if the field is absent or invalid
 */
export function parseDateField(headers: readonly string[], responseTime: number): number {
  const field = firstFieldValue(headers, 'date');
  return (field === undefined ? null : parseHttpDate(field, responseTime)) ?? responseTime;
}

/**
 * Appends a `Date` field to `headers`, in place, if it is absent. RFC 9110 §6.6.1: "…and append a corresponding Date
 * header field to the message's header section if it is cached".
 */
export function addMissingDate(headers: string[], responseTime: number): string[] {
  if (firstFieldValue(headers, 'date') === undefined) headers.push('Date', formatHttpDate(responseTime));
  return headers;
}

/**
 * Calculates the age at `responseTime` (RFC 9111 §4.2.3):
 *
 *     apparent_age = max(0, response_time - date_value);
 *     response_delay = response_time - request_time;
 *     corrected_age_value = age_value + response_delay;
 *     corrected_initial_age = max(apparent_age, corrected_age_value);
 *
 * `Date` has a resolution of one second, so the apparent age is rounded down. Otherwise responses would be half a second
 * old on arrival, on average.
 *
 * @returns seconds
 */
export function calculateInitialAge(
  headers: readonly string[],
  requestTime: number,
  responseTime: number,
): number {
  const apparentAge = Math.max(0, Math.floor((responseTime - parseDateField(headers, responseTime)) / 1000));
  const responseDelay = Math.max(0, responseTime - requestTime) / 1000;
  const correctedAge = parseAgeField(headers) + responseDelay;
  return Math.min(MAX_DELTA_SECONDS, Math.max(apparentAge, correctedAge));
}

/**
 * Calculates the age at `now` in seconds (RFC 9111 §4.2.3):
 *
 *     resident_time = now - response_time;
 *     current_age = corrected_initial_age + resident_time;
 *
 * A clock that was set back does not make the response younger than it was on arrival.
 */
export function calculateCurrentAge(stored: StoredResponse, now: number): number {
  return stored.initialAge + Math.max(0, now - stored.responseTime) / 1000;
}

/** Formats the value of `Age`, RFC 9111 §5.1: "in seconds, as a non-negative integer". */
export function formatAge(stored: StoredResponse, now: number): string {
  return String(Math.min(MAX_DELTA_SECONDS, Math.floor(calculateCurrentAge(stored, now))));
}

/** RFC 9111 §4.2: "response_is_fresh = (freshness_lifetime > current_age)". */
export function isFresh(stored: StoredResponse, now: number): boolean {
  return !stored.markedStale && stored.freshnessLifetime > calculateCurrentAge(stored, now);
}

/** Calculates the seconds until the response is stale; negative after that. The result is never positive for `markedStale`. */
export function calculateTimeToLive(stored: StoredResponse, now: number): number {
  const left = stored.freshnessLifetime - calculateCurrentAge(stored, now);
  return stored.markedStale ? Math.min(0, left) : left;
}

/**
 * Creates a copy of a response that is stale at `now`: after a soft purge, or because it is outdated. Its stale windows start at `now`, so it may still
 * be served while it is revalidated.
 */
export function applySoftPurge(stored: StoredResponse, now: number): StoredResponse {
  const freshnessLifetime = Math.min(stored.freshnessLifetime, calculateCurrentAge(stored, now));
  return { ...stored, freshnessLifetime, markedStale: true };
}

/** The parts of an origin's response that its freshness lifetime depends on. */
export interface FreshnessInput {
  readonly status: number;
  readonly headers: readonly string[];
  readonly cacheControl: EffectiveCacheControl;
  readonly responseTime: number;
}

/** RFC 9111 §4.2.2: "A typical setting of this fraction might be 10%." */
const HEURISTIC_FRACTION = 0.1;
/** Seconds. A heuristic is a guess, so it is limited to one day. */
const MAX_HEURISTIC_LIFETIME = 24 * 3600;

/**
 * Calculates the freshness lifetime (RFC 9111 §4.2.1) in seconds; 0 if the response is stale on arrival. A configured
 * rule has precedence over the heuristic, and with `overridesResponse` over the response.
 */
export function calculateFreshnessLifetime(input: FreshnessInput, rule: CacheRule): number {
  const ruleLifetime = rule.getTtl(input.status);
  if (rule.overridesResponse && ruleLifetime !== undefined) return Math.min(ruleLifetime, MAX_DELTA_SECONDS);
  // §5.2.2.4: "no-cache […] MUST NOT be used to satisfy any other request without forwarding it for validation".
  if (hasUnqualifiedDirective(input.cacheControl.directives, 'no-cache')) return 0;
  return (
    getExplicitLifetime(input) ??
    (ruleLifetime === undefined
      ? calculateHeuristicLifetime(input)
      : Math.min(ruleLifetime, MAX_DELTA_SECONDS))
  );
}

/**
 * §4.2.1: "If the cache is shared and the s-maxage response directive is present, use its value, or if the max-age
 * response directive is present, use its value, or if the Expires response header field is present, use its value minus
 * the value of the Date response header field".
 *
 * @returns undefined if the response states no lifetime; 0 if the stated one is invalid: "Caches are encouraged to
 * consider responses that have invalid freshness information (e.g., a max-age directive with non-integer content) to be
 * stale."
 */
export function getExplicitLifetime({
  headers,
  cacheControl,
  responseTime,
}: FreshnessInput): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = parseDirectiveSeconds(cacheControl.directives, name);
    if (seconds !== undefined) return seconds ?? 0;
  }
  const expires = cacheControl.isTargeted ? undefined : firstFieldValue(headers, 'expires');
  if (expires === undefined) return undefined;
  // §5.3: "A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time in
  // the past (i.e., "already expired")."
  const at = parseHttpDate(expires, responseTime);
  if (at === null) return 0;
  return Math.min(MAX_DELTA_SECONDS, Math.max(0, (at - parseDateField(headers, responseTime)) / 1000));
}

/**
 * §4.2.2: "A cache MUST NOT use heuristics to determine freshness when an explicit expiration time is present in the
 * stored response. Because of the requirements in Section 3, heuristics can only be used on responses without explicit
 * freshness whose status codes are defined as heuristically cacheable and those responses without explicit freshness
 * that have been marked as explicitly cacheable (e.g., with a public response directive)."
 */
function calculateHeuristicLifetime({ status, headers, cacheControl, responseTime }: FreshnessInput): number {
  if (!HEURISTICALLY_CACHEABLE_STATUSES.has(status) && !hasDirective(cacheControl.directives, 'public'))
    return 0;
  const field = firstFieldValue(headers, 'last-modified');
  const modified = field === undefined ? null : parseHttpDate(field, responseTime);
  if (modified === null) return 0;
  const unmodifiedSeconds = (parseDateField(headers, responseTime) - modified) / 1000;
  return Math.min(MAX_HEURISTIC_LIFETIME, Math.max(0, Math.floor(unmodifiedSeconds * HEURISTIC_FRACTION)));
}

/** Times after the end of the freshness lifetime in which a response may still be served, in seconds (RFC 5861). */
export interface StaleWindows {
  /** Window in which the response is refreshed in the background. */
  readonly staleWhileRevalidate: number;
  /** Window in which the response may replace an error of the origin. */
  readonly staleIfError: number;
  /** Window in which the response may be served while the origin cannot be reached. */
  readonly staleIfUnreachable: number;
}

/**
 * The window of `staleIfUnreachable` if nothing is configured: a day, in seconds. RFC 9111 §4.2.4: "A cache MUST NOT
 * generate a stale response unless it is disconnected or doing so is explicitly permitted by the client or origin
 * server".
 */
export const DEFAULT_STALE_IF_UNREACHABLE: number = 24 * 3600;

/** The windows of a response that may only be served while it is fresh. */
export const NO_WINDOWS: StaleWindows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };

/**
 * Whether directives forbid stale responses. RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive
 * (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable s-maxage or
 * proxy-revalidate response directive".
 */
export function forbidsStale(directives: CacheDirectives): boolean {
  return requiresRevalidation(directives) || hasDirective(directives, 's-maxage');
}

/** Whether a directive forbids stale responses explicitly; `s-maxage` only implies it. */
function requiresRevalidation(directives: CacheDirectives): boolean {
  return (
    hasDirective(directives, 'must-revalidate') ||
    hasDirective(directives, 'proxy-revalidate') ||
    hasUnqualifiedDirective(directives, 'no-cache')
  );
}

/**
 * Calculates the stale windows: from `stale-while-revalidate` and `stale-if-error`, else from the rule.
 *
 * `s-maxage` forbids stale responses implicitly (RFC 9111 §5.2.2.10). A window that the origin states in the same field
 * is more specific and applies: sites write `s-maxage=60, stale-while-revalidate=600`.
 */
export function calculateStaleWindows(
  status: number,
  directives: CacheDirectives,
  rule: CacheRule,
): StaleWindows {
  // A stored server error must not be served in place of a later one.
  const ruleWindows: StaleWindows = status >= 500 ? NO_WINDOWS : rule;
  if (rule.overridesResponse && rule.getTtl(status) !== undefined) return pick(ruleWindows);
  if (requiresRevalidation(directives)) return NO_WINDOWS;
  const defaults = hasDirective(directives, 's-maxage') ? NO_WINDOWS : ruleWindows;
  // What the origin states for its errors holds for an origin that does not respond, too.
  const statedIfError = getStatedWindow(directives, 'stale-if-error');
  return {
    staleWhileRevalidate:
      getStatedWindow(directives, 'stale-while-revalidate') ?? defaults.staleWhileRevalidate,
    staleIfError: statedIfError ?? defaults.staleIfError,
    staleIfUnreachable: statedIfError ?? defaults.staleIfUnreachable,
  };
}

/** Parses the seconds of a directive. Returns undefined if it is absent, and 0 if its argument is invalid. */
function getStatedWindow(directives: CacheDirectives, name: string): number | undefined {
  const seconds = parseDirectiveSeconds(directives, name);
  return seconds === undefined ? undefined : Math.min(seconds ?? 0, MAX_DELTA_SECONDS);
}

function pick({ staleWhileRevalidate, staleIfError, staleIfUnreachable }: StaleWindows): StaleWindows {
  return { staleWhileRevalidate, staleIfError, staleIfUnreachable };
}
