import type { CacheStatus } from '../../http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import {
  freshenStoredResponse,
  isErrorStatus,
  matchesValidators,
  type OriginResponse,
} from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { whenResolved } from './acquire-lease.ts';
import { BufferedResponse } from './buffered-response.ts';
import type { ClientExchange } from './client-exchange.ts';
import { CollapseSlot } from './collapse-slot.ts';
import type { EngineContext, FetchMode } from './engine-context.ts';
import { type ClientEvents, FetchClients } from './fetch-clients.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { type FetchState, FINISHED, PENDING, STORING, STREAMING } from './fetch-state.ts';
import { evaluateShareability, replacesStored } from './shareability.ts';
import {
  createOriginResponse,
  purgeReplaced,
  startRefreshBackoff,
  storeHeadUpdate,
} from './stored-updates.ts';

/**
 * One request to the origin, collapsed for several clients. The client that caused it, the leader, gets the response
 * while it arrives. Requests with the same collapse key follow it: they wait until the response is complete. The states
 * and transitions are listed in {@link FetchState}.
 */
export class OriginFetch implements ResponseSink, ClientEvents {
  readonly slot: CollapseSlot;
  readonly #spec: FetchSpec;
  readonly #context: EngineContext;
  readonly #clients: FetchClients;
  #state: FetchState = PENDING;
  #exchange: Exchange | undefined;
  #requestTime: number;

  constructor(spec: FetchSpec, context: EngineContext) {
    this.#spec = spec;
    this.#context = context;
    this.#requestTime = context.clock.now();
    this.#clients = new FetchClients(context, this);
    this.slot = new CollapseSlot(spec, context);
  }

  /** When the request was sent, or while it waits for the lease, when the wait began: milliseconds since the epoch. */
  get requestTime(): number {
    return this.#requestTime;
  }

