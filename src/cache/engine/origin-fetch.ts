import {
  type CacheStatus,
  type ForwardReason,
  formatCacheStatus,
  formatFailureStatus,
} from '../../http/cache-status.ts';
import {
  type Exchange,
  NOT_SENT_KINDS,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../../http/exchange.ts';
import { parseContentLength, withoutFields } from '../../http/fields.ts';
import { ApproximateLru } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import type { CacheRequest, Upstream } from '../cache-request.ts';
import {
  bypassesCache,
  findRequestObjection,
  hasPermittedResponse,
  isNotModified,
  NO_REQUEST_DIRECTIVES,
  type OriginFailure,
  type RequestDirectives,
  type ReuseDecision,
  selectStoredResponse,
} from '../policy/reuse.ts';
import {
  createRevalidationConditions,
  freshenStoredResponse,
  matchesValidators,
  updateFromHead,
} from '../policy/revalidation.ts';
import {
  FORWARD_DETAILS,
  formatRequestFieldDetail,
  formatUnreachableDetail,
  NOT_STORED_DETAILS,
  STALE_DETAILS,
} from '../policy/status-details.ts';
import {
  completeDraft,
  evaluateStorability,
  isFresh,
  isStaleIfErrorStatus,
  NO_WINDOWS,
  type OriginResponse,
  parseVary,
} from '../policy/storability.ts';
import type {
  Awaitable,
  CacheStore,
  Lease,
  PurgeLabels,
  StoredResponse,
  StoredResponseDraft,
} from '../store.ts';
import { addSurrogateKeys } from '../surrogate-keys.ts';

/**
 * The way of a miss, from top to bottom: plan how the request is forwarded, fetch it once for all clients that wait for it, buffer
 * the response, decide who may get it, store it.
 */

/** Limits of the cache engine. Times are in milliseconds. */
export interface CacheEngineLimits {
  /** Maximum length of a stored body, in bytes. A larger one is streamed to the leader only. @default 8 MiB */
  readonly maxEntryBytes: number;
  /**
   * Time after which the followers of a fetch are forwarded separately. The default exceeds the timeouts of a
   * transport. @default 75_000
   */
  readonly collapseTimeout: number;
  /** Time for which requests with a key are not collapsed after a response that could not be shared. @default 5_000 */
  readonly hitForPassDuration: number;
  /** Maximum time for which one of several gateways holds the lease of a key. @default 10_000 */
  readonly leaseDuration: number;
  /** Interval between the lookups of a gateway that waits for a lease. @default 40 */
  readonly leasePollInterval: number;
  /** Time after which a lookup in a shared store is treated as a miss. @default 1_000 */
  readonly lookupTimeout: number;
  /** Time for which a key gets no background refresh after one that failed. @default 1_000 */
  readonly refreshBackoffDuration: number;
}

export const DEFAULT_CACHE_LIMITS: CacheEngineLimits = {
  maxEntryBytes: 8 * 1024 * 1024,
  collapseTimeout: 75_000,
  hitForPassDuration: 5_000,
  leaseDuration: 10_000,
  leasePollInterval: 40,
  lookupTimeout: 1_000,
  refreshBackoffDuration: 1_000,
};

/**
 * `shared`: the request may follow the fetch of another client. `alone`: it is forwarded separately, for instance after
 * the response that it waited for turned out not to be shareable.
 */
export type FetchMode = 'shared' | 'alone';

/** Maximum entries in each of the three memos. */
const MAX_ENTRIES = 10_000;
/** Milliseconds for which the `Vary` fields of a key are remembered; needed while nothing is stored under the key. */
const VARY_DURATION = 60_000;

/** State that the engine keeps for each key for a short time, in addition to the store. */
export class KeyMemos {
  /** Names of the `Vary` fields, by cache key. */
  readonly varyFields: TtlMap<readonly string[]>;
  /** Collapse keys whose last response could not be shared (hit-for-pass). */
  readonly hitForPass: TtlMap<true>;
  /** Collapse keys whose last background refresh failed. */
  readonly refreshBackoff: TtlMap<true>;

  constructor(clock: Clock, limits: CacheEngineLimits) {
    this.varyFields = new TtlMap(clock, VARY_DURATION);
    this.hitForPass = new TtlMap(clock, limits.hitForPassDuration);
    this.refreshBackoff = new TtlMap(clock, limits.refreshBackoffDuration);
  }
}

/** A bounded map whose entries expire. */
class TtlMap<T> {
  readonly #clock: Clock;
  readonly #duration: number;
  /** Keeps at least the newer half of {@link MAX_ENTRIES}. */
  readonly #entries = new ApproximateLru<{ readonly value: T; readonly expires: number }>(MAX_ENTRIES / 2);

  /** @param duration milliseconds after which an entry expires */
  constructor(clock: Clock, duration: number) {
    this.#clock = clock;
    this.#duration = duration;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.now() < entry.expires ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    this.#entries.set(key, { value, expires: this.#clock.now() + this.#duration });
  }
}

/** A request to the origin, with the reason for it. */
interface FetchSpec {
  /** Key under which requests of other clients join the fetch; `null` if they must not. */
  readonly collapseKey: string | null;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  /** See `FetchOptions.revalidationConditions`. */
  readonly revalidationConditions: readonly string[] | null;
  /** See `FetchOptions.vary`. */
  readonly vary: readonly string[];
  /** The stored response that the fetch revalidates, and that may be served if the origin fails. */
  readonly storedResponse: StoredResponse | undefined;
  /** `responseTime` of the newest response under the cache key. */
  readonly newestResponseTime: number | undefined;
  readonly forwardReason: ForwardReason;
  /** Why the request is forwarded, beyond {@link forwardReason} (`FORWARD_DETAILS`). */
  readonly forwardDetail: string | undefined;
  /** Whether the request is a refresh for which no client waits. */
  readonly isBackground: boolean;
}

const NO_VARY: readonly string[] = [];

/** The members of a {@link FetchSpec} that begins with nothing stored. */
const NOTHING_STORED = {
  collapseKey: null,
  revalidationConditions: null,
  vary: NO_VARY,
  storedResponse: undefined,
  forwardDetail: undefined,
} as const;

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
  { directives, upstream, request }: Pick<FetchSpec, 'directives' | 'request' | 'upstream'>,
  responses: readonly StoredResponse[],
  mode: FetchMode,
  memos: KeyMemos,
  now: number,
): FetchSpec {
  const newestResponseTime = responses[0]?.responseTime;
  const base = { ...NOTHING_STORED, request, directives, upstream, newestResponseTime, isBackground: false };
  if (bypassesCache(directives)) {
    const forwardDetail = directives.hasPrecondition ? FORWARD_DETAILS.precondition : FORWARD_DETAILS.noStore;
    return { ...base, forwardReason: 'request', forwardDetail };
  }
  const storedResponse = selectStoredResponse(responses, request, now);
  const isReload = storedResponse !== undefined && isFresh(storedResponse, now);
  const vary = (storedResponse ?? responses[0])?.vary ?? memos.varyFields.get(request.key) ?? NO_VARY;
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
  return {
    ...base,
    collapseKey: isIndependent ? null : collapseKey,
    revalidationConditions: isUnchanged ? null : createRevalidationConditions(storedResponse),
    vary: listVaryFields(vary, responses),
    storedResponse,
    ...explainForward(request, directives, responses, storedResponse, now),
    ...(isHitForPass ? { forwardDetail: FORWARD_DETAILS.hitForPass } : {}),
  };
}

