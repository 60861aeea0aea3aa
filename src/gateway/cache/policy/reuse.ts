import { splitNames } from '../../../base/glob.ts';
import {
  type CacheDirectives,
  formatHttpDate,
  hasDirective,
  isWeakEntityTag,
  isWeakMatch,
  NO_DIRECTIVES,
  parseCacheControl,
  parseDirectiveSeconds,
  parseEntityTags,
  parseHttpDate,
} from '../../../base/http/cache-fields.ts';
import type { CacheReason } from '../../../base/http/cache-status.ts';
import type { ResponseHead } from '../../../base/http/exchange.ts';
import {
  fieldValue,
  firstFieldValue,
  hasField,
  lowerName,
  toFieldPairs,
  withoutFields,
} from '../../../base/http/fields.ts';
import type { StoredResponse } from '../store.ts';
import { parseDateField, parseEffectiveCacheControl } from './freshness.ts';
import {
  createStoredResponse,
  evaluateStorability,
  isOwnEntityTag,
  type OriginRequest,
  type OriginResponse,
  permitsSharing,
} from './storability.ts';

export interface RequestDirectives {
  readonly cacheControl: CacheDirectives;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  /** Why the origin gets the request as it is; `undefined` if the store can be used. */
  readonly bypassReason: CacheReason | undefined;
  /** RFC 9111 §5.2.1.7: the cache responds from its store, or with 504. */
  readonly isOnlyIfCached: boolean;
}

export const NO_REQUEST_DIRECTIVES: RequestDirectives = {
  cacheControl: NO_DIRECTIVES,
  ifNoneMatch: undefined,
  ifModifiedSince: undefined,
  bypassReason: undefined,
  isOnlyIfCached: false,
};

/** @param ignoresReload whether directives that demand a response of the origin are left out */
export function parseRequestDirectives(
  headers: readonly string[],
  ignoresReload: boolean = false,
): RequestDirectives {
  let any = false;
  for (let at = 0; at + 1 < headers.length && !any; at += 2) any = DIRECTIVE_FIELD.test(headers[at] ?? '');
  if (!any) return NO_REQUEST_DIRECTIVES;
  const all = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  return {
    cacheControl: ignoresReload ? all.filter(({ name }) => !RELOAD_DIRECTIVES.has(name)) : all,
    ifNoneMatch: fieldValue(headers, 'if-none-match'),
    ifModifiedSince: firstFieldValue(headers, 'if-modified-since'),
    bypassReason: findBypassReason(headers, all),
    isOnlyIfCached: hasDirective(all, 'only-if-cached'),
  };
}

function findBypassReason(headers: readonly string[], directives: CacheDirectives): CacheReason | undefined {
  // RFC 9111 §4.3.2: `If-Match` and `If-Unmodified-Since` are for the origin.
  if (hasField(headers, 'if-match') || hasField(headers, 'if-unmodified-since'))
    return { kind: 'request precondition' };
  if (hasField(headers, 'range')) return { kind: 'request range' };
  // RFC 9111 §5.2.1.5: neither the request nor its response is stored.
  return hasDirective(directives, 'no-store') ? { kind: 'request no-store' } : undefined;
}

const RELOAD_DIRECTIVES: ReadonlySet<string> = new Set(['no-cache', 'max-age']);

const DIRECTIVE_FIELD = /^(?:cache-control$|range$|if-)/i;

/** Seconds (RFC 9111 §4.2.3). A clock set back makes no response younger than on arrival. */
export function calculateCurrentAge(stored: StoredResponse, now: number): number {
  return stored.initialAge + Math.max(0, now - stored.responseTime) / 1000;
}

export function isFresh(stored: StoredResponse, now: number): boolean {
  return !stored.isSoftPurged && stored.freshnessLifetime > calculateCurrentAge(stored, now);
}

/** Seconds until the response is stale, then negative; never positive for `isSoftPurged`. */
export function calculateTimeToLive(stored: StoredResponse, now: number): number {
  const left = stored.freshnessLifetime - calculateCurrentAge(stored, now);
  return stored.isSoftPurged ? Math.min(0, left) : left;
}

/** `revalidate`: forwarded first, with {@link canServeOnFailure}. */
export type ReuseDecision = 'fresh' | 'stale-while-revalidate' | 'revalidate';

export function evaluateReuse(
  stored: StoredResponse,
  directives: RequestDirectives,
  now: number,
): ReuseDecision {
  if (findRequestObjection(stored, directives, now) !== undefined) return 'revalidate';
  if (isFresh(stored, now)) return 'fresh';
  return isWithinStaleWindow(stored, stored.staleWhileRevalidate, now)
    ? 'stale-while-revalidate'
    : 'revalidate';
}

