import type { CacheStatus } from '../../http/cache-status.ts';
import type {
  Exchange,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
  UpstreamFailureKind,
} from '../../http/exchange.ts';
import { isStaleIfErrorStatus } from '../policy/freshness.ts';
import { formatUnreachableDetail, NOT_STORED_DETAILS, STALE_DETAILS } from '../policy/status-details.ts';
import type { OriginResponse } from '../policy/storability.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { CollapseSlot, whenResolved } from './collapse-slot.ts';
import { type FetchClientEvents, FetchClients } from './fetch-clients.ts';
import {
  type ClientExchange,
  createUnstoredStatus,
  type EngineContext,
  type FetchMode,
  type FetchSpec,
} from './fetch-plan.ts';
import {
  BufferedResponse,
  CompletingSink,
  createOriginResponse,
  evaluateShareability,
  purgeIfOutdated,
  purgeOutdatedResponse,
  startRefreshBackoff,
  storeHeadUpdate,
  storeNotModified,
} from './fetched-response.ts';

/**
 * The state of a collapsed fetch (`OriginFetch`).
 *
 * - `pending`: waits for the lease of the key, or for the head of the response.
 * - `buffering`: the response may be shared, and is collected for followers and the store. The leader gets each chunk too.
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
type FetchState =
  | {
      readonly kind: 'pending' | 'streaming' | 'storing' | 'finished';
      /** Whether further events of the upstream exchange are ignored. */
      readonly isExchangeOver: boolean;
    }
  | BufferedResponse;

const PENDING_STATE: FetchState = { kind: 'pending', isExchangeOver: false };
const STREAMING_STATE: FetchState = { kind: 'streaming', isExchangeOver: false };
const STORING_STATE: FetchState = { kind: 'storing', isExchangeOver: true };
const FINISHED_STATE: FetchState = { kind: 'finished', isExchangeOver: true };

/**
 * One request to the origin, collapsed for several clients. The leader, the client that caused it, gets the response
 * while it arrives. Followers, whose requests have the same collapse key, wait until the response is complete.
 * {@link FetchState} lists the states and transitions.
 */
export class OriginFetch implements ResponseSink, FetchClientEvents {
  readonly slot: CollapseSlot;
  readonly #spec: FetchSpec;
  readonly #context: EngineContext;
  readonly #clients: FetchClients;
  #state: FetchState = PENDING_STATE;
  #exchange: Exchange | undefined;
  #requestTime: number;

  constructor(spec: FetchSpec, context: EngineContext) {
    this.#spec = spec;
    this.#context = context;
    this.#requestTime = context.clock.now();
    this.#clients = new FetchClients(context, this, spec.revalidationConditions !== null);
    this.slot = new CollapseSlot(spec, context);
  }

  /** When the request was sent, in milliseconds since the epoch. Before that, when the fetch was created. */
  get requestTime(): number {
    return this.#requestTime;
  }