  /** @param leader undefined where all clients are to wait for the complete response */
  start(leader: ClientExchange | undefined): void {
    if (leader !== undefined) this.#clients.setLeader(leader);
    this.slot.acquireLease((isAcquired) => {
      if (this.#state.isOver) return;
      if (isAcquired) this.#forward();
      else this.#finishWithRetry(this.#clients.takeAll(), 'shared');
    });
  }

  /** @returns false where the response is not for this client; later requests like it do not find this fetch */
  join(client: ClientExchange): boolean {
    if (!this.slot.isOpen) return false;
    if (this.#state.kind === 'buffering' && !this.#state.accepts(client)) {
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
    const { background, conditions, forward } = this.#spec;
    this.#requestTime = this.#context.clock.now();
    const exchange = forward({ conditions, background }, this);
    this.#exchange = exchange;
    // All clients may have aborted before there was an exchange to abort.
    if (this.#state.isOver && this.#clients.isEmpty) exchange.abort();
  }

  interim(head: ResponseHead): void {
    this.#clients.leader?.interim(head);
  }

  head(head: ResponseHead): void {
    if (this.#state.kind !== 'pending') return;
    const { conditions, reason, request, stored } = this.#spec;
    const now = this.#context.clock.now();
    const response = createOriginResponse(request, head, this.#requestTime, now);
    if (stored !== undefined) {
      if (conditions !== null && head.status === 304) {
        this.#onNotModified(stored, response);
        return;
      }
      if (isErrorStatus(head.status)) {
        this.#clients.serveStaleOnError(stored, { fwd: reason, fwdStatus: head.status });
        startRefreshBackoff(this.#spec, this.#context);
        if (this.#clients.isEmpty) {
          this.#abandon();
          return;
        }
      }
      storeHeadUpdate(this.#spec, this.#context, stored, response);
    }
    const shareability = evaluateShareability(request, response, this.#context.limits.maxEntryBytes);
    if (shareability.kind !== 'stored' && replacesStored(head)) purgeReplaced(this.#spec, this.#context);
    if (shareability.kind === 'leader') this.#stream(head, shareability.detail);
    else this.#buffer(response, shareability);
  }

  /** Handles a 304 to the conditions of the cache (RFC 9111 §4.3.4). */
  #onNotModified(stored: StoredResponse, response: OriginResponse): void {
    if (!matchesValidators(response.head, stored)) {
      this.#finishWithRetry(this.#clients.takeAll(), 'alone');
      return;
    }
    const { reason, request } = this.#spec;
    const { isStorable, response: freshened } = freshenStoredResponse(stored, response);
    const status: CacheStatus = { fwd: reason, fwdStatus: 304, stored: isStorable };
    const leader = this.#clients.takeLeader();
    if (isStorable) this.#finishWith(freshened, status, this.#context.store.put(request.key, freshened));
    else {
      purgeReplaced(this.#spec, this.#context);
      this.#finishWithRetry(this.#clients.takeFollowers(), 'alone');
    }
    if (leader !== undefined) this.#context.serveStored(leader, freshened, status);
  }

  #stream(head: ResponseHead, detail: string): void {
    this.#state = STREAMING;
    const followers = this.#clients.takeFollowers();
    // After an error the next response may be shareable again.
    if (isErrorStatus(head.status)) this.slot.close();
    else this.slot.closeAsHitForPass();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    else leader.start(head, { fwd: this.#spec.reason, detail });
    this.#clients.retry(followers, 'alone');
  }

  #buffer(response: OriginResponse, shareability: BufferedResponse['shareability']): void {
    const buffered = new BufferedResponse(this.#spec, this.#context, response, shareability);
    const { accepts, body, status } = buffered;
    this.#state = buffered;
    const rejected = this.#clients.takeFollowers((client) => !accepts(client));
    if (rejected.length > 0) this.slot.narrowToVariant(buffered.vary);
    this.#clients.retry(rejected, 'shared');
    const isServed =
      shareability.kind === 'stored' &&
      this.#spec.conditions !== null &&
      this.#clients.serveNotModified(shareability.draft, status);
    if (!isServed) this.#clients.leader?.start(response.head, status, body);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state.kind === 'streaming') return this.#clients.leader?.write(chunk) ?? true;
    if (this.#state.kind !== 'buffering') return true;
    if (!this.#state.body.add(chunk)) return this.#streamRest(chunk);
    this.#clients.leader?.flush();
    return true;
  }

  /** Continues without the buffer, because `chunk` exceeds its limit. */
  #streamRest(chunk: Uint8Array): boolean {
    this.#state = STREAMING;
    purgeReplaced(this.#spec, this.#context);
    const followers = this.#clients.takeFollowers();
    this.slot.closeAsHitForPass();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    const hasRoom = leader?.writeUnbuffered(chunk) ?? true;
    this.#clients.retry(followers, 'alone');
    return hasRoom;
  }

  end(trailers: readonly string[]): void {
    const { leader } = this.#clients;
    if (this.#state.kind === 'buffering') this.#onComplete(this.#state);
    else if (this.#state.kind !== 'streaming') return;
    else this.#finish();
    leader?.end(trailers);
  }

  #onComplete(buffered: BufferedResponse): void {
    const stored = buffered.complete();
    if (stored === null) {
      this.#finishWithRetry(this.#clients.takeFollowers(), 'alone');
      return;
    }
    const isCurrent = buffered.isStored ? this.#context.store.put(this.#spec.request.key, stored) : true;
    this.#finishWith(stored, buffered.status, isCurrent);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#state.isOver) return;
    const { reason, stored } = this.#spec;
    if (stored !== undefined) {
      // With an open circuit the request was not forwarded.
      const isForwarded = failure.kind !== 'circuit-open';
      this.#clients.serveStaleOnError(stored, isForwarded ? { fwd: reason } : { hit: true });
    }
    startRefreshBackoff(this.#spec, this.#context);
    this.#finish();
    this.#clients.fail(failure);
  }

  onLeaderDrain(): void {
    this.#exchange?.resume();
  }

  onClientAbort(): void {
    if (!this.#clients.isEmpty || this.#state.isOver) return;
    // A response that will be stored is fetched to its end for later requests.
    if (this.#state.kind === 'buffering' && this.#state.isStored) return;
    if (this.#state.kind === 'pending' && this.#spec.background) return;
    this.#abandon();
  }

  /** @param isCurrent false where the store refused the response, because it may be older than a purge */
  #finishWith(stored: StoredResponse, status: CacheStatus, isCurrent: Awaitable<boolean>): void {
    this.#state = STORING;
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
    this.#state = FINISHED;
    this.slot.close();
  }
}