export type OriginFailure = 'error' | 'unreachable';

/** RFC 5861 §4: "regardless of other freshness information". */
export function canServeOnFailure(
  stored: StoredResponse,
  { cacheControl }: RequestDirectives,
  now: number,
  failure: OriginFailure,
): boolean {
  if (hasDirective(cacheControl, 'no-cache') || hasDirective(cacheControl, 'no-store')) return false;
  // A response that awaits confirmation after a write of unknown outcome has kept its lifetime.
  if (stored.freshnessLifetime > calculateCurrentAge(stored, now)) return true;
  const { staleIfError, staleIfUnreachable } = stored;
  const window = failure === 'error' ? staleIfError : Math.max(staleIfError, staleIfUnreachable);
  return isWithinStaleWindow(stored, window, now);
}

/** Why a request refuses a fresh response. No browser sends `max-stale` and `min-fresh`. */
export function findRequestObjection(
  stored: StoredResponse,
  { cacheControl }: RequestDirectives,
  now: number,
): CacheReason | undefined {
  if (hasDirective(cacheControl, 'no-cache')) return { kind: 'request no-cache' };
  if (hasDirective(cacheControl, 'no-store')) return { kind: 'request no-store' };
  // §5.2.1.1. RFC 8246: an immutable response stays fresh although a reload sends `max-age=0`.
  const maxAge = parseDirectiveSeconds(cacheControl, 'max-age') ?? undefined;
  if (maxAge !== undefined && calculateCurrentAge(stored, now) > maxAge) {
    const { directives } = parseEffectiveCacheControl(stored.headers);
    if (!isFresh(stored, now) || !hasDirective(directives, 'immutable')) return { kind: 'request max-age' };
  }
  return undefined;
}

function isWithinStaleWindow(stored: StoredResponse, seconds: number, now: number): boolean {
  return seconds > 0 && -calculateTimeToLive(stored, now) < seconds;
}

type ResponseMetadata = Pick<StoredResponse, 'status' | 'headers' | 'responseTime'>;

/** RFC 9110 §13.2.1: preconditions are ignored if the status would be other than 2xx or 412. */
export function isNotModified(stored: ResponseMetadata, directives: RequestDirectives, now: number): boolean {
  if (stored.status < 200 || stored.status > 299) return false;
  if (directives.ifNoneMatch !== undefined) return matchesIfNoneMatch(stored, directives.ifNoneMatch);
  return (
    directives.ifModifiedSince !== undefined && isUnmodifiedSince(stored, directives.ifModifiedSince, now)
  );
}

/** §4.3.2: "*" matches any stored response; else weak comparison (RFC 9110 §13.1.2). */
function matchesIfNoneMatch(stored: ResponseMetadata, field: string): boolean {
  if (field.trim() === '*') return true;
  const storedEtag = firstFieldValue(stored.headers, 'etag');
  return storedEtag !== undefined && parseEntityTags(field).some((tag) => isWeakMatch(tag, storedEtag));
}

/** §4.3.2: `Last-Modified`, else `Date`, else the time received. RFC 9110 §13.1.3 ignores invalid dates. */
function isUnmodifiedSince(stored: ResponseMetadata, field: string, now: number): boolean {
  const since = parseHttpDate(field, now);
  if (since === null) return false;
  const modified = firstFieldValue(stored.headers, 'last-modified');
  const at =
    (modified === undefined ? null : parseHttpDate(modified, now)) ??
    parseDateField(stored.headers, stored.responseTime);
  return at <= since;
}

type VariantRequest = Pick<OriginRequest, 'getVariantKey' | 'identifyingFields'>;

export function hasPermittedResponse(
  responses: readonly StoredResponse[],
  { identifyingFields }: Pick<VariantRequest, 'identifyingFields'>,
): boolean {
  return responses.some((response) => isPermitted(response, identifyingFields));
}

/** RFC 9111 §3.5: without explicit permission the site can personalize the response by the field. */
function isPermitted({ headers, vary }: StoredResponse, identifyingFields: readonly string[]): boolean {
  return permitsSharing(parseEffectiveCacheControl(headers), vary, identifyingFields);
}