/** Lists the fields of a `Vary`, and of those of the stored responses. Mostly they are equal. */
function listVaryFields(vary: readonly string[], responses: readonly StoredResponse[]): readonly string[] {
  return responses.every((response) => response.vary.length === 0 || response.vary.join() === vary.join())
    ? vary
    : [...new Set([vary, ...responses.map((response) => response.vary)].flat())];
}

/** Determines why a request is forwarded (RFC 9211 §2.2). */
function explainForward(
  request: CacheRequest,
  directives: RequestDirectives,
  responses: readonly StoredResponse[],
  stored: StoredResponse | undefined,
  now: number,
): Pick<FetchSpec, 'forwardReason' | 'forwardDetail'> {
  if (stored !== undefined) {
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
  upstream: Upstream,
  storedResponse: StoredResponse,
  responses: readonly StoredResponse[],
): FetchSpec {
  return {
    ...NOTHING_STORED,
    collapseKey,
    request,
    directives: NO_REQUEST_DIRECTIVES,
    upstream,
    revalidationConditions: createRevalidationConditions(storedResponse),
    vary: listVaryFields(storedResponse.vary, responses),
    storedResponse,
    newestResponseTime: responses[0]?.responseTime,
    forwardReason: 'stale',
    isBackground: true,
  };
}

/** Explains to a client why it gets a stale response without waiting for the origin: the `detail` of `Cache-Status`. */
export function explainStale(
  decision: ReuseDecision,
  request: CacheRequest,
  stored: StoredResponse,
  { refreshBackoff }: KeyMemos,
): string {
  if (decision === 'stale') return STALE_DETAILS.maxStale;
  const isBackoff = refreshBackoff.get(createCollapseKey(request, stored.vary)) === true;
  return isBackoff ? STALE_DETAILS.refreshBackoff : STALE_DETAILS.whileRevalidate;
}

/** The parts of the engine that an {@link CollapsedFetch} uses. */
export interface EngineContext {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  /** Sends a complete response, stored or only shared with followers, after applying the client's conditions and range. */
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  /**
   * Sends a stale response because the origin failed.
   *
   * @returns false if directives forbid the stale response; nothing is sent then
   */
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus,
    failure: OriginFailure,
  ): boolean;
  /** Serves a client again, beginning with the lookup in the store. */
  retry(client: ClientExchange, mode: FetchMode): void;
  /** Counts a request to the origin whose response may be stored, until {@link closeFetch}. */
  openFetch(): void;
  closeFetch(): void;
  /** Removes a fetch, so that later requests do not join it. */
  unregisterFetch(collapseKey: string): void;
  /**
   * Registers a fetch for one variant, once the origin's `Vary` is known.
   *
   * @param collapseKey key under which the fetch is registered
   * @returns its new key; `null` if another fetch is registered for that variant
   */
  narrowFetchToVariant(collapseKey: string, request: CacheRequest, vary: readonly string[]): string | null;
}

