import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import type { CacheRequest, Origin } from '../cache.ts';
import type { Wishes } from '../policy/index.ts';

/** Someone who waits for an answer, whoever brings it in the end. */
export class Caller implements Exchange {
  readonly request: CacheRequest;
  readonly wishes: Wishes;
  readonly origin: Origin;
  readonly sink: ResponseSink;
  /** How often this one has waited for another's answer in vain. */
  disappointments = 0;
  #exchange: Exchange | undefined;
  #left = false;

  constructor(request: CacheRequest, wishes: Wishes, origin: Origin, sink: ResponseSink) {
    this.request = request;
    this.wishes = wishes;
    this.origin = origin;
    this.sink = sink;
  }

  get left(): boolean {
    return this.#left;
  }

  /** What brings the answer from now on. */
  follow(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#left) exchange.abort();
  }

  resume(): void {
    this.#exchange?.resume();
  }

  abort(): void {
    if (this.#left) return;
    this.#left = true;
    this.#exchange?.abort();
  }
}
