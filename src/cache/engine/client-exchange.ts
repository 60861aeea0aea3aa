import type { Exchange, ResponseHead, ResponseSink } from '../../http/exchange.ts';
import type { CacheRequest, ForwardToOrigin } from '../http-cache.ts';
import type { RequestDirectives } from '../policy/index.ts';

/** The exchange with a client. Its response comes from the store, or from a fetch that the client leads or follows. */
export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly forward: ForwardToOrigin;
  readonly sink: ResponseSink;
  /** Number of fetches that the client has followed without getting a response. */
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

  /** Sets the exchange that supplies the response, in place of any earlier one. */
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

/** Sends a complete response: in one call if the sink has `complete`, else with back-pressure. */
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

/** Writes a body as one chunk, and ends the response when the sink is not full. */
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
