import { parseContentLength } from '../../http/content-length.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { withoutFields } from '../../http/fields.ts';
import type { CacheRequest } from '../http-cache.ts';
import {
  evaluateStorability,
  isStaleIfErrorStatus,
  NO_WINDOWS,
  NOT_STORED_DETAILS,
  type OriginResponse,
  parseVary,
} from '../policy/index.ts';
import type { StoredResponse, StoredResponseDraft } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { FetchSpec } from './fetch-spec.ts';

/** The clients that may get a response whose head has arrived. */
export type Shareability =
  /** All followers may get the response, and it is stored for later requests. */
  | { readonly kind: 'storable'; readonly draft: StoredResponseDraft }
  /** All followers may get the response. It is not stored. */
  | { readonly kind: 'followers'; readonly detail: string }
  /** Followers whose conditions equal those that the origin evaluated may get the response. It is not stored. */
  | { readonly kind: 'same-conditions'; readonly detail: string }
  /** Only the leader may get the response. It is not stored. */
  | { readonly kind: 'leader'; readonly detail: string };

/**
 * Decides which clients may get a response. Followers share an error of the origin (500, 502, 503, 504), so that they do
 * not all repeat the request. Any other response that cannot be stored may depend on the leader's request, so only the
 * leader gets it.
 */
export function evaluateShareability(
  { request, storedResponse }: FetchSpec,
  response: OriginResponse,
  maxBytes: number,
): Shareability {
  const { head } = response;
  const unshareable = request.findUnshareableReason(head);
  if (unshareable !== null) return { kind: 'leader', detail: unshareable };
  if ((parseContentLength(head.headers) ?? 0) > maxBytes)
    return { kind: 'leader', detail: NOT_STORED_DETAILS.tooLarge };
  const storability = evaluateStorability(response);
  if (storability.kind === 'storable') {
    // A part must not replace the complete response.
    return head.status === 206 && storedResponse !== undefined
      ? { kind: 'leader', detail: NOT_STORED_DETAILS.partial }
      : { kind: 'storable', draft: storability.draft };
  }
  const { detail, isClientSpecific } = storability.refusal;
  if (head.status === 304 && !isClientSpecific) return { kind: 'same-conditions', detail };
  const isShared = isStaleIfErrorStatus(head.status) && !isClientSpecific;
  return { kind: isShared ? 'followers' : 'leader', detail };
}

/** Creates a function that tells whether a follower may get the response to the request of `spec`. */
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

/** Fields that the cache adds to each response that it sends. */
const GENERATED_FIELDS: ReadonlySet<string> = new Set(['age', 'cache-status']);

/** Creates a response for followers that is not stored. */
export function createSharedResponse(
  { head, requestTime, responseTime }: OriginResponse,
  body: Uint8Array,
): StoredResponse {
  const { status } = head;
  const headers = withoutFields(head.headers, GENERATED_FIELDS);
  const times = { requestTime, responseTime, initialAge: 0, freshnessLifetime: 0 };
  return {
    status,
    headers,
    body,
    variantKey: '',
    vary: [],
    ...times,
    ...NO_WINDOWS,
    markedStale: false,
    tags: [],
    group: null,
  };
}

/** Statuses below 500 that say nothing about the current representation of the resource. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([304, 408, 425, 429]);

/** Whether a response to a revalidation shows that the stored response is outdated. */
export function showsStoredIsOutdated({ status }: ResponseHead): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}
