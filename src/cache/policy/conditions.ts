import { parseHttpDate } from '../../http/date.ts';
import { parseEntityTags, strongMatch, weakMatch } from '../../http/entity-tag.ts';
import { firstValue } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import { dateValue } from './age.ts';
import type { Wishes } from './wishes.ts';

/**
 * Whether the caller has what is stored already, so that a 304 goes out. RFC 9110 §13.2.1: "A server MUST ignore all
 * received preconditions if its response to the same request without those conditions […] would have been a status code
 * other than a 2xx (Successful) or 412".
 */
export function isNotModified(stored: StoredResponse, wishes: Wishes, now: number): boolean {
  if (stored.status < 200 || stored.status > 299) return false;
  // RFC 9111 §4.3.2: "If-None-Match […] takes precedence over If-Modified-Since."
  if (wishes.ifNoneMatch !== undefined) return matchesAny(stored, wishes.ifNoneMatch);
  return wishes.ifModifiedSince !== undefined && isUnmodifiedSince(stored, wishes.ifModifiedSince, now);
}

/** §4.3.2: "If-None-Match […] "*" […] matches" anything that is stored; else by the weak comparison (RFC 9110 §13.1.2). */
function matchesAny(stored: StoredResponse, field: string): boolean {
  if (field.trim() === '*') return true;
  const held = firstValue(stored.headers, 'etag');
  return held !== undefined && parseEntityTags(field).some((tag) => weakMatch(tag, held));
}

/**
 * §4.3.2: "if a stored response's Last-Modified […] is earlier or equal to the conditional timestamp; if no
 * Last-Modified field is present in a selected stored response, but a Date field is, […] that is earlier or equal; if
 * neither […] the cache's [time] received". A date that is none is no condition (RFC 9110 §13.1.3).
 */
function isUnmodifiedSince(stored: StoredResponse, field: string, now: number): boolean {
  const since = parseHttpDate(field, now);
  if (since === null) return false;
  const modified = firstValue(stored.headers, 'last-modified');
  const at =
    (modified === undefined ? null : parseHttpDate(modified, now)) ??
    dateValue(stored.headers, stored.responseTime);
  return at <= since;
}

/**
 * RFC 9110 §13.1.5, `If-Range`: the range counts only for the very bytes that the caller holds a part of: "a strong
 * comparison"; and of a date, "if the HTTP-date validator provided exactly matches the Last-Modified field value" and is
 * strong: §8.8.2.2, "the cache […] entry includes a Date value which is at least one second after the Last-Modified".
 */
export function rangeApplies(stored: StoredResponse, ifRange: string | undefined, now: number): boolean {
  if (ifRange === undefined) return true;
  const validator = ifRange.trim();
  if (validator.includes('"')) {
    const held = firstValue(stored.headers, 'etag');
    return held !== undefined && strongMatch(validator, held);
  }
  const modified = firstValue(stored.headers, 'last-modified');
  if (modified === undefined || modified !== validator) return false;
  const at = parseHttpDate(modified, now);
  return at !== null && dateValue(stored.headers, stored.responseTime) - at >= 1000;
}