/** §4.1. @param all newest first. One without `Vary` needs that no newer one has it */
export function selectStoredResponse(
  all: readonly StoredResponse[],
  request: VariantRequest,
  now: number,
): StoredResponse | undefined {
  const { identifyingFields } = request;
  const responses =
    identifyingFields.length === 0 ? all : all.filter((each) => isPermitted(each, identifyingFields));
  const [only] = responses;
  if (responses.length === 1 && only?.vary.length === 0) return only;
  let unvaried: StoredResponse | undefined;
  let varied = false;
  let names: readonly string[] | undefined;
  let variant = '';
  for (const response of responses) {
    if (response.vary.length === 0) {
      if (!varied) unvaried ??= response;
      continue;
    }
    varied = true;
    if (names === undefined || (names !== response.vary && names.join() !== response.vary.join())) {
      names = response.vary;
      variant = request.getVariantKey(names);
    }
    const usable = unvaried === undefined || isFresh(response, now);
    if (usable && variant === response.variantKey) return response;
  }
  return unvaried;
}

/** RFC 9111 §4.3.1. */
export function createRevalidationConditions(stored: StoredResponse): readonly string[] {
  const conditions: string[] = [];
  const etag = firstFieldValue(stored.headers, 'etag');
  if (etag !== undefined && !isOwnEntityTag(etag)) conditions.push('If-None-Match', etag);
  const lastModified = firstFieldValue(stored.headers, 'last-modified');
  if (lastModified !== undefined) conditions.push('If-Modified-Since', lastModified);
  return conditions;
}

/** RFC 9111 §4.3.4: a strong or weak validator must match; without any, the response must be the request's only one. */
export function matchesValidators(head: ResponseHead, stored: StoredResponse): boolean {
  const etag = firstFieldValue(head.headers, 'etag');
  const storedEtag = firstFieldValue(stored.headers, 'etag');
  if (etag !== undefined && (storedEtag !== undefined || !isWeakEntityTag(etag))) {
    return storedEtag !== undefined && isWeakMatch(etag, storedEtag);
  }
  if (etag !== undefined) return true;
  const lastModified = firstFieldValue(head.headers, 'last-modified');
  const storedLastModified = firstFieldValue(stored.headers, 'last-modified');
  return (
    lastModified === undefined || storedLastModified === undefined || lastModified === storedLastModified
  );
}

export function freshenStoredResponse(
  stored: StoredResponse,
  response: OriginResponse,
): StoredResponse | null {
  const head = { ...response.head, status: stored.status, headers: updateFields(stored.headers, response) };
  const storability = evaluateStorability({ ...response, head }, 'GET');
  if (storability.kind !== 'storable') return null;
  const { draft } = storability;
  return createStoredResponse(draft, draft.headers, stored.body, stored.tags);
}

/** §3.2. The stored body keeps its coding, its tags, and its entity tag, whose bytes were decoded. */
const NOT_UPDATED_FIELDS: ReadonlySet<string> = new Set(
  splitNames('content-length content-encoding content-range etag surrogate-key cache-tag'),
);

function updateFields(
  storedHeaders: readonly string[],
  { head, responseTime }: OriginResponse,
): readonly string[] {
  const updates = withoutFields(head.headers, NOT_UPDATED_FIELDS);
  if (!hasField(updates, 'date')) updates.push('Date', formatHttpDate(responseTime));
  const updated = new Set(toFieldPairs(updates).map(([name]) => lowerName(name)));
  return [...withoutFields(storedHeaders, updated), ...updates];
}

/** Response without `Age` and `Cache-Status`. Sent in full, its headers are the stored list itself. */
export type ClientResponse = Pick<StoredResponse, 'status' | 'headers' | 'body'>;

const EMPTY = new Uint8Array(0);

export function createClientResponse(
  response: StoredResponse,
  directives: RequestDirectives,
  method: 'GET' | 'HEAD',
  now: number,
  selected: Pick<StoredResponse, 'headers' | 'body'> = response,
): ClientResponse {
  if (directives !== NO_REQUEST_DIRECTIVES) {
    const stored = { ...response, headers: selected.headers, body: selected.body };
    if (isNotModified(stored, directives, now)) return createNotModified(stored);
  }
  return {
    status: response.status,
    headers: selected.headers,
    body: method === 'HEAD' ? EMPTY : selected.body,
  };
}

const CONTENT_FIELDS = splitNames(
  `content-type content-encoding content-language content-length content-range accept-ranges content-md5 content-digest
  repr-digest digest content-disposition`,
);
const NOT_IN_304: ReadonlySet<string> = new Set(CONTENT_FIELDS);
const NOT_IN_304_WITH_ETAG: ReadonlySet<string> = new Set([...CONTENT_FIELDS, 'last-modified']);

/** RFC 9110 §15.4.5: a 304 repeats no representation metadata but validators. CORS, totals and links are none. */
function createNotModified(stored: StoredResponse): ClientResponse {
  const dropped = hasField(stored.headers, 'etag') ? NOT_IN_304_WITH_ETAG : NOT_IN_304;
  return { status: 304, headers: withoutFields(stored.headers, dropped), body: EMPTY };
}