/** The exchange with a client. Its response comes from the store, or from a fetch that the client leads or follows. */
export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  readonly sink: ResponseSink;
  /** Number of fetches that the client has followed without getting a response. */
  failedWaitCount = 0;
  #source: Exchange | undefined;
  #aborted = false;

  constructor(request: CacheRequest, directives: RequestDirectives, upstream: Upstream, sink: ResponseSink) {
    this.request = request;
    this.directives = directives;
    this.upstream = upstream;
    this.sink = sink;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Sets the exchange that supplies the response, in place of any earlier one. */
  setSource(source: Exchange): void {
    this.#source = source;
    if (this.#aborted) source.abort();
  }

  resume(): void {
    this.#source?.resume();
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#source?.abort();
  }
}

/**
 * The state of a collapsed fetch.
 *
 * - `pending`: waits for the lease of the key, or for the head of the response.
 * - `buffering` (`BufferedResponse`): the response may be shared, and is collected for followers and the store. The leader gets each chunk too.
 * - `streaming`: the response is only for the leader.
 * - `storing`: the response is complete, and the store decides whether it is current.
 * - `finished`: all clients have been served, retried or failed.
 *
 *     pending ──► buffering ──► storing ──► finished
 *        │            │                        ▲
 *        │            ▼                        │
 *        ├───────► streaming ──────────────────┤
 *        └─────────────────────────────────────┘
 *
 * While the slot is open, requests with the same collapse key become followers. "Retry" serves a client again,
 * beginning with the lookup; "retry alone" also keeps it from following another fetch.
 *
 * | state      | event                                 | next      | leader           | followers         | slot    |
 * |------------|---------------------------------------|-----------|------------------|-------------------|---------|
 * | pending    | another gateway stored a response     | finished  | retry            | retry             | closes  |
 * | pending    | 304, validators match                 | storing   | stored response  | wait              | open    |
 * | pending    | 304, validators match, not storable   | finished  | updated response | retry alone       | closes  |
 * | pending    | 304, validators do not match          | finished  | retry alone      | retry alone       | closes  |
 * | pending    | error status, stale-if-error          | (below) ¹ | stale response   | stale response    | open    |
 * | pending    | head, shareable                       | buffering | head ⁷           | wait or retry ²   | open ²  |
 * | pending    | head, only for the leader             | streaming | head             | retry alone       | closes ³|
 * | buffering  | chunk                                 | buffering | chunk            | wait              | open    |
 * | buffering  | chunk beyond `maxEntryBytes`          | streaming | chunk            | retry alone       | closes ³|
 * | buffering  | end                                   | storing   | end              | wait              | open    |
 * | buffering  | end, body differs from Content-Length | finished  | end              | retry alone       | closes  |
 * | storing    | stored, or shared without storing     | finished  |                  | complete response | closes  |
 * | storing    | the store refuses it ⁴                | finished  |                  | retry             | closes  |
 * | streaming  | end                                   | finished  | end              |                   | closed  |
 * | pending, buffering, streaming | failure            | finished  | stale or failure | stale or failure ⁵| closes  |
 * | pending, buffering, storing | collapse timeout     | same      | same             | retry alone       | closes  |
 * | pending, buffering, streaming | last client aborts | finished ⁶|                  |                   | closes  |
 *
 * 1. Clients that may not get the stale response get the error: the head is then handled as in the rows below. The
 *    fetch finishes if there are none.
 * 2. Followers of another variant, or with other conditions where these matter, retry; the slot is narrowed to the
 *    variant or closed.
 * 3. Later requests with the key are not collapsed for a while (hit-for-pass), except after an error status.
 * 4. A purge came after the request was sent, so the response may be outdated.
 * 5. Followers retry where the leader's own request caused the failure.
 * 6. Except a response in `buffering` that will be stored, and a pending background refresh: they continue.
 * 7. The head of a storable response is sent after the bytes that arrived with it. If that is all of the response,
 *    `Cache-Status` tells whether it was stored; if the exchange fails before, the row of `pending` applies.
 */
type FetchState = 'pending' | BufferedResponse | 'streaming' | 'storing' | 'finished';

/**
 * One request to the origin, collapsed for several clients: what happens to a miss, from the lease of its key to the end of
 * the response. The leader, the client that caused it, gets the response while it arrives. Followers, whose requests have
 * the same collapse key, wait until the response is complete.
 *
 * The slot is the registration of the fetch under its collapse key: in `HttpCache` for this gateway, and by a lease for others.
 */
export class CollapsedFetch implements ResponseSink {
  readonly #spec: FetchSpec;
  readonly #engine: EngineContext;
  #state: FetchState = 'pending';
  #exchange: Exchange | undefined;
  /** When the stored response was looked up, in milliseconds since the epoch. */
  readonly #startTime: number;
  /** When the request was sent, in milliseconds since the epoch. Before that, when the fetch was created. */
  requestTime: number;
  #leader: LeaderStream | undefined;
  /** Created on the first follower, because most fetches have none. */
  #followers: Set<ClientExchange> | undefined;
  /** Key of the slot; `null` if the slot is closed. */
  #collapseKey: string | null;
  #lease: Lease | null = null;
  #cancelTimeout: (() => void) | undefined;

  constructor(spec: FetchSpec, engine: EngineContext) {
    this.#spec = spec;
    this.#engine = engine;
    this.#startTime = engine.clock.now();
    this.requestTime = this.#startTime;
    this.#collapseKey = spec.collapseKey;
  }

  /** @param leader undefined if all clients wait for the complete response */
  start(leader: ClientExchange | undefined): void {
    this.#engine.openFetch();
    if (leader !== undefined) {
      this.#leader = new LeaderStream(leader, this);
      leader.setSource(this.#leader);
    }
    if (this.#collapseKey === null) this.#forward();
    else waitForLease(this.#spec, this.#collapseKey, this.#engine, (lease) => this.#onLease(lease));
  }

  /**
   * Adds a follower.
   *
   * @returns false if the client cannot follow this fetch. The slot is then closed or narrowed to another variant.
   */
  join(client: ClientExchange): boolean {
    if (this.#collapseKey === null) return false;
    if (this.#state instanceof BufferedResponse && !this.#state.canServe(client)) {
      this.#narrowSlot(this.#state.draft?.vary);
      return false;
    }
    this.#followers ??= new Set();
    const followers = this.#followers.add(client);
    client.setSource({
      resume() {},
      abort: () => {
        if (followers.delete(client)) this.#onClientAbort();
      },
    });
    const { clock, limits } = this.#engine;
    this.#cancelTimeout ??= clock.after(limits.collapseTimeout, () => {
      this.closeSlot();
      this.#retry(this.#takeFollowers(), 'alone');
    });
    return true;
  }

  closeSlot(): void {
    if (this.#collapseKey !== null) this.#engine.unregisterFetch(this.#collapseKey);
    this.#collapseKey = null;
    this.#cancelTimeout?.();
    this.#lease?.release();
    this.#lease = null;
  }

  #onLease(lease: Lease | null | 'stored-elsewhere'): void {
    const isAcquired = lease !== 'stored-elsewhere';
    if (isAcquired) this.#lease = lease;
    if (!this.#isExchangeOver) {
      if (isAcquired) this.#forward();
      else this.#finishWithRetry(this.#takeAll(), 'shared');
    }
    // The slot may have been closed in the meantime.
    if (this.#collapseKey === null) this.closeSlot();
  }

  #forward(): void {
    const { isBackground, request, revalidationConditions, upstream, vary } = this.#spec;
    this.requestTime = this.#engine.clock.now();
    this.#exchange = upstream.fetch(request, { revalidationConditions, isBackground, vary }, this);
    // All clients may have aborted before there was an exchange to abort.
    if (this.#isExchangeOver && !this.#hasClients) this.#exchange.abort();
  }

  interim(head: ResponseHead): void {
    this.#leader?.client.sink.interim?.(head);
  }

  head(head: ResponseHead): void {
    if (this.#state !== 'pending') return;
    const { revalidationConditions, request, storedResponse } = this.#spec;
    const { clock, limits, store } = this.#engine;
    const { status } = head;
    const response = { request, head, requestTime: this.requestTime, responseTime: clock.now() };
    if (storedResponse !== undefined) {
      if (revalidationConditions !== null && status === 304) {
        this.#onNotModified(storedResponse, response);
        return;
      }
      if (isStaleIfErrorStatus(status) && !this.#serveStaleOnErrorStatus(status)) {
        this.#abandon();
        return;
      }
      // A response that may have changed is confirmed by its body, or by a validator with a 304.
      if (request.method === 'HEAD' && !storedResponse.isSoftPurged) {
        const updated = updateFromHead(storedResponse, response);
        if (updated !== storedResponse) void store.put(request.key, updated);
      }
    }
    const shareability = evaluateShareability(this.#spec, response, limits.maxEntryBytes);
    if (shareability.kind !== 'storable') {
      request.onNotStorable?.(status, response.requestTime, response.responseTime);
      if (status < 500 && !TRANSIENT_STATUSES.has(status)) this.#purgeOutdated();
    }
    if (shareability.kind === 'leader') this.#stream(head, shareability.detail);
    else this.#buffer(new BufferedResponse(this.#spec, response, shareability, limits.maxEntryBytes));
  }

  /**
   * Updates the stored response after a 304 to the conditions of the cache (RFC 9111 §4.3.4), or purges it if the updated
   * response cannot be stored.
   */
  #onNotModified(stored: StoredResponse, received: OriginResponse): void {
    // The validators are as old as the lookup: what was purged since is not confirmed by them.
    const response = { ...received, requestTime: this.#startTime };
    if (!matchesValidators(response.head, stored)) {
      this.#finishWithRetry(this.#takeAll(), 'alone');
      return;
    }
    const { refusal, response: freshened } = freshenStoredResponse(stored, response);
    const leader = this.#takeLeader();
    let status: CacheStatus;
    if (refusal === undefined) {
      const isStored = this.#engine.store.put(this.#spec.request.key, freshened);
      status = createStorableStatus(this.#spec, isStored);
      this.#finishWith(freshened, { ...createStorableStatus(this.#spec, true), fwdStatus: 304 }, isStored);
    } else {
      status = createUnstoredStatus(this.#spec, refusal.detail);
      this.#purgeOutdated();
      this.#finishWithRetry(this.#takeFollowers(), 'alone');
    }
    if (leader !== undefined) this.#engine.serveStored(leader, freshened, { ...status, fwdStatus: 304 });
  }

  /** Sends the response to the leader only. */
  #stream(head: ResponseHead, detail: string): void {
    this.#state = 'streaming';
    const followers = this.#takeFollowers();
    // After an error the next response may be shareable again.
    if (isStaleIfErrorStatus(head.status)) this.closeSlot();
    else this.#closeSlotAsHitForPass();
    if (this.#leader === undefined) this.#abandon();
    else this.#leader.start(head, createUnstoredStatus(this.#spec, detail));
    this.#retry(followers, 'alone');
  }

  #buffer(buffered: BufferedResponse): void {
    this.#state = buffered;
    const rejected = this.#takeFollowers((client) => !buffered.canServe(client));
    if (rejected.length > 0) this.#narrowSlot(buffered.draft?.vary);
    this.#retry(rejected, 'shared');
    const startLeader = (): void => {
      if (this.#state === buffered) this.#startLeader(buffered, buffered.createStatus(undefined));
    };
    // The names of these fields are known when the body is complete.
    if (buffered.draft !== undefined && this.#spec.request.addsSurrogateKeys === true) return;
    // A small body arrives in the same read of the socket as its head. The head can then tell whether it was stored.
    if (buffered.draft !== undefined) queueMicrotask(startLeader);
    else startLeader();
  }

  /**
   * Sends the head to the leader. A leader whose conditions match the response gets a 304 and is removed, if the origin has
   * not evaluated these conditions. Has no effect if the leader has the head.
   *
   * @param complete the response with its entity tag, if its body has arrived
   */
  #startLeader(
    { body, draft, response }: BufferedResponse,
    status: CacheStatus,
    complete: StoredResponse | null = null,
  ): void {
    const leader = this.#leader;
    if (leader === undefined || leader.started) return;
    const { client } = leader;
    const { request, revalidationConditions } = this.#spec;
    const isEvaluated = revalidationConditions === null && request.addsEntityTag !== true;
    const metadata = complete ?? draft;
    if (
      draft !== undefined &&
      metadata !== undefined &&
      !isEvaluated &&
      isNotModified(metadata, client.directives, this.#engine.clock.now())
    ) {
      this.#leader = undefined;
      const { headers } = metadata;
      this.#engine.serveStored(client, { ...draft, headers, body: NO_BODY, tags: [], group: null }, status);
    } else {
      const hasAddedFields = complete !== null && request.addsSurrogateKeys === true;
      leader.start(
        hasAddedFields ? { ...response.head, headers: complete.headers } : response.head,
        status,
        body,
      );
    }
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state === 'streaming') return this.#leader?.write(chunk) ?? true;
    if (!(this.#state instanceof BufferedResponse)) return true;
    if (!this.#state.body.add(chunk)) return this.#streamRest(this.#state, chunk);
    this.#leader?.flush();
    return true;
  }

  /** Continues without the buffer, because `chunk` exceeds its limit. */
  #streamRest(buffered: BufferedResponse, chunk: Uint8Array): boolean {
    this.#startLeader(buffered, buffered.createStatus(undefined, NOT_STORED_DETAILS.tooLarge));
    this.#state = 'streaming';
    this.#purgeOutdated();
    const followers = this.#takeFollowers();
    this.#closeSlotAsHitForPass();
    if (this.#leader === undefined) this.#abandon();
    const hasRoom = this.#leader?.writeUnbuffered(chunk) ?? true;
    this.#retry(followers, 'alone');
    return hasRoom;
  }

  end(trailers: readonly string[]): void {
    const state = this.#state;
    if (state instanceof BufferedResponse) this.#onComplete(state, trailers);
    if (state !== 'streaming') return;
    this.#finish();
    this.#leader?.end(trailers);
  }

  #onComplete(buffered: BufferedResponse, trailers: readonly string[]): void {
    const stored = buffered.toCompleteResponse();
    if (buffered.bodyReason !== null) this.#closeSlotAsHitForPass();
    const isStored =
      stored === null ||
      (buffered.draft === undefined
        ? !buffered.isEvaluatedBySite || !this.#isPurged(null)
        : this.#engine.store.put(this.#spec.request.key, stored));
    const refusal = stored === null ? (buffered.bodyReason ?? NOT_STORED_DETAILS.incomplete) : undefined;
    this.#startLeader(buffered, buffered.createStatus(isStored, refusal), stored);
    if (stored === null) this.#finishWithRetry(this.#takeFollowers(), 'alone');
    else this.#finishWith(stored, buffered.createStatus(true), isStored);
    this.#leader?.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isExchangeOver) return;
    const { kind } = failure;
    const isUnreachable = this.#state === 'pending' && UNREACHABLE_KINDS.has(kind);
    const { forwardDetail, forwardReason: fwd } = this.#spec;
    const staleDetail = isUnreachable ? formatUnreachableDetail(kind) : STALE_DETAILS.ifError;
    // RFC 9211 §2.1: a request that was not forwarded is a hit.
    const stale: CacheStatus = NOT_SENT_KINDS.has(kind)
      ? { hit: true, detail: staleDetail }
      : { fwd, detail: staleDetail };
    this.#serveStale(stale, isUnreachable ? 'unreachable' : 'error');
    this.#finish();
    const status: CacheStatus = forwardDetail === undefined ? { fwd } : { fwd, detail: forwardDetail };
    const followers = this.#takeFollowers();
    this.#leader?.fail({ ...failure, cacheStatus: formatFailureStatus(status, kind) });
    if (CLIENT_FAILURES.has(kind)) {
      this.#retry(followers, 'shared');
      return;
    }
    const cacheStatus = formatFailureStatus({ ...status, collapsed: true }, kind);
    for (const client of followers) client.sink.fail({ ...failure, cacheStatus });
  }

  /** @returns whether a client is left, which gets the error */
  #serveStaleOnErrorStatus(fwdStatus: number): boolean {
    const status = { fwd: this.#spec.forwardReason, fwdStatus, detail: STALE_DETAILS.ifError };
    this.#serveStale(status, 'error');
    return this.#hasClients;
  }

  /**
   * Sends the stored response to all clients whose directives allow it after a failure, and removes them. A leader that
   * already has the head of another response stays. A background refresh is not repeated for a while.
   */
  #serveStale(status: CacheStatus, failure: OriginFailure): void {
    const { collapseKey, isBackground, storedResponse } = this.#spec;
    const engine = this.#engine;
    if (isBackground && collapseKey !== null) engine.keyMemos.refreshBackoff.set(collapseKey, true);
    // Clients have joined since the response was looked up, and some perhaps after a write.
    if (storedResponse === undefined || this.#isPurged(storedResponse)) return;
    const leader = this.#leader;
    const isLeaderWaiting = leader?.started === false;
    if (isLeaderWaiting && engine.serveStaleOnFailure(leader.client, storedResponse, status, failure)) {
      this.#leader = undefined;
    }
    const followers = this.#followers;
    if (followers === undefined) return;
    const collapsed = status.hit === true ? status : { ...status, collapsed: true };
    for (const client of [...followers]) {
      // Serving one follower may have made another abort.
      if (followers.has(client) && engine.serveStaleOnFailure(client, storedResponse, collapsed, failure)) {
        followers.delete(client);
      }
    }
  }

  /** Whether a response may have been purged since the fetch began. */
  #isPurged(response: PurgeLabels | null): boolean {
    const { store } = this.#engine;
    return store.isPurgedSince?.(this.#spec.request.key, response, this.#startTime) ?? false;
  }

  /** Purges the stored response after a revalidation whose response is not stored. */
  #purgeOutdated(): void {
    const { revalidationConditions, request, storedResponse } = this.#spec;
    if (storedResponse === undefined || revalidationConditions === null || request.method === 'HEAD') return;
    void this.#engine.store.purge({ kind: 'keys', keys: [request.key] }, 'hard');
  }

  /**
   * Restricts the slot to requests for one variant. Closes it if it is restricted to that variant already.
   *
   * @param vary undefined if other requests cannot share the response; the slot is then closed
   */
  #narrowSlot(vary: readonly string[] | undefined): void {
    const collapseKey = this.#collapseKey;
    if (collapseKey === null) return;
    const variantKey =
      vary === undefined
        ? collapseKey
        : this.#engine.narrowFetchToVariant(collapseKey, this.#spec.request, vary);
    if (variantKey === collapseKey) this.closeSlot();
    else this.#collapseKey = variantKey;
  }

  /** Closes the slot. Requests with its key are not collapsed for `hitForPassDuration`. */
  #closeSlotAsHitForPass(): void {
    const collapseKey = this.#collapseKey ?? this.#spec.collapseKey;
    if (collapseKey !== null) this.#engine.keyMemos.hitForPass.set(collapseKey, true);
    this.closeSlot();
  }

  /** Whether further events of the upstream exchange are ignored. */
  get #isExchangeOver(): boolean {
    return this.#state === 'storing' || this.#state === 'finished';
  }

  get #hasClients(): boolean {
    return this.#leader !== undefined || (this.#followers !== undefined && this.#followers.size > 0);
  }

  /** Removes and returns the leader. The fetch must then serve it. */
  #takeLeader(): ClientExchange | undefined {
    const client = this.#leader?.client;
    this.#leader = undefined;
    return client;
  }

  /** Removes and returns the matching followers. The fetch must then serve them. */
  #takeFollowers(matches: (client: ClientExchange) => boolean = () => true): readonly ClientExchange[] {
    const followers = this.#followers;
    if (followers === undefined || followers.size === 0) return NO_CLIENTS;
    const taken = [...followers].filter(matches);
    for (const client of taken) followers.delete(client);
    return taken;
  }

  /** Removes and returns all clients. The leader must not have the head yet. */
  #takeAll(): readonly ClientExchange[] {
    const leader = this.#takeLeader();
    return leader === undefined ? this.#takeFollowers() : [leader, ...this.#takeFollowers()];
  }

  #retry(clients: readonly ClientExchange[], mode: FetchMode): void {
    for (const client of clients) this.#engine.retry(client, mode);
  }

  /** The leader has received all bytes and can take more. */
  onLeaderDrain(): void {
    this.#exchange?.resume();
  }

  onLeaderAbort(): void {
    this.#leader = undefined;
    this.#onClientAbort();
  }

  #onClientAbort(): void {
    const state = this.#state;
    if (this.#hasClients || this.#isExchangeOver) return;
    // A response that will be stored is fetched to its end for later requests.
    if (state instanceof BufferedResponse && state.draft !== undefined) return;
    if (state === 'pending' && this.#spec.isBackground) return;
    this.#abandon();
  }

  /** @param isCurrent false if the store has rejected the response because it may be older than a purge */
  #finishWith(stored: StoredResponse, status: CacheStatus, isCurrent: Awaitable<boolean>): void {
    this.#state = 'storing';
    whenResolved(isCurrent, (serves) => {
      const followers = this.#takeFollowers();
      this.#finish();
      if (!serves) this.#retry(followers, 'shared');
      else {
        for (const client of followers) {
          this.#engine.serveStored(client, stored, { ...status, collapsed: true });
        }
      }
    });
  }

  #finishWithRetry(clients: readonly ClientExchange[], mode: FetchMode): void {
    this.#finish();
    this.#retry(clients, mode);
  }

  #abandon(): void {
    this.#finish();
    this.#exchange?.abort();
  }

  #finish(): void {
    const isFirst = this.#state !== 'finished';
    this.#state = 'finished';
    this.closeSlot();
    if (isFirst) this.#engine.closeFetch();
  }
}

