import { type Directives, hasDirective, NO_DIRECTIVES, parseDirectives } from '../../http/directives.ts';
import { fieldValue, firstValue } from '../../http/fields.ts';

/** What a request says about how it wants to be answered from a store. */
export interface Wishes {
  readonly directives: Directives;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /** `If-Match` or `If-Unmodified-Since`: RFC 9111 §4.3.2, "are not applicable to a cache". The site judges them. */
  readonly precondition: boolean;
}

/** The same object for all requests that say nothing, which most are. */
export const NO_WISHES: Wishes = {
  directives: NO_DIRECTIVES,
  ifNoneMatch: undefined,
  ifModifiedSince: undefined,
  range: undefined,
  ifRange: undefined,
  precondition: false,
};

/** Reads the wishes of a request, by one pass over the names where there are none. */
export function wishesOf(headers: readonly string[]): Wishes {
  let any = false;
  for (let at = 0; at + 1 < headers.length && !any; at += 2) any = isWish(headers[at] ?? '');
  if (!any) return NO_WISHES;
  return {
    directives: requestDirectives(headers),
    ifNoneMatch: fieldValue(headers, 'if-none-match'),
    ifModifiedSince: firstValue(headers, 'if-modified-since'),
    range: fieldValue(headers, 'range'),
    ifRange: firstValue(headers, 'if-range'),
    precondition:
      firstValue(headers, 'if-match') !== undefined ||
      firstValue(headers, 'if-unmodified-since') !== undefined,
  };
}

/** By first letter and length first: `Cache-Control`, `Pragma`, `Range`, `If-…`. */
function isWish(name: string): boolean {
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
 * RFC 9111 §5.4: `Pragma: no-cache` is what HTTP/1.0 had, and deprecated. "When the Cache-Control header field is also
 * present and understood in a request, Pragma is ignored" (RFC 7234 §5.4).
 */
function requestDirectives(headers: readonly string[]): Directives {
  const field = fieldValue(headers, 'cache-control');
  if (field !== undefined) return parseDirectives(field);
  const pragma = fieldValue(headers, 'pragma');
  if (pragma === undefined) return NO_DIRECTIVES;
  return parseDirectives(pragma).filter(({ name }) => name === 'no-cache');
}

/**
 * Whether a request goes by the store altogether: it is neither answered from it nor its answer kept. §5.2.1.5,
 * `no-store`: "a cache MUST NOT store any part of either this request or any response to it."
 */
export function bypasses(wishes: Wishes): boolean {
  return wishes.precondition || hasDirective(wishes.directives, 'no-store');
}

/**
 * §5.2.1.7, `only-if-cached`: "the client only wishes to obtain a stored response. Caches that honor this request
 * directive SHOULD, upon receiving it, respond with either a stored response consistent with the other constraints of
 * the request or a 504 (Gateway Timeout) status code."
 */
export function onlyIfCached(wishes: Wishes): boolean {
  return hasDirective(wishes.directives, 'only-if-cached');
}
