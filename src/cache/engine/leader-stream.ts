import { type CacheStatus, formatCacheStatus } from '../../http/cache-status.ts';
import type { Exchange, ResponseHead, UpstreamFailure } from '../../http/exchange.ts';
import type { BodyBuffer } from './body-buffer.ts';
import type { ClientExchange } from './client-exchange.ts';

/** The fetch that a {@link LeaderStream} reports to. */
export interface LeaderEvents {
  /** The leader has received all bytes and can take more. */
  onLeaderDrain(): void;
  onLeaderAbort(): void;
}

/**
 * Streams a response to the leader while it arrives. A slow leader is served from the buffer that is filled for the
 * followers, so that they need not wait for it. Without that buffer, the bytes that the origin has already sent are
 * queued, and the origin is paused.
 */
export class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #events: LeaderEvents;
  #buffer: BodyBuffer | undefined;
  #started = false;
  /** Number of bytes of the buffer that the leader has received. */
  #position = 0;
  readonly #queue: Uint8Array[] = [];
  #trailers: readonly string[] | undefined;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, events: LeaderEvents) {
    this.client = client;
    this.#events = events;
  }

  /** Whether the leader has the head. */
  get started(): boolean {
    return this.#started;
  }

  interim(head: ResponseHead): void {
    this.client.sink.interim?.(head);
  }

  /**
   * Sends the head.
   *
   * @param buffer contains the body until {@link writeUnbuffered} is called; undefined if {@link write} gets the chunks
   */
  start({ headers, reason, status }: ResponseHead, cached: CacheStatus, buffer?: BodyBuffer): void {
    this.#started = true;
    this.#buffer = buffer;
    this.client.sink.head({
      status,
      reason,
      headers: [...headers, 'Cache-Status', formatCacheStatus(cached)],
    });
    this.flush();
  }

  /**
   * Writes a chunk for which the buffer has no space. {@link write} gets the chunks after it.
   *
   * @returns see {@link write}
   */
  writeUnbuffered(chunk: Uint8Array): boolean {
    const rest = this.#buffer?.bytesFrom(this.#position);
    this.#buffer = undefined;
    if (rest !== undefined && rest.byteLength > 0) this.#queue.push(rest);
    return this.write(chunk);
  }

  /** @returns false if the origin should pause until `onLeaderDrain` */
  write(chunk: Uint8Array): boolean {
    this.#queue.push(chunk);
    this.flush();
    return !this.#isFull;
  }

  end(trailers: readonly string[]): void {
    this.#trailers = trailers;
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
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#events.onLeaderDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#events.onLeaderAbort();
  }

  /** Writes chunks of the buffer or the queue until the leader is full. Has no effect before the head. */
  flush(): void {
    // A sink may call `resume` from within `write`; the outer loop then continues.
    if (this.#isFlushing || !this.#started) return;
    this.#isFlushing = true;
    while (!this.#isFull && !this.#isFinished) {
      const chunk = this.#next();
      if (chunk === undefined) break;
      // Set before the call: the sink may already have called `resume` when `write` returns false.
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || this.#trailers === undefined) return;
    this.#isFinished = true;
    this.client.sink.end(this.#trailers);
  }

  #next(): Uint8Array | undefined {
    if (this.#buffer === undefined) return this.#queue.shift();
    const chunk = this.#buffer.bytesFrom(this.#position);
    this.#position += chunk.byteLength;
    return chunk.byteLength === 0 ? undefined : chunk;
  }
}
