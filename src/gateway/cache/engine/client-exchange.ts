import type { CacheStatus } from '../../../base/http/cache-status.ts';
import { BodyBuffer } from '../../../base/http/chunks.ts';
import {
  type Exchange,
  guardSink,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../../../base/http/exchange.ts';
import type { CacheRequest, Upstream } from '../cache-request.ts';
import type { RequestDirectives } from '../policy/reuse.ts';
import type { StoredResponse } from '../store.ts';

/** The exchange with a client, whose response comes from the store or from a fetch. */
export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  readonly sink: ResponseSink;
  failedWaitCount = 0;
  /** Found by its lookup, and sent if the origin fails. */
  storedResponse: StoredResponse | undefined;
  aborted = false;
  #source: Exchange | undefined;

  constructor(request: CacheRequest, directives: RequestDirectives, upstream: Upstream, sink: ResponseSink) {
    this.request = request;
    this.directives = directives;
    this.upstream = upstream;
    this.sink = guardSink(sink);
  }

  setSource(source: Exchange): void {
    this.#source = source;
    if (this.aborted) source.abort();
  }

  /** An error is the client's failure, so that other clients of the fetch go on. */
  attempt(step: () => void): void {
    try {
      step();
    } catch (cause) {
      this.sink.fail({ kind: 'internal', cause });
    }
  }

  resume(): void {
    this.#source?.resume();
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#source?.abort();
  }
}

export const FINISHED_EXCHANGE: Exchange = { resume() {}, abort() {} };

interface LeaderEvents {
  onDrain(): void;
  onAbort(): void;
}

/** Streams a response to the leader, however slow it is. */
export class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #events: LeaderEvents;
  started = false;
  #head: ResponseHead | undefined;
  readonly #waiting = new BodyBuffer();
  #queue: Uint8Array[] = [];
  #isEnded = false;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, events: LeaderEvents) {
    this.client = client;
    this.#events = events;
  }

  start(head: ResponseHead, cached: CacheStatus, isHeld: boolean): void {
    this.#head = { ...head, cacheStatus: cached };
    if (!isHeld) this.#sendHead(this.#head);
  }

  #sendHead(head: ResponseHead): void {
    this.started = true;
    this.client.sink.head(head);
  }

  complete(head: ResponseHead, cached: CacheStatus, body: Uint8Array): void {
    this.client.sink.complete({ ...head, cacheStatus: cached }, body);
  }

  /** @returns false if the origin should pause until `onDrain`, or the chunks wait in memory */
  write(chunk: Uint8Array): boolean {
    this.#waiting.add(chunk);
    this.#flush();
    return !this.#isFull;
  }

  end(): void {
    this.#isEnded = true;
    this.#flush();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.client.sink.fail(failure);
  }

  resume(): void {
    this.#isFull = false;
    this.#flush();
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#events.onDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#events.onAbort();
  }

  #flush(): void {
    if (this.#isFlushing || this.#head === undefined) return;
    this.#isFlushing = true;
    if (!this.started) this.#sendHead(this.#head);
    while (!this.#isFull && !this.#isFinished) {
      if (this.#queue.length === 0) this.#queue = this.#waiting.take();
      const chunk = this.#queue.shift();
      if (chunk === undefined) break;
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || !this.#isEnded) return;
    this.#isFinished = true;
    this.client.sink.end();
  }
}