const NO_CLIENTS: readonly ClientExchange[] = [];
const NO_BODY = new Uint8Array(0);

/** Failures whose cause is the request of the leader. */
const CLIENT_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'invalid-request',
  'body-length-mismatch',
  'client-gone',
]);

/** Failures of an exchange, before the head of a response, that show that the origin cannot be reached. */
const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'refused',
  'dns',
  'tls',
  'connection-broken',
  'circuit-open',
  'overloaded',
]);

/** Statuses below 500 that say nothing about the current representation of the resource. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([304, 408, 425, 429]);

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
function evaluateShareability(
  { request }: FetchSpec,
  response: OriginResponse,
  maxBytes: number,
): Shareability {
  const { head } = response;
  const unshareable = request.findUnshareableReason(head);
  if (unshareable !== null) return { kind: 'leader', detail: unshareable };
  if ((parseContentLength(head.headers) ?? 0) > maxBytes)
    return { kind: 'leader', detail: NOT_STORED_DETAILS.tooLarge };
  const storability = evaluateStorability(response);
  if (storability.kind === 'storable') return { kind: 'storable', draft: storability.draft };
  const { detail, isClientSpecific } = storability.refusal;
  if (head.status === 304 && !isClientSpecific) return { kind: 'same-conditions', detail };
  const isShared = isStaleIfErrorStatus(head.status) && !isClientSpecific;
  return { kind: isShared ? 'followers' : 'leader', detail };
}

/** A response whose body is being collected for followers: the state `buffering`. */
class BufferedResponse {
  readonly body: BodyBuffer;
  /** As the origin sent it. */
  readonly response: OriginResponse;
  /** The response to be stored, without its body; undefined if it will not be stored. */
  readonly draft: StoredResponseDraft | undefined;
  /** A reason in the body not to store the response, once it is complete; `null` if there is none. */
  bodyReason: string | null = null;
  readonly #spec: FetchSpec;
  readonly #shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly #vary: readonly string[];
  readonly #variantKey: string;

