import type { CacheStatus } from '../../http/cache-status.ts';
import type { ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import { parseContentLength, withoutFields } from '../../http/fields.ts';
import type { CacheRequest } from '../cache-request.ts';
import { isStaleIfErrorStatus, NO_WINDOWS } from '../policy/freshness.ts';
import { combineParts, completesPart, createCompletedHead, getPartRange } from '../policy/parts.ts';
import { parseVary } from '../policy/reuse.ts';
import { freshenStoredResponse, matchesValidators, updateFromHead } from '../policy/revalidation.ts';
import { NOT_STORED_DETAILS } from '../policy/status-details.ts';
import { completeDraft, evaluateStorability, type OriginResponse } from '../policy/storability.ts';
import {
  type Awaitable,
  createStoredResponse,
  type PurgeLabels,
  type StoredResponse,
  type StoredResponseDraft,
} from '../store.ts';
import { BodyBuffer } from './body-buffer.ts';
import {
  type ClientExchange,
  createStorableStatus,
  createUnstoredStatus,
  type EngineContext,
  type FetchSpec,
} from './fetch-plan.ts';

/** The clients that may get a response whose head has arrived. */
type Shareability =
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
function createFollowerFilter(
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
function createSharedResponse(
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
function showsStoredIsOutdated({ status }: ResponseHead): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}

/** A response whose body is being collected for followers: the state `buffering` of a fetch. */
export class BufferedResponse {
  readonly kind = 'buffering';
  readonly isExchangeOver = false;
  readonly shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly body: BodyBuffer;
  /** As the origin sent it. */
  readonly head: ResponseHead;
  /** Whether a follower may get this response. */
  readonly canServe: (client: ClientExchange) => boolean;
  /** A reason in the body not to store the response, once it is complete; `null` if there is none. */
  bodyReason: string | null = null;
  readonly #spec: FetchSpec;
  readonly #maxBytes: number;
  readonly #response: OriginResponse;

  constructor(
    spec: FetchSpec,
    { limits }: EngineContext,
    response: OriginResponse,
    shareability: Exclude<Shareability, { kind: 'leader' }>,
  ) {
    this.shareability = shareability;
    this.body = new BodyBuffer(limits.maxEntryBytes, parseContentLength(response.head.headers));
    this.head = response.head;
    this.canServe = createFollowerFilter(spec, response.head, shareability);
    this.#spec = spec;
    this.#maxBytes = limits.maxEntryBytes;
    this.#response = response;
  }

  get isStorable(): boolean {
    return this.shareability.kind === 'storable';
  }

  /** The response to be stored, without its body; undefined if it will not be stored. */
  get draft(): StoredResponseDraft | undefined {
    return this.shareability.kind === 'storable' ? this.shareability.draft : undefined;
  }

  /**
   * Creates the `Cache-Status` of the response.
   *
   * @param isStored see {@link createStorableStatus}; without effect on a response that cannot be stored
   * @param refusal why a storable response is not stored after all
   */
  createStatus(isStored: Awaitable<boolean> | undefined, refusal?: string): CacheStatus {
    if (this.shareability.kind !== 'storable')
      return createUnstoredStatus(this.#spec, this.shareability.detail);
    return refusal === undefined
      ? createStorableStatus(this.#spec, isStored)
      : createUnstoredStatus(this.#spec, refusal);
  }

  /** Field names in `Vary`; undefined if the response will not be stored. */
  get vary(): readonly string[] | undefined {
    return this.draft?.vary;
  }

  /**
   * Creates the complete response for the store and the followers.
   *
   * @returns `null` if the length of the body differs from `Content-Length`, or if there is a {@link bodyReason}
   */
  toCompleteResponse(): StoredResponse | null {
    const body = this.body.bytes();
    const { shareability } = this;
    if (shareability.kind !== 'storable') return createSharedResponse(this.#response, body);
    try {
      return this.#toStoredResponse(shareability.draft, body);
    } catch {
      // A defect in the analysis of a body must not leave the clients without a response.
      this.bodyReason = NOT_STORED_DETAILS.analysisFailed;
      return null;
    }
  }

  #toStoredResponse(draft: StoredResponseDraft, body: Uint8Array): StoredResponse | null {
    const { request } = this.#spec;
    this.bodyReason = request.findUnshareableBodyReason?.(body) ?? null;
    if (this.bodyReason !== null) return null;
    const labels = request.getPurgeLabels(this.#response.head, body);
    if (draft.status === 206) return this.#combineParts(draft, body, labels);
    const complete = completeDraft(draft, body, labels);
    if (complete !== null) request.onStorable?.(complete);
    return complete;
  }

  /** Adds a stored part of the same representation. All purge labels of the parts apply to the result. */
  #combineParts(draft: StoredResponseDraft, body: Uint8Array, labels: PurgeLabels): StoredResponse | null {
    const { part } = this.#spec;
    const combined = combineParts(part, draft, body, this.#maxBytes);
    if (combined === null) return null;
    const tags = [...new Set([...labels.tags, ...(part?.tags ?? [])])];
    return createStoredResponse(combined.draft, combined.draft.headers, combined.body, { ...labels, tags });
  }
}

/**
 * Completes a stored part with the rest that the origin sends (RFC 9111 §3.4): the next sink gets a complete response. A
 * response that is not partial replaces the part, and passes unchanged.
 */
export class CompletingSink implements ResponseSink {
  readonly #part: StoredResponse;
  readonly #next: ResponseSink;
  readonly #reject: () => void;
  /** Bytes of the part that follow those of the origin. */
  #suffix: Uint8Array | undefined;
  #isRejected = false;

  /** @param reject called if the origin's response neither completes nor replaces the part; `next` is then not called */
  constructor(part: StoredResponse, next: ResponseSink, reject: () => void) {
    this.#part = part;
    this.#next = next;
    this.#reject = reject;
  }

  interim(head: ResponseHead): void {
    this.#next.interim?.(head);
  }

  head(head: ResponseHead): void {
    if (head.status !== 206 && head.status !== 416) {
      this.#next.head(head);
      return;
    }
    if (!completesPart(this.#part, head)) {
      this.#isRejected = true;
      this.#reject();
      return;
    }
    this.#next.head(createCompletedHead(this.#part, head));
    if (getPartRange(this.#part)?.first === 0) this.#next.write(this.#part.body);
    else this.#suffix = this.#part.body;
  }

  write(chunk: Uint8Array): boolean {
    return this.#isRejected || this.#next.write(chunk);
  }

  end(trailers: readonly string[]): void {
    if (this.#isRejected) return;
    if (this.#suffix !== undefined) this.#next.write(this.#suffix);
    this.#next.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (!this.#isRejected) this.#next.fail(failure);
  }
}

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
interface StoredUpdate {
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
