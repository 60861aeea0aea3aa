import { parseHttpDate } from '../../http/date.ts';
import { isStrongMatch, isWeakMatch, parseEntityTags } from '../../http/entity-tag.ts';
import { firstFieldValue } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import { parseDateField } from './freshness.ts';
import type { RequestDirectives } from './request-directives.ts';

/** The parts of a stored response that conditions are compared with. */
type ResponseMetadata = Pick<StoredResponse, 'status' | 'headers' | 'responseTime'>;

/**
 * Whether the client already has the stored response, so that a 304 is sent. RFC 9110 §13.2.1: "A server MUST ignore all
 * received preconditions if its response to the same request without those conditions […] would have been a status code
 * other than a 2xx (Successful) or 412".
 */
export function isNotModified(stored: ResponseMetadata, directives: RequestDirectives, now: number): boolean {
  if (stored.status < 200 || stored.status > 299) return false;
  // RFC 9111 §4.3.2: "If-None-Match […] takes precedence over If-Modified-Since."
  if (directives.ifNoneMatch !== undefined) return matchesIfNoneMatch(stored, directives.ifNoneMatch);
  return (
    directives.ifModifiedSince !== undefined && isUnmodifiedSince(stored, directives.ifModifiedSince, now)
  );
}

/** §4.3.2: "If-None-Match […] "*" […] matches" any stored response; other values use weak comparison (RFC 9110 §13.1.2). */
function matchesIfNoneMatch(stored: ResponseMetadata, field: string): boolean {
  if (field.trim() === '*') return true;
  const storedEtag = firstFieldValue(stored.headers, 'etag');
  return storedEtag !== undefined && parseEntityTags(field).some((tag) => isWeakMatch(tag, storedEtag));
}

/**
 * §4.3.2: "if a stored response's Last-Modified […] is earlier or equal to the conditional timestamp; if no
 * Last-Modified field is present in a selected stored response, but a Date field is, […] that is earlier or equal; if
 * neither […] the cache's [time] received". An invalid date is ignored (RFC 9110 §13.1.3).
 */
function isUnmodifiedSince(stored: ResponseMetadata, field: string, now: number): boolean {
  const since = parseHttpDate(field, now);
  if (since === null) return false;
  const modified = firstFieldValue(stored.headers, 'last-modified');
  const at =
    (modified === undefined ? null : parseHttpDate(modified, now)) ??
    parseDateField(stored.headers, stored.responseTime);
  return at <= since;
}

/**
 * Whether `If-Range` allows a partial response. RFC 9110 §13.1.5: an entity tag needs "a strong comparison". A date
 * matches "if the HTTP-date validator provided exactly matches the Last-Modified field value" and is strong: §8.8.2.2, "the cache […] entry includes a Date value which is at least one second after the Last-Modified".
 */
export function isRangeApplicable(stored: StoredResponse, ifRange: string | undefined, now: number): boolean {
  if (ifRange === undefined) return true;
  const validator = ifRange.trim();
  if (validator.includes('"')) {
    const storedEtag = firstFieldValue(stored.headers, 'etag');
    return storedEtag !== undefined && isStrongMatch(validator, storedEtag);
  }
  const modified = firstFieldValue(stored.headers, 'last-modified');
  if (modified === undefined || modified !== validator) return false;
  const at = parseHttpDate(modified, now);
  return at !== null && parseDateField(stored.headers, stored.responseTime) - at >= 1000;
}
