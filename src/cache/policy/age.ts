import { formatHttpDate, parseHttpDate } from '../../http/date.ts';
import { MAX_SECONDS, parseSeconds } from '../../http/directives.ts';
import { fieldValue, firstValue } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';

/**
 * RFC 9111 §5.1: "Although it is defined as a singleton header field, a cache encountering a message with a list-based
 * Age field value SHOULD use the first member of the field value, discarding subsequent ones. If the field value (after
 * discarding additional members, as per above) is invalid […], a cache SHOULD ignore the field."
 */
export function ageValue(headers: readonly string[]): number {
  const field = fieldValue(headers, 'age');
  return field === undefined ? 0 : (parseSeconds(field.split(',', 1)[0]?.trim() ?? null) ?? 0);
}

/**
 * RFC 9110 §6.6.1: "A recipient with a clock that receives a response message without a Date header field MUST record
 * the time it was received". An unreadable one is as none.
 */
export function dateValue(headers: readonly string[], responseTime: number): number {
  const field = firstValue(headers, 'date');
  return (field === undefined ? null : parseHttpDate(field, responseTime)) ?? responseTime;
}

/** "…and append a corresponding Date header field to the message's header section if it is cached". */
export function withDate(headers: string[], responseTime: number): string[] {
  if (firstValue(headers, 'date') === undefined) headers.push('Date', formatHttpDate(responseTime));
  return headers;
}

/**
 * RFC 9111 §4.2.3:
 *
 *     apparent_age = max(0, response_time - date_value);
 *     response_delay = response_time - request_time;
 *     corrected_age_value = age_value + response_delay;
 *     corrected_initial_age = max(apparent_age, corrected_age_value);
 *
 * `Date` counts whole seconds, so the apparent age does too: otherwise all answers would be born half a second old.
 */
export function initialAge(headers: readonly string[], requestTime: number, responseTime: number): number {
  const apparentAge = Math.max(0, Math.floor((responseTime - dateValue(headers, responseTime)) / 1000));
  const responseDelay = Math.max(0, responseTime - requestTime) / 1000;
  const correctedAge = ageValue(headers) + responseDelay;
  return Math.min(MAX_SECONDS, Math.max(apparentAge, correctedAge));
}

/**
 *     resident_time = now - response_time;
 *     current_age = corrected_initial_age + resident_time;
 *
 * A clock that was set back does not make an answer younger than it came.
 */
export function currentAge(stored: StoredResponse, now: number): number {
  return stored.initialAge + Math.max(0, now - stored.responseTime) / 1000;
}

/** §5.1: the `Age` that goes out, "in seconds, as a non-negative integer". */
export function ageField(stored: StoredResponse, now: number): string {
  return String(Math.min(MAX_SECONDS, Math.floor(currentAge(stored, now))));
}
