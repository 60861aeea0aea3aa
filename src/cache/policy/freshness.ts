import { MAX_DELTA_SECONDS, parseDeltaSeconds } from '../../http/cache-directives.ts';
import { formatHttpDate, parseHttpDate } from '../../http/date.ts';
import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';

/**
 * Parses the `Age` field, in seconds; 0 if it is absent or invalid.
 *
 * RFC 9111 §5.1: "Although it is defined as a singleton header field, a cache encountering a message with a list-based
 * Age field value SHOULD use the first member of the field value, discarding subsequent ones. If the field value (after
 * discarding additional members, as per above) is invalid […], a cache SHOULD ignore the field."
 */
export function parseAgeField(headers: readonly string[]): number {
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
