import type { ForwardReason } from '../../http/cache-status.ts';
import type { CacheRequest, ForwardToOrigin } from '../http-cache.ts';
import {
  bypassesCache,
  createCompletionConditions,
  createRevalidationConditions,
  FORWARD_DETAILS,
  findRequestObjection,
  formatRequestFieldDetail,
  hasPermittedResponse,
  isFresh,
  NO_REQUEST_DIRECTIVES,
  type RequestDirectives,
  selectStoredResponse,
} from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { FetchMode } from './engine-context.ts';
import type { KeyMemos } from './key-memos.ts';

/** A request to the origin, with the reason for it. */
export interface FetchSpec {
  /** Key under which requests of other clients join the fetch; `null` if they must not. */
  readonly collapseKey: string | null;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly forward: ForwardToOrigin;
  /** See `ForwardOptions.revalidationConditions`. */
  readonly revalidationConditions: readonly string[] | null;
  /** The stored response that the fetch revalidates, and that may be served if the origin fails. */
  readonly storedResponse: StoredResponse | undefined;
  /** The stored part of the representation (206) that the response may be combined with. */
  readonly part: StoredResponse | undefined;
  /** {@link part}, if {@link revalidationConditions} request the rest of it. */
  readonly completedPart: StoredResponse | undefined;
  /** `responseTime` of the newest response under the cache key. */
  readonly newestResponseTime: number | undefined;
  readonly forwardReason: ForwardReason;
  /** Why the request is forwarded, beyond {@link forwardReason} (`FORWARD_DETAILS`). */
  readonly forwardDetail: string | undefined;
  /** Whether the request is a refresh for which no client waits. */
  readonly isBackground: boolean;
}

const NO_VARY: readonly string[] = [];

/**
 * Creates the key of requests that may share one fetch.
 *
 * @param vary fields by which the origin is known to vary its responses
 */
export function createCollapseKey(request: CacheRequest, vary: readonly string[]): string {
  return vary.length === 0 ? request.key : `${request.key}\n${request.getVariantKey(vary)}`;
}

/**
 * Decides how a request is forwarded: collapsed with others or not, conditional or not.
 *
 * @param responses all stored responses of the key, newest first
 */
export function planFetch(
  { directives, forward, request }: ClientExchange,
  responses: readonly StoredResponse[],
  mode: FetchMode,
  memos: KeyMemos,
  now: number,
): FetchSpec {
  const newestResponseTime = responses[0]?.responseTime;
  const isBackground = false;
  if (bypassesCache(directives)) {
    const independent = {
      collapseKey: null,
      revalidationConditions: null,
      storedResponse: undefined,
      part: undefined,
      completedPart: undefined,
    } as const;
    return {
      ...independent,
      request,
      directives,
      forward,
      newestResponseTime,
      isBackground,
      forwardReason: 'request',
      forwardDetail: directives.hasPrecondition ? FORWARD_DETAILS.precondition : FORWARD_DETAILS.noStore,
    };
  }
  const selected = selectStoredResponse(responses, request, now);
  const part = selected?.status === 206 ? selected : undefined;
  const storedResponse = part === undefined ? selected : undefined;
  const isReload = storedResponse !== undefined && isFresh(storedResponse, now);
  const vary = (selected ?? responses[0])?.vary ?? memos.varyFields.get(request.key) ?? NO_VARY;
  const variantKey = createCollapseKey(request, vary);
  const collapseKey = isReload ? `${variantKey}\nreload` : variantKey;
  const isHitForPass = memos.hitForPass.get(collapseKey) === true;
  const isIndependent =
    mode === 'alone' ||
    request.method === 'HEAD' ||
    request.identifyingFields.length > 0 ||
    (directives.range !== undefined && storedResponse === undefined) ||
    isHitForPass;
  // Revalidation conditions would replace the client's Range. A fetch that is not collapsed
  // does not cut the range from the complete response, so its request is forwarded unchanged.
  const isUnchanged =
    storedResponse === undefined || mode === 'alone' || (isIndependent && directives.range !== undefined);
  const isCompletable = part !== undefined && !isIndependent && directives.range === undefined;
  const completion = isCompletable ? createCompletionConditions(part) : undefined;
  return {
    collapseKey: isIndependent ? null : collapseKey,
    request,
    directives,
    forward,
    revalidationConditions: isUnchanged ? (completion ?? null) : createRevalidationConditions(storedResponse),
    storedResponse,
    part,
    completedPart: completion === undefined ? undefined : part,
    newestResponseTime,
    ...explainForward(request, directives, responses, selected, now),
    ...(isHitForPass ? { forwardDetail: FORWARD_DETAILS.hitForPass } : {}),
    isBackground,
  };
}

/** Determines why a request is forwarded (RFC 9211 §2.2). */
export function explainForward(
  request: CacheRequest,
  directives: RequestDirectives,
  responses: readonly StoredResponse[],
  stored: StoredResponse | undefined,
  now: number,
): Pick<FetchSpec, 'forwardReason' | 'forwardDetail'> {
  if (stored !== undefined) {
    if (stored.status === 206) return { forwardReason: 'partial', forwardDetail: undefined };
    if (!isFresh(stored, now)) return { forwardReason: 'stale', forwardDetail: undefined };
    return { forwardReason: 'request', forwardDetail: findRequestObjection(stored, directives, now) };
  }
  if (responses.length === 0) return { forwardReason: 'uri-miss', forwardDetail: undefined };
  const [identifying] = request.identifyingFields;
  if (identifying !== undefined && !hasPermittedResponse(responses, request)) {
    return { forwardReason: 'request', forwardDetail: formatRequestFieldDetail(identifying) };
  }
  return { forwardReason: 'vary-miss', forwardDetail: undefined };
}

/** Creates the spec of a background refresh. */
export function planRefresh(
  collapseKey: string,
  request: CacheRequest,
  forward: ForwardToOrigin,
  storedResponse: StoredResponse,
  responses: readonly StoredResponse[],
): FetchSpec {
  return {
    collapseKey,
    request,
    directives: NO_REQUEST_DIRECTIVES,
    forward,
    revalidationConditions: createRevalidationConditions(storedResponse),
    storedResponse,
    part: undefined,
    completedPart: undefined,
    newestResponseTime: responses[0]?.responseTime,
    forwardReason: 'stale',
    forwardDetail: undefined,
    isBackground: true,
  };
}
