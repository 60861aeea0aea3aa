import type { CacheStatus } from '../../http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import { isStaleIfErrorStatus, NOT_STORED_DETAILS, type OriginResponse } from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { BufferedResponse } from './buffered-response.ts';
import type { ClientExchange } from './client-exchange.ts';
import { CollapseSlot } from './collapse-slot.ts';
import { CompletingSink } from './completing-sink.ts';
import type { EngineContext, FetchMode } from './engine-context.ts';
import { type FetchClientEvents, FetchClients } from './fetch-clients.ts';
import type { FetchSpec } from './fetch-spec.ts';
import {
  type FetchState,
  FINISHED_STATE,
  PENDING_STATE,
  STORING_STATE,
  STREAMING_STATE,
} from './fetch-state.ts';
import { createUnstoredStatus } from './fetch-status.ts';
import { evaluateShareability } from './shareability.ts';
import { serveStaleOnBrokenExchange, serveStaleOnErrorStatus } from './stale-on-failure.ts';
import {
  createOriginResponse,
  purgeIfOutdated,
  purgeOutdatedResponse,
  storeHeadUpdate,
  storeNotModified,
} from './stored-updates.ts';
import { whenResolved } from './wait-for-lease.ts';

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
    const { completedPart, isBackground, revalidationConditions, forward } = this.#spec;
    const retryAlone = (): void => {
      this.#finishWithRetry(this.#clients.takeAll(), 'alone');
      this.#exchange?.abort();
    };
    const sink = completedPart === undefined ? this : new CompletingSink(completedPart, this, retryAlone);
    this.#requestTime = this.#context.clock.now();
    this.#exchange = forward({ revalidationConditions, isBackground }, sink);
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
    this.#state = FINISHED_STATE;
    this.slot.close();
  }
}
