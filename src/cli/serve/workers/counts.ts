import { LRUCache } from 'lru-cache';
import type { SharedCounts } from '../../../gateway/index.ts';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

type CountRequest = Extract<WorkerMessage, { kind: 'count' }>;
type CountReply = Extract<PrimaryMessage, { kind: 'counted' }>;

/** The counts of the rate limits as a worker sees them: the primary process has the sums. */
export class WorkerCounts implements SharedCounts {
  readonly #send: (message: CountRequest) => void;
  readonly #waiting = new Map<number, (reply: CountReply) => void>();
  #lastId = 0;

  constructor(send: (message: CountRequest) => void) {
    this.#send = send;
  }

  add(key: string, amount: number, window: number): Promise<Pick<CountReply, 'count' | 'remaining'>> {
    return new Promise((resolve) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, resolve);
      this.#send({ kind: 'count', id: this.#lastId, key, amount, window });
    });
  }

  receive(reply: CountReply): void {
    this.#waiting.get(reply.id)?.(reply);
    this.#waiting.delete(reply.id);
  }
}

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

  add({ amount, id, key, window }: CountRequest): CountReply {
    const now = this.#now();
    let known = this.#counts.get(key);
    if (known === undefined || now >= known.end) {
      known = { count: 0, end: now + window };
      this.#counts.set(key, known);
    }
    known.count += amount;
    return { kind: 'counted', id, count: known.count, remaining: known.end - now };
  }
}