  constructor(
    spec: FetchSpec,
    response: OriginResponse,
    shareability: Exclude<Shareability, { kind: 'leader' }>,
    maxBytes: number,
  ) {
    const { request } = spec;
    const { headers } = response.head;
    this.body = new BodyBuffer(maxBytes, parseContentLength(headers));
    this.response = response;
    this.draft = shareability.kind === 'storable' ? shareability.draft : undefined;
    this.#spec = spec;
    this.#shareability = shareability;
    this.#vary = this.draft?.vary ?? parseVary(headers, request.ignoredVaryFields) ?? [];
    this.#variantKey = this.draft?.variantKey ?? request.getVariantKey(this.#vary);
  }

  /** Whether the site has evaluated conditions of the client. */
  get isEvaluatedBySite(): boolean {
    return this.#shareability.kind === 'same-conditions';
  }

  /** Whether a follower may get this response. */
  canServe({ directives, request }: ClientExchange): boolean {
    if (this.#vary.length > 0 && request.getVariantKey(this.#vary) !== this.#variantKey) return false;
    const { ifModifiedSince, ifNoneMatch } = this.#spec.directives;
    return (
      this.#shareability.kind !== 'same-conditions' ||
      (directives.ifNoneMatch === ifNoneMatch && directives.ifModifiedSince === ifModifiedSince)
    );
  }

  /**
   * Creates the `Cache-Status` of the response.
   *
   * @param isStored see {@link createStorableStatus}; without effect on a response that cannot be stored
   * @param refusal why a storable response is not stored after all
   */
  createStatus(isStored: Awaitable<boolean> | undefined, refusal?: string): CacheStatus {
    const shareability = this.#shareability;
    if (shareability.kind !== 'storable') return createUnstoredStatus(this.#spec, shareability.detail);
    return refusal === undefined
      ? createStorableStatus(this.#spec, isStored)
      : createUnstoredStatus(this.#spec, refusal);
  }

  /**
   * Creates the complete response for the store and the followers.
   *
   * @returns `null` if the length of the body differs from `Content-Length`, or if there is a {@link bodyReason}
   */
  toCompleteResponse(): StoredResponse | null {
    const body = this.body.bytes();
    if (this.draft === undefined) return createSharedResponse(this.response, body);
    try {
      return this.#toStoredResponse(this.draft, body);
    } catch {
      // A defect in the analysis of a body must not leave the clients without a response.
      this.bodyReason = NOT_STORED_DETAILS.analysisFailed;
      return null;
    }
  }

  #toStoredResponse(draft: StoredResponseDraft, body: Uint8Array): StoredResponse | null {
    const { request } = this.#spec;
    this.bodyReason = request.findUnshareableBodyReason?.(this.response.head, body) ?? null;
    if (this.bodyReason !== null) return null;
    const labels = request.getPurgeLabels(this.response.head, body);
    const created = completeDraft(draft, body, labels, request.addsEntityTag);
    const complete =
      created !== null && request.addsSurrogateKeys === true ? addSurrogateKeys(created) : created;
    if (complete !== null) request.onStorable?.(complete);
    return complete;
  }
}

/** Fields that the cache adds to each response that it sends. */
const GENERATED_FIELDS: ReadonlySet<string> = new Set(['age', 'cache-status']);

/** Creates a response for followers that is not stored. */
function createSharedResponse(
  { head, requestTime, responseTime }: OriginResponse,
  body: Uint8Array,
): StoredResponse {
  const headers = withoutFields(head.headers, GENERATED_FIELDS);
  return { ...UNSTORED, status: head.status, headers, body, requestTime, responseTime };
}

const UNSTORED = {
  variantKey: '',
  vary: NO_VARY,
  initialAge: 0,
  freshnessLifetime: 0,
  ...NO_WINDOWS,
  isSoftPurged: false,
  tags: [],
  group: null,
} as const;

/**
 * Creates the `Cache-Status` of a response of the origin that is not stored, or not known to be stored.
 *
 * @param detail why it is not stored
 */
function createUnstoredStatus({ forwardDetail, forwardReason }: FetchSpec, detail: string): CacheStatus {
  const isKnown = forwardDetail === undefined || forwardDetail === detail;
  return { fwd: forwardReason, detail: isKnown ? detail : `${forwardDetail}, ${detail}` };
}

/**
 * Creates the `Cache-Status` of a storable response.
 *
 * @param isStored what the store has returned. A promise, or undefined: the head is sent before that is known
 */
function createStorableStatus(spec: FetchSpec, isStored: Awaitable<boolean> | undefined): CacheStatus {
  if (isStored !== true) {
    const { purged, storable } = NOT_STORED_DETAILS;
    return createUnstoredStatus(spec, isStored === false ? purged : storable);
  }
  const { forwardDetail, forwardReason } = spec;
  const status = { fwd: forwardReason, stored: true };
  return forwardDetail === undefined ? status : { ...status, detail: forwardDetail };
}

/**
 * Waits until this gateway may fetch a key, or until another gateway has stored a response. Waits for `leaseDuration` or
 * less, and not at all if the store is not shared.
 *
 * @param collapseKey key of the lease
 * @param done called once, possibly before this returns, with the lease: `null` if another gateway still has it after
 * `leaseDuration`; `stored-elsewhere` if another gateway has stored a newer response
 */
function waitForLease(
  { newestResponseTime, request }: FetchSpec,
  collapseKey: string,
  { clock, limits, store }: Pick<EngineContext, 'clock' | 'limits' | 'store'>,
  done: (lease: Lease | null | 'stored-elsewhere') => void,
): void {
  const acquire = (): Awaitable<Lease | null> => store.acquireLease(collapseKey, limits.leaseDuration);
  const first = acquire();
  if (first !== null && !(first instanceof Promise)) {
    done(first);
    return;
  }
  let isDone = false;
  const finish = (lease: Lease | null | 'stored-elsewhere'): void => {
    isDone = true;
    cancel();
    done(lease);
  };
  const cancel = clock.after(limits.leaseDuration, () => finish(null));

  const isNewer = ([newest]: readonly StoredResponse[]): boolean =>
    newest !== undefined && newest.responseTime !== newestResponseTime;
  const onLease = (lease: Lease | null): void => {
    if (isDone) lease?.release();
    else if (lease === null) clock.after(limits.leasePollInterval, poll);
    else whenResolved(store.get(request.key), (responses) => onLookup(lease, responses));
  };
  // The previous holder may have stored its response between the lookup and the request for the lease.
  const onLookup = (lease: Lease, responses: readonly StoredResponse[]): void => {
    const isStored = isNewer(responses);
    if (isDone || isStored) lease.release();
    if (!isDone) finish(isStored ? 'stored-elsewhere' : lease);
  };
  const poll = (): void => {
    if (isDone) return;
    whenResolved(store.get(request.key), (responses) => {
      if (isDone) return;
      if (isNewer(responses)) finish('stored-elsewhere');
      else whenResolved(acquire(), onLease);
    });
  };
  whenResolved(first, onLease);
}

/** Calls `next` with the value. A value that is not a promise is passed synchronously. */
function whenResolved<T>(value: Awaitable<T>, next: (value: T) => void): void {
  if (value instanceof Promise) void value.then(next);
  else next(value);
}

/**
 * Streams a response to the leader while it arrives. A slow leader is served from the buffer that is filled for the
 * followers, so that they need not wait for it. Without that buffer, the bytes that the origin has already sent are
 * queued, and the origin is paused.
 */
class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #fetch: CollapsedFetch;
  /** Whether the leader has the head. */
  started = false;
  #buffer: BodyBuffer | undefined;
  /** Number of bytes of the buffer that the leader has received. */
  #position = 0;
  readonly #queue: Uint8Array[] = [];
  #trailers: readonly string[] | undefined;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, fetch: CollapsedFetch) {
    this.client = client;
    this.#fetch = fetch;
  }

  /**
   * Sends the head.
   *
   * @param buffer contains the body until {@link writeUnbuffered} is called; undefined if {@link write} gets the chunks
   */
  start({ headers, reason, status }: ResponseHead, cached: CacheStatus, buffer?: BodyBuffer): void {
    this.started = true;
    this.#buffer = buffer;
    this.client.sink.head({
      status,
      reason,
      headers: [...headers, 'Cache-Status', formatCacheStatus(cached)],
    });
    this.flush();
  }

  /**
   * Writes a chunk for which the buffer has no space. {@link write} gets the chunks after it.
   *
   * @returns see {@link write}
   */
  writeUnbuffered(chunk: Uint8Array): boolean {
    const rest = this.#buffer?.bytesFrom(this.#position);
    this.#buffer = undefined;
    if (rest !== undefined && rest.byteLength > 0) this.#queue.push(rest);
    return this.write(chunk);
  }

  /** @returns false if the origin should pause until `onLeaderDrain` */
  write(chunk: Uint8Array): boolean {
    this.#queue.push(chunk);
    this.flush();
    return !this.#isFull;
  }

  end(trailers: readonly string[]): void {
    this.#trailers = trailers;
    this.flush();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.client.sink.fail(failure);
  }

  resume(): void {
    this.#isFull = false;
    this.flush();
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#fetch.onLeaderDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#fetch.onLeaderAbort();
  }

  /** Writes chunks of the buffer or the queue until the leader is full. Has no effect before the head. */
  flush(): void {
    // A sink may call `resume` from within `write`; the outer loop then continues.
    if (this.#isFlushing || !this.started) return;
    this.#isFlushing = true;
    while (!this.#isFull && !this.#isFinished) {
      const chunk = this.#next();
      if (chunk === undefined) break;
      // Set before the call: the sink may already have called `resume` when `write` returns false.
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || this.#trailers === undefined) return;
    this.#isFinished = true;
    this.client.sink.end(this.#trailers);
  }

  #next(): Uint8Array | undefined {
    if (this.#buffer === undefined) return this.#queue.shift();
    const chunk = this.#buffer.bytesFrom(this.#position);
    this.#position += chunk.byteLength;
    return chunk.byteLength === 0 ? undefined : chunk;
  }
}

/** Collects the chunks of a body in one buffer, up to a limit. The bytes of a view that it has returned never change. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #expectedLength: number;
  #buffer: Uint8Array = NO_BODY;
  #length = 0;

  /**
   * @param limit maximum length in bytes
   * @param expectedLength the value of `Content-Length`, or 0 if it is unknown
   */
  constructor(limit: number, expectedLength = 0) {
    this.#limit = limit;
    this.#expectedLength = expectedLength;
  }

  /**
   * Appends a chunk.
   *
   * @returns false if the chunk would exceed the limit; it is not added then
   */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#limit) return false;
    // Most bodies arrive in one chunk, which is used without a copy.
    if (this.#length === 0 && length >= this.#expectedLength) {
      this.#buffer = chunk;
      this.#length = length;
      return true;
    }
    if (length > this.#buffer.byteLength) {
      const size = Math.max(length, this.#expectedLength, this.#buffer.byteLength * 2);
      const larger = new Uint8Array(Math.min(this.#limit, size));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** Returns a view of the bytes from offset `position`. */
  bytesFrom(position: number): Uint8Array {
    return this.#buffer.subarray(position, this.#length);
  }

  /** Returns a view of all bytes. Its `ArrayBuffer` may be longer, so a store must copy the bytes. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
