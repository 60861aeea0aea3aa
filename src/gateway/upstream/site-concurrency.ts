import type { Clock } from '../../base/ports.ts';
import { NetworkBudget } from './network-budget.ts';

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
  /** Slots by the network of their clients, in the order of their turns. */
  readonly #waiting = new Map<string, Slot[]>();
  readonly #places: NetworkBudget;
  #refused = 0;
  #isSearching = false;
  #isStarting = false;

  constructor({ max = 32, queue = 256, wait = 10_000 }: ConcurrencyOptions, clock: Clock) {
    this.#options = { max, queue, wait };
    this.#places = new NetworkBudget({ ofNetwork: queue, ofAll: queue });
    this.#clock = clock;
  }

  report(): ConcurrencyReport {
    const { max } = this.#options;
    return { active: this.#active.size, queued: this.#places.held, max, refused: this.#refused };
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
    if (this.#active.size < this.#options.max && this.#places.held === 0) {
      this.#active.add(slot);
      return true;
    }
    slot.client = client;
    if (mayWait && this.#makeRoom(client)) this.#enqueue(slot);
    else this.#refuse(slot);
    return false;
  }

  #findLatest(): Slot | undefined {
    let longest: readonly Slot[] = [];
    for (const slots of this.#waiting.values()) if (slots.length > longest.length) longest = slots;
    return longest.at(-1);
  }

  leave(slot: Slot): void {
    if (slot.isWaiting) this.#dequeue(slot);
    else if (this.#active.delete(slot) && this.#places.held > 0) this.#startNext();
  }

  #makeRoom(client: string): boolean {
    if (this.#places.take(client)) return true;
    const displaced = this.#findLatest();
    if (displaced === undefined) return false;
    const countPlaces = (of: string): number => this.#places.find(of).taken;
    if (countPlaces(displaced.client) <= countPlaces(client) + 1) return false;
    this.#dequeue(displaced);
    this.#refuse(displaced);
    return this.#places.take(client);
  }

  #enqueue(slot: Slot): void {
    const { network } = this.#places.find(slot.client);
    const slots = this.#waiting.get(network) ?? [];
    if (slots.length === 0) this.#waiting.set(network, slots);
    slots.push(slot);
    slot.isWaiting = true;
    slot.waitsSince = this.#clock.now();
    slot.cancelTimer = this.#clock.after(this.#options.wait, () => {
      this.#dequeue(slot);
      this.#refuse(slot);
    });
    this.#scheduleSearch();
  }

  #dequeue(slot: Slot): void {
    slot.cancelTimer();
    slot.isWaiting = false;
    const { network } = this.#places.find(slot.client);
    const slots = this.#waiting.get(network) ?? [];
    const at = slots.indexOf(slot);
    if (at < 0) return;
    slots.splice(at, 1);
    if (slots.length === 0) this.#waiting.delete(network);
    this.#places.giveBack(slot.client);
  }

  #refuse(slot: Slot): void {
    this.#refused += 1;
    slot.holder?.refuse(Math.max(1, Math.ceil(this.#options.wait / 1_000)));
  }

  #startNext(): void {
    if (this.#isStarting || this.#places.held === 0) return;
    this.#isStarting = true;
    for (const [network, [next]] of this.#waiting) {
      if (this.#active.size >= this.#options.max || next === undefined) break;
      this.#dequeue(next);
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
      if (this.#places.held > 0) this.#scheduleSearch();
    });
  }
}

export class Slot {
  holder: SlotHolder | null;
  readonly #concurrency: SiteConcurrency;
  client = '';
  isWaiting = false;
  streamsSince: number = Number.POSITIVE_INFINITY;
  waitsSince = 0;
  cancelTimer: () => void = () => {};

  constructor(concurrency: SiteConcurrency, holder: SlotHolder) {
    this.#concurrency = concurrency;
    this.holder = holder;
  }

  release(): void {
    this.#concurrency.leave(this);
    this.holder = null;
  }
}
