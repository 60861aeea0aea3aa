import type { ResponseHead } from '../../http/exchange.ts';
import { firstFieldValue, withoutFields } from '../../http/fields.ts';
import type { CacheRequest } from '../http-cache.ts';
import {
  evaluateStorability,
  isStaleIfErrorStatus,
  type NotStoredReason,
  type OriginResponse,
  parseVary,
  type StoredResponseDraft,
} from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { FetchSpec } from './fetch-spec.ts';

/** Which clients may get a response whose head has arrived. */
export type Shareability =
  /** All followers; it is stored for later requests. */
  | { readonly kind: 'stored'; readonly draft: StoredResponseDraft }
  /** All followers; it is not stored. */
  | { readonly kind: 'followers'; readonly detail: string }
  /** Followers whose conditions are those that the origin evaluated; it is not stored. */
  | { readonly kind: 'same-conditions'; readonly detail: string }
  /** Only the leader. */
  | { readonly kind: 'leader'; readonly detail: string };

/** Reasons against storing that depend on the client: such a response is not shared, whatever its status. */
const CLIENT_SPECIFIC_REASONS: ReadonlySet<NotStoredReason> = new Set<NotStoredReason>([
  'request-no-store',
  'no-store',
  'private',
  'authorized',
  'cookie',
  'nonce',
  'vary',
]);

/**
 * Decides who may get a response. Followers share an error of the origin (500, 502, 503, 504) so that each of them need
 * not cause it again. Other responses that cannot be stored may depend on the leader's request, so only the leader gets
 * them.
 */
export function evaluateShareability(
  request: CacheRequest,
  response: OriginResponse,
  maxBytes: number,
): Shareability {
  const { head } = response;
  if (!request.isShareable(head)) return { kind: 'leader', detail: 'not-shared' };
  if ((parseContentLength(head) ?? 0) > maxBytes) return { kind: 'leader', detail: 'too-large' };
  const storability = evaluateStorability(response);
  if (storability.kind === 'storable') return { kind: 'stored', draft: storability.draft };
  const { reason } = storability;
  if (reason === 'not-modified') return { kind: 'same-conditions', detail: reason };
  const isShared = isStaleIfErrorStatus(head.status) && !CLIENT_SPECIFIC_REASONS.has(reason);
  return { kind: isShared ? 'followers' : 'leader', detail: reason };
}

/** Creates the test whether a client may share the response to the request of `spec`. */
export function createFollowerFilter(
  { directives, request }: FetchSpec,
  { headers }: ResponseHead,
  { kind }: Shareability,
): (client: ClientExchange) => boolean {
  const isSameVariant = createVariantFilter(headers, request);
  if (kind !== 'same-conditions') return isSameVariant;
  return (client) =>
    isSameVariant(client) &&
    client.directives.ifNoneMatch === directives.ifNoneMatch &&
    client.directives.ifModifiedSince === directives.ifModifiedSince;
}

function createVariantFilter(
  headers: readonly string[],
  request: CacheRequest,
): (client: ClientExchange) => boolean {
  const vary = parseVary(headers, request.ignoredVaryFields) ?? [];
  if (vary.length === 0) return () => true;
  const variant = request.getVariantKey(vary);
  return (client) => client.request.getVariantKey(vary) === variant;
}

/** Parses `Content-Length`; undefined where it is missing or invalid. */
export function parseContentLength({ headers }: ResponseHead): number | undefined {
  const value = firstFieldValue(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Fields that the cache generates for each response that it sends. */
const GENERATED_FIELDS: ReadonlySet<string> = new Set(['age', 'cache-status']);

/** Creates the response that followers share although it is not stored. */
export function createSharedResponse(
  { head, requestTime, responseTime }: OriginResponse,
  body: Uint8Array,
): StoredResponse {
  const { status } = head;
  const headers = withoutFields(head.headers, GENERATED_FIELDS);
  const times = { requestTime, responseTime, initialAge: 0, freshnessLifetime: 0 };
  const windows = { staleWhileRevalidate: 0, staleIfError: 0 };
  return {
    status,
    headers,
    body,
    variantKey: '',
    vary: [],
    ...times,
    ...windows,
    markedStale: false,
    tags: [],
  };
}

/** Statuses that say nothing about the resource. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([304, 408, 425, 429]);

/** Whether a response that is not stored shows that the stored response, which was to be revalidated, is outdated. */
export function showsStoredIsOutdated({ status }: ResponseHead): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}