  /** @param leader undefined if all clients wait for the complete response */
  start(leader: ClientExchange | undefined): void {
    this.#context.openFetch();
    if (leader !== undefined) this.#clients.setLeader(leader);
    this.slot.acquireLease((isAcquired) => {
      if (this.#state.isExchangeOver) return;
      if (isAcquired) this.#forward();
      else this.#finishWithRetry(this.#clients.takeAll(), 'shared');
    });
  }

  /**
   * Adds a follower.
   *
   * @returns false if the client cannot follow this fetch. The slot is then closed or narrowed to another variant.
   */
  join(client: ClientExchange): boolean {
    if (!this.slot.isOpen) return false;
    if (this.#state.kind === 'buffering' && !this.#state.canServe(client)) {
      this.slot.narrowToVariant(this.#state.vary);
      return false;
    }
    this.#clients.addFollower(client);
    this.slot.startTimeout(() => {
      this.slot.close();
      this.#clients.retry(this.#clients.takeFollowers(), 'alone');
    });
    return true;
  }

  #forward(): void {
    const { completedPart, forward, isBackground, revalidationConditions, vary } = this.#spec;
    const retryAlone = (): void => {
      this.#finishWithRetry(this.#clients.takeAll(), 'alone');
      this.#exchange?.abort();
    };
    const sink = completedPart === undefined ? this : new CompletingSink(completedPart, this, retryAlone);
    this.#requestTime = this.#context.clock.now();
    this.#exchange = forward({ revalidationConditions, isBackground, vary }, sink);
    // All clients may have aborted before there was an exchange to abort.
    if (this.#state.isExchangeOver && this.#clients.isEmpty) this.#exchange.abort();
  }

  interim(head: ResponseHead): void {
    this.#clients.leader?.interim(head);
  }

  head(head: ResponseHead): void {
    if (this.#state.kind !== 'pending') return;
    const { revalidationConditions, request, storedResponse } = this.#spec;
    const response = createOriginResponse(request, head, this.#requestTime, this.#context.clock.now());
    if (storedResponse !== undefined) {
      if (revalidationConditions !== null && head.status === 304) {
        this.#onNotModified(storedResponse, response);
        return;
      }
      if (serveStaleOnErrorStatus(this.#spec, this.#context, this.#clients, head.status)) {
        this.#abandon();
        return;
      }
      storeHeadUpdate(this.#spec, this.#context, storedResponse, response);
    }
    const shareability = evaluateShareability(this.#spec, response, this.#context.limits.maxEntryBytes);
    if (shareability.kind !== 'storable') purgeIfOutdated(this.#spec, this.#context, response);
    if (shareability.kind === 'leader') this.#stream(head, shareability.detail);
    else this.#buffer(new BufferedResponse(this.#spec, this.#context, response, shareability));
  }

  #onNotModified(stored: StoredResponse, response: OriginResponse): void {
    const update = storeNotModified(this.#spec, this.#context, stored, response);
    if (update === null) {
      this.#finishWithRetry(this.#clients.takeAll(), 'alone');
      return;
    }
    const { createStatus, freshened, isCurrent } = update;
    const leader = this.#clients.takeLeader();
    if (isCurrent !== null) this.#finishWith(freshened, createStatus(true), isCurrent);
    else this.#finishWithRetry(this.#clients.takeFollowers(), 'alone');
    if (leader !== undefined) this.#context.serveStored(leader, freshened, createStatus(isCurrent ?? false));
  }

  #stream(head: ResponseHead, detail: string): void {
    this.#state = STREAMING_STATE;
    const followers = this.#clients.takeFollowers();
    // After an error the next response may be shareable again.
    if (isStaleIfErrorStatus(head.status)) this.slot.close();
    else this.slot.closeAsHitForPass();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    else leader.start(head, createUnstoredStatus(this.#spec, detail));
    this.#clients.retry(followers, 'alone');
  }

  #buffer(buffered: BufferedResponse): void {
    this.#state = buffered;
    const rejected = this.#clients.takeFollowers((client) => !buffered.canServe(client));
    if (rejected.length > 0) this.slot.narrowToVariant(buffered.vary);
    this.#clients.retry(rejected, 'shared');
    const startLeader = (): void => {
      if (this.#state === buffered) this.#clients.startLeader(buffered, buffered.createStatus(undefined));
    };
    // A small body arrives in the same read of the socket as its head. The head can then tell whether it was stored.
    if (buffered.isStorable) queueMicrotask(startLeader);
    else startLeader();
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state.kind === 'streaming') return this.#clients.leader?.write(chunk) ?? true;
    if (this.#state.kind !== 'buffering') return true;
    if (!this.#state.body.add(chunk)) return this.#streamRest(this.#state, chunk);
    this.#clients.leader?.flush();
    return true;
  }

  /** Continues without the buffer, because `chunk` exceeds its limit. */
  #streamRest(buffered: BufferedResponse, chunk: Uint8Array): boolean {
    this.#clients.startLeader(buffered, buffered.createStatus(undefined, NOT_STORED_DETAILS.tooLarge));
    this.#state = STREAMING_STATE;
    purgeOutdatedResponse(this.#spec, this.#context);
    const followers = this.#clients.takeFollowers();
    this.slot.closeAsHitForPass();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    const hasRoom = leader?.writeUnbuffered(chunk) ?? true;
    this.#clients.retry(followers, 'alone');
    return hasRoom;
  }

  end(trailers: readonly string[]): void {
    const state = this.#state;
    if (state.kind === 'buffering') this.#onComplete(state, trailers);
    if (state.kind !== 'streaming') return;
    this.#finish();
    this.#clients.leader?.end(trailers);
  }

  #onComplete(buffered: BufferedResponse, trailers: readonly string[]): void {
    const stored = buffered.toCompleteResponse();
    if (buffered.bodyReason !== null) this.slot.closeAsHitForPass();
    const isStored =
      stored === null || !buffered.isStorable || this.#context.store.put(this.#spec.request.key, stored);
    const refusal = stored === null ? (buffered.bodyReason ?? NOT_STORED_DETAILS.incomplete) : undefined;
    this.#clients.startLeader(buffered, buffered.createStatus(isStored, refusal));
    if (stored === null) this.#finishWithRetry(this.#clients.takeFollowers(), 'alone');
    else this.#finishWith(stored, buffered.createStatus(true), isStored);
    this.#clients.leader?.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#state.isExchangeOver) return;
    const hasHead = this.#state.kind !== 'pending';
    serveStaleOnBrokenExchange(this.#spec, this.#context, this.#clients, failure.kind, hasHead);
    this.#finish();
    const { forwardDetail: detail, forwardReason: fwd } = this.#spec;
    this.#clients.fail(failure, detail === undefined ? { fwd } : { fwd, detail });
  }

  onLeaderDrain(): void {
    this.#exchange?.resume();
  }

  onClientAbort(): void {
    if (!this.#clients.isEmpty || this.#state.isExchangeOver) return;
    // A response that will be stored is fetched to its end for later requests.
    if (this.#state.kind === 'buffering' && this.#state.isStorable) return;
    if (this.#state.kind === 'pending' && this.#spec.isBackground) return;
    this.#abandon();
  }

  /** @param isCurrent false if the store has rejected the response because it may be older than a purge */
  #finishWith(stored: StoredResponse, status: CacheStatus, isCurrent: Awaitable<boolean>): void {
    this.#state = STORING_STATE;
    whenResolved(isCurrent, (serves) => {
      const followers = this.#clients.takeFollowers();
      this.#finish();
      if (serves) this.#clients.serve(followers, stored, { ...status, collapsed: true });
      else this.#clients.retry(followers, 'shared');
    });
  }

  #finishWithRetry(clients: readonly ClientExchange[], mode: FetchMode): void {
    this.#finish();
    this.#clients.retry(clients, mode);
  }

  #abandon(): void {
    this.#finish();
    this.#exchange?.abort();
  }

  #finish(): void {
    if (this.#state !== FINISHED_STATE) this.#context.closeFetch();
    this.#state = FINISHED_STATE;
    this.slot.close();
  }
}

/** Failures of an exchange, before the head of a response, that show that the origin cannot be reached. */
const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'refused',
  'dns',
  'tls',
  'connection-broken',
  'circuit-open',
]);

/**
 * Serves the stored response to the clients that may get it in place of an error status of the origin.
 *
 * @returns whether no client is left
 */
function serveStaleOnErrorStatus(
  spec: FetchSpec,
  context: EngineContext,
  clients: FetchClients,
  originStatus: number,
): boolean {
  if (spec.storedResponse === undefined || !isStaleIfErrorStatus(originStatus)) return false;
  const status = { fwd: spec.forwardReason, fwdStatus: originStatus, detail: STALE_DETAILS.ifError };
  clients.serveStaleOnFailure(spec.storedResponse, status, 'error');
  startRefreshBackoff(spec, context);
  return clients.isEmpty;
}

/**
 * Serves the stored response to the clients that may get it after the exchange with the origin has failed.
 *
 * @param hasHead whether the origin has sent the head of a response
 */
function serveStaleOnBrokenExchange(
  spec: FetchSpec,
  context: EngineContext,
  clients: FetchClients,
  kind: UpstreamFailureKind,
  hasHead: boolean,
): void {
  startRefreshBackoff(spec, context);
  if (spec.storedResponse === undefined) return;
  const isUnreachable = !hasHead && UNREACHABLE_KINDS.has(kind);
  const detail = isUnreachable ? formatUnreachableDetail(kind) : STALE_DETAILS.ifError;
  // RFC 9211 §2.1: with an open circuit the request was not forwarded, so it is a hit.
  const status: CacheStatus =
    kind === 'circuit-open' ? { hit: true, detail } : { fwd: spec.forwardReason, detail };
  clients.serveStaleOnFailure(spec.storedResponse, status, isUnreachable ? 'unreachable' : 'error');
}
