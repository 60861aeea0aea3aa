import { type Dictionary, parseDictionary } from 'structured-headers';
import { splitNames } from '../../glob.ts';
import {
  type CacheDirective,
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  listQualifiedFieldNames,
  MAX_DELTA_SECONDS,
  NO_DIRECTIVES,
  parseCacheControl,
  parseDeltaSeconds,
  parseDirectiveSeconds,
} from '../../http/cache-directives.ts';
import { formatHttpDate, parseHttpDate } from '../../http/date.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { NULL_BODY_STATUSES } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, withoutFields } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import { hashBytes, hashText } from '../content/content-hash.ts';
import type { PurgeMode, StoredResponse, StoredResponseDraft } from '../store.ts';
import {
  FORWARD_DETAILS,
  formatRequestFieldDetail,
  formatStatusDetail,
  NOT_STORED_DETAILS,
} from './status-details.ts';

/**
 * What may be stored, and for how long: effective directives, age and freshness lifetime (RFC 9111 §4.2), storability (§3), and
 * the variants that `Vary` tells apart (§4.1).
 */

/** Configured freshness, in seconds. */
export interface CacheRule extends StaleWindows {
  /** Returns the freshness lifetime for a status. `undefined`: the response or the heuristic of RFC 9111 §4.2.2 decides. */
  readonly getTtl: (status: number) => number | undefined;
  /** Upper bound of a heuristic lifetime. @default a day */
  readonly maxHeuristicLifetime?: number;
  /** Whether the rule has precedence over the directives of a storable response. @default false */
  readonly overridesResponse: boolean;
  /** Stale windows that no operator has stated: they hold for responses that state no lifetime. @default none */
  readonly defaultWindows?: readonly (keyof StaleWindows)[];
  /** Whether directives of clients that demand a response of the origin are ignored. @default false */
  readonly ignoresReload?: boolean;
}

/**
 * RFC 9110 §15.1: "Responses with status codes that are defined as heuristically cacheable (e.g., 200, 203, 204, 206,
 * 300, 301, 308, 404, 405, 410, 414, and 501 in this specification) can be reused by a cache with heuristic
 * expiration".
 */
const HEURISTICALLY_CACHEABLE_STATUSES: ReadonlySet<number> = new Set([
  200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
]);

/**
 * RFC 9111 §5.2.2.3, `must-understand`: "limits caching of the response to a cache that understands and conforms to the
 * requirements for that response's status code". These statuses of RFC 9110 require no more of a cache than §3 does.
 */
const UNDERSTOOD_STATUSES: ReadonlySet<number> = new Set([
  200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409,
  410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505,
]);

/**
 * Errors that another request for the resource need not cause: the message was too long, its conditions or its range did not fit, or there were
 * too many. RFC 6585 forbids to store 428, 429 and 431. Stored, each of the others would be what one client does to all.
 */
const SENDER_ERRORS: ReadonlySet<number> = new Set([
  400, 406, 408, 411, 412, 413, 414, 415, 416, 417, 421, 425, 426, 428, 429, 431,
]);

/** RFC 5861 §4: "an error is any situation that would result in a 500, 502, 503, or 504 HTTP response status code". */
export const STALE_IF_ERROR_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

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
/** A decimal, which the parser does not tell from an integer if its fraction is 0. */
const DECIMAL = new RegExp(`(?:${[...NUMERIC_DIRECTIVES].join('|')})=-?\\d+\\.`);

/** Parses a targeted field (RFC 9213 §2.1). Returns `null` if it is invalid. */
function parseTargetedField(field: string): CacheDirectives | null {
  const directives: CacheDirective[] = [];
  const members = readDictionary(field);
  if (members === null || DECIMAL.test(field)) return null;
  for (const [name, [value]] of members) {
    if (NUMERIC_DIRECTIVES.has(name) && !Number.isInteger(value)) return null;
    // A directive may be switched off: `no-store=?0`.
    if (value === false) continue;
    const argument = Array.isArray(value) ? value.map(([item]) => String(item)).join(',') : String(value);
    directives.push({ name, argument: value === true ? null : argument });
  }
  return directives;
}

