import { NULL_BODY_STATUSES } from '../../http/body.ts';
import {
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  parseCacheControl,
} from '../../http/cache-directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue, hasField } from '../../http/fields.ts';
import type { CacheRule } from '../http-cache.ts';
import { createStoredResponse, type PurgeLabels, type StoredResponse } from '../store.ts';
import { type EffectiveCacheControl, parseEffectiveCacheControl } from './effective-cache-control.ts';
import { addMissingDate, calculateInitialAge } from './freshness.ts';
import {
  calculateFreshnessLifetime,
  type FreshnessInput,
  getExplicitLifetime,
} from './freshness-lifetime.ts';
import { calculateStaleWindows, type StaleWindows } from './stale-windows.ts';
import { HEURISTICALLY_CACHEABLE_STATUSES, UNDERSTOOD_STATUSES } from './status-codes.ts';
import { selectStoredFields } from './stored-fields.ts';
import { createVariantKey, parseVary } from './variants.ts';

/** The head of an origin's response, with the parts of the request on which storing depends. */
export interface OriginResponse {
  readonly method: 'GET' | 'HEAD';
  /** Request header list as the origin received it; `Vary` is evaluated against it. */
  readonly requestHeaders: readonly string[];
  /** See `CacheRequest.identifyingFields`. */
  readonly identifyingFields: readonly string[];
  readonly rule: CacheRule;
  /** See `CacheRequest.ignoredVaryFields`. */
  readonly ignoredVaryFields?: readonly string[] | undefined;
  readonly head: ResponseHead;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly requestTime: number;
  /** When the head arrived, in milliseconds since the epoch. */
  readonly responseTime: number;
}

/** A stored response before its body has arrived. */
export type StoredResponseDraft = Omit<StoredResponse, 'body' | keyof PurgeLabels>;

/** The reason why a response is not stored. Clients get it as the `detail` of `Cache-Status`. */
export type NotStoredReason =
  | 'method'
  | 'request-no-store'
  | 'interim'
  | 'not-modified'
  | 'partial'
  | 'no-store'
  | 'private'
  | 'authorized'
  | 'cookie'
  | 'nonce'
  | 'vary'
  | 'not-understood'
  | 'not-cacheable'
  | 'useless';

/** Whether a response may be stored. */
export type Storability =
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  | { readonly kind: 'not-storable'; readonly reason: NotStoredReason };

/** Decides whether a response may be stored. RFC 9111 §3: "A cache MUST NOT store a response to a request unless:", followed by these conditions. */
export function evaluateStorability(response: OriginResponse): Storability {
  const { head, requestHeaders, requestTime, responseTime, rule } = response;
  const cacheControl = parseEffectiveCacheControl(head.headers);
  const reason = findProhibition(response, cacheControl);
  if (reason !== undefined) return { kind: 'not-storable', reason };
  const vary = parseVary(head.headers, response.ignoredVaryFields);
  if (vary === null) return { kind: 'not-storable', reason: 'vary' };

  const input: FreshnessInput = { status: head.status, headers: head.headers, cacheControl, responseTime };
  if (!isCacheable(input, rule)) return { kind: 'not-storable', reason: 'not-cacheable' };
  const freshnessLifetime = calculateFreshnessLifetime(input, rule);
  const windows = calculateStaleWindows(head.status, cacheControl.directives, rule);
  if (!isReusable(head.headers, freshnessLifetime, windows))
    return { kind: 'not-storable', reason: 'useless' };

  const draft: StoredResponseDraft = {
    status: head.status,
    headers: addMissingDate(selectStoredFields(head.headers, cacheControl.directives), responseTime),
    variantKey: createVariantKey(vary, requestHeaders),
    vary,
    requestTime,
    responseTime,
    initialAge: calculateInitialAge(head.headers, requestTime, responseTime),
    freshnessLifetime,
    staleWhileRevalidate: windows.staleWhileRevalidate,
    staleIfError: windows.staleIfError,
    markedStale: false,
  };
  return { kind: 'storable', draft };
}

