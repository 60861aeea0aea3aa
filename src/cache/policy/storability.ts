import { splitNames } from '../../glob.ts';
import { NULL_BODY_STATUSES } from '../../http/body.ts';
import {
  type CacheDirectives,
  hasDirective,
  hasUnqualifiedDirective,
  listQualifiedFieldNames,
  parseCacheControl,
} from '../../http/cache-directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, withoutFields } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import {
  createStoredResponse,
  type PurgeLabels,
  type StoredResponse,
  type StoredResponseDraft,
} from '../store.ts';
import type { CacheRule } from './freshness.ts';
import {
  addMissingDate,
  calculateFreshnessLifetime,
  calculateInitialAge,
  calculateStaleWindows,
  type EffectiveCacheControl,
  type FreshnessInput,
  getExplicitLifetime,
  HEURISTICALLY_CACHEABLE_STATUSES,
  parseEffectiveCacheControl,
  type StaleWindows,
  UNDERSTOOD_STATUSES,
} from './freshness.ts';
import { getPartRange } from './parts.ts';
import { parseVary, permitsSharing } from './reuse.ts';
import {
  FORWARD_DETAILS,
  formatRequestFieldDetail,
  formatStatusDetail,
  NOT_STORED_DETAILS,
} from './status-details.ts';

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
   * `ForwardOptions.vary`, and after that of the fields that it has got.
   *
   * @param vary field names in lower case
   */
  getVariantKey(vary: readonly string[]): string;
  /** The configured freshness. */
  readonly rule: CacheRule;
  /**
   * Names, in lower case, of the request's header fields that may identify its client: `authorization`, `cookie`, an
   * unknown field. If there are any, the response is stored, and a stored response is served, only if that response
   * explicitly allows it (`permitsSharing`, RFC 9111 §3.5). Empty for a discovered site, where such a request does not
   * reach the cache.
   */
  readonly identifyingFields: readonly string[];
  /**
   * Names, in lower case, of fields that have the same value in all requests that the origin receives. `Vary` may list
   * them without effect. @default none
   */
  readonly ignoredVaryFields?: readonly string[] | undefined;
}

/** The head of an origin's response. */
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

/** Whether a response may be stored. */
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
  const { rule } = request;
  const cacheControl = parseEffectiveCacheControl(head.headers);
  const vary = parseVary(head.headers, request.ignoredVaryFields);
  const prohibition = findProhibition(response, method, cacheControl, vary ?? []);
  if (prohibition !== undefined) return { kind: 'not-storable', refusal: prohibition };
  if (vary === null) return { kind: 'not-storable', refusal: REFUSALS.varyStar };

  const input: FreshnessInput = { status: head.status, headers: head.headers, cacheControl, responseTime };
  if (!isCacheable(input, rule)) return { kind: 'not-storable', refusal: refuseStatus(head.status) };
  const freshnessLifetime = calculateFreshnessLifetime(input, rule);
  const windows = calculateStaleWindows(head.status, cacheControl.directives, rule);
  if (!isReusable(head.headers, freshnessLifetime, windows)) {
    const isNoCache = hasUnqualifiedDirective(cacheControl.directives, 'no-cache');
    return { kind: 'not-storable', refusal: isNoCache ? REFUSALS.noCache : REFUSALS.noFreshness };
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
    staleWhileRevalidate: windows.staleWhileRevalidate,
    staleIfError: windows.staleIfError,
    staleIfUnreachable: windows.staleIfUnreachable,
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

const toSharedRefusal = (detail: string): StorageRefusal => ({ detail, isClientSpecific: false });
const toClientRefusal = (detail: string): StorageRefusal => ({ detail, isClientSpecific: true });
const refuseStatus = (status: number): StorageRefusal => toSharedRefusal(formatStatusDetail(status));

const REFUSALS = {
  head: toSharedRefusal(NOT_STORED_DETAILS.head),
  requestNoStore: toClientRefusal(FORWARD_DETAILS.noStore),
  partial: toSharedRefusal(NOT_STORED_DETAILS.partial),
  mustUnderstand: toSharedRefusal(NOT_STORED_DETAILS.mustUnderstand),
  noStore: toClientRefusal(NOT_STORED_DETAILS.noStore),
  private: toClientRefusal(NOT_STORED_DETAILS.private),
  varyStar: toClientRefusal(NOT_STORED_DETAILS.varyStar),
  noCache: toSharedRefusal(NOT_STORED_DETAILS.noCache),
  noFreshness: toSharedRefusal(NOT_STORED_DETAILS.noFreshness),
} as const;

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
  if (method !== 'GET') return REFUSALS.head;
  const requested = fieldValue(forwardedHeaders, 'cache-control');
  if (requested !== undefined && hasDirective(parseCacheControl(requested), 'no-store')) {
    return REFUSALS.requestNoStore;
  }
  // "the response status code is final". "if the response status code is 206 or 304, […] the cache understands the
  // response status code". A 304 only updates a stored response.
  if (status < 200 || status === 304) return refuseStatus(status);
  if (status === 206 && !isStorablePart(response)) return REFUSALS.partial;
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
 * Whether a partial response can be stored: one range of a representation of known length. With `If-Range` in the request
 * the response may lack fields of the representation (RFC 9110 §15.3.7).
 */
function isStorablePart({ head, request: { forwardedHeaders } }: OriginResponse): boolean {
  const isRangeRequest = hasField(forwardedHeaders, 'range') && !hasField(forwardedHeaders, 'if-range');
  return isRangeRequest && getPartRange(head) !== undefined;
}

/**
 * "the no-store cache directive is not present in the response"; "if the cache is shared: the private response directive
 * is either not present or allows a shared cache to store a modified response". §5.2.2.3: "must-understand […] a cache
 * that implements this […] MAY store […] when it understands and implements the status code, ignoring no-store".
 */
function findDirectiveProhibition(status: number, directives: CacheDirectives): StorageRefusal | undefined {
  if (hasDirective(directives, 'must-understand')) {
    if (!UNDERSTOOD_STATUSES.has(status)) return REFUSALS.mustUnderstand;
  } else if (hasDirective(directives, 'no-store')) return REFUSALS.noStore;
  return hasUnqualifiedDirective(directives, 'private') ? REFUSALS.private : undefined;
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
 * its own `Age` and `Cache-Status` to each response.
 */
const NEVER_STORED_FIELDS: ReadonlySet<string> = new Set(
  splitNames(`
  connection keep-alive proxy-connection te trailer transfer-encoding upgrade proxy-authenticate
  proxy-authentication-info proxy-authorization age cache-status x-request-id
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
  splitNames('set-cookie authorization authentication-info x-api-key'),
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
