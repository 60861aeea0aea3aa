import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import type { CacheRequest, ForwardToOrigin } from '../cache.ts';
import type { RequestDirectives } from '../policy/index.ts';

/** Someone who waits for an answer, whoever brings it in the end. */
export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly wishes: RequestDirectives;
  readonly origin: ForwardToOrigin;
  readonly sink: ResponseSink;
  /** How often this one has waited for another's answer in vain. */
  failedWaits = 0;
  #exchange: Exchange | undefined;
  #left = false;

  constructor(request: CacheRequest, wishes: RequestDirectives, origin: ForwardToOrigin, sink: ResponseSink) {
    this.request = request;
    this.wishes = wishes;
    this.origin = origin;
    this.sink = sink;
  }

  get aborted(): boolean {
    return this.#left;
  }

  /** What brings the answer from now on. */
  attach(exchange: Exchange): void {
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
