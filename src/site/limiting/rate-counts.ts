import { createLru } from '../../memoize.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SharedCounts } from '../options/gateway-options.ts';

export interface Quota {
  readonly requests: number;
  readonly window: number;
}

export interface RateCount {
  /** Count of all processes at the last exchange. */
  shared: number;
  own: number;
  /** Part of `own` that is being exchanged. */
  sending: number;
  /** Milliseconds since the epoch. */
  end: number;
  refused: number;
}

/** The least recently used one is forgotten, so a client that goes on sending stays counted. */
const MAX_KEYS = 50_000;
const EXCHANGE_INTERVAL = 100;
const MAX_EXCHANGED_KEYS = 500;
/** Part of the quota from which on a count is exchanged: many addresses must not fill Redis. */
const EXCHANGED_PART = 0.1;
const FAILURE_INTERVAL = 1_000;

/** Counts requests by key in fixed windows. A request never waits: sums are exchanged in the background. */
export class RateCounts {
  readonly #counts = createLru<RateCount>(MAX_KEYS);
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #shared: SharedCounts | undefined;
  /** Keys counted since the last exchange, with their windows. At most {@link MAX_KEYS}. */
  readonly #unsent = new Map<string, number>();
  #isScheduled = false;
  #isFailing = false;

  constructor(clock: Clock, log: Log, shared: SharedCounts | undefined) {
    this.#clock = clock;
    this.#log = log;
    this.#shared = shared;
  }

  find(key: string, { window }: Quota, now: number): RateCount {
    let count = this.#counts.get(key);
    if (count === undefined) {
      count = { shared: 0, own: 0, sending: 0, end: now + window, refused: 0 };
      this.#counts.set(key, count);
    } else if (now >= count.end || now < count.end - window) {
      // The window is over, or the clock was set back.
      Object.assign(count, { shared: 0, own: 0, sending: 0, end: now + window, refused: 0 });
    }
    return count;
  }

  add(key: string, count: RateCount, { requests, window }: Quota): void {
    count.own += 1;
    if (this.#shared === undefined) return;
    if (count.shared === 0 && count.own < requests * EXCHANGED_PART) return;
    // Refused requests are not counted, so a client past its limit causes no exchange.
    this.#enqueue(key, window);
    this.#schedule(this.#isFailing ? FAILURE_INTERVAL : EXCHANGE_INTERVAL);
  }

  #enqueue(key: string, window: number): void {
    this.#unsent.set(key, window);
    if (this.#unsent.size <= MAX_KEYS) return;
    const [oldest = ''] = this.#unsent.keys();
    this.#unsent.delete(oldest);
  }

  #schedule(delay: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.after(delay, () => void this.#exchange());
  }

  async #exchange(): Promise<void> {
    const batch: (readonly [key: string, window: number])[] = [];
    for (const entry of this.#unsent) {
      if (batch.length >= MAX_EXCHANGED_KEYS) break;
      batch.push(entry);
      this.#unsent.delete(entry[0]);
    }
    const results = await Promise.allSettled(batch.map(([key, window]) => this.#exchangeKey(key, window)));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined && !this.#isFailing) {
      const cause: unknown = failure.reason;
      const fields = { cause: cause instanceof Error ? cause.message : String(cause) };
      this.#log.warn(
        fields,
        'the shared rate limits cannot be reached: this process only uses its own counts',
      );
    } else if (failure === undefined && this.#isFailing) {
      this.#log.info({}, 'the shared rate limits are reachable again');
    }
    this.#isFailing = failure !== undefined;
    this.#isScheduled = false;
    if (this.#unsent.size > 0) this.#schedule(this.#isFailing ? FAILURE_INTERVAL : EXCHANGE_INTERVAL);
  }

  async #exchangeKey(key: string, window: number): Promise<void> {
    const count = this.#counts.peek(key);
    if (count === undefined || this.#shared === undefined || count.own === 0) return;
    const { end, own: amount } = count;
    count.sending = amount;
    try {
      const { count: sum, remaining } = await this.#shared.add(key, amount, window);
      if (count.end !== end || count.sending !== amount) return;
      count.shared = sum;
      count.own -= amount;
      count.sending = 0;
      if (remaining > 0) count.end = Math.min(end, this.#clock.now() + remaining);
    } catch (cause) {
      count.sending = 0;
      this.#enqueue(key, window);
      throw cause;
    }
  }
}
