import type { CacheStatus } from '../../../base/http/cache-status.ts';
import { BodyBuffer } from '../../../base/http/chunks.ts';
import {
  type Exchange,
  GATEWAY_ERRORS,
  isMaintenance,
  NOT_SENT_KINDS,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
  type UpstreamFailureKind,
  withFailure,
} from '../../../base/http/exchange.ts';
import { parseContentLength } from '../../../base/http/fields.ts';
import type { Clock } from '../../../base/ports.ts';
import { freshenStoredResponse, isNotModified, matchesValidators } from '../policy/reuse.ts';
import {
  FORWARD_DETAILS,
  formatUnreachableDetail,
  NOT_STORED_DETAILS,
  STALE_DETAILS,
} from '../policy/status-details.ts';
import { type OriginResponse, STALE_IF_ERROR_STATUSES } from '../policy/storability.ts';
import { parseVary } from '../policy/variants.ts';
import type { Awaitable, CacheStore, Lease, PutResult, StoredResponse, StoreMark } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import { type ClientServer, FetchClients } from './fetch-clients.ts';
import type { CacheEngineLimits, FetchMode, FetchPlan, KeyMemos } from './fetch-plan.ts';
import { type Turn, waitForTurn } from './lease.ts';
import {
  BufferedResponse,
  createStorableStatus,
  createUnstoredStatus,
  evaluatePassed,
  evaluateShareability,
} from './shareability.ts';

export interface FetchingCache extends ClientServer {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  openFetches: number;
  unregisterFetch(collapseKey: string): void;
}

/**
 * The state of a collapsed fetch.
 *
 * - `pending`: waits for the lease of the key, or for the head of the response.
 * - `buffering`: the response is collected for followers and the store.
 * - `streaming`: the response is only for the leader.
 * - `storing`: the store decides whether the complete response is current.
 * - `finished`: all clients have been served, retried or failed.
 *
 * While the slot is open, requests with the same collapse key become followers; it closes where these don't
 * wait. While the shared store is away, those that come after the request was sent wait for the next fetch.
 * "Retry" serves a client again, beginning with the lookup; "alone" also keeps it from following, and "pass"
 * forwards it as it was sent.
 *
 * | event                                              | next        | leader       | followers           |
 * |----------------------------------------------------|-------------|--------------|---------------------|
 * | pending: another gateway stored a response         | finished    | retry        | retry               |
 * | pending: 304, validators match                     | storing     | stored one   | wait                |
 * | pending: 304, other validators, or not storable    | finished    | alone        | alone               |
 * | pending: error status, stale-if-error              | as below ¹  | stale        | stale (slot open)   |
 * | pending: silence timeout                           | pending     | stale ⁸      | stale ⁸ (slot open) |
 * | pending: head, own request, could be everyone's    | streaming   | head         | retry ⁹             |
 * | pending: head, own request, error of the server    | streaming   | head         | pass                |
 * | pending: head, own request, says nothing (304)     | streaming   | head         | retry               |
 * | pending: head, own request, for its client         | streaming   | head         | pass                |
 * | pending: head, shareable                           | buffering   | head ⁷       | wait or retry ²     |
 * | pending: head, only for the leader                 | streaming   | head         | alone ³             |
 * | pending: head, not everyone's                      | finished    | pass         | pass ³ ⁹            |
 * | pending: head, chosen without a field of the leader| finished    | pass         | pass ⁹              |
 * | buffering: chunk                                   | buffering   | chunk        | wait                |
 * | buffering: chunk beyond `maxEntryBytes`            | streaming   | chunk        | alone ³             |
 * | buffering: end                                     | storing     | end          | wait                |
 * | buffering: end, wrong length or for one client     | finished    | end          | alone ³             |
 * | storing: stored, or shared without storing         | finished    |              | complete response   |
 * | storing: refused by the store ⁴                    | finished    |              | retry               |
 * | streaming: end                                     | finished    | end          |                     |
 * | any but storing: failure                           | finished    | stale/error  | stale/error ⁵       |
 * | any but streaming: collapse timeout                | same        | same         | alone               |
 * | any but storing: last client aborts                | finished ⁶  |              |                     |
 *
 * 1. Clients that cannot get the stale response get the error; the fetch finishes if there are none.
 * 2. Followers of another variant retry; the slot closes.
 * 3. Later requests with the key are passed for a while, or not collapsed (hit-for-pass). Not after an error
 *    of the server, nor where a page is missing, which can be published.
 * 4. A purge came after the request was sent, or the store has gone, so the response might be outdated.
 * 5. Followers retry where the leader's own request caused, or can have caused, the failure.
 * 6. Except a response in `buffering` that will be stored, until {@link MAX_UNWANTED_BYTES} are to come or have
 *    come without a stated length, and a pending background refresh.
 * 7. At the end, if the whole response arrived at once, or with surrogate keys, which depend on the body.
 * 8. Clients that cannot get it keep waiting. Once all are served, it is fetched for the store.
 * 9. The first row makes the address one that is asked for everyone, and the fields by which it varies
 *    known; "not everyone's" makes it unknown again.
 */
