import type { CacheStatus } from '../../http/cache-status.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import type { CacheRequest } from '../http-cache.ts';
import {
  freshenStoredResponse,
  matchesValidators,
  type OriginResponse,
  updateFromHead,
} from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { createStorableStatus, createUnstoredStatus } from './fetch-status.ts';
import { showsStoredIsOutdated } from './shareability.ts';

/** Combines the head of a response with the parts of its request that decide about storing it. */
export function createOriginResponse(
  request: CacheRequest,
  head: ResponseHead,
  requestTime: number,
  responseTime: number,
): OriginResponse {
  const { forwardedHeaders: requestHeaders, identifyingFields, ignoredVaryFields, method, rule } = request;
  return {
    method,
    requestHeaders,
    getVariantKey: (vary) => request.getVariantKey(vary),
    identifyingFields,
    rule,
    ignoredVaryFields,
    head,
    requestTime,
    responseTime,
  };
}

/** Updates the stored GET response, or marks it stale, after a response to HEAD (RFC 9111 §4.3.5). */
export function storeHeadUpdate(
  { request }: FetchSpec,
  { store }: EngineContext,
  stored: StoredResponse,
  response: OriginResponse,
): void {
  if (request.method !== 'HEAD') return;
  const updated = updateFromHead(stored, response);
  if (updated !== stored) void store.put(request.key, updated);
}

/**
 * Updates the stored response after a 304 to the conditions of the cache (RFC 9111 §4.3.4), or purges it if the updated
 * response cannot be stored.
 *
 * @returns the updated response, and whether the store accepts it; `null` if the 304 confirms another response
 */
export function storeNotModified(
  spec: FetchSpec,
  context: EngineContext,
  stored: StoredResponse,
  response: OriginResponse,
): StoredUpdate | null {
  if (!matchesValidators(response.head, stored)) return null;
  const { refusal, response: freshened } = freshenStoredResponse(stored, response);
  if (refusal === undefined) {
    const isCurrent = context.store.put(spec.request.key, freshened);
    const createStatus: StoredUpdate['createStatus'] = (isStored) => ({
      ...createStorableStatus(spec, isStored),
      fwdStatus: 304,
    });
    return { freshened, createStatus, isCurrent };
  }
  purgeOutdatedResponse(spec, context);
  const status = { ...createUnstoredStatus(spec, refusal.detail), fwdStatus: 304 };
  return { freshened, createStatus: () => status, isCurrent: null };
}

/** The result of {@link storeNotModified}. `isCurrent` is `null` if the updated response cannot be stored. */
export interface StoredUpdate {
  readonly freshened: StoredResponse;
  /** @param isStored see {@link createStorableStatus} */
  readonly createStatus: (isStored: Awaitable<boolean>) => CacheStatus;
  readonly isCurrent: Awaitable<boolean> | null;
}

/** Purges the stored response if the head of a response that is not stored shows that it is outdated. */
export function purgeIfOutdated(
  spec: FetchSpec,
  context: EngineContext,
  { head, requestTime, responseTime }: OriginResponse,
): void {
  spec.request.onNotStorable?.(head.status, requestTime, responseTime);
  if (showsStoredIsOutdated(head)) purgeOutdatedResponse(spec, context);
}

/** Purges the stored response after a revalidation whose response is not stored. */
export function purgeOutdatedResponse(
  { revalidationConditions, request, storedResponse }: FetchSpec,
  { store }: EngineContext,
): void {
  if (storedResponse === undefined || revalidationConditions === null || request.method === 'HEAD') return;
  void store.purge({ kind: 'keys', keys: [request.key] }, 'hard');
}

/** Starts the refresh backoff of a key after a failed background refresh. */
export function startRefreshBackoff(
  { isBackground, collapseKey }: FetchSpec,
  { keyMemos }: EngineContext,
): void {
  if (isBackground && collapseKey !== null) keyMemos.refreshBackoff.set(collapseKey, true);
}