/** RFC 9651 §4.2: "If parsing fails, […] the entire field value MUST be ignored". */
function readDictionary(field: string): Dictionary | null {
  try {
    return parseDictionary(field);
  } catch {
    return null;
  }
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
function addMissingDate(headers: string[], responseTime: number): string[] {
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
function calculateInitialAge(headers: readonly string[], requestTime: number, responseTime: number): number {
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
  return !stored.isSoftPurged && stored.freshnessLifetime > calculateCurrentAge(stored, now);
}

/** Calculates the seconds until the response is stale; negative after that. The result is never positive for `isSoftPurged`. */
export function calculateTimeToLive(stored: StoredResponse, now: number): number {
  const left = stored.freshnessLifetime - calculateCurrentAge(stored, now);
  return stored.isSoftPurged ? Math.min(0, left) : left;
}

/**
 * Creates a copy of a response that is stale at `now`: after a soft purge, or because it is outdated. Its stale windows start at `now`, so it may still
 * be served while it is revalidated.
 */
export function applySoftPurge(stored: StoredResponse, now: number): StoredResponse {
  const freshnessLifetime = Math.min(stored.freshnessLifetime, calculateCurrentAge(stored, now));
  return { ...stored, freshnessLifetime, isSoftPurged: true };
}

/**
 * Returns what a purge leaves of a response that it selects.
 *
 * @param time of the purge, in milliseconds since the epoch
 * @returns `null` if the response is removed
 *
 * @example
 * import { applyPurge, type StoredResponse } from 'waygate';
 *
 * const purgeAll = (responses: readonly StoredResponse[]): readonly StoredResponse[] =>
 *   responses.flatMap((each) => applyPurge(each, 'soft', Date.now()) ?? []);
 * console.log(purgeAll([]).length);
 */
export function applyPurge(stored: StoredResponse, mode: PurgeMode, time: number): StoredResponse | null {
  if (mode === 'hard') return null;
  // While the origin fails, it is used as it would be without the write: its lifetime goes on.
  if (mode === 'unconfirmed') return { ...stored, isSoftPurged: true, staleWhileRevalidate: 0 };
  const stale = applySoftPurge(stored, time);
  return mode === 'soft' ? stale : { ...stale, ...NO_WINDOWS };
}

interface FreshnessInput {
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
function calculateFreshnessLifetime(input: FreshnessInput, rule: CacheRule): number {
  const ruleLifetime = rule.getTtl(input.status);
  if (rule.overridesResponse && ruleLifetime !== undefined) return Math.min(ruleLifetime, MAX_DELTA_SECONDS);
  // §5.2.2.4: "no-cache […] MUST NOT be used to satisfy any other request without forwarding it for validation".
  if (hasUnqualifiedDirective(input.cacheControl.directives, 'no-cache')) return 0;
  return (
    getExplicitLifetime(input) ??
    (ruleLifetime === undefined
      ? Math.min(calculateHeuristicLifetime(input), rule.maxHeuristicLifetime ?? MAX_HEURISTIC_LIFETIME)
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
  return Math.max(0, Math.floor(unmodifiedSeconds * HEURISTIC_FRACTION));
}

/** Times after the end of the freshness lifetime in which a response may still be served, in seconds (RFC 5861). */
type StaleWindows = Pick<StoredResponse, 'staleWhileRevalidate' | 'staleIfError' | 'staleIfUnreachable'>;

/**
 * The window of `staleIfUnreachable` if nothing is configured: a day, in seconds. RFC 9111 §4.2.4: "A cache MUST NOT
 * generate a stale response unless it is disconnected or doing so is explicitly permitted by the client or origin
 * server".
 */
export const DEFAULT_STALE_IF_UNREACHABLE: number = 24 * 3600;

/** The windows of a response that may only be served while it is fresh. */
export const NO_WINDOWS: StaleWindows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };

/**
 * Whether directives forbid stale responses explicitly. RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited
 * by an explicit in-protocol directive (e.g., by a no-cache response directive, a must-revalidate response directive, or an applicable
 * s-maxage or proxy-revalidate response directive". `s-maxage` only implies it.
 */
function requiresRevalidation(directives: CacheDirectives): boolean {
  return (
    hasDirective(directives, 'must-revalidate') ||
    hasDirective(directives, 'proxy-revalidate') ||
    hasUnqualifiedDirective(directives, 'no-cache')
  );
}

/**
 * Calculates the stale windows: from `stale-while-revalidate` and `stale-if-error`, else from the rule. A response that states its
 * lifetime has no windows by default, but for one: RFC 9111 §4.2.4 allows stale responses to a cache that is disconnected, if
 * nothing prohibits them. A lifetime of 0 does.
 *
 * `s-maxage` forbids stale responses implicitly (RFC 9111 §5.2.2.10). A window that the origin states in the same field
 * is more specific and applies: sites write `s-maxage=60, stale-while-revalidate=600`.
 */
function calculateStaleWindows(input: FreshnessInput, rule: CacheRule): StaleWindows {
  const { cacheControl, status } = input;
  const { directives } = cacheControl;
  // A stored server error must not be served in place of a later one.
  const ruleWindows: StaleWindows = status >= 500 ? NO_WINDOWS : rule;
  if (rule.overridesResponse && rule.getTtl(status) !== undefined) {
    const { staleWhileRevalidate, staleIfError, staleIfUnreachable } = ruleWindows;
    return { staleWhileRevalidate, staleIfError, staleIfUnreachable };
  }
  if (requiresRevalidation(directives)) return NO_WINDOWS;
  const lifetime = getExplicitLifetime(input);
  const getRuleWindow = (name: keyof StaleWindows): number => {
    if (hasDirective(directives, 's-maxage')) return 0;
    const isDefault = lifetime !== undefined && rule.defaultWindows?.includes(name) === true;
    return isDefault && (name !== 'staleIfUnreachable' || lifetime <= 0) ? 0 : ruleWindows[name];
  };
  // What the origin states for its errors holds for an origin that does not respond, too.
  const statedIfError = getStatedWindow(directives, 'stale-if-error');
  return {
    staleWhileRevalidate:
      getStatedWindow(directives, 'stale-while-revalidate') ?? getRuleWindow('staleWhileRevalidate'),
    staleIfError: statedIfError ?? getRuleWindow('staleIfError'),
    staleIfUnreachable: statedIfError ?? getRuleWindow('staleIfUnreachable'),
  };
}

/** Parses the seconds of a directive. Returns undefined if it is absent, and 0 if its argument is invalid. */
function getStatedWindow(directives: CacheDirectives, name: string): number | undefined {
  const seconds = parseDirectiveSeconds(directives, name);
  return seconds === undefined ? undefined : Math.min(seconds ?? 0, MAX_DELTA_SECONDS);
}

/** The parts of a request on which storing its response depends. */
export interface OriginRequest {
  /** The method that the site runs, after an override by `_method` or `X-HTTP-Method-Override`. */
  readonly method: 'GET' | 'HEAD';
  /**
   * Flat list name, value, as the origin receives it. Variants are computed from it, because a field that is not forwarded (RFC 9110
   * §7.6.1: any that `Connection` names) must not select a variant.
   */
  readonly forwardedHeaders: readonly string[];
  /**
   * Returns the variant key (`createVariantKey`): of the fields that the site gets if the request is forwarded with
   * `FetchOptions.vary`, and after that of the fields that it has got.
   *
   * @param vary field names in lower case
   */
  getVariantKey(vary: readonly string[]): string;
  readonly policy: StoragePolicy;
  /**
   * Names, in lower case, of the request's header fields that may identify its client: `authorization`, `cookie`, an
   * unknown field. If there are any, the response is stored, and a stored response is served, only if that response
   * explicitly allows it (`permitsSharing`, RFC 9111 §3.5). Empty for a discovered site, where such a request does not
   * reach the cache.
   */
  readonly identifyingFields: readonly string[];
}

/** What decides whether the responses of a resource are stored. None of it depends on the client. */
export interface StoragePolicy {
  readonly rule: CacheRule;
  /** Selects the configured freshness by the response; `undefined` selects {@link rule}. */
  readonly selectRule?: ((head: ResponseHead) => CacheRule | undefined) | undefined;
  /**
   * Names, in lower case, of fields that have the same value in all requests that the origin receives. `Vary` may list
   * them without effect. @default none
   */
  readonly ignoredVaryFields?: readonly string[] | undefined;
}

export interface OriginResponse {
  readonly request: OriginRequest;
  readonly head: ResponseHead;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly requestTime: number;
  /** When the head arrived, in milliseconds since the epoch. */
  readonly responseTime: number;
}

/** The reason why a response is not stored. */
export interface StorageRefusal {
  /** The `detail` of `Cache-Status` (`status-details.ts`). */
  readonly detail: string;
  /** Whether the response may depend on the client. Such a response is not even shared with collapsed requests. */
  readonly isClientSpecific: boolean;
}

type Storability =
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  | { readonly kind: 'not-storable'; readonly refusal: StorageRefusal };

/**
 * Decides whether a response may be stored. RFC 9111 §3: "A cache MUST NOT store a response to a request unless:", followed
 * by these conditions.
 *
 * @param method of the request for which it is stored
 */
export function evaluateStorability(
  response: OriginResponse,
  method: 'GET' | 'HEAD' = response.request.method,
): Storability {
  const { head, request, requestTime, responseTime } = response;
  const { policy } = request;
  const rule = policy.selectRule?.(head) ?? policy.rule;
  const cacheControl = parseEffectiveCacheControl(head.headers);
  const vary = parseVary(head.headers, policy.ignoredVaryFields);
  const prohibition = findProhibition(response, method, cacheControl, vary ?? []);
  if (prohibition !== undefined) return { kind: 'not-storable', refusal: prohibition };
  if (vary === null) return { kind: 'not-storable', refusal: toClientRefusal(NOT_STORED_DETAILS.varyStar) };

  const input: FreshnessInput = { status: head.status, headers: head.headers, cacheControl, responseTime };
  // "the response status code is final". "if the response status code is 206 or 304, […] the cache understands the response status
  // code": a 304 only updates a stored response. Clients with the same conditions may share one, so this comes after what forbids it.
  if (head.status < 200 || head.status === 304 || !isCacheable(input, rule))
    return { kind: 'not-storable', refusal: refuseStatus(head.status) };
  const freshnessLifetime = calculateFreshnessLifetime(input, rule);
  const windows = calculateStaleWindows(input, rule);
  if (!isReusable(head.headers, freshnessLifetime, windows)) {
    const isNoCache = hasUnqualifiedDirective(cacheControl.directives, 'no-cache');
    return {
      kind: 'not-storable',
      refusal: isNoCache
        ? toSharedRefusal(NOT_STORED_DETAILS.noCache)
        : toSharedRefusal(NOT_STORED_DETAILS.noFreshness),
    };
  }

  const draft: StoredResponseDraft = {
    status: head.status,
    headers: addMissingDate(selectStoredFields(head.headers, cacheControl.directives), responseTime),
    variantKey: request.getVariantKey(vary),
    vary,
    requestTime,
    responseTime,
    initialAge: calculateInitialAge(head.headers, requestTime, responseTime),
    freshnessLifetime,
    ...windows,
    isSoftPurged: false,
  };
  return { kind: 'storable', draft };
}

/**
 * Adds the complete body to a draft.
 *
 * @param addsEntityTag whether a 200 without entity tag gets one
 * @returns `null` if the length of the body differs from `Content-Length`. RFC 9111 §3.3: "A cache MUST NOT use an
 * incomplete response to answer requests unless the response has been made complete, or the request is partial".
 */
export function completeDraft(
  draft: StoredResponseDraft,
  body: Uint8Array,
  tags: readonly string[],
  addsEntityTag = false,
): StoredResponse | null {
  const contentLength = firstFieldValue(draft.headers, 'content-length');
  if (contentLength !== undefined && contentLength.trim() !== String(body.byteLength)) return null;
  // Content-Length is added if it is absent, because the response to a HEAD needs it (RFC 9110 §8.6).
  const addsLength = contentLength === undefined && !NULL_BODY_STATUSES.has(draft.status);
  const headers = addsLength
    ? [...draft.headers, 'Content-Length', String(body.byteLength)]
    : [...draft.headers];
  if (addsEntityTag && draft.status === 200 && !hasField(headers, 'etag')) {
    headers.push('ETag', createEntityTag(body, fieldValue(headers, 'content-type') ?? ''));
  }
  return createStoredResponse(draft, headers, body, tags);
}

const toSharedRefusal = (detail: string): StorageRefusal => ({ detail, isClientSpecific: false });
const toClientRefusal = (detail: string): StorageRefusal => ({ detail, isClientSpecific: true });
const refuseStatus = (status: number): StorageRefusal => toSharedRefusal(formatStatusDetail(status));

/** Finds the first reason against storing, in the order of RFC 9111 §3, that a rule cannot override. */
function findProhibition(
  response: OriginResponse,
  method: 'GET' | 'HEAD',
  cacheControl: EffectiveCacheControl,
  vary: readonly string[],
): StorageRefusal | undefined {
  const { status, headers } = response.head;
  const { forwardedHeaders, identifyingFields } = response.request;
  // "the request method is understood by the cache": only the response to a GET has a body to store.
  if (method !== 'GET') return toSharedRefusal(NOT_STORED_DETAILS.head);
  const requested = fieldValue(forwardedHeaders, 'cache-control');
  if (requested !== undefined && hasDirective(parseCacheControl(requested), 'no-store')) {
    return toClientRefusal(FORWARD_DETAILS.noStore);
  }
  // Parts are not stored, though a cache may understand the status code.
  if (status === 206) return toSharedRefusal(NOT_STORED_DETAILS.partial);
  if (SENDER_ERRORS.has(status)) return refuseStatus(status);
  const refusal = findDirectiveProhibition(status, cacheControl.directives);
  if (refusal !== undefined) return refusal;
  // "if the cache is shared: the Authorization header field is not present in the request […] or a response directive
  // is present that explicitly allows shared caching (see Section 3.5)".
  const [identifying] = identifyingFields;
  if (identifying !== undefined && !permitsSharing(cacheControl, vary, identifyingFields)) {
    return toClientRefusal(formatRequestFieldDetail(identifying));
  }
  const personal = findPersonalField(headers);
  return personal === undefined ? undefined : toClientRefusal(personal);
}

/**
 * "the no-store cache directive is not present in the response"; "if the cache is shared: the private response directive
 * is either not present or allows a shared cache to store a modified response". §5.2.2.3: "must-understand […] a cache
 * that implements this […] MAY store […] when it understands and implements the status code, ignoring no-store".
 */
function findDirectiveProhibition(status: number, directives: CacheDirectives): StorageRefusal | undefined {
  if (hasDirective(directives, 'must-understand')) {
    if (!UNDERSTOOD_STATUSES.has(status)) return toSharedRefusal(NOT_STORED_DETAILS.mustUnderstand);
  } else if (hasDirective(directives, 'no-store')) return toClientRefusal(NOT_STORED_DETAILS.noStore);
  return hasUnqualifiedDirective(directives, 'private')
    ? toClientRefusal(NOT_STORED_DETAILS.private)
    : undefined;
}

/**
 * "the response contains at least one of the following: a public response directive […]; an Expires header field; a
 * max-age response directive; if the cache is shared: an s-maxage response directive; a cache extension that allows it
 * to be cached; or a status code that is defined as heuristically cacheable". A configured rule is such an extension.
 */
function isCacheable(input: FreshnessInput, rule: CacheRule): boolean {
  return (
    getExplicitLifetime(input) !== undefined ||
    hasDirective(input.cacheControl.directives, 'public') ||
    HEURISTICALLY_CACHEABLE_STATUSES.has(input.status) ||
    (rule.getTtl(input.status) ?? 0) > 0
  );
}

/** Whether a response can be reused at all: while fresh, in a stale window, or after revalidation. */
function isReusable(headers: readonly string[], lifetime: number, windows: StaleWindows): boolean {
  return (
    lifetime > 0 ||
    windows.staleWhileRevalidate > 0 ||
    windows.staleIfError > 0 ||
    hasField(headers, 'etag') ||
    hasField(headers, 'last-modified')
  );
}

/**
 * RFC 9111 §3.1: "The Connection header field and fields whose names are listed in it are required by Section 7.6.1 of
 * [HTTP] to be removed before forwarding the message", as are those "that are used to establish […] a connection", and
 * "fields that are specific to the proxy that a cache uses when forwarding a request MUST NOT be stored". This cache adds
 * its own `Age` and `Cache-Status` to each response. Ids of the request that was forwarded are not those of later ones.
 */
const NEVER_STORED_FIELDS: ReadonlySet<string> = new Set(
  splitNames(`
  connection keep-alive proxy-connection te trailer transfer-encoding upgrade proxy-authenticate
  proxy-authentication-info proxy-authorization age cache-status x-request-id request-id x-correlation-id
  correlation-id x-trace-id x-amzn-trace-id x-cloud-trace-context traceparent tracestate traceresponse
`),
);

/**
 * Copies the fields that may be stored. RFC 9111 §5.2.2.4, `no-cache="field"`: "a cache MUST NOT use the listed header
 * fields in the response to a subsequent request without successful revalidation". §5.2.2.7, `private="field"`: "a shared
 * cache MUST NOT store [them]". The cache stores no field that either directive lists.
 */
function selectStoredFields(headers: readonly string[], directives: CacheDirectives): string[] {
  const connection = fieldValue(headers, 'connection');
  if (connection === undefined && directives.length === 0) return withoutFields(headers, NEVER_STORED_FIELDS);
  return withoutFields(
    headers,
    new Set([
      ...NEVER_STORED_FIELDS,
      ...(connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
      ...listQualifiedFieldNames(directives, 'no-cache'),
      ...listQualifiedFieldNames(directives, 'private'),
    ]),
  );
}

/** Response fields, in lower case, that are made for one client. RFC 9111 does not forbid to store them. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set(
  splitNames('set-cookie clear-site-data authorization authentication-info x-api-key'),
);

/**
 * Words by which a name says that the field holds something of one client or for one use: `X-WP-Nonce`, `X-CSRF-Token`,
 * `X-Auth-Token`, `Cart-Hash`, `X-Session-Id`, `X-Customer`.
 */
const PERSONAL_WORDS = new RegExp(
  [
    'nonce|token|csrf|xsrf|session|jwt|secret|passw|credential',
    '(?:^|-)(?:auth|bearer|cart|basket|otp|one-time|pin|login|sid|phpsessid|remember|signature|identity)(?:-|$)',
    '(?:^|-)(?:user|account|customer|member|guest|visitor|license|licence|ticket|invite|invitation)(?:-|$)',
    '(?<!(?:^|-)(?:cache|surrogate|public|content|tag|xcache))(?:^|-)key$',
  ].join('|'),
);

/** Names with such a word that are the same for all clients. */
const COMMON_FIELDS: ReadonlySet<string> = new Set(['access-control-allow-credentials']);

/**
 * Finds a response field that is made for one client: a cookie, a nonce, a token of a session. A response with such a
 * field is never stored.
 *
 * @param headers flat list name, value
 * @returns the reason as the `detail` of `Cache-Status`: `set-cookie`, or `header <name>`
 */
export function findPersonalField(headers: readonly string[]): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const reason = toReason(headers[at] ?? '');
    if (reason !== '') return reason;
  }
  return undefined;
}

/** The reason not to store a response with a field of this name; empty if the field is not personal. */
const toReason = memoizeByString((name): string => {
  const lowerName = name.toLowerCase();
  const isPersonal = PERSONAL_FIELDS.has(lowerName) || PERSONAL_WORDS.test(lowerName.replaceAll('_', '-'));
  if (!isPersonal || COMMON_FIELDS.has(lowerName)) return '';
  return lowerName === 'set-cookie' ? lowerName : `header ${lowerName}`;
});

/**
 * Parses the names in `Vary`: in lower case, sorted, without duplicates. Returns `null` for `*`. RFC 9111 §4.1: "A stored
 * response with a Vary header field value containing a member "*" always fails to match."
 *
 * @param ignored names to omit, because the field has the same value in every request to the origin
 */
export function parseVary(
  headers: readonly string[],
  ignored: readonly string[] = NO_FIELD_NAMES,
): readonly string[] | null {
  const field = fieldValue(headers, 'vary');
  if (field === undefined) return NO_FIELD_NAMES;
  const names = parseSortedNames(field);
  if (names.includes('*')) return null;
  return ignored.some((name) => names.includes(name))
    ? names.filter((name) => !ignored.includes(name))
    : names;
}

/** Parses field names, memoized because a site sends few different `Vary` fields. */
const parseSortedNames = memoizeByString((field): readonly string[] => {
  const names = new Set(field.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  // Bodies are stored without content coding (`BufferedResponse`), so they are for clients of any.
  names.delete('accept-encoding');
  return [...names].sort();
});

const NO_FIELD_NAMES: readonly string[] = [];

/**
 * Creates the key of a variant: the request's normalized values of the fields in `Vary`. An absent field differs from an
 * empty one: "If (after any normalization that might take place) a header field is absent from a request, it can only match
 * another request if it is also absent there."
 *
 * @param ranksLanguagesByOrder whether the order of languages with equal quality is significant. RFC 9110 §12.5.4: "some
 * recipients treat the order in which language tags are listed as an indication of descending priority". Plugins do.
 */
export function createVariantKey(
  vary: readonly string[],
  requestHeaders: readonly string[],
  ranksLanguagesByOrder = false,
): string {
  let variant = '';
  for (const name of vary) {
    const value = fieldValue(requestHeaders, name);
    if (value === undefined) continue;
    const isSorted = !(ranksLanguagesByOrder && name === ACCEPT_LANGUAGE);
    variant += `${name}:${normalizeFieldValue(name, value, isSorted)}\n`;
  }
  return variant;
}

const ACCEPT_LANGUAGE = 'accept-language';

/** Fields whose members may be reordered and lower-cased, because only `q` expresses preference (RFC 9110 §12.5). */
const NEGOTIATION_FIELDS = new Set(['accept', 'accept-charset', 'accept-encoding', ACCEPT_LANGUAGE]);

/**
 * Normalizes a field value. RFC 9111 §4.1: requests match if their fields can be transformed into each other by "adding or
 * removing whitespace, where allowed in the header field's syntax", "combining multiple header field lines with the same field name", and
 * "normalizing both header field values in a way that is known to have identical semantics".
 */
function normalizeFieldValue(name: string, value: string, isSorted: boolean): string {
  // Commas and white space inside quotes belong to the value.
  if (value.includes('"')) return value;
  if (!NEGOTIATION_FIELDS.has(name)) return value.replace(SPACED_COMMA, ',');
  const members = value
    .toLowerCase()
    .replace(SPACED_DELIMITER, '$1')
    .split(',')
    .filter((member) => member !== '');
  return (isSorted ? members.sort() : members).join(',');
}

/**
 * Delimiters with the white space of RFC 9110 §5.6.3. A site does not take off other white space, and responds to `de\u00a0` as to an
 * unknown language. The lookbehind visits a run of spaces once.
 */
const SPACED_COMMA = /(?<![ \t])[ \t]*,[ \t]*/g;
const SPACED_DELIMITER = /(?<![ \t])[ \t]*([,;=])[ \t]*/g;

/** RFC 9111 §3.5: "must-revalidate, public, and s-maxage". */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response may be shared although fields of its request may identify a client. RFC 9111 §3.5 lists the
 * directives that allow it for `Authorization`. For any other field it is also enough that the response has a targeted
 * field (RFC 9213), which is written for shared caches, or that `Vary` names the field: its value is then part of the
 * key.
 *
 * @param vary names in `Vary`, in lower case
 * @param identifyingFields see `CacheRequest.identifyingFields`
 */
export function permitsSharing(
  { directives, isTargeted }: EffectiveCacheControl,
  vary: readonly string[],
  identifyingFields: readonly string[],
): boolean {
  if (identifyingFields.length === 0) return true;
  if (EXPLICIT_PERMISSIONS.some((name) => hasDirective(directives, name))) return true;
  if (identifyingFields.includes('authorization')) return false;
  return isTargeted || identifyingFields.every((name) => vary.includes(name));
}

/** Creates a stored response. Copies each member by name, because a spread of the draft takes ten times as long. */
export function createStoredResponse(
  draft: StoredResponseDraft,
  headers: readonly string[],
  body: Uint8Array,
  tags: readonly string[],
): StoredResponse {
  return {
    // A hit reads these, so they are side by side in memory.
    status: draft.status,
    variantKey: draft.variantKey,
    vary: draft.vary,
    isSoftPurged: draft.isSoftPurged,
    freshnessLifetime: draft.freshnessLifetime,
    initialAge: draft.initialAge,
    responseTime: draft.responseTime,
    identity: undefined,
    uses: undefined,
    headers,
    body,
    requestTime: draft.requestTime,
    staleWhileRevalidate: draft.staleWhileRevalidate,
    staleIfError: draft.staleIfError,
    staleIfUnreachable: draft.staleIfUnreachable,
    tags,
  };
}

const OWN_TAG = /^(?:W\/)?"waygate-/;

/**
 * Creates an entity tag for a representation whose origin sends none. It is strong (RFC 9110 §8.8.1): it changes with each
 * byte of the content. Compressed forms get a weak one.
 */
export function createEntityTag(body: Uint8Array, mediaType: string): string {
  return `"waygate-${hashBytes(body, hashText(mediaType) | 0).toString(36)}"`;
}

/** Whether {@link createEntityTag} has made a tag. The origin does not know it. */
export function isOwnEntityTag(tag: string): boolean {
  return OWN_TAG.test(tag);
}
