import { formatCacheStatus } from '../../../../../src/base/http/cache-status.ts';
import type {
  Exchange,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../../../../src/base/http/exchange.ts';

/** A client's sink that rejects calls out of order. */
export class TestClient implements ResponseSink {
  received: ResponseHead | undefined;
  body = '';
  ended = false;
  failure: UpstreamFailure | undefined;
  /** Whether the sink is full until `drain`. */
  full = false;
  exchange: Exchange | undefined;
  aborted = false;
  onSettled: () => void = () => {};

  get status(): number | undefined {
    return this.received?.status;
  }

  /** Whether the response has ended or failed. */
  get settled(): boolean {
    return this.ended || this.failure !== undefined;
  }

  /** How the response has ended. */
  get over(): 'end' | UpstreamFailure['kind'] | undefined {
    return this.ended ? 'end' : this.failure?.kind;
  }

  get cacheStatus(): string {
    const status = this.failure?.cacheStatus ?? this.received?.cacheStatus;
    return status === undefined ? '' : formatCacheStatus(status).replace(/^waygate; /, '');
  }

  head(head: ResponseHead): void {
    this.#assertOpen('head');
    if (this.received !== undefined) throw new Error('a second head');
    this.received = head;
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.write(body);
    this.end();
  }

  write(chunk: Uint8Array): boolean {
    this.#assertOpen('write');
    if (this.received === undefined) throw new Error('a chunk before the head');
    this.body += new TextDecoder().decode(chunk);
    return !this.full;
  }

  end(): void {
    this.#assertOpen('end');
    if (this.received === undefined) throw new Error('an end before the head');
    this.ended = true;
    this.onSettled();
  }

  fail(failure: UpstreamFailure): void {
    this.#assertOpen('fail');
    this.failure = failure;
    this.onSettled();
  }

  drain(): void {
    this.full = false;
    this.exchange?.resume();
  }

  abort(): void {
    this.aborted = true;
    this.exchange?.abort();
  }

  #assertOpen(call: string): void {
    if (this.settled) throw new Error(`${call} after the end`);
    if (this.aborted) throw new Error(`${call} after the client has aborted`);
  }
}
