import { createLru } from '../../../base/memoize.ts';

export interface Quota {
  readonly requests: number;
  /** Milliseconds. */
  readonly window: number;
}

export interface RateCount {
  requests: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly end: number;
}

/** The least recently used one is forgotten, so a client that goes on sending stays counted. */
const MAX_KEYS = 50_000;

export class RateCounts {
  readonly #counts = createLru<RateCount>(MAX_KEYS);

  find(key: string, { window }: Quota, now: number): RateCount {
    const known = this.#counts.get(key);
    // The window is not over, and the clock was not set back.
    if (known !== undefined && now < known.end && now >= known.end - window) return known;
    const created = { requests: 0, end: now + window };
    this.#counts.set(key, created);
    return created;
  }
}
