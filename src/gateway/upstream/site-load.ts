import {
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../../base/http/message.ts';
import type { Clock, Log } from '../../base/ports.ts';
import { isConnectTimeout } from './failures.ts';
import { nameNetwork } from './networks.ts';

export interface ConcurrencyOptions {
  /** @default 32 */
  readonly max?: number;
  /** Requests that wait. @default 256 */
  readonly queue?: number;
  /** Milliseconds that a request can wait. @default 10_000 */
  readonly wait?: number;
}

/** Milliseconds for which a request keeps its slot although its client can set the pace. */
const STREAM_AFTER = 5_000;
const SEARCH_INTERVAL = 1_000;

export interface SlotHolder {
  send(): void;
  refuse(retryAfter: number): void;
  /** What it asks, and since when the site works on it. */
  describe(): WorkOfSite;
}

export interface WorkOfSite {
  readonly name: string;
  readonly since: number;
}

export interface ConcurrencyReport {
  readonly active: number;
  readonly queued: number;
  readonly max: number;
  readonly refused: number;
}

/**
 * Limits the requests that a site works on at once. A slot is held until the site has sent its response, the client reads more
 * slowly than the site writes, or, while others wait, for 5 seconds of a body: slow clients are not the site's work.
 * Networks take turns. If the queue is full, one with fewer waiting requests displaces the latest request of that with the most.
 */
export class SiteConcurrency {
  readonly #options: Required<ConcurrencyOptions>;
  readonly #clock: Clock;
  readonly #active = new Set<Slot>();
  readonly #waiting = new Map<string, Slot[]>();
  #queued = 0;
  #refused = 0;
  #isSearching = false;
  #isStarting = false;

  constructor({ max = 32, queue = 256, wait = 10_000 }: ConcurrencyOptions, clock: Clock) {
    this.#options = { max, queue, wait };
    this.#clock = clock;
  }

  report(): ConcurrencyReport {
    const { max } = this.#options;
    return { active: this.#active.size, queued: this.#queued, max, refused: this.#refused };
  }

  listActive(): readonly WorkOfSite[] {
    return Array.from(this.#active).flatMap(({ holder }) => holder?.describe() ?? []);
  }

  /** Start of the longest wait; `null` without one. */
  get waitingSince(): number | null {
    const firsts = Array.from(
      this.#waiting.values(),
      ([first]) => first?.waitsSince ?? Number.POSITIVE_INFINITY,
    );
    return firsts.length === 0 ? null : Math.min(...firsts);
  }

  /** @returns whether the holder must send its request now; otherwise it waits, or is refused */
  enter(slot: Slot, client: string, mayWait: boolean): boolean {
    if (this.#active.size < this.#options.max && this.#queued === 0) {
      this.#active.add(slot);
      return true;
    }
    if (mayWait && this.#makeRoom(slot, client)) this.#enqueue(slot);
    else this.#refuse(slot);
    return false;
  }

  #findLatest(): Slot | undefined {
    let longest: readonly Slot[] = [];
    for (const slots of this.#waiting.values()) if (slots.length > longest.length) longest = slots;
    return longest.at(-1);
  }

  leave(slot: Slot): void {
    if (slot.network !== undefined) this.#dequeue(slot, slot.network);
    else if (this.#active.delete(slot) && this.#queued > 0) this.#startNext();
  }

  #makeRoom(slot: Slot, client: string): boolean {
    const network = nameNetwork(client);
    slot.network = network;
    if (this.#queued < this.#options.queue) return true;
    const displaced = this.#findLatest();
    const countWaiting = (of: string): number => this.#waiting.get(of)?.length ?? 0;
    if (displaced?.network !== undefined && countWaiting(displaced.network) > countWaiting(network) + 1) {
      this.#dequeue(displaced, displaced.network);
      this.#refuse(displaced);
      return true;
    }
    slot.network = undefined;
    return false;
  }

  #enqueue(slot: Slot): void {
    const { network = '' } = slot;
    const slots = this.#waiting.get(network) ?? [];
    if (slots.length === 0) this.#waiting.set(network, slots);
    slots.push(slot);
    slot.waitsSince = this.#clock.now();
    this.#queued += 1;
    slot.cancelTimer = this.#clock.after(this.#options.wait, () => {
      this.#dequeue(slot, network);
      this.#refuse(slot);
    });
    this.#scheduleSearch();
  }

  #dequeue(slot: Slot, network: string): void {
    slot.cancelTimer();
    slot.network = undefined;
    const slots = this.#waiting.get(network) ?? [];
    const at = slots.indexOf(slot);
    if (at < 0) return;
    slots.splice(at, 1);
    if (slots.length === 0) this.#waiting.delete(network);
    this.#queued -= 1;
  }

  #refuse(slot: Slot): void {
    this.#refused += 1;
    slot.holder?.refuse(Math.max(1, Math.ceil(this.#options.wait / 1_000)));
  }

  #startNext(): void {
    if (this.#isStarting || this.#queued === 0) return;
    this.#isStarting = true;
    for (const [network, [next]] of this.#waiting) {
      if (this.#active.size >= this.#options.max || next === undefined) break;
      this.#dequeue(next, network);
      // The client's other requests wait for its next turn.
      const rest = this.#waiting.get(network);
      if (rest !== undefined) {
        this.#waiting.delete(network);
        this.#waiting.set(network, rest);
      }
      this.#active.add(next);
      next.holder?.send();
    }
    this.#isStarting = false;
  }

  #scheduleSearch(): void {
    if (this.#isSearching) return;
    this.#isSearching = true;
    this.#clock.after(SEARCH_INTERVAL, () => {
      this.#isSearching = false;
      const latest = this.#clock.now() - STREAM_AFTER;
      for (const slot of this.#active) if (slot.streamsSince <= latest) this.#active.delete(slot);
      this.#startNext();
      if (this.#queued > 0) this.#scheduleSearch();
    });
  }
}

export class Slot {
  holder: SlotHolder | null;
  readonly #concurrency: SiteConcurrency;
  network: string | undefined;
  /** Milliseconds since the epoch. */
  streamsSince: number = Number.POSITIVE_INFINITY;
  /** Milliseconds since the epoch. */
  waitsSince = 0;
  cancelTimer: () => void = () => {};

  constructor(concurrency: SiteConcurrency, holder: SlotHolder) {
    this.#concurrency = concurrency;
    this.holder = holder;
  }

  get isWaiting(): boolean {
    return this.network !== undefined;
  }

  release(): void {
    this.#concurrency.leave(this);
    this.holder = null;
  }
}

export type SiteOutcome = 'unreachable' | 'bad' | 'good' | 'reached' | 'none';

/** All other failures are caused by the client or the gateway. */
const FAILURE_OUTCOMES: Partial<Readonly<Record<UpstreamFailureKind, SiteOutcome>>> = {
  timeout: 'bad',
  refused: 'unreachable',
  dns: 'unreachable',
  tls: 'unreachable',
  'connection-broken': 'bad',
  'head-too-large': 'reached',
};

export function outcomeOfFailure(failure: UpstreamFailure): SiteOutcome {
  return isConnectTimeout(failure) ? 'unreachable' : (FAILURE_OUTCOMES[failure.kind] ?? 'none');
}

/** A 500 can be a fault of one route; 429 and 503 (nginx's `limit_req_status`) can limit one client. */
export function outcomeOfHead(head: ResponseHead, isShared: boolean): SiteOutcome {
  const { status } = head;
  if (status === 429 || (status === 503 && (!isShared || isMaintenance(head)))) return 'reached';
  return GATEWAY_ERRORS.has(status) ? 'bad' : 'good';
}

export interface KnownAddress {
  readonly mayChangeSite: boolean;
  wasGood: boolean;
}

export interface SiteCircuitReport {
  readonly reason: 'connections fail' | 'all requests fail' | null;
  readonly unreachableSince: number | null;
  /** Since when reads fail that did not before, in milliseconds since the epoch; `null` after a good response. */
  readonly failingSince: number | null;
}

const MAX_UNCONNECTED = 20;
/** Milliseconds without a good response after a bad one until the circuit opens. */
const MAX_FAILING = 10_000;
/** Failing addresses without which the circuit stays closed. */
const MIN_FAILED = 3;
/** Milliseconds between two probes: those of addresses that were good come first. */
const PROBE_INTERVAL = 200;
const OTHER_PROBE_INTERVAL = 1_000;
const LOG_INTERVAL = 10_000;

/**
 * - It stops everything after 20 connections in a row, or all for 10 s, that could not be opened.
 * - It stops reads, but no writes, after 10 s without a good response, if three addresses fail that were good before: a client can
 * find any number that always fail, but it cannot make a good one fail.
 *
 * While it is open, one request passes every 200 ms, but one of an address that never was good waits a second
 * if connections succeed. A success closes it.
 */
export class SiteCircuits {
  readonly #log: Log;
  #reason: SiteCircuitReport['reason'] = null;
  #probedAt = 0;
  #unconnected = 0;
  #unreachableSince: number | null = null;
  #failingSince: number | null = null;
  readonly #failed = new Set<KnownAddress>();
  #isLoggedAway = false;
  #loggedAwayAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns milliseconds until it makes sense to try again; 0 if the request can be sent */
  admit(address: KnownAddress, now: number): number {
    if (this.#reason === 'connections fail' || (this.#reason !== null && !address.mayChangeSite)) {
      const isTelling = address.wasGood || this.#reason === 'connections fail';
      const interval = isTelling ? PROBE_INTERVAL : OTHER_PROBE_INTERVAL;
      // The clock was set back.
      const wait = now < this.#probedAt ? 0 : this.#probedAt + interval - now;
      if (wait > 0) return wait;
      this.#probedAt = now;
    }
    return 0;
  }

  record(address: KnownAddress, outcome: SiteOutcome, now: number): void {
    if (outcome === 'none') {
      this.#probedAt = 0;
      return;
    }
    if (outcome === 'unreachable') {
      this.#unreachableSince ??= now;
      this.#unconnected += 1;
    } else {
      this.#unreachableSince = null;
      this.#unconnected = 0;
    }
    if (outcome === 'good') {
      address.wasGood = true;
      this.#failingSince = null;
      this.#failed.clear();
    } else if (outcome === 'bad' && address.wasGood && !address.mayChangeSite) {
      this.#failingSince ??= now;
      if (this.#failed.size < MIN_FAILED) this.#failed.add(address);
    }
    const reason = this.#findReason(now);
    if (reason !== this.#reason) {
      this.#reason = reason;
      this.#probedAt = now;
    }
    if (reason !== null || this.#isLoggedAway) this.#logChange(now);
  }

  #findReason(now: number): SiteCircuitReport['reason'] {
    const unreachableFor = now - (this.#unreachableSince ?? now);
    const failingFor = now - (this.#failingSince ?? now);
    if (this.#unconnected >= MAX_UNCONNECTED || unreachableFor >= MAX_FAILING) return 'connections fail';
    return this.#failed.size >= MIN_FAILED && failingFor >= MAX_FAILING ? 'all requests fail' : null;
  }

  report(): SiteCircuitReport {
    return {
      reason: this.#reason,
      unreachableSince: this.#unreachableSince,
      failingSince: this.#failingSince,
    };
  }

  #logChange(now: number): void {
    const reason = this.#reason;
    if (this.#isLoggedAway) {
      if (reason !== null || this.#failingSince !== null || this.#unreachableSince !== null) return;
      this.#isLoggedAway = false;
      this.#log.info({ away: now - this.#loggedAwayAt }, 'the site is back');
    } else if (reason !== null && now - this.#loggedAwayAt >= LOG_INTERVAL) {
      this.#isLoggedAway = true;
      this.#loggedAwayAt = now;
      this.#log.warn({ reason }, 'the site is away');
    }
  }
}
