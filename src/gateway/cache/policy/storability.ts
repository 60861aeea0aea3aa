import { hash } from 'node:crypto';
import { splitNames } from '../../../base/glob.ts';
import {
  type CacheDirectives,
  formatHttpDate,
  hasDirective,
  hasUnqualifiedDirective,
  parseCacheControl,
  splitFieldNames,
} from '../../../base/http/cache-fields.ts';
import type { CacheReason } from '../../../base/http/cache-status.ts';
import { NULL_BODY_STATUSES, type ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, withoutFields } from '../../../base/http/fields.ts';
import { memoizeByString } from '../../../base/memoize.ts';
import type { StoredResponse, StoredResponseDraft } from '../store.ts';
import {
  type CacheRule,
  calculateFreshnessLifetime,
  calculateInitialAge,
  calculateStaleWindows,
  type EffectiveCacheControl,
  type FreshnessInput,
  getExplicitLifetime,
  isCacheable,
  isReusable,
  parseEffectiveCacheControl,
} from './freshness.ts';

/** Errors of one sender. Stored, they would let one client harm all (RFC 6585). */
const SENDER_ERRORS: ReadonlySet<number> = new Set([
  400, 406, 408, 411, 412, 413, 414, 415, 416, 417, 421, 425, 426, 428, 429, 431,
]);

/** RFC 5861 §4. */
export const STALE_IF_ERROR_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export interface OriginRequest {
  /** The method that the site runs, after an override by `_method` or `X-HTTP-Method-Override`. */
  readonly method: 'GET' | 'HEAD';
  readonly forwardedHeaders: readonly string[];
  /** Returns the key for the fields that the site gets, or has got. @param vary in lower case */
  getVariantKey(vary: readonly string[]): string;
  readonly policy: StoragePolicy;
  /** In lower case: fields that can identify the client (RFC 9111 §3.5). */
  readonly identifyingFields: readonly string[];
}

export interface StoragePolicy {
  readonly rule: CacheRule;
  /** Selects the rule by the response. @default {@link rule} */
  readonly selectRule?: ((head: ResponseHead) => CacheRule | undefined) | undefined;
  /** Finds what, beyond HTTP's directives, keeps a response from the store, e.g. a field made for one client. */
  findObjection(head: ResponseHead): CacheReason | undefined;
  /** Whether a response to a client's own request is everyone's only if it states a lifetime. @default false */
  needsStatedLifetime?(status: number): boolean;
}

export interface OriginResponse {
  readonly request: OriginRequest;
  readonly head: ResponseHead;
  readonly requestTime: number;
  /** In milliseconds since the epoch. */
  readonly responseTime: number;
}

interface StorageRefusal {
  readonly reason: CacheReason;
  readonly isClientSpecific: boolean;
}

type Storability =
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  | { readonly kind: 'not-storable'; readonly refusal: StorageRefusal };

