import { BodyBuffer } from '../../../base/http/body.ts';
import type { CacheReason, CacheStatus } from '../../../base/http/cache-status.ts';
import {
  type Exchange,
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../../../base/http/exchange.ts';
import { parseContentLength } from '../../../base/http/fields.ts';
import { freshenStoredResponse, matchesValidators } from '../policy/reuse.ts';
import { type OriginResponse, STALE_IF_ERROR_STATUSES } from '../policy/storability.ts';
import type { Awaitable, CacheStore, PutResult, StoredResponse, StoreMark } from '../store.ts';
import { type ClientExchange, type ClientServer, FetchClients, STALE_IF_ERROR } from './fetch-clients.ts';
import type { CacheEngineLimits, FetchMode, FetchPlan, KeyMemos } from './fetch-plan.ts';
import {
  BufferedResponse,
  createStorableStatus,
  createUnstoredStatus,
  evaluateShareability,
  findMissingVary,
  isStatement,
  learnFromOwn,
  learnFromRefusal,
} from './shareability.ts';

export interface FetchingCache extends ClientServer {
  readonly store: CacheStore;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  openFetches: number;
  unregisterFetch(collapseKey: string): void;
}

/**
 * - `pending`: waits for the head of the response.
 * - `BufferedResponse`: the response is collected for followers and the store.
 * - `streaming`: the response is for the leader only.
 * - `storing`: the store decides whether the complete response is current.
 * - `finished`: all clients have been served, retried or failed.
 */
type FetchState = 'pending' | BufferedResponse | 'streaming' | 'storing' | 'finished';

/**
 * One request to the origin for a leader, which gets the response while it arrives, and for followers with the same collapse key,
 * which wait until it is complete.
 *
 * Requests join while the slot is open: the fetch is registered under its collapse key. The slot closes before clients retry: they
 * would join the same fetch again. While the shared store is away, requests that come after the fetch was sent share the next one.
 *
 * A fetch is its client's own request (`first`, which others wait for, or `passed`), or asked for everyone; in the background it
 * has no leader. "Retry" begins again with the lookup; "alone" also keeps the client from following; "pass" forwards its request as
 * it was sent.
 *
 * | event, by state                              | next       | leader      | followers           |
 * |----------------------------------------------|------------|-------------|---------------------|
 * | pending, for everyone:                       |            |             |                     |
 * | - 304, validators match                      | storing    | stored one  | wait                |
 * | - 304, other validators, or not storable     | finished   | alone       | alone               |
 * | - head, everyone's                           | buffering  | head ¹      | wait ²              |
 * | - head, of a part, too large, etc.           | streaming  | head        | alone ³             |
 * | - head, not everyone's                       | finished   | pass        | pass ³              |
 * | - head, chosen by a field that was not sent  | finished   | pass        | pass                |
 * | pending, its client's own:                   |            |             |                     |
 * | - head, could be everyone's, or says nothing | streaming  | head        | retry               |
 * | - head, its client's, or a server error      | streaming  | head        | pass                |
 * | pending:                                     |            |             |                     |
 * | - error status, stale-if-error               | as above ⁴ | stale       | stale               |
 * | - silence timeout                            | pending    | stale ⁵     | stale ⁵             |
 * | buffering: chunk beyond `maxEntryBytes`      | streaming  | chunk       | alone ³             |
 * | - end                                        | storing    | end         | wait                |
 * | - end, wrong length or for one client        | finished   | end         | alone ³             |
 * | storing: stored, or shared without storing   | finished   |             | complete response   |
 * | - outdated, because a purge came meanwhile   | finished   |             | retry               |
 * | any but storing: failure                     | finished   | stale/error | stale/error ⁶       |
 * | - last client aborts                         | finished ⁷ |             |                     |
 * | any but streaming: collapse timeout          | same       | same        | alone               |
 *
 * 1. At the end, if the whole response arrived at once, or with surrogate keys, which depend on the body.
 * 2. Followers of another variant retry, and the slot closes.
 * 3. `learnFromRefusal`: later requests are passed, or not collapsed, for a while (hit-for-pass).
 * 4. For clients that can't get the stale response. Without any, the fetch finishes.
 * 5. Clients that can't get it keep waiting. Without any, the response is fetched for the store.
 * 6. Followers retry where the leader's own request caused, or can have caused, the failure.
 * 7. But not a pending background refresh, nor a response for the store within {@link MAX_UNWANTED_BYTES}.
 */
export class CollapsedFetch implements ResponseSink {
  readonly #plan: FetchPlan;
  readonly #isOwn: boolean;
  readonly #cache: FetchingCache;
  #state: FetchState = 'pending';
  #exchange: Exchange | undefined;
  /** When the request was sent, before that: when it was planned. In milliseconds since the epoch. */
  requestTime: number;
  readonly #clients: FetchClients;
  #collapseKey: string | null;
  #cancelTimeout: (() => void) | undefined;
  #cancelSilenceTimeout: (() => void) | undefined;
  isSilent = false;
  #wasLeft = false;

  constructor(plan: FetchPlan, cache: FetchingCache) {
    this.#plan = plan;
    this.#isOwn = plan.way !== 'everyone';
    this.#cache = cache;
    this.requestTime = cache.clock.now();
    this.#collapseKey = plan.collapseKey;
    this.#clients = new FetchClients(cache, plan, this);
  }

  start(leader: ClientExchange | undefined): void {
    const { clock, limits } = this.#cache;
    if (!this.#isOwn) this.#cache.openFetches += 1;
    if (leader !== undefined) this.#clients.lead(leader);
    if (this.#plan.storedResponse !== undefined)
      this.#cancelSilenceTimeout = clock.after(limits.silenceTimeout, () => this.#onSilence());
    if (this.#plan.mark !== null || this.#collapseKey === null || this.#isOwn) this.#forward();
    // Requests of the same turn share the fetch.
    else clock.after(0, () => this.#forward());
  }

  /** @returns false if the client starts another fetch */
  join(client: ClientExchange, mark: StoreMark | null): boolean {
    if (this.#collapseKey === null) return false;
    if (this.#state instanceof BufferedResponse && !this.#state.canServe(client)) {
      this.#splitSlot(this.#state);
      return false;
    }
    client.isLate = this.#exchange !== undefined && (mark === null || this.#plan.mark === null);
    this.#clients.follow(client);
    const { clock, limits } = this.#cache;
    this.#cancelTimeout ??= clock.after(limits.collapseTimeout, () => {
      this.closeSlot();
      this.#clients.retry(this.#clients.takeFollowers(), 'alone');
    });
    return true;
  }

  closeSlot(): void {
    if (this.#collapseKey !== null) this.#cache.unregisterFetch(this.#collapseKey);
    this.#collapseKey = null;
    this.#cancelTimeout?.();
  }

  #forward(): void {
    if (this.#isExchangeOver) return;
    const { isBackground, request, revalidationConditions, upstream, vary } = this.#plan;
    this.requestTime = this.#cache.clock.now();
    try {
      this.#exchange = this.#isOwn
        ? upstream.pass(request, this)
        : upstream.fetch(request, { revalidationConditions, isBackground, vary }, this);
    } catch (cause) {
      this.crash(cause);
      return;
    }
    if (this.#isExchangeOver && this.#clients.isEmpty) this.#exchange.abort();
  }

  #onSilence(): void {
    if (this.#state !== 'pending') return;
    const { clock, keyMemos, limits } = this.#cache;
    this.isSilent = true;
    keyMemos.silentSites.set(this.#plan.request.policy.storeScope, clock.now() + limits.silenceDuration);
    const reason = { kind: 'unreachable', failure: 'timeout' } as const;
    this.#clients.serveStale(reason, 'unreachable', this.#exchange === undefined ? null : undefined);
  }

  head(head: ResponseHead): void {
    if (this.#state === 'pending') this.#onHead(head, undefined);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    if (this.#state === 'pending') this.#onHead(head, body);
  }

  #onHead(received: ResponseHead, body: Uint8Array | undefined): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    const head = request.prepareHead?.(received) ?? received;
    const { clock, keyMemos } = this.#cache;
    this.#cancelSilenceTimeout?.();
    if (!GATEWAY_ERRORS.has(head.status)) keyMemos.silentSites.delete(request.policy.storeScope);
    const response = { request, head, requestTime: this.requestTime, responseTime: clock.now() };
    if (storedResponse !== undefined && revalidationConditions !== null && head.status === 304)
      this.#onNotModified(storedResponse, response);
    else if (storedResponse !== undefined && this.#isReplacedByStored(head)) this.#abandon();
    else this.#respond(received, response, body);
  }

  /** @returns whether all clients have got a stale response */
  #isReplacedByStored(head: ResponseHead): boolean {
    if (!STALE_IF_ERROR_STATUSES.has(head.status)) return false;
    const isUnreachable = GATEWAY_ERRORS.has(head.status) && !isMaintenance(head);
    this.#clients.serveStale(STALE_IF_ERROR, isUnreachable ? 'unreachable' : 'error', head.status);
    return this.#clients.isEmpty;
  }

  #respond(received: ResponseHead, response: OriginResponse, body: Uint8Array | undefined): void {
    const { keyMemos, limits } = this.#cache;
    const { head } = response;
    const length = body?.byteLength ?? parseContentLength(head.headers);
    const found = evaluateShareability(this.#plan, response, length, limits.maxEntryBytes);
    const missingVary = this.#isOwn ? null : findMissingVary(this.#plan, head);
    if (this.#isOwn) {
      const status = learnFromOwn(this.#plan, keyMemos, found);
      this.closeSlot();
      this.#stream(received, status, body, found.kind === 'nobody' || head.status >= 500 ? 'pass' : 'shared');
    } else if (missingVary !== null) {
      keyMemos.addresses.add(this.#plan.request.key, missingVary);
      this.#purgeOutdated();
      this.#repeatAsSent(body);
    } else if (found.kind === 'storable' || found.kind === 'followers') {
      const buffer = body === undefined ? new BodyBuffer(limits.maxEntryBytes) : undefined;
      this.#buffer(new BufferedResponse(this.#plan, response, found, buffer), body);
    } else {
      // The response replaces the stored one, unless it is an error of one client.
      if (isStatement(head.status)) this.#purgeOutdated();
      this.#closeAsRefused(head.status, found.reason);
      if (found.kind === 'nobody') this.#repeatAsSent(body);
      else this.#stream(received, createUnstoredStatus(this.#plan, found.reason), body, 'alone');
    }
  }

  #repeatAsSent(body: Uint8Array | undefined): void {
    if (body === undefined) this.#exchange?.abort();
    this.#finishWithRetry('pass');
  }

  /** Updates the stored response after a 304 (RFC 9111 §4.3.4), or purges it and asks without conditions. */
  #onNotModified(stored: StoredResponse, received: OriginResponse): void {
    const freshened = matchesValidators(received.head, stored)
      ? freshenStoredResponse(stored, received)
      : null;
    if (freshened === null) {
      this.#purgeOutdated();
      this.#finishWithRetry('alone');
      return;
    }
    // The validators are as old as the lookup, so they don't confirm what was purged since.
    const result = this.#put(freshened);
    const createStatus = (known: Awaitable<PutResult>): CacheStatus => ({
      ...createStorableStatus(this.#plan, known),
      fwdStatus: 304,
    });
    const leader = this.#clients.takeLeader();
    this.#storeThenServe(freshened, createStatus, result);
    if (leader !== undefined) this.#clients.serve([leader], freshened, () => createStatus(result));
  }

  #stream(
    head: ResponseHead,
    status: CacheStatus,
    body: Uint8Array | undefined,
    modeOfFollowers: FetchMode,
  ): void {
    this.#state = 'streaming';
    const followers = this.#clients.takeFollowers();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    else if (body === undefined) this.#clients.startLeader(head, status);
    else {
      this.#finish();
      leader.complete(head, status, body);
    }
    this.#clients.retry(followers, modeOfFollowers);
  }

  #buffer(buffered: BufferedResponse, body: Uint8Array | undefined): void {
    this.#state = buffered;
    const rejected = this.#clients.takeFollowers((client) => !buffered.canServe(client));
    if (rejected.length > 0) {
      this.#splitSlot(buffered);
      this.#clients.retry(rejected, 'shared');
    }
    if (body !== undefined) this.#onBody(buffered, body);
    // The names of surrogate keys are known when the body is complete.
    else if (buffered.draft === undefined || this.#plan.request.policy.addsSurrogateKeys !== true)
      this.#clients.startLeader(buffered.response.head, buffered.createStatus(undefined));
  }

  write(chunk: Uint8Array): boolean {
    const state = this.#state;
    const { leader } = this.#clients;
    if (state === 'streaming') return leader?.write(chunk) ?? true;
    if (!(state instanceof BufferedResponse)) return true;
    if (state.body?.add(chunk) === false) return this.#streamRest(state, chunk);
    leader?.write(chunk);
    if (this.#wasLeft) this.onAbort();
    return true;
  }

  #streamRest(buffered: BufferedResponse, chunk: Uint8Array): boolean {
    const tooLarge: CacheReason = { kind: 'too large' };
    const { head } = buffered.response;
    this.#clients.startLeader(head, buffered.createStatus(undefined, tooLarge));
    this.#state = 'streaming';
    this.#purgeOutdated();
    const followers = this.#clients.takeFollowers();
    this.#closeAsRefused(head.status, tooLarge);
    if (this.#clients.leader === undefined) this.#abandon();
    const hasRoom = this.#clients.leader?.write(chunk) ?? true;
    this.#clients.retry(followers, 'alone');
    return hasRoom;
  }

  end(): void {
    const state = this.#state;
    if (state instanceof BufferedResponse && state.body !== undefined)
      this.#onBody(state, state.body.bytes());
    if (state !== 'streaming') return;
    this.#finish();
    this.#clients.leader?.end();
  }

  #onBody(buffered: BufferedResponse, bytes: Uint8Array): void {
    const decoded = buffered.decode(bytes, this.#cache.limits.maxEntryBytes);
    if (!(decoded instanceof Promise)) this.#onComplete(buffered, decoded, bytes);
    else
      decoded
        .then((body) => {
          if (this.#state === buffered) this.#onComplete(buffered, body, bytes);
        })
        .catch(this.crash);
  }

  #onComplete(buffered: BufferedResponse, body: Uint8Array | null, bytes: Uint8Array): void {
    const stored = buffered.toCompleteResponse(body);
    const { status } = buffered.response.head;
    const { bodyReason } = buffered;
    if (bodyReason?.kind === 'broken response') this.#clients.serveStale(STALE_IF_ERROR, 'error', status);
    else if (bodyReason !== null) this.#closeAsRefused(status, bodyReason);
    const result = stored === null || buffered.draft === undefined ? 'stored' : this.#put(stored);
    const refusal = stored === null ? (bodyReason ?? INCOMPLETE) : undefined;
    this.#clients.completeLeader(
      buffered.response.head,
      buffered.createStatus(result, refusal),
      stored,
      bytes,
    );
    if (stored === null) {
      const followers = this.#clients.takeFollowers();
      this.#finish();
      this.#clients.retry(followers, 'alone');
    } else this.#storeThenServe(stored, (known) => buffered.createStatus(known), result);
    this.#clients.leader?.end();
  }

  #put(response: StoredResponse): Awaitable<PutResult> {
    const { mark, request, upstream } = this.#plan;
    if (upstream.isOutdated?.(request) === true) return 'outdated';
    return mark === null ? 'unstored' : this.#cache.store.put(request.key, response, mark);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isExchangeOver && failure.kind === 'internal') this.#clients.leader?.fail(failure);
    if (this.#isExchangeOver) return;
    const isPending = this.#state === 'pending';
    this.#finish();
    this.#clients.fail(failure, isPending);
  }

  #purgeOutdated(): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    if (storedResponse === undefined || revalidationConditions === null || request.method === 'HEAD') return;
    void this.#cache.store.purge({ kind: 'tags', tags: [request.key] }, 'hard');
  }

  #closeAsRefused(status: number, reason: CacheReason): void {
    learnFromRefusal(this.#plan, this.#cache.keyMemos, status, reason);
    this.closeSlot();
  }

  #splitSlot({ draft }: BufferedResponse): void {
    if (draft !== undefined) this.#cache.keyMemos.addresses.add(this.#plan.request.key, draft.vary);
    this.closeSlot();
  }

  get #isExchangeOver(): boolean {
    return this.#state === 'storing' || this.#state === 'finished';
  }

  onDrain(): void {
    this.#exchange?.resume();
  }

  onAbort(): void {
    const state = this.#state;
    if (!this.#clients.isEmpty || this.#isExchangeOver) return;
    if (state instanceof BufferedResponse && state.draft !== undefined) {
      this.#wasLeft = true;
      if (state.unwantedBytes <= MAX_UNWANTED_BYTES) return;
    }
    if (state === 'pending' && this.#plan.isBackground) return;
    this.#abandon();
  }

  #storeThenServe(
    stored: StoredResponse,
    createStatus: (result: PutResult) => CacheStatus,
    result: Awaitable<PutResult>,
  ): void {
    this.#state = 'storing';
    const finish = (known: PutResult): void => {
      const late = this.#clients.takeFollowers(({ isLate }) => isLate || known === 'outdated');
      const followers = this.#clients.takeFollowers();
      this.#finish();
      if (late.length + followers.length === 0) return;
      this.#clients.retry(late, 'shared');
      this.#clients.serve(followers, stored, () => ({ ...createStatus(known), collapsed: true }));
    };
    if (result instanceof Promise) result.then(finish).catch(this.crash);
    else finish(result);
  }

  readonly crash = (cause: unknown): void => {
    this.#abandon();
    this.#clients.failAll({ kind: 'internal', cause });
  };

  #finishWithRetry(mode: FetchMode): void {
    const clients = this.#clients.takeAll();
    this.#finish();
    this.#clients.retry(clients, mode);
  }

  #abandon(): void {
    this.#finish();
    this.#exchange?.abort();
  }

  #finish(): void {
    const isFirst = this.#state !== 'finished';
    this.#state = 'finished';
    this.#cancelSilenceTimeout?.();
    this.closeSlot();
    if (isFirst && !this.#isOwn) this.#cache.openFetches -= 1;
  }
}

const INCOMPLETE: CacheReason = { kind: 'incomplete' };

/** Bytes fetched for the store only, once all clients have left: bytes to come, or bytes received if the length isn't stated. */
const MAX_UNWANTED_BYTES = 1_048_576;
