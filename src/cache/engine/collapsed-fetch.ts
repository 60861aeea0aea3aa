import { type CacheStatus, formatFailureStatus } from '../../http/cache-status.ts';
import { BodyBuffer } from '../../http/chunks.ts';
import {
  type Exchange,
  GATEWAY_ERRORS,
  isMaintenance,
  NOT_SENT_KINDS,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../../http/exchange.ts';
import { hasField, parseContentLength } from '../../http/fields.ts';
import type { Clock } from '../../ports.ts';
import {
  freshenStoredResponse,
  isNotModified,
  matchesValidators,
  type OriginFailure,
} from '../policy/reuse.ts';
import { formatUnreachableDetail, NOT_STORED_DETAILS, STALE_DETAILS } from '../policy/status-details.ts';
import { type OriginResponse, STALE_IF_ERROR_STATUSES } from '../policy/storability.ts';
import { parseVary } from '../policy/variants.ts';
import type {
  Awaitable,
  CacheStore,
  Lease,
  PutResult,
  StoredResponse,
  StoredResponseDraft,
  StoreMark,
} from '../store.ts';
import { type ClientExchange, LeaderStream } from './client-exchange.ts';
import type { CacheEngineLimits, FetchMode, FetchPlan, KeyMemos } from './fetch-plan.ts';
import {
  BufferedResponse,
  createStorableStatus,
  createUnstoredStatus,
  evaluateShareability,
} from './shareability.ts';

export interface FetchingCache {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  openFetches: number;
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus & { readonly detail: string },
    failure: OriginFailure,
  ): boolean;
  retry(client: ClientExchange, mode: FetchMode): void;
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
 * wait. "Retry" serves a client again, beginning with the lookup; "alone" also keeps it from following.
 *
 * | event                                              | next        | leader       | followers           |
 * |----------------------------------------------------|-------------|--------------|---------------------|
 * | pending: another gateway stored a response         | finished    | retry        | retry               |
 * | pending: 304, validators match                     | storing     | stored one   | wait                |
 * | pending: 304, other validators, or not storable    | finished    | alone        | alone               |
 * | pending: error status, stale-if-error              | as below ¹  | stale        | stale (slot open)   |
 * | pending: silence timeout                           | pending     | stale ⁸      | stale ⁸ (slot open) |
 * | pending: head, shareable                           | buffering   | head ⁷       | wait or retry ²     |
 * | pending: head, only for the leader                 | streaming   | head         | alone ³             |
 * | pending: head, not everyone's                      | finished    | retry ⁹      | retry ³ ⁹           |
 * | pending: head, chosen without leader's language    | finished    | retry        | retry               |
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
 * 3. Later requests with the key are passed for a while, or not collapsed (hit-for-pass). Not after an error,
 *    except a refusal (401, 403, 429, 451) and one with a cookie.
 * 4. A purge came after the request was sent, or the store has gone, so the response might be outdated.
 * 5. Followers retry where the leader's own request caused the failure.
 * 6. Except a response in `buffering` that will be stored, and a pending background refresh.
 * 7. At the end, if the whole response arrived at once, or with surrogate keys, which depend on the body.
 * 8. Clients that cannot get it keep waiting. Once all are served, it is fetched for the store.
 * 9. And pass: a cookie, `no-store`, a temporary redirect or a refusal is the response to a request that no
 *    client has sent. If requests cannot be passed, the row above applies.
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
  /** Mark of the last lookup before the request was sent; `null` if the store was away. */
  #mark: StoreMark | null;
  /** Time of the request (before that: of the creation), in milliseconds since the epoch. */
  requestTime: number;
  #leader: LeaderStream | undefined;
  readonly #followers = new Set<ClientExchange>();
  #collapseKey: string | null;
  readonly #laterClients = new Set<ClientExchange>();
  #lease: Lease | null = null;
  #cancelTimeout: (() => void) | undefined;
  #cancelSilenceTimeout: (() => void) | undefined;
  isSilent = false;
  /** A response that must not be stored, and says something of later ones once it is complete. */
  #unstorable: OriginResponse | undefined;

  constructor(plan: FetchPlan, cache: FetchingCache) {
    this.#plan = plan;
    this.#cache = cache;
    this.#mark = plan.mark;
    this.requestTime = cache.clock.now();
    this.#collapseKey = plan.collapseKey;
  }

  start(leader: ClientExchange | undefined): void {
    this.#cache.openFetches += 1;
    if (leader !== undefined) {
      this.#leader = new LeaderStream(leader, this);
      leader.setSource(this.#leader);
    }
    if (this.#plan.storedResponse !== undefined) {
      const { clock, limits } = this.#cache;
      this.#cancelSilenceTimeout = clock.after(limits.silenceTimeout, () => this.#onSilence());
    }
    if (this.#collapseKey === null) {
      this.#forward();
      return;
    }
    const { clock, store } = this.#cache;
    // Requests of the same turn share the fetch.
    if (this.#mark === null) clock.after(0, () => this.#onLease('forward'));
    else if (store.acquireLease === undefined) this.#onLease('forward');
    else
      this.#acquireLease(this.#collapseKey)
        .then((result) => this.#onLease(result))
        .catch(this.crash);
  }

  /** Waits for the lease of the key, a newer response of another gateway, or `leaseDuration`. */
  async #acquireLease(collapseKey: string): Promise<'forward' | 'stored-elsewhere'> {
    const { clock, limits, store } = this.#cache;
    const { newestResponseTime, request } = this.#plan;
    const end = clock.now() + limits.leaseDuration;
    for (;;) {
      this.#lease = (await store.acquireLease?.(collapseKey, limits.leaseDuration)) ?? null;
      // The previous holder might have stored its response since the lookup.
      const { mark, responses } = await store.get(request.key);
      const [newest] = responses;
      if (newest !== undefined && newest.responseTime !== newestResponseTime) return 'stored-elsewhere';
      if (this.#lease !== null) this.#mark = mark;
      if (this.#lease !== null || this.#isExchangeOver || clock.now() >= end) return 'forward';
      await new Promise<void>((resolve) => void clock.after(limits.leasePollInterval, resolve));
    }
  }

  /** Adds a follower; false closes the slot. Without the store, later clients wait for the next fetch. */
  join(client: ClientExchange, mark: StoreMark | null): boolean {
    if (this.#collapseKey === null) return false;
    if (this.#exchange !== undefined && (mark === null || this.#mark === null)) {
      this.#wait(this.#laterClients, client);
      return true;
    }
    if (this.#state instanceof BufferedResponse && !this.#state.canServe(client)) {
      this.#splitSlot(this.#state);
      return false;
    }
    this.#wait(this.#followers, client);
    const { clock, limits } = this.#cache;
    this.#cancelTimeout ??= clock.after(limits.collapseTimeout, () => {
      this.closeSlot();
      this.#retry(this.#takeFollowers(), 'alone');
    });
    return true;
  }

  #wait(clients: Set<ClientExchange>, client: ClientExchange): void {
    clients.add(client);
    const abort = (): void => {
      if (clients.delete(client)) this.#onClientAbort();
    };
    client.setSource({ resume() {}, abort });
  }

  closeSlot(): void {
    if (this.#collapseKey !== null) this.#cache.unregisterFetch(this.#collapseKey);
    this.#collapseKey = null;
    this.#cancelTimeout?.();
    this.#lease?.release();
    this.#lease = null;
    const later = [...this.#laterClients];
    this.#laterClients.clear();
    this.#retry(later, 'shared');
  }

  #onLease(result: 'forward' | 'stored-elsewhere'): void {
    if (!this.#isExchangeOver) {
      if (result === 'forward') this.#forward();
      else this.#finishWithRetry(this.#takeAll(), 'shared');
    }
    // It can have been closed before the lease came.
    if (this.#collapseKey === null) this.closeSlot();
  }

  #forward(): void {
    const { isBackground, request, revalidationConditions, upstream, vary } = this.#plan;
    this.requestTime = this.#cache.clock.now();
    try {
      this.#exchange = upstream.fetch(request, { revalidationConditions, isBackground, vary }, this);
    } catch (cause) {
      this.crash(cause);
      return;
    }
    if (this.#isExchangeOver && !this.#hasClients) this.#exchange.abort();
  }

  #onSilence(): void {
    if (this.#state !== 'pending') return;
    const { clock, keyMemos, limits } = this.#cache;
    const { forwardReason: fwd, request } = this.#plan;
    this.isSilent = true;
    keyMemos.silentSites.set(request.policy.storeScope, clock.now() + limits.silenceDuration);
    const detail = formatUnreachableDetail('timeout');
    this.#serveStale(this.#exchange === undefined ? { hit: true, detail } : { fwd, detail }, 'unreachable');
  }

  head(head: ResponseHead): void {
    if (this.#state === 'pending') this.#onHead(head, undefined);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    if (this.#state === 'pending') this.#onHead(head, body);
  }

  #onHead(received: ResponseHead, body: Uint8Array | undefined): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    const head = request.policy.prepareHead?.(received) ?? received;
    const { clock, limits } = this.#cache;
    const { status } = head;
    this.#cancelSilenceTimeout?.();
    const { silentSites } = this.#cache.keyMemos;
    if (silentSites.size > 0 && !GATEWAY_ERRORS.has(status)) silentSites.delete(request.policy.storeScope);
    const response = { request, head, requestTime: this.requestTime, responseTime: clock.now() };
    if (this.#isChosenForAnother(head)) {
      this.#finishWithRetry(this.#takeAll(), 'shared');
      return;
    }
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
    const length = body?.byteLength ?? parseContentLength(head.headers);
    const shareability = evaluateShareability(this.#plan, response, length, limits.maxEntryBytes);
    const isPersonal = shareability.kind === 'leader' && shareability.isPersonal;
    const { passedKinds } = this.#cache.keyMemos;
    // A missing page is everyone's once it is published. Firewalls refuse an attack whatever the page is.
    const isMissingPage = status === 404 && !hasField(head.headers, 'set-cookie');
    const isOfKind = isPersonal && !isMissingPage && !REFUSALS_OF_FIREWALLS.has(status);
    if (isOfKind || shareability.kind === 'storable')
      passedKinds.note(request.policy, request.key, isPersonal ? shareability.detail : null);
    if (shareability.kind !== 'storable') this.#unstorable = response;
    if (shareability.kind !== 'leader') {
      const buffer = body === undefined ? new BodyBuffer(limits.maxEntryBytes) : undefined;
      this.#buffer(new BufferedResponse(this.#plan, response, shareability, buffer), body);
    } else if (isPersonal && this.#plan.upstream.pass !== undefined) {
      this.#onUnstorable();
      if (!isMissingPage) this.#cache.keyMemos.hitForPass.set(this.#plan.memoKey, shareability.detail);
      const clients = this.#takeAll();
      if (body === undefined) this.#abandon();
      this.#finishWithRetry(clients, 'pass');
    } else this.#stream(received, shareability.detail, body);
  }

  /** Whether the site has chosen by a field that a shared request lacks, e.g. the leader's language. */
  #isChosenForAnother({ headers }: ResponseHead): boolean {
    const { request } = this.#plan;
    if (this.#leader === undefined || this.#leader.client.failedWaitCount > 0) return false;
    const vary = parseVary(headers, request.policy.ignoredVaryFields) ?? [];
    const chosen = vary.filter((name) => CHOOSING_FIELDS.has(name));
    if (chosen.length === 0 || request.withholds?.(chosen) !== true) return false;
    this.#cache.keyMemos.varyFields.set(request.key, vary);
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
      this.#finishWithRetry(this.#takeAll(), 'alone');
      return;
    }
    // The validators are as old as the lookup, so they don't confirm what was purged since.
    const result = this.#put(freshened, mark);
    const createStatus = (known: Awaitable<PutResult>): CacheStatus => ({
      ...createStorableStatus(this.#plan, known),
      fwdStatus: 304,
    });
    const leader = this.#takeLeader();
    this.#finishWith(freshened, createStatus, result);
    leader?.attempt(() => this.#cache.serveStored(leader, freshened, createStatus(result)));
  }

  #stream(head: ResponseHead, detail: string, body: Uint8Array | undefined): void {
    this.#state = 'streaming';
    const followers = this.#takeFollowers();
    this.#closeSlotAsHitForPass(head.status, detail);
    const status = createUnstoredStatus(this.#plan, detail);
    if (this.#leader === undefined) {
      this.#onUnstorable();
      this.#abandon();
    } else if (body === undefined)
      this.#leader.start(head, status, undefined, this.#plan.storedResponse !== undefined);
    else {
      this.#onUnstorable();
      this.#finish();
      this.#leader.complete(head, status, body);
    }
    this.#retry(followers, 'alone');
  }

  #buffer(buffered: BufferedResponse, body: Uint8Array | undefined): void {
    this.#state = buffered;
    const rejected = this.#takeFollowers((client) => !buffered.canServe(client));
    if (rejected.length > 0) this.#splitSlot(buffered);
    this.#retry(rejected, 'shared');
    if (body !== undefined) this.#onBody(buffered, body);
    // The names of these fields are known when the body is complete.
    else if (buffered.draft === undefined || this.#plan.request.policy.addsSurrogateKeys !== true) {
      this.#startLeader(buffered, buffered.createStatus(undefined));
    }
  }

  #startLeader(buffered: BufferedResponse, status: CacheStatus): void {
    const { body, draft, response } = buffered;
    const leader = this.#leader;
    if (leader === undefined || leader.started || this.#sendNotModified(leader, draft, draft, status)) return;
    leader.start(response.head, status, body, this.#plan.storedResponse !== undefined);
  }

  /** Sends the whole response, if the leader has no head yet. @param stored with its entity tag and keys */
  #completeLeader(
    { coding, draft, response }: BufferedResponse,
    status: CacheStatus,
    stored: StoredResponse | null,
    bytes: Uint8Array,
  ): void {
    const leader = this.#leader;
    if (leader === undefined || leader.started) return;
    if (this.#sendNotModified(leader, draft, stored ?? draft, status)) return;
    this.#leader = undefined;
    const hasKeys = stored !== null && this.#plan.request.policy.addsSurrogateKeys === true;
    if (!hasKeys) leader.complete(response.head, status, bytes);
    else {
      // The fields of a stored response describe its decoded body.
      const head = { ...response.head, headers: stored.headers };
      leader.complete(head, status, coding === undefined ? bytes : stored.body);
    }
  }

  /** A leader whose conditions match gets a 304, and is removed. @param draft undefined if it isn't stored */
  #sendNotModified(
    { client }: LeaderStream,
    draft: StoredResponseDraft | undefined,
    metadata: StoredResponseDraft | undefined,
    status: CacheStatus,
  ): boolean {
    const { request, revalidationConditions } = this.#plan;
    const isEvaluated = revalidationConditions === null && request.policy.addsEntityTag !== true;
    if (draft === undefined || metadata === undefined || isEvaluated) return false;
    if (!isNotModified(metadata, client.directives, this.#cache.clock.now())) return false;
    this.#leader = undefined;
    const { headers } = metadata;
    client.attempt(() =>
      this.#cache.serveStored(client, { ...draft, headers, body: NO_BODY, tags: [] }, status),
    );
    return true;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state === 'streaming') return this.#leader?.write(chunk) ?? true;
    if (!(this.#state instanceof BufferedResponse)) return true;
    if (this.#state.body?.add(chunk) === false) return this.#streamRest(this.#state, chunk);
    this.#leader?.flush();
    return true;
  }

  #streamRest(buffered: BufferedResponse, chunk: Uint8Array): boolean {
    this.#startLeader(buffered, buffered.createStatus(undefined, NOT_STORED_DETAILS.tooLarge));
    this.#state = 'streaming';
    this.#purgeOutdated();
    const followers = this.#takeFollowers();
    this.#closeSlotAsHitForPass(buffered.response.head.status, NOT_STORED_DETAILS.tooLarge);
    if (this.#leader === undefined) this.#abandon();
    const hasRoom = this.#leader?.writeUnbuffered(chunk) ?? true;
    this.#retry(followers, 'alone');
    return hasRoom;
  }

  end(): void {
    const state = this.#state;
    if (state instanceof BufferedResponse && state.body !== undefined)
      this.#onBody(state, state.body.bytes());
    if (state !== 'streaming') return;
    this.#onUnstorable();
    this.#finish();
    this.#leader?.end();
  }

  /** An unstorable response replaces the stored one at its end, unless it is an error of one client. */
  #onUnstorable(): void {
    if (this.#unstorable === undefined) return;
    const { status } = this.#unstorable.head;
    if ((status < 400 && status !== 304) || WITHDRAWALS.has(status)) this.#purgeOutdated();
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
    this.#onUnstorable();
    if (buffered.isBroken) {
      const { status: fwdStatus } = buffered.response.head;
      this.#serveStale({ fwd: this.#plan.forwardReason, fwdStatus, detail: STALE_DETAILS.ifError }, 'error');
    } else if (buffered.bodyReason !== null)
      this.#closeSlotAsHitForPass(buffered.response.head.status, buffered.bodyReason);
    const result = stored === null || buffered.draft === undefined ? 'stored' : this.#put(stored, this.#mark);
    const refusal = stored === null ? (buffered.bodyReason ?? NOT_STORED_DETAILS.incomplete) : undefined;
    this.#completeLeader(buffered, buffered.createStatus(result, refusal), stored, bytes);
    if (stored === null) this.#finishWithRetry(this.#takeFollowers(), 'alone');
    else this.#finishWith(stored, (known) => buffered.createStatus(known), result);
    this.#leader?.end();
  }

  /** While the store is away, all clients have come before the request was sent. */
  #put(response: StoredResponse, mark: StoreMark | null): Awaitable<PutResult> {
    return mark === null ? 'unstored' : this.#cache.store.put(this.#plan.request.key, response, mark);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isExchangeOver && failure.kind === 'internal') this.#leader?.fail(failure);
    if (this.#isExchangeOver) return;
    const { kind } = failure;
    const isUnreachable = this.#state === 'pending' && UNREACHABLE_KINDS.has(kind);
    const { forwardDetail, forwardReason: fwd } = this.#plan;
    const staleDetail = isUnreachable ? formatUnreachableDetail(kind) : STALE_DETAILS.ifError;
    // RFC 9211 §2.1: a request that was not forwarded is a hit.
    const stale = NOT_SENT_KINDS.has(kind)
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

  #serveStaleOnErrorStatus(head: ResponseHead): boolean {
    const { status: fwdStatus } = head;
    const status = { fwd: this.#plan.forwardReason, fwdStatus, detail: STALE_DETAILS.ifError };
    const isUnreachable = GATEWAY_ERRORS.has(fwdStatus) && !isMaintenance(head);
    this.#serveStale(status, isUnreachable ? 'unreachable' : 'error');
    return this.#hasClients;
  }

  /** Sends clients the stored response of their own lookup, if they accept that, and removes them. */
  #serveStale(status: CacheStatus & { readonly detail: string }, failure: OriginFailure): void {
    const { collapseKey, isBackground } = this.#plan;
    const cache = this.#cache;
    if (isBackground && collapseKey !== null) cache.keyMemos.refreshBackoff.set(collapseKey, true);
    const serve = (client: ClientExchange, clientStatus: typeof status): boolean =>
      client.storedResponse !== undefined &&
      cache.serveStaleOnFailure(client, client.storedResponse, clientStatus, failure);
    const leader = this.#leader;
    if (leader?.started === false && serve(leader.client, status)) this.#leader = undefined;
    const followers = this.#followers;
    const collapsed = status.hit === true ? status : { ...status, collapsed: true };
    for (const client of [...followers]) {
      // Serving one follower can have made another abort.
      if (followers.has(client) && serve(client, collapsed)) followers.delete(client);
    }
  }

  #purgeOutdated(): void {
    const { revalidationConditions, request, storedResponse } = this.#plan;
    if (storedResponse === undefined || revalidationConditions === null || request.method === 'HEAD') return;
    void this.#cache.store.purge({ kind: 'tags', tags: [request.key] }, 'hard');
  }

  #splitSlot({ draft }: BufferedResponse): void {
    if (draft !== undefined) this.#cache.keyMemos.varyFields.set(this.#plan.request.key, draft.vary);
    this.closeSlot();
  }

  /** If only its content kept a response from being stored, later requests are not collapsed for a while. */
  #closeSlotAsHitForPass(status: number, detail: string): void {
    const { collapseKey, memoKey } = this.#plan;
    const isEvidence = status < 400 && status !== 206 && status !== 304;
    if (collapseKey !== null && isEvidence) this.#cache.keyMemos.hitForPass.set(memoKey, detail);
    this.closeSlot();
  }

  get #isExchangeOver(): boolean {
    return this.#state === 'storing' || this.#state === 'finished';
  }

  get #hasClients(): boolean {
    return this.#leader !== undefined || this.#followers.size > 0;
  }

  #takeLeader(): ClientExchange | undefined {
    const client = this.#leader?.client;
    this.#leader = undefined;
    return client;
  }

  #takeFollowers(matches: (client: ClientExchange) => boolean = () => true): readonly ClientExchange[] {
    const taken = [...this.#followers].filter(matches);
    for (const client of taken) this.#followers.delete(client);
    return taken;
  }

  #takeAll(): readonly ClientExchange[] {
    const leader = this.#takeLeader();
    return leader === undefined ? this.#takeFollowers() : [leader, ...this.#takeFollowers()];
  }

  #retry(clients: readonly ClientExchange[], mode: FetchMode): void {
    for (const client of clients) client.attempt(() => this.#cache.retry(client, mode));
  }

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
    // A response that will be stored is fetched to its end.
    if (state instanceof BufferedResponse && state.draft !== undefined) return;
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
      const followers = this.#takeFollowers();
      this.#finish();
      if (known === 'outdated') this.#retry(followers, 'shared');
      else {
        const status = { ...createStatus(known), collapsed: true };
        for (const client of followers) client.attempt(() => this.#cache.serveStored(client, stored, status));
      }
    };
    if (result instanceof Promise) result.then(finish).catch(this.crash);
    else finish(result);
  }

  readonly crash = (cause: unknown): void => {
    this.#finish();
    this.#exchange?.abort();
    const failure: UpstreamFailure = { kind: 'internal', cause };
    this.#leader?.fail(failure);
    for (const client of this.#takeFollowers()) client.sink.fail(failure);
  };

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
    this.#cancelSilenceTimeout?.();
    this.closeSlot();
    if (isFirst) this.#cache.openFetches -= 1;
  }
}

const NO_BODY = new Uint8Array(0);

const CLIENT_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'invalid-request',
  'body-length-mismatch',
  'client-gone',
]);

const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'refused',
  'dns',
  'tls',
  'connection-broken',
  'circuit-open',
  'overloaded',
]);

const REFUSALS_OF_FIREWALLS: ReadonlySet<number> = new Set([403, 429]);

/** Fields by which sites choose what a client reads. `Accept` only chooses a form. */
const CHOOSING_FIELDS: ReadonlySet<string> = new Set(['accept-language', 'user-agent']);

/** Client errors that mean that the resource is not there for anyone. */
const WITHDRAWALS: ReadonlySet<number> = new Set([402, 404, 410]);
