import type { Exchange, ResponseHead, ResponseSink } from '../../http/exchange.ts';
import type { CacheRequest, ForwardToOrigin } from '../http-cache.ts';
import type { RequestDirectives } from '../policy/index.ts';

/** A client's request while its response comes from the store, from its own fetch, or from the fetch of another. */
export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly forward: ForwardToOrigin;
  readonly sink: ResponseSink;
  /** How many fetches it has followed without getting a response. */
  failedWaitCount = 0;
  #source: Exchange | undefined;
  #aborted = false;

  constructor(
    request: CacheRequest,
    directives: RequestDirectives,
    forward: ForwardToOrigin,
    sink: ResponseSink,
  ) {
    this.request = request;
    this.directives = directives;
    this.forward = forward;
    this.sink = sink;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Sets the exchange that supplies the response from now on. */
  setSource(source: Exchange): void {
    this.#source = source;
    if (this.#aborted) source.abort();
  }

  resume(): void {
    this.#source?.resume();
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#source?.abort();
  }
}

const FINISHED_EXCHANGE: Exchange = { resume() {}, abort() {} };

/** Sends a complete response: in one call where the sink supports it, else with back-pressure. */
export function sendResponse(sink: ResponseSink, head: ResponseHead, body: Uint8Array): Exchange {
  if (sink.complete !== undefined) {
    sink.complete(head, body);
    return FINISHED_EXCHANGE;
  }
  sink.head(head);
  const sending = new SingleChunkExchange(sink);
  sending.start(body);
  return sending;
}

/** Writes a body as one chunk, and ends the response once the sink has room again. */
class SingleChunkExchange implements Exchange {
  readonly #sink: ResponseSink;
  #finished = false;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  start(body: Uint8Array): void {
    if (body.byteLength === 0 || this.#sink.write(body)) this.resume();
  }

  resume(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#sink.end([]);
  }

  abort(): void {
    this.#finished = true;
  }
}
