import type { Clock } from '../../../base/ports.ts';
import type { ResponseUsage } from '../store.ts';

/** Rank of new responses. Those with 0, 1–2, 3–6, … and 255 hits have 1 to 9. */
const WINDOW = 0;
const WINDOW_SHARE = 1 / 8;
const MAX_RANK = 9;
const MAX_HITS = 255;
/** Milliseconds. */
const HALF_LIFE = 3_600_000;

export class Place implements ResponseUsage {
  readonly key: string;
  hits = 0;
  bytes = 0;
  rank: number = WINDOW;
  /** In milliseconds since the epoch. */
  rankedAt = 0;
  previous: Place = this;
  next: Place = this;

  constructor(key: string) {
    this.key = key;
  }
}

/**
 * What leaves a full store: the oldest of the responses with the fewest hits, which halve each hour. New ones
 * pass a window first, in which they can be hit.
 *
 * So a flood of addresses or variants that are requested once or twice replaces itself, and nothing in use.
 * The window is that of W-TinyLFU (Einziger 2017), the ranks are those of Multi-Queue (Zhou 2001), and a hit
 * only counts, as in S3-FIFO (Yang 2023).
 */
export class EvictionOrder {
  bytes = 0;
  #windowBytes = 0;
  readonly #capacity: number;
  readonly #clock: Clock;
  readonly #window = new Place('');
  readonly #ranks = Array.from({ length: MAX_RANK }, () => new Place(''));

  constructor(capacity: number, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  /** Adds a place, or changes its size. */
  put(place: Place, bytes: number): void {
    if (place.next === place) link(place, this.#window);
    this.#weigh(place, bytes - place.bytes);
    place.bytes = bytes;
  }

  remove(place: Place): void {
    unlink(place);
    this.#weigh(place, -place.bytes);
  }

  /** @param evict must remove the place */
  makeRoom(evict: (place: Place) => void): void {
    const now = this.#clock.now();
    while (this.#windowBytes > this.#capacity * WINDOW_SHARE) this.#rank(this.#window.next, now);
    while (this.bytes > this.#capacity) evict(this.#findLeast(now));
  }

  #weigh({ rank }: Place, difference: number): void {
    this.bytes += difference;
    if (rank === WINDOW) this.#windowBytes += difference;
  }

  #rank(place: Place, now: number): void {
    if (place.rank === WINDOW) this.#windowBytes -= place.bytes;
    place.rank = rankOf(place);
    place.rankedAt = now;
    unlink(place);
    link(place, this.#ranks[place.rank - 1] ?? this.#window);
  }

  #findLeast(now: number): Place {
    for (const list of this.#ranks) this.#settle(list.next, now);
    for (;;) {
      const { next } = this.#ranks.find((list) => list.next !== list) ?? this.#window;
      if (next.rank === WINDOW || !this.#settle(next, now)) return next;
    }
  }

  /** Brings a place to the list that its hits deserve. @returns whether that is another one */
  #settle(place: Place, now: number): boolean {
    if (place.bytes === 0) return false;
    const halvings = Math.floor((now - place.rankedAt) / HALF_LIFE);
    if (halvings > 0) place.hits = Math.floor(Math.min(place.hits, MAX_HITS) / 2 ** halvings);
    if (rankOf(place) === place.rank && halvings <= 0) return false;
    this.#rank(place, now);
    return true;
  }
}

function rankOf({ hits }: Place): number {
  return Math.min(MAX_RANK, 32 - Math.clz32(hits + 1));
}

function link(place: Place, list: Place): void {
  place.previous = list.previous;
  place.next = list;
  list.previous.next = place;
  list.previous = place;
}

function unlink(place: Place): void {
  place.previous.next = place.next;
  place.next.previous = place.previous;
  place.previous = place;
  place.next = place;
}