type FetchState = 'pending' | BufferedResponse | 'streaming' | 'storing' | 'finished';

/**
 * One request to the origin for several clients. The leader, the client that caused it, gets the response
 * while it arrives. Followers, whose requests have the same collapse key, wait until it is complete.
 *
 * The slot is the registration of the fetch under its collapse key: in `HttpCache`, and by a lease for other
 * gateways.
 */
export class CollapsedFetch implements ResponseSink {
  readonly #plan: FetchPlan;
  readonly #cache: FetchingCache;
  #state: FetchState = 'pending';
  #exchange: Exchange | undefined;
  /** Mark of the last lookup before the request was sent; `null` if nothing can be stored. */
  #mark: StoreMark | null;
  /** Time of the request (before that: of the creation), in milliseconds since the epoch. */
  requestTime: number;
  readonly #clients: FetchClients;
  #collapseKey: string | null;
  #lease: Lease | null = null;
  #cancelTimeout: (() => void) | undefined;
  #cancelSilenceTimeout: (() => void) | undefined;
  isSilent = false;
  /** Whether all clients have left at some time. */
  #wasLeft = false;

  constructor(plan: FetchPlan, cache: FetchingCache) {
    this.#plan = plan;
    this.#cache = cache;
    this.#mark = plan.mark;
    this.requestTime = cache.clock.now();
    this.#collapseKey = plan.collapseKey;
    this.#clients = new FetchClients(cache, {
      onDrain: () => this.#exchange?.resume(),
      onAbort: () => this.#onClientAbort(),
    });
  }

  get #isPassed(): boolean {
    return this.#plan.way !== 'everyone';
  }

  start(leader: ClientExchange | undefined): void {
    if (!this.#isPassed) this.#cache.openFetches += 1;
    if (leader !== undefined) this.#clients.lead(leader);
    if (this.#plan.storedResponse !== undefined) {
      const { clock, limits } = this.#cache;
      this.#cancelSilenceTimeout = clock.after(limits.silenceTimeout, () => this.#onSilence());
    }
    if (this.#collapseKey === null || this.#isPassed) {
      this.#forward();
      return;
    }
    const { clock, store } = this.#cache;
    // Requests of the same turn share the fetch.
    if (this.#mark === null) clock.after(0, () => this.#onTurn({ lease: null, mark: null }));
    else if (store.acquireLease === undefined) this.#onTurn({ lease: null, mark: this.#mark });
    else
      waitForTurn(this.#cache, this.#collapseKey, this.#plan, () => this.#isExchangeOver)
        .then((turn) => this.#onTurn(turn))
        .catch(this.crash);
  }

  /** Adds a follower; false closes the slot. Without the store, later clients wait for the next fetch. */
  join(client: ClientExchange, mark: StoreMark | null): boolean {
    if (this.#collapseKey === null) return false;
    if (!this.#isPassed && this.#exchange !== undefined && (mark === null || this.#mark === null)) {
      this.#clients.waitForNext(client);
      return true;
    }
    if (this.#state instanceof BufferedResponse && !this.#state.canServe(client)) {
      this.#splitSlot(this.#state);
      return false;
    }
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
    this.#lease?.release();
    this.#lease = null;
    this.#clients.retryLater();
  }

  #onTurn({ lease, mark }: Turn): void {
    this.#lease = lease;
    if (mark !== undefined) this.#mark = mark;
    if (!this.#isExchangeOver) {
      if (mark === undefined) this.#finishWithRetry('shared');
      else this.#forward();
    }
    // It can have been closed before the lease came.
    if (this.#collapseKey === null) this.closeSlot();
  }

  #forward(): void {
    const { isBackground, request, revalidationConditions, upstream, vary } = this.#plan;
    this.requestTime = this.#cache.clock.now();
    try {
      this.#exchange =
        this.#isPassed && upstream.pass !== undefined
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
    const { forwardReason: fwd, request } = this.#plan;
    this.isSilent = true;
    keyMemos.silentSites.set(request.policy.storeScope, clock.now() + limits.silenceDuration);
    const detail = formatUnreachableDetail('timeout');
    this.#clients.serveStale(
      this.#exchange === undefined ? { hit: true, detail } : { fwd, detail },
      'unreachable',
    );
  }

  head(head: ResponseHead): void {
    if (this.#state === 'pending') this.#onHead(head, undefined);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    if (this.#state === 'pending') this.#onHead(head, body);
  }

  #onHead(received: ResponseHead, body: Uint8Array | undefined): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    const head = request.policy.prepareHead?.(received, request.headers) ?? received;
    const { clock, limits } = this.#cache;
    const { status } = head;
    this.#cancelSilenceTimeout?.();
    const { silentSites } = this.#cache.keyMemos;
    if (silentSites.size > 0 && !GATEWAY_ERRORS.has(status)) silentSites.delete(request.policy.storeScope);
    const response = { request, head, requestTime: this.requestTime, responseTime: clock.now() };
    const length = body?.byteLength ?? parseContentLength(head.headers);
    if (storedResponse !== undefined) {
      if (revalidationConditions !== null && status === 304) {
        this.#onNotModified(storedResponse, response);
        return;
      }
      if (STALE_IF_ERROR_STATUSES.has(status) && !this.#serveStaleOnErrorStatus(head)) {
        this.#abandon();
        return;
      }
    }
    if (this.#isPassed) {
      this.#onOwnHead(received, response, body, length);
      return;
    }
    if (this.#isChosenForAnother(head)) {
      this.#repeatAsSent(body);
      return;
    }
    const shareability = evaluateShareability(this.#plan, response, length, limits.maxEntryBytes);
    const { kind } = shareability;
    // It replaces the stored response, unless it is an error of one client.
    if ((kind === 'leader' || kind === 'nobody') && (isUsable(status) || WITHDRAWALS.has(status)))
      this.#purgeOutdated();
    if (kind === 'leader') this.#stream(received, shareability.detail, body);
    else if (kind === 'nobody') {
      const { addresses, passed } = this.#cache.keyMemos;
      addresses.remove(request.key);
      if (!WITHDRAWALS.has(status))
        passed.set(this.#plan.memoKey, { reason: shareability.detail, isHitForPass: true });
      this.#repeatAsSent(body);
    } else {
      const buffer = body === undefined ? new BodyBuffer(limits.maxEntryBytes) : undefined;
      this.#buffer(new BufferedResponse(this.#plan, response, shareability, buffer), body);
    }
  }

  /** The response to the client's own request, which tells whether the address can be shared. */
  #onOwnHead(
    received: ResponseHead,
    response: OriginResponse,
    body: Uint8Array | undefined,
    length: number | undefined,
  ): void {
    const { keyMemos, limits } = this.#cache;
    const { forwardDetail, forwardReason, memoKey, request, upstream } = this.#plan;
    const found = evaluatePassed({ request, upstream }, response, length, limits.maxEntryBytes);
    const known = keyMemos.passed.get(memoKey);
    let status: CacheStatus = { fwd: forwardReason, detail: FORWARD_DETAILS.first };
    if (known?.isHitForPass === true) {
      request.policy.countPassed?.(known.reason, true);
      status = { fwd: forwardReason, detail: forwardDetail ?? known.reason };
    } else if (found.kind === 'everyone') keyMemos.addresses.add(request.key, found.vary);
    else {
      const reason = request.policy.countPassed?.(found.detail, false) ?? found.detail;
      if (found.kind === 'client') keyMemos.passed.set(memoKey, { reason, isHitForPass: false });
      status = { fwd: found.kind === 'client' ? 'bypass' : forwardReason, detail: reason };
    }
    const isServerError = response.head.status >= 500;
    const mode = found.kind === 'client' || isServerError ? 'pass' : 'shared';
    this.closeSlot();
    this.#streamWith(received, status, body, mode);
  }

  /** Nobody gets this response: each client gets that to its own request. */
  #repeatAsSent(body: Uint8Array | undefined): void {
    if (body === undefined) this.#exchange?.abort();
    this.#finishWithRetry('pass');
  }

  /** Whether the site has chosen by a field of the leader that the request lacked, e.g. its language. */
  #isChosenForAnother({ headers }: ResponseHead): boolean {
    const { request, upstream, vary: known } = this.#plan;
    if (upstream.pass === undefined || this.#clients.leader === undefined) return false;
    const vary = parseVary(headers, request.policy.ignoredVaryFields) ?? [];
    const added = vary.filter((name) => !known.includes(name));
    if (added.length === 0 || request.withholds?.(added) !== true) return false;
    this.#cache.keyMemos.addresses.add(request.key, vary);
    return true;
  }

  /** Updates the stored response after a 304 (RFC 9111 §4.3.4), or purges it and asks without conditions. */
  #onNotModified(stored: StoredResponse, received: OriginResponse): void {
    const { mark, request } = this.#plan;
    const freshened =
      matchesValidators(received.head, stored) && request.policy.findUnshareableReason(received.head) === null
        ? freshenStoredResponse(stored, received)
        : null;
    if (freshened === null) {
      this.#purgeOutdated();
      this.#finishWithRetry('alone');
      return;
    }
    // The validators are as old as the lookup, so they don't confirm what was purged since.
    const result = this.#put(freshened, mark);
    const createStatus = (known: Awaitable<PutResult>): CacheStatus => ({
      ...createStorableStatus(this.#plan, known),
      fwdStatus: 304,
    });
    const leader = this.#clients.takeLeader();
    this.#finishWith(freshened, createStatus, result);
    if (leader !== undefined) this.#clients.serve([leader], freshened, createStatus(result));
  }

  #stream(head: ResponseHead, detail: string, body: Uint8Array | undefined): void {
    this.#closeSlotAsHitForPass(head.status, detail);
    this.#streamWith(head, createUnstoredStatus(this.#plan, detail), body, 'alone');
  }

  #streamWith(
    head: ResponseHead,
    status: CacheStatus,
    body: Uint8Array | undefined,
    modeOfFollowers: FetchMode,
  ): void {
    this.#state = 'streaming';
    const followers = this.#clients.takeFollowers();
    const { leader } = this.#clients;
    if (leader === undefined) this.#abandon();
    else if (body === undefined) leader.start(head, status, this.#plan.storedResponse !== undefined);
    else {
      this.#finish();
      leader.complete(head, status, body);
    }
    this.#clients.retry(followers, modeOfFollowers);
  }

  #buffer(buffered: BufferedResponse, body: Uint8Array | undefined): void {
    this.#state = buffered;
    const rejected = this.#clients.takeFollowers((client) => !buffered.canServe(client));
    if (rejected.length > 0) this.#splitSlot(buffered);
    this.#clients.retry(rejected, 'shared');
    if (body !== undefined) this.#onBody(buffered, body);
    // The names of surrogate keys are known when the body is complete.
    else if (buffered.draft === undefined || !this.#addsKeys)
      this.#startLeader(buffered, buffered.createStatus(undefined));
  }

  get #addsKeys(): boolean {
    return this.#plan.request.policy.addsSurrogateKeys === true;
  }

  #startLeader({ response }: BufferedResponse, status: CacheStatus): void {
    const { leader } = this.#clients;
    if (leader?.started === false)
      leader.start(response.head, status, this.#plan.storedResponse !== undefined);
  }

  /** Sends the whole response, if the leader has no head yet. @param stored with its tag and surrogate keys */
  #completeLeader(
    { response }: BufferedResponse,
    status: CacheStatus,
    stored: StoredResponse | null,
    bytes: Uint8Array,
  ): void {
    const { leader } = this.#clients;
    if (leader?.started !== false) return;
    this.#clients.takeLeader();
    const { client } = leader;
    const isKnown = stored !== null && isNotModified(stored, client.directives, this.#cache.clock.now());
    if (stored !== null && (isKnown || this.#addsKeys)) this.#clients.serve([client], stored, status);
    else leader.complete(response.head, status, bytes);
  }

  write(chunk: Uint8Array): boolean {
    const state = this.#state;
    const { leader } = this.#clients;
    if (state === 'streaming') return leader?.write(chunk) ?? true;
    if (!(state instanceof BufferedResponse)) return true;
    if (state.body?.add(chunk) === false) return this.#streamRest(state, chunk);
    leader?.write(chunk);
    if (this.#wasLeft) this.#onClientAbort();
    return true;
  }

  #streamRest(buffered: BufferedResponse, chunk: Uint8Array): boolean {
    this.#startLeader(buffered, buffered.createStatus(undefined, NOT_STORED_DETAILS.tooLarge));
    this.#state = 'streaming';
    this.#purgeOutdated();
    const followers = this.#clients.takeFollowers();
    this.#closeSlotAsHitForPass(buffered.response.head.status, NOT_STORED_DETAILS.tooLarge);
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
    if (buffered.coding === undefined) {
      this.#onComplete(buffered, bytes, bytes);
      return;
    }
    const { limits } = this.#cache;
    const onDecoded = (body: Uint8Array | null): void => {
      if (this.#state === buffered) this.#onComplete(buffered, body, bytes);
    };
    buffered
      .decode(bytes, limits.maxEntryBytes)
      .then(onDecoded, () => onDecoded(null))
      .catch(this.crash);
  }

  /** @param body decoded; `null` if that is impossible @param bytes as the origin sent them */
  #onComplete(buffered: BufferedResponse, body: Uint8Array | null, bytes: Uint8Array): void {
    const stored = buffered.toCompleteResponse(body);
    if (buffered.isBroken) {
      const { status: fwdStatus } = buffered.response.head;
      this.#clients.serveStale(
        { fwd: this.#plan.forwardReason, fwdStatus, detail: STALE_DETAILS.ifError },
        'error',
      );
    } else if (buffered.bodyReason !== null)
      this.#closeSlotAsHitForPass(buffered.response.head.status, buffered.bodyReason);
    const result = stored === null || buffered.draft === undefined ? 'stored' : this.#put(stored, this.#mark);
    const refusal = stored === null ? (buffered.bodyReason ?? NOT_STORED_DETAILS.incomplete) : undefined;
    this.#completeLeader(buffered, buffered.createStatus(result, refusal), stored, bytes);
    if (stored === null) {
      const followers = this.#clients.takeFollowers();
      this.#finish();
      this.#clients.retry(followers, 'alone');
    } else this.#finishWith(stored, (known) => buffered.createStatus(known), result);
    this.#clients.leader?.end();
  }

  /** While the store is away, all clients have come before the request was sent. */
  #put(response: StoredResponse, mark: StoreMark | null): Awaitable<PutResult> {
    return mark === null ? 'unstored' : this.#cache.store.put(this.#plan.request.key, response, mark);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isExchangeOver && failure.kind === 'internal') this.#clients.leader?.fail(failure);
    if (this.#isExchangeOver) return;
    const { kind } = failure;
    const isUnreachable = this.#state === 'pending' && UNREACHABLE_KINDS.has(kind);
    const { forwardDetail, forwardReason: fwd } = this.#plan;
    const staleDetail = isUnreachable ? formatUnreachableDetail(kind) : STALE_DETAILS.ifError;
    // RFC 9211 §2.1: a request that was not forwarded is a hit.
    const stale = NOT_SENT_KINDS.has(kind)
      ? { hit: true, detail: staleDetail }
      : { fwd, detail: staleDetail };
    this.#clients.serveStale(stale, isUnreachable ? 'unreachable' : 'error');
    this.#finish();
    const status: CacheStatus = forwardDetail === undefined ? { fwd } : { fwd, detail: forwardDetail };
    const isOfLeader = CLIENT_FAILURES.has(kind) || (this.#isPassed && OWN_REQUEST_FAILURES.has(kind));
    const followers = isOfLeader ? this.#clients.takeFollowers() : [];
    const toFailure = (cacheStatus: CacheStatus): UpstreamFailure => ({
      ...failure,
      cacheStatus: withFailure(cacheStatus, kind),
    });
    this.#clients.failAll(toFailure(status), toFailure({ ...status, collapsed: true }));
    this.#clients.retry(followers, 'shared');
  }

  #serveStaleOnErrorStatus(head: ResponseHead): boolean {
    const { status: fwdStatus } = head;
    const status = { fwd: this.#plan.forwardReason, fwdStatus, detail: STALE_DETAILS.ifError };
    const isUnreachable = GATEWAY_ERRORS.has(fwdStatus) && !isMaintenance(head);
    this.#clients.serveStale(status, isUnreachable ? 'unreachable' : 'error');
    return !this.#clients.isEmpty;
  }

  #purgeOutdated(): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    if (storedResponse === undefined || revalidationConditions === null || request.method === 'HEAD') return;
    void this.#cache.store.purge({ kind: 'tags', tags: [request.key] }, 'hard');
  }

  #splitSlot({ draft }: BufferedResponse): void {
    if (draft !== undefined) this.#cache.keyMemos.addresses.add(this.#plan.request.key, draft.vary);
    this.closeSlot();
  }

  /** If only its content kept a response from being stored, later requests are not collapsed for a while. */
  #closeSlotAsHitForPass(status: number, detail: string): void {
    const { collapseKey, memoKey, request } = this.#plan;
    const { addresses, passed } = this.#cache.keyMemos;
    if (collapseKey !== null && isUsable(status) && status !== 206) {
      if (request.policy.hidesClient === true) addresses.remove(request.key);
      passed.set(memoKey, { reason: detail, isHitForPass: true });
    }
    this.closeSlot();
  }

  get #isExchangeOver(): boolean {
    return this.#state === 'storing' || this.#state === 'finished';
  }

  #onClientAbort(): void {
    const state = this.#state;
    if (!this.#clients.isEmpty || this.#isExchangeOver) return;
    if (state instanceof BufferedResponse && state.draft !== undefined) {
      this.#wasLeft = true;
      const length = parseContentLength(state.response.head.headers);
      const received = state.body?.length ?? 0;
      if ((length === undefined ? received : length - received) <= MAX_UNWANTED_BYTES) return;
    }
    if (state === 'pending' && this.#plan.isBackground) return;
    this.#abandon();
  }

  #finishWith(
    stored: StoredResponse,
    createStatus: (result: PutResult) => CacheStatus,
    result: Awaitable<PutResult>,
  ): void {
    this.#state = 'storing';
    const finish = (known: PutResult): void => {
      const followers = this.#clients.takeFollowers();
      this.#finish();
      if (known === 'outdated') this.#clients.retry(followers, 'shared');
      else this.#clients.serve(followers, stored, { ...createStatus(known), collapsed: true });
    };
    if (result instanceof Promise) result.then(finish).catch(this.crash);
    else finish(result);
  }

  readonly crash = (cause: unknown): void => {
    this.#finish();
    this.#exchange?.abort();
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
    if (isFirst && !this.#isPassed) this.#cache.openFetches -= 1;
  }
}

/** Bytes that are fetched for the store only, once all clients have left. */
const MAX_UNWANTED_BYTES = 1_048_576;

const CLIENT_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'invalid-request',
  'body-length-mismatch',
  'client-gone',
]);

/** A firewall breaks the connection of a request as one client sent it. */
const OWN_REQUEST_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'connection-broken',
  'head-too-large',
]);

const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'refused',
  'dns',
  'tls',
  'connection-broken',
  'head-too-large',
  'circuit-open',
  'overloaded',
]);

function isUsable(status: number): boolean {
  return status < 400 && status !== 304;
}

/** Client errors that mean that the resource is not there for anyone. */
const WITHDRAWALS: ReadonlySet<number> = new Set([402, 404, 410]);
