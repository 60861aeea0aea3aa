import { type CacheStatus, formatCacheStatus } from '../../http/cache-status.ts';
import type { BodyBuffer } from '../../http/chunks.ts';
import {
  type Exchange,
  guardSink,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../../http/exchange.ts';
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
  onLeaderDrain(): void;
  onLeaderAbort(): void;
}

/** Streams a response to the leader. A slow one reads the followers' buffer, or else pauses the origin. */
export class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #fetch: LeaderEvents;
  started = false;
  #head: ResponseHead | undefined;
  #buffer: BodyBuffer | undefined;
  #position = 0;
  readonly #queue: Uint8Array[] = [];
  #isEnded = false;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, fetch: LeaderEvents) {
    this.client = client;
    this.#fetch = fetch;
  }

  /** A held head waits for the first byte. @param buffer undefined if {@link write} gets the chunks */
  start(head: ResponseHead, cached: CacheStatus, buffer: BodyBuffer | undefined, isHeld: boolean): void {
    this.#buffer = buffer;
    this.#head = withStatus(head, cached);
    if (!isHeld) this.#sendHead(this.#head);
    this.flush();
  }

  #sendHead(head: ResponseHead): void {
    this.started = true;
    this.client.sink.head(head);
  }

  complete(head: ResponseHead, cached: CacheStatus, body: Uint8Array): void {
    this.client.sink.complete(withStatus(head, cached), body);
  }

  /** Writes the first chunk for which the buffer has no space; {@link write} gets those after it. */
  writeUnbuffered(chunk: Uint8Array): boolean {
    for (let rest = this.#next(); rest !== undefined; rest = this.#next()) this.#queue.push(rest);
    this.#buffer = undefined;
    return this.write(chunk);
  }

  /** @returns false if the origin should pause until `onLeaderDrain` */
  write(chunk: Uint8Array): boolean {
    this.#queue.push(chunk);
    this.flush();
    return !this.#isFull;
  }

  end(): void {
    this.#isEnded = true;
    this.flush();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.client.sink.fail(failure);
  }

  resume(): void {
    this.#isFull = false;
    this.flush();
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#fetch.onLeaderDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#fetch.onLeaderAbort();
  }

  flush(): void {
    if (this.#isFlushing || this.#head === undefined) return;
    if (!this.started && !this.#hasContent && !this.#isEnded) return;
    this.#isFlushing = true;
    if (!this.started) this.#sendHead(this.#head);
    while (!this.#isFull && !this.#isFinished) {
      const chunk = this.#next();
      if (chunk === undefined) break;
      // Set before the call, in which the sink can already call `resume`.
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || !this.#isEnded) return;
    this.#isFinished = true;
    this.client.sink.end();
  }

  get #hasContent(): boolean {
    return this.#queue.length > 0 || (this.#buffer?.read(0).byteLength ?? 0) > 0;
  }

  #next(): Uint8Array | undefined {
    if (this.#buffer === undefined) return this.#queue.shift();
    const chunk = this.#buffer.read(this.#position);
    this.#position += chunk.byteLength;
    return chunk.byteLength === 0 ? undefined : chunk;
  }
}

function withStatus({ headers, reason, status }: ResponseHead, cached: CacheStatus): ResponseHead {
  return { status, reason, headers: [...headers, 'Cache-Status', formatCacheStatus(cached)] };
}