/**
 * Adds the complete body to a draft.
 *
 * @returns `null` if the length of the body differs from `Content-Length`. RFC 9111 §3.3: "A cache MUST NOT use an
 * incomplete response to answer requests unless the response has been made complete, or the request is partial".
 */
export function completeDraft(
  draft: StoredResponseDraft,
  body: Uint8Array,
  labels: PurgeLabels,
): StoredResponse | null {
  const contentLength = firstFieldValue(draft.headers, 'content-length');
  if (contentLength !== undefined && contentLength.trim() !== String(body.byteLength)) return null;
  // Content-Length is added if it is absent, because the response to a HEAD needs it (RFC 9110 §8.6).
  const addsLength = contentLength === undefined && !NULL_BODY_STATUSES.has(draft.status);
  const headers = addsLength ? [...draft.headers, 'Content-Length', String(body.byteLength)] : draft.headers;
  return createStoredResponse(draft, headers, body, labels);
}

/** Finds the first reason against storing, in the order of RFC 9111 §3, that a rule cannot override. */
function findProhibition(
  response: OriginResponse,
  cacheControl: EffectiveCacheControl,
): NotStoredReason | undefined {
  const { directives } = cacheControl;
  const { status, headers } = response.head;
  // "the request method is understood by the cache": only the response to a GET has a body to store.
  if (response.method !== 'GET') return 'method';
  const requested = fieldValue(response.requestHeaders, 'cache-control');
  if (requested !== undefined && hasDirective(parseCacheControl(requested), 'no-store')) {
    return 'request-no-store';
  }
  // "the response status code is final".
  if (status < 200) return 'interim';
  // "if the response status code is 206 or 304, […] the cache understands the response status code". This cache stores
  // no partial responses, and a 304 only updates a stored response.
  if (status === 304) return 'not-modified';
  if (status === 206) return 'partial';
  const reason = findDirectiveProhibition(status, directives);
  if (reason !== undefined) return reason;
  // "if the cache is shared: the Authorization header field is not present in the request […] or a response directive
  // is present that explicitly allows shared caching (see Section 3.5)".
  if (!permitsSharing(headers, cacheControl, response.identifyingFields)) return 'authorized';
  // RFC 9111 does not require this: cookies and nonces identify one client.
  if (hasField(headers, 'set-cookie')) return 'cookie';
  return hasField(headers, 'x-wp-nonce') ? 'nonce' : undefined;
}

/**
 * "the no-store cache directive is not present in the response"; "if the cache is shared: the private response directive
 * is either not present or allows a shared cache to store a modified response". §5.2.2.3: "must-understand […] a cache
 * that implements this […] MAY store […] when it understands and implements the status code, ignoring no-store".
 */
function findDirectiveProhibition(status: number, directives: CacheDirectives): NotStoredReason | undefined {
  if (hasDirective(directives, 'must-understand')) {
    if (!UNDERSTOOD_STATUSES.has(status)) return 'not-understood';
  } else if (hasDirective(directives, 'no-store')) return 'no-store';
  return hasUnqualifiedDirective(directives, 'private') ? 'private' : undefined;
}

/**
 * Whether a response may be shared although fields of its request may identify a client. §3.5 lists the directives that
 * allow it for `Authorization`: "must-revalidate, public, and s-maxage". For any other field it is also enough that the
 * response has a targeted field (RFC 9213), which is written for shared caches, or that `Vary` names the field: its
 * value is then part of the key.
 *
 * @param identifyingFields see `CacheRequest.identifyingFields`
 */
export function permitsSharing(
  headers: readonly string[],
  { directives, isTargeted }: EffectiveCacheControl,
  identifyingFields: readonly string[],
): boolean {
  if (identifyingFields.length === 0) return true;
  if (EXPLICIT_PERMISSIONS.some((name) => hasDirective(directives, name))) return true;
  if (identifyingFields.includes('authorization')) return false;
  if (isTargeted) return true;
  const vary = parseVary(headers);
  return vary !== null && identifyingFields.every((name) => vary.includes(name));
}

const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

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
