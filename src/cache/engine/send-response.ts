import type { Exchange, ResponseHead, ResponseSink } from '../../http/exchange.ts';

/** What there is left to do with an exchange that is over. */
export const FINISHED_EXCHANGE: Exchange = { resume() {}, abort() {} };

/** Gives a complete answer to a sink: in one call where the sink knows that, and within its back-pressure otherwise. */
export function sendResponse(sink: ResponseSink, head: ResponseHead, body: Uint8Array): Exchange {
  if (sink.complete !== undefined) {
    sink.complete(head, body);
    return FINISHED_EXCHANGE;
  }
  sink.head(head);
  const delivery = new Delivery(sink);
  delivery.begin(body);
  return delivery;
}

class Delivery implements Exchange {
  readonly #sink: ResponseSink;
  #over = false;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  begin(body: Uint8Array): void {
    if (body.byteLength === 0 || this.#sink.write(body)) this.resume();
  }

  resume(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.end([]);
  }

  abort(): void {
    this.#over = true;
  }
}