/** RFC 9111 §3. @param method of the request for which it is stored */
export function evaluateStorability(
  response: OriginResponse,
  method: 'GET' | 'HEAD' = response.request.method,
): Storability {
  const { head, request, requestTime, responseTime } = response;
  const { policy } = request;
  const rule = policy.selectRule?.(head) ?? policy.rule;
  const cacheControl = parseEffectiveCacheControl(head.headers);
  const vary = parseVary(head.headers);
  const prohibition = findProhibition(response, method, cacheControl, vary ?? []);
  if (prohibition !== undefined) return { kind: 'not-storable', refusal: prohibition };
  if (vary === null) return { kind: 'not-storable', refusal: toClientRefusal({ kind: 'vary *' }) };

  const { headers: received, status } = head;
  const explicitLifetime = getExplicitLifetime({ headers: received, cacheControl, responseTime });
  const input: FreshnessInput = { status, headers: received, cacheControl, responseTime, explicitLifetime };
  // A 304 only updates a stored response.
  if (head.status < 200 || head.status === 304 || !isCacheable(input, rule))
    return { kind: 'not-storable', refusal: refuseStatus(head.status) };
  const freshnessLifetime = calculateFreshnessLifetime(input, rule);
  const windows = calculateStaleWindows(input, rule);
  if (!isReusable(head.headers, freshnessLifetime, windows)) {
    const isNoCache = hasUnqualifiedDirective(cacheControl.directives, 'no-cache');
    const refusal = toSharedRefusal({ kind: isNoCache ? 'no-cache' : 'no-freshness' });
    return { kind: 'not-storable', refusal };
  }

  const headers = selectStoredFields(head.headers, cacheControl.directives);
  // RFC 9110 §6.6.1.
  if (!hasField(headers, 'date')) headers.push('Date', formatHttpDate(responseTime));
  const draft: StoredResponseDraft = {
    status: head.status,
    headers,
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

/** @returns `null` if the body is incomplete (RFC 9111 §3.3) @param addsEntityTag whether a 200 gets one */
export function completeDraft(
  draft: StoredResponseDraft,
  body: Uint8Array,
  tags: readonly string[],
  addsEntityTag = false,
): StoredResponse | null {
  const contentLength = firstFieldValue(draft.headers, 'content-length');
  if (contentLength !== undefined && contentLength.trim() !== String(body.byteLength)) return null;
  // The response to a HEAD needs Content-Length (RFC 9110 §8.6).
  const addsLength = contentLength === undefined && !NULL_BODY_STATUSES.has(draft.status);
  const headers = addsLength
    ? [...draft.headers, 'Content-Length', String(body.byteLength)]
    : [...draft.headers];
  if (addsEntityTag && draft.status === 200 && !hasField(headers, 'etag')) {
    headers.push('ETag', createEntityTag(body, fieldValue(headers, 'content-type') ?? ''));
  }
  return createStoredResponse(draft, headers, body, tags);
}

const toSharedRefusal = (reason: CacheReason): StorageRefusal => ({ reason, isClientSpecific: false });
const toClientRefusal = (reason: CacheReason): StorageRefusal => ({ reason, isClientSpecific: true });
const refuseStatus = (status: number): StorageRefusal => toSharedRefusal({ kind: 'status', status });

function findProhibition(
  response: OriginResponse,
  method: 'GET' | 'HEAD',
  cacheControl: EffectiveCacheControl,
  vary: readonly string[],
): StorageRefusal | undefined {
  const { status } = response.head;
  const { forwardedHeaders, identifyingFields, policy } = response.request;
  const objection = policy.findObjection(response.head);
  if (objection !== undefined) return toClientRefusal(objection);
  if (method !== 'GET') return toSharedRefusal({ kind: 'method HEAD' });
  const requested = fieldValue(forwardedHeaders, 'cache-control');
  if (requested !== undefined && hasDirective(parseCacheControl(requested), 'no-store')) {
    return toClientRefusal({ kind: 'request no-store' });
  }
  if (status === 206) return toSharedRefusal({ kind: 'partial' });
  if (SENDER_ERRORS.has(status)) return refuseStatus(status);
  const { directives } = cacheControl;
  if (hasDirective(directives, 'no-store')) return toClientRefusal({ kind: 'no-store' });
  if (hasUnqualifiedDirective(directives, 'private')) return toClientRefusal({ kind: 'private' });
  const [identifying] = identifyingFields;
  if (identifying !== undefined && !permitsSharing(cacheControl, vary, identifyingFields)) {
    return toClientRefusal(toRequestFieldReason(identifying));
  }
  return undefined;
}

/** RFC 9111 §3.1: fields of the connection, of a proxy, of this cache, and ids of one request. */
const NEVER_STORED_FIELDS: ReadonlySet<string> = new Set(
  splitNames(`
  connection keep-alive proxy-connection te trailer transfer-encoding upgrade proxy-authenticate
  proxy-authentication-info proxy-authorization age cache-status x-request-id request-id x-correlation-id
  correlation-id x-trace-id x-amzn-trace-id x-cloud-trace-context traceparent tracestate traceresponse
`),
);

/** §5.2.2.4, §5.2.2.7: with the names of fields that aren't stored. */
const QUALIFIED: ReadonlySet<string> = new Set(['no-cache', 'private']);

function selectStoredFields(headers: readonly string[], directives: CacheDirectives): string[] {
  const connection = fieldValue(headers, 'connection');
  const named = [
    ...(connection === undefined ? [] : splitFieldNames(connection)),
    ...directives.flatMap(({ argument, name }) => (QUALIFIED.has(name) ? splitFieldNames(argument) : [])),
  ];
  return withoutFields(
    headers,
    named.length === 0 ? NEVER_STORED_FIELDS : new Set([...NEVER_STORED_FIELDS, ...named]),
  );
}

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
    usage: undefined,
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

/** Strong (RFC 9110 §8.8.1): it changes with each byte of the content. */
function createEntityTag(body: Uint8Array, mediaType: string): string {
  return `"waygate-${hash('sha256', body).slice(0, 20)}${hashMediaType(mediaType)}"`;
}

const hashMediaType = memoizeByString((mediaType) => hash('sha256', mediaType).slice(0, 4));

export function isOwnEntityTag(tag: string): boolean {
  return OWN_TAG.test(tag);
}

/** Names in `Vary`, sorted; `null` for `*` (RFC 9111 §4.1). */
export function parseVary(headers: readonly string[]): readonly string[] | null {
  const field = fieldValue(headers, 'vary');
  if (field === undefined) return NO_FIELD_NAMES;
  const names = parseSortedNames(field);
  return names.includes('*') ? null : names;
}

const parseSortedNames = memoizeByString((field): readonly string[] => {
  const names = new Set(field.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  // Bodies are stored without content coding (`BufferedResponse`).
  names.delete('accept-encoding');
  return [...names].sort();
});

const NO_FIELD_NAMES: readonly string[] = [];

/** RFC 9111 §3.5. */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response can be shared although fields of its request can identify a client (RFC 9111 §3.5). For all but
 * `Authorization`, a targeted field or a `Vary` that names them is enough. @param vary in lower case
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

export function toRequestFieldReason(name: string): CacheReason {
  if (name === 'cookie') return { kind: 'cookie', name: '' };
  return name === 'authorization' ? { kind: 'authorization' } : { kind: 'header', name };
}
