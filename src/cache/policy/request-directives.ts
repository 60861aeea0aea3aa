import {
  type CacheDirectives,
  hasDirective,
  NO_DIRECTIVES,
  parseCacheControl,
} from '../../http/cache-directives.ts';
import { fieldValue, firstFieldValue } from '../../http/fields.ts';

/** The request's fields that decide how a stored response may be used: cache directives, conditions and ranges. */
export interface RequestDirectives {
  readonly cacheControl: CacheDirectives;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /**
   * Whether the request has `If-Match` or `If-Unmodified-Since`. The origin evaluates them: they "are not applicable to a
   * cache" (RFC 9111 §4.3.2).
   */
  readonly hasPrecondition: boolean;
}

/** The directives of a request without any such field. Most requests have none. */
export const NO_REQUEST_DIRECTIVES: RequestDirectives = {
  cacheControl: NO_DIRECTIVES,
  ifNoneMatch: undefined,
  ifModifiedSince: undefined,
  range: undefined,
  ifRange: undefined,
  hasPrecondition: false,
};

/** Parses a flat header list. If it has none of these fields, this costs one pass over the names and no allocation. */
export function parseRequestDirectives(headers: readonly string[]): RequestDirectives {
  let any = false;
  for (let at = 0; at + 1 < headers.length && !any; at += 2) any = isDirectiveField(headers[at] ?? '');
  if (!any) return NO_REQUEST_DIRECTIVES;
  return {
    cacheControl: parseRequestCacheControl(headers),
    ifNoneMatch: fieldValue(headers, 'if-none-match'),
    ifModifiedSince: firstFieldValue(headers, 'if-modified-since'),
    range: fieldValue(headers, 'range'),
    ifRange: firstFieldValue(headers, 'if-range'),
    hasPrecondition:
      firstFieldValue(headers, 'if-match') !== undefined ||
      firstFieldValue(headers, 'if-unmodified-since') !== undefined,
  };
}

/** Whether the name is `Cache-Control`, `Pragma`, `Range` or `If-…`; first letter and length are compared first. */
function isDirectiveField(name: string): boolean {
  switch (name.charCodeAt(0) | 32) {
    case 0x63:
      return name.length === 13 && name.toLowerCase() === 'cache-control';
    case 0x70:
      return name.length === 6 && name.toLowerCase() === 'pragma';
    case 0x72:
      return name.length === 5 && name.toLowerCase() === 'range';
    case 0x69:
      return name.charCodeAt(2) === 0x2d && (name.charCodeAt(1) | 32) === 0x66;
    default:
      return false;
  }
}

/**
 * Parses `Cache-Control`, or the HTTP/1.0 form `Pragma: no-cache`, which RFC 9111 §5.4 deprecates. "When the
 * Cache-Control header field is also present and understood in a request, Pragma is ignored" (RFC 7234 §5.4).
 */
function parseRequestCacheControl(headers: readonly string[]): CacheDirectives {
  const field = fieldValue(headers, 'cache-control');
  if (field !== undefined) return parseCacheControl(field);
  const pragma = fieldValue(headers, 'pragma');
  if (pragma === undefined) return NO_DIRECTIVES;
  return parseCacheControl(pragma).filter(({ name }) => name === 'no-cache');
}

/**
 * Whether the cache neither serves the request from the store nor stores its response. RFC 9111 §5.2.1.5, `no-store`: "a
 * cache MUST NOT store any part of either this request or any response to it."
 */
export function bypassesCache(directives: RequestDirectives): boolean {
  return directives.hasPrecondition || hasDirective(directives.cacheControl, 'no-store');
}

/**
 * RFC 9111 §5.2.1.7, `only-if-cached`: "the client only wishes to obtain a stored response. Caches that honor this request
 * directive SHOULD, upon receiving it, respond with either a stored response consistent with the other constraints of
 * the request or a 504 (Gateway Timeout) status code."
 */
export function isOnlyIfCached(directives: RequestDirectives): boolean {
  return hasDirective(directives.cacheControl, 'only-if-cached');
}
