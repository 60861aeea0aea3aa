import { type CacheStatus, formatCacheStatus } from '../../http/cache-status.ts';
import type {
  Exchange,
  FailureKind,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../http/exchange.ts';
import {
  updateFromHead,
  completeDraft,
  matchesValidators,
  type StoredResponseDraft,
  freshenStoredResponse,
  isErrorStatus,
  type OriginResponse,
  createClientResponse,
} from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { type Shareability, parseContentLength, evaluateShareability, replacesStored, toSharedResponse, createVariantMatcher } from './shareability.ts';
import type { ClientExchange } from './client-exchange.ts';
import { CollectedBody } from './collected-body.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { Followers } from './followers.ts';
import { CollapseSlot } from './collapse-slot.ts';
import type { EngineContext } from './engine-context.ts';
import { whenKnown } from './acquire-lease.ts';

/** What has arrived, as far as it is needed when it is whole. */
interface Collecting {
  readonly received: OriginResponse;
  readonly arrival: Exclude<Shareability, { kind: 'alone' }>;
  readonly body: CollectedBody;
  /** Whether it is the answer to another's request too. */
  isFor(caller: ClientExchange): boolean;
}

type Phase =
  /** The site has not answered yet, or not been asked. */
  | { readonly kind: 'waiting' }
  /** The answer may be shared, and is collected for those who wait. */
  | ({ readonly kind: 'collecting' } & Collecting)
  /** It is for the leader alone. */
  | { readonly kind: 'passing' }
  /** What still comes is for nobody. */
  | { readonly kind: 'over' };

const EMPTY = new Uint8Array(0);

/** Failures that come of how one caller asked. The others had better ask themselves. */
const OF_THE_CALLER: ReadonlySet<FailureKind> = new Set(['invalid-request', 'body-length-mismatch', 'client-gone']);

/**
 * One request to the site on its way. Whoever made it, the leader, gets the answer as it comes in. All others who ask
 * for the same meanwhile wait until it is whole, and go their own way as soon as it turns out that it is not for them.
 */
export class OriginFetch implements ResponseSink {
  readonly #errand: FetchSpec;
  readonly #around: EngineContext;
  readonly #party: Followers;
  readonly #registration: CollapseSlot;
  #phase: Phase = { kind: 'waiting' };
  #exchange: Exchange | undefined;
  #requestTime: number;

  constructor(errand: FetchSpec, around: EngineContext) {
    this.#errand = errand;
    this.#around = around;
    this.#requestTime = around.clock.now();
    this.#party = new Followers(around, () => this.#onLeft());
    this.#registration = new CollapseSlot(errand, around);
  }

  /** @param leader nobody, where all are to wait until the answer is whole */
  begin(leader: ClientExchange | undefined): void {
    if (leader !== undefined) this.#party.follow(leader, () => this.#exchange?.resume());
    this.#registration.acquireLease((ours) => {
      if (this.#phase.kind === 'over') return;
      if (ours) this.#ask();
      else this.#sendAway(this.#party.takeAll(), false);
    });
  }

  /** @returns false where the answer is not for this caller; others like them do not find the flight from then on */
  join(caller: ClientExchange): boolean {
    if (!this.#registration.isOpen) return false;
    if (this.#phase.kind === 'collecting' && !this.#phase.isFor(caller)) {
      this.#closeToStrangers(this.#phase.arrival);
      return false;
    }
    this.#party.wait(caller);
    this.#registration.startCollapseTimeout(() => {
      this.#registration.close();
      for (const waiting of this.#party.take()) this.#around.retry(waiting, true);
    });
    return true;
  }

  /** Whoever comes from now on does not join: it has taken too long. */
  closeToFollowers(): void {
    this.#registration.close();
  }

  get requestTime(): number {
    return this.#requestTime;
  }

  #ask(): void {
    const { background, conditions, forward } = this.#errand;
    this.#requestTime = this.#around.clock.now();
    const exchange = forward({ conditions, background }, this);
    this.#exchange = exchange;
    // It may have been given up before there was anything to abort.
    if (this.#phase.kind === 'over' && this.#party.isEmpty) exchange.abort();
  }

  interim(head: ResponseHead): void {
    this.#party.lead?.interim(head);
  }

  head(head: ResponseHead): void {
    if (this.#phase.kind !== 'waiting') return;
    const { conditions, stored, request } = this.#errand;
    const { authorized, forwardedHeaders: requestHeaders, key, method, rule, ignoredVary } = request;
    const times = { requestTime: this.#requestTime, responseTime: this.#around.clock.now() };
    const received: OriginResponse = { method, requestHeaders, authorized, rule, ignoredVary, head, ...times };
    if (stored !== undefined) {
      if (conditions !== null && head.status === 304) {
        this.#onConfirmation(stored, received);
        return;
      }
      if (isErrorStatus(head.status)) {
        this.#party.excuse(stored, { fwd: this.#errand.reason, fwdStatus: head.status });
        this.#restFromRefreshing();
        if (this.#party.isEmpty) {
          this.#abandon();
          return;
        }
      }
      if (method === 'HEAD') {
        const updated = updateFromHead(stored, received);
        if (updated !== stored) void this.#around.store.put(key, updated);
      }
    }
    this.#onAnswer(received);
  }

  write(chunk: Uint8Array): boolean {
    const { lead } = this.#party;
    if (this.#phase.kind === 'passing') return lead?.write(chunk) ?? true;
    if (this.#phase.kind !== 'collecting') return true;
    if (!this.#phase.body.add(chunk)) return this.#outgrow(chunk);
    lead?.flush();
    return true;
  }

  end(trailers: readonly string[]): void {
    const { lead } = this.#party;
    if (this.#phase.kind === 'collecting') this.#onWhole(this.#phase);
    else if (this.#phase.kind !== 'passing') return;
    else this.#finish();
    lead?.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#phase.kind === 'over') return;
    const { stored, reason } = this.#errand;
    // A site that is left alone has not been asked.
    if (stored !== undefined)
      this.#party.excuse(stored, failure.kind === 'circuit-open' ? { hit: true } : { fwd: reason });
    this.#restFromRefreshing();
    const { lead } = this.#party;
    const waiting = this.#party.take();
    this.#finish();
    // An answer that was broken off in the middle can only be broken off.
    lead?.fail(failure);
    for (const caller of waiting) {
      if (OF_THE_CALLER.has(failure.kind)) this.#around.retry(caller, false);
      else caller.sink.fail(failure);
    }
  }

  /** A 304 to our own conditions (RFC 9111 §4.3.4). */
  #onConfirmation(known: StoredResponse, received: OriginResponse): void {
    if (!matchesValidators(received.head, known)) {
      this.#sendAway(this.#party.takeAll(), true);
      return;
    }
    const { reason, request } = this.#errand;
    const { response, isStorable } = freshenStoredResponse(known, received);
    const status: CacheStatus = { fwd: reason, fwdStatus: 304, stored: isStorable };
    const { leader } = this.#party;
    this.#party.dismissLeader();
    if (isStorable) this.#keep(response, status, this.#around.store.put(request.key, response));
    else {
      this.#dropKnown();
      this.#sendAway(this.#party.take(), true);
    }
    if (leader !== undefined) this.#around.serveStored(leader, response, status);
  }

  #onAnswer(received: OriginResponse): void {
    const { conditions, reason, request } = this.#errand;
    const { head } = received;
    const { maxEntryBytes } = this.#around.limits;
    const arrival = evaluateShareability(request, received, maxEntryBytes);
    if (arrival.kind !== 'stored' && replacesStored(head)) this.#dropKnown();
    if (arrival.kind === 'alone') {
      this.#pass(head, { fwd: reason, detail: arrival.detail });
      return;
    }
    const isKept = arrival.kind === 'stored';
    const status: CacheStatus = isKept
      ? { fwd: reason, stored: true }
      : { fwd: reason, detail: arrival.detail };
    const body = new CollectedBody(maxEntryBytes, parseContentLength(head));
    const isFor = this.#acceptance(received, arrival);
    this.#phase = { kind: 'collecting', received, arrival, body, isFor };
    const strangers = this.#party.take((caller) => !isFor(caller));
    if (strangers.length > 0) this.#closeToStrangers(arrival);
    for (const caller of strangers) this.#around.retry(caller, false);
    const has = isKept && conditions !== null && this.#confirmsLeader(arrival.draft, status);
    if (!has) this.#party.lead?.start(stamped(head, status), body);
  }

  #pass(head: ResponseHead, status: CacheStatus): void {
    this.#phase = { kind: 'passing' };
    const waiting = this.#party.take();
    // What fails now may be shared in a moment; what is one caller's own stays so for a while.
    if (isErrorStatus(head.status)) this.#registration.close();
    else this.#registration.closeAsHitForPass();
    if (this.#party.lead === undefined) this.#abandon();
    else this.#party.lead.start(stamped(head, status), undefined);
    for (const caller of waiting) this.#around.retry(caller, true);
  }

  #acceptance({ head }: OriginResponse, arrival: Collecting['arrival']): Collecting['isFor'] {
    const { request, directives } = this.#errand;
    const isSameVariant = createVariantMatcher(head, request);
    if (arrival.kind !== 'same-conditions') return (caller) => isSameVariant(caller.request);
    return (caller) =>
      isSameVariant(caller.request) &&
      caller.wishes.ifNoneMatch === directives.ifNoneMatch &&
      caller.wishes.ifModifiedSince === directives.ifModifiedSince;
  }

  #closeToStrangers(arrival: Collecting['arrival']): void {
    if (arrival.kind === 'stored') this.#registration.narrowToVariant(arrival.draft.vary);
    else this.#registration.close();
  }

  /** Where the leader has already what has replaced the stale answer, there is no need to send it. */
  #confirmsLeader(draft: StoredResponseDraft, status: CacheStatus): boolean {
    const { leader } = this.#party;
    if (leader === undefined) return false;
    const answer: StoredResponse = { ...draft, body: EMPTY, tags: [] };
    const now = this.#around.clock.now();
    if (createClientResponse(answer, leader.wishes, 'GET', now).status !== 304) return false;
    this.#party.dismissLeader();
    this.#around.serveStored(leader, answer, status);
    return true;
  }

  #onWhole({ arrival, body, received }: Collecting): void {
    const { reason, request } = this.#errand;
    const bytes = body.bytes();
    if (arrival.kind !== 'stored') {
      this.#keep(toSharedResponse(received, bytes), { fwd: reason, detail: arrival.detail }, true);
      return;
    }
    const answer = completeDraft(arrival.draft, bytes, request.getTags(received.head, bytes));
    // Less than was announced: what the leader makes of it is theirs, and nobody else is to have it.
    if (answer === null) this.#sendAway(this.#party.take(), true);
    else this.#keep(answer, { fwd: reason, stored: true }, this.#around.store.put(request.key, answer));
  }

  /** @param kept a store refuses what may be older than a purge: who has waited had better ask again */
  #keep(answer: StoredResponse, status: CacheStatus, kept: Awaitable<boolean>): void {
    this.#phase = { kind: 'over' };
    whenKnown(kept, (isCurrent) => {
      const waiting = this.#party.take();
      this.#finish();
      for (const caller of waiting) {
        if (isCurrent) this.#around.serveStored(caller, answer, { ...status, collapsed: true });
        else this.#around.retry(caller, false);
      }
    });
  }

  /** The body has passed the limit: the rest is for the leader alone. */
  #outgrow(chunk: Uint8Array): boolean {
    this.#phase = { kind: 'passing' };
    this.#dropKnown();
    const waiting = this.#party.take();
    this.#registration.closeAsHitForPass();
    const { lead } = this.#party;
    if (lead === undefined) this.#abandon();
    lead?.detach();
    const isTaken = lead?.write(chunk) ?? true;
    for (const caller of waiting) this.#around.retry(caller, true);
    return isTaken;
  }

  /** The site has replaced what is stored by something that may not be. */
  #dropKnown(): void {
    const { conditions, stored, request } = this.#errand;
    if (stored === undefined || conditions === null || request.method === 'HEAD') return;
    void this.#around.store.purge({ kind: 'keys', keys: [request.key] }, 'hard');
  }

  #restFromRefreshing(): void {
    const { background, collapseKey } = this.#errand;
    if (background && collapseKey !== null) this.#around.backOffRefresh(collapseKey);
  }

  #sendAway(callers: readonly ClientExchange[], alone: boolean): void {
    this.#finish();
    for (const caller of callers) this.#around.retry(caller, alone);
  }

  #onLeft(): void {
    if (!this.#party.isEmpty || this.#phase.kind === 'over') return;
    // What is to be kept is fetched to its end for those who come next.
    if (this.#phase.kind === 'collecting' && this.#phase.arrival.kind === 'stored') return;
    if (this.#phase.kind === 'waiting' && this.#errand.background) return;
    this.#abandon();
  }

  #abandon(): void {
    this.#finish();
    this.#exchange?.abort();
  }

  #finish(): void {
    this.#phase = { kind: 'over' };
    this.#registration.close();
  }
}

function stamped({ headers, reason, status }: ResponseHead, cached: CacheStatus): ResponseHead {
  return { status, reason, headers: [...headers, 'Cache-Status', formatCacheStatus(cached)] };
}
