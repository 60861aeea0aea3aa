import { type CacheStatus, cacheStatus } from '../../http/cache-status.ts';
import type {
  Exchange,
  FailureKind,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../http/exchange.ts';
import {
  afterHead,
  completed,
  confirms,
  type Draft,
  freshened,
  isError,
  type Received,
  respond,
} from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { type Arrival, announcedLength, arrivalOf, supersedes, unstored, variesNot } from './arrival.ts';
import type { Caller } from './caller.ts';
import { CollectedBody } from './collected-body.ts';
import type { Errand } from './errand.ts';
import { Party } from './party.ts';
import { Registration } from './registration.ts';
import type { Surroundings } from './surroundings.ts';
import { whenKnown } from './turn.ts';

/** What has arrived, as far as it is needed when it is whole. */
interface Collecting {
  readonly received: Received;
  readonly arrival: Exclude<Arrival, { kind: 'alone' }>;
  readonly body: CollectedBody;
  /** Whether it is the answer to another's request too. */
  isFor(caller: Caller): boolean;
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
const OF_THE_CALLER: ReadonlySet<FailureKind> = new Set(['unsendable', 'upload', 'client-gone']);

/**
 * One request to the site on its way. Whoever made it, the leader, gets the answer as it comes in. All others who ask
 * for the same meanwhile wait until it is whole, and go their own way as soon as it turns out that it is not for them.
 */
export class Flight implements ResponseSink {
  readonly #errand: Errand;
  readonly #around: Surroundings;
  readonly #party: Party;
  readonly #registration: Registration;
  #phase: Phase = { kind: 'waiting' };
  #exchange: Exchange | undefined;
  #requestTime: number;

  constructor(errand: Errand, around: Surroundings) {
    this.#errand = errand;
    this.#around = around;
    this.#requestTime = around.clock.now();
    this.#party = new Party(around, () => this.#onLeft());
    this.#registration = new Registration(errand, around);
  }

  /** @param leader nobody, where all are to wait until the answer is whole */
  begin(leader: Caller | undefined): void {
    if (leader !== undefined) this.#party.follow(leader, () => this.#exchange?.resume());
    this.#registration.awaitTurn((ours) => {
      if (this.#phase.kind === 'over') return;
      if (ours) this.#ask();
      else this.#sendAway(this.#party.takeAll(), false);
    });
  }

  /** @returns false where the answer is not for this caller; others like them do not find the flight from then on */
  join(caller: Caller): boolean {
    if (!this.#registration.isOpen) return false;
    if (this.#phase.kind === 'collecting' && !this.#phase.isFor(caller)) {
      this.#closeToStrangers(this.#phase.arrival);
      return false;
    }
    this.#party.wait(caller);
    this.#registration.bound(() => {
      this.#registration.close();
      for (const waiting of this.#party.take()) this.#around.again(waiting, true);
    });
    return true;
  }

  /** Whoever comes from now on does not join: it has taken too long. */
  retire(): void {
    this.#registration.close();
  }

  get requestTime(): number {
    return this.#requestTime;
  }

  #ask(): void {
    const { background, conditions, origin } = this.#errand;
    this.#requestTime = this.#around.clock.now();
    const exchange = origin({ conditions, background }, this);
    this.#exchange = exchange;
    // It may have been given up before there was anything to abort.
    if (this.#phase.kind === 'over' && this.#party.isEmpty) exchange.abort();
  }

  interim(head: ResponseHead): void {
    this.#party.lead?.interim(head);
  }

  head(head: ResponseHead): void {
    if (this.#phase.kind !== 'waiting') return;
    const { conditions, known, request } = this.#errand;
    const { authorized, sent: requestHeaders, key, method, rule, unvarying } = request;
    const times = { requestTime: this.#requestTime, responseTime: this.#around.clock.now() };
    const received: Received = { method, requestHeaders, authorized, rule, unvarying, head, ...times };
    if (known !== undefined) {
      if (conditions !== null && head.status === 304) {
        this.#onConfirmation(known, received);
        return;
      }
      if (isError(head.status)) {
        this.#party.excuse(known, { fwd: this.#errand.reason, fwdStatus: head.status });
        this.#restFromRefreshing();
        if (this.#party.isEmpty) {
          this.#abandon();
          return;
        }
      }
      if (method === 'HEAD') {
        const updated = afterHead(known, received);
        if (updated !== known) void this.#around.store.put(key, updated);
      }
    }
    this.#onAnswer(received);
  }

  write(chunk: Uint8Array): boolean {
    const { lead } = this.#party;
    if (this.#phase.kind === 'passing') return lead?.write(chunk) ?? true;
    if (this.#phase.kind !== 'collecting') return true;
    if (!this.#phase.body.add(chunk)) return this.#outgrow(chunk);
    lead?.feed();
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
    const { known, reason } = this.#errand;
    // A site that is left alone has not been asked.
    if (known !== undefined)
      this.#party.excuse(known, failure.kind === 'open' ? { hit: true } : { fwd: reason });
    this.#restFromRefreshing();
    const { lead } = this.#party;
    const waiting = this.#party.take();
    this.#finish();
    // An answer that was broken off in the middle can only be broken off.
    lead?.fail(failure);
    for (const caller of waiting) {
      if (OF_THE_CALLER.has(failure.kind)) this.#around.again(caller, false);
      else caller.sink.fail(failure);
    }
  }

  /** A 304 to our own conditions (RFC 9111 §4.3.4). */
  #onConfirmation(known: StoredResponse, received: Received): void {
    if (!confirms(received.head, known)) {
      this.#sendAway(this.#party.takeAll(), true);
      return;
    }
    const { reason, request } = this.#errand;
    const { answer, keep } = freshened(known, received);
    const status: CacheStatus = { fwd: reason, fwdStatus: 304, stored: keep };
    const { leader } = this.#party;
    this.#party.dismissLeader();
    if (keep) this.#keep(answer, status, this.#around.store.put(request.key, answer));
    else {
      this.#dropKnown();
      this.#sendAway(this.#party.take(), true);
    }
    if (leader !== undefined) this.#around.give(leader, answer, status);
  }

  #onAnswer(received: Received): void {
    const { conditions, reason, request } = this.#errand;
    const { head } = received;
    const { maxEntryBytes } = this.#around.limits;
    const arrival = arrivalOf(request, received, maxEntryBytes);
    if (arrival.kind !== 'stored' && supersedes(head)) this.#dropKnown();
    if (arrival.kind === 'alone') {
      this.#pass(head, { fwd: reason, detail: arrival.detail });
      return;
    }
    const isKept = arrival.kind === 'stored';
    const status: CacheStatus = isKept
      ? { fwd: reason, stored: true }
      : { fwd: reason, detail: arrival.detail };
    const body = new CollectedBody(maxEntryBytes, announcedLength(head));
    const isFor = this.#acceptance(received, arrival);
    this.#phase = { kind: 'collecting', received, arrival, body, isFor };
    const strangers = this.#party.take((caller) => !isFor(caller));
    if (strangers.length > 0) this.#closeToStrangers(arrival);
    for (const caller of strangers) this.#around.again(caller, false);
    const has = isKept && conditions !== null && this.#confirmsLeader(arrival.draft, status);
    if (!has) this.#party.lead?.begin(stamped(head, status), body);
  }

  #pass(head: ResponseHead, status: CacheStatus): void {
    this.#phase = { kind: 'passing' };
    const waiting = this.#party.take();
    // What fails now may be shared in a moment; what is one caller's own stays so for a while.
    if (isError(head.status)) this.#registration.close();
    else this.#registration.closeApart();
    if (this.#party.lead === undefined) this.#abandon();
    else this.#party.lead.begin(stamped(head, status), undefined);
    for (const caller of waiting) this.#around.again(caller, true);
  }

  #acceptance({ head }: Received, arrival: Collecting['arrival']): Collecting['isFor'] {
    const { request, wishes } = this.#errand;
    const isSameVariant = variesNot(head, request);
    if (arrival.kind !== 'same-conditions') return (caller) => isSameVariant(caller.request);
    return (caller) =>
      isSameVariant(caller.request) &&
      caller.wishes.ifNoneMatch === wishes.ifNoneMatch &&
      caller.wishes.ifModifiedSince === wishes.ifModifiedSince;
  }

  #closeToStrangers(arrival: Collecting['arrival']): void {
    if (arrival.kind === 'stored') this.#registration.narrow(arrival.draft.vary);
    else this.#registration.close();
  }

  /** Where the leader has already what has replaced the stale answer, there is no need to send it. */
  #confirmsLeader(draft: Draft, status: CacheStatus): boolean {
    const { leader } = this.#party;
    if (leader === undefined) return false;
    const answer: StoredResponse = { ...draft, body: EMPTY, tags: [] };
    const now = this.#around.clock.now();
    if (respond(answer, leader.wishes, 'GET', now).status !== 304) return false;
    this.#party.dismissLeader();
    this.#around.give(leader, answer, status);
    return true;
  }

  #onWhole({ arrival, body, received }: Collecting): void {
    const { reason, request } = this.#errand;
    const bytes = body.bytes();
    if (arrival.kind !== 'stored') {
      this.#keep(unstored(received, bytes), { fwd: reason, detail: arrival.detail }, true);
      return;
    }
    const answer = completed(arrival.draft, bytes, request.tagsOf(received.head, bytes));
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
        if (isCurrent) this.#around.give(caller, answer, { ...status, collapsed: true });
        else this.#around.again(caller, false);
      }
    });
  }

  /** The body has passed the limit: the rest is for the leader alone. */
  #outgrow(chunk: Uint8Array): boolean {
    this.#phase = { kind: 'passing' };
    this.#dropKnown();
    const waiting = this.#party.take();
    this.#registration.closeApart();
    const { lead } = this.#party;
    if (lead === undefined) this.#abandon();
    lead?.detach();
    const isTaken = lead?.write(chunk) ?? true;
    for (const caller of waiting) this.#around.again(caller, true);
    return isTaken;
  }

  /** The site has replaced what is stored by something that may not be. */
  #dropKnown(): void {
    const { conditions, known, request } = this.#errand;
    if (known === undefined || conditions === null || request.method === 'HEAD') return;
    void this.#around.store.purge({ kind: 'keys', keys: [request.key] }, 'hard');
  }

  #restFromRefreshing(): void {
    const { background, id } = this.#errand;
    if (background && id !== null) this.#around.restFrom(id);
  }

  #sendAway(callers: readonly Caller[], alone: boolean): void {
    this.#finish();
    for (const caller of callers) this.#around.again(caller, alone);
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
  return { status, reason, headers: [...headers, 'Cache-Status', cacheStatus(cached)] };
}
