import { LRUCache } from 'lru-cache';
import type { WorkerCalls } from './messages.ts';

/** Keys that are counted at once, in all workers together. */
const MAX_KEYS = 100_000;

/** The sums of the counts of all workers. A worker that replaces another begins with them. */
export class ProcessCounts {
  readonly #counts = new LRUCache<string, { count: number; readonly end: number }>({ max: MAX_KEYS });
  readonly #now: () => number;

  /** @param now returns milliseconds of any clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  add({ amount, key, window }: WorkerCalls['count']['content']): WorkerCalls['count']['reply'] {
    const now = this.#now();
    let known = this.#counts.get(key);
    if (known === undefined || now >= known.end) {
      known = { count: 0, end: now + window };
      this.#counts.set(key, known);
    }
    known.count += amount;
    return { count: known.count, remaining: known.end - now };
  }
}
