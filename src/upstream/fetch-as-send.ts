import type { Dispatch, Exchange, ResponseSink } from '../http/exchange.ts';
import type { FetchTransport } from './fetch-transport.ts';

/** A transport in the shape of fetch as one that writes into a sink. */
export function fetchAsSend(transport: FetchTransport): Dispatch<ReadableStream<Uint8Array>> {
  return (request, sink) => {
    const pump = new FetchExchange(sink);
    void pump.run((signal) => transport.send(request, signal));
    return pump;
  };
}

class FetchExchange implements Exchange {
  readonly #sink: ResponseSink;
  readonly #control = new AbortController();
  #resume: (() => void) | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  async run(send: (signal: AbortSignal) => ReturnType<FetchTransport['send']>): Promise<void> {
    const { signal } = this.#control;
    const outcome = await send(signal);
    if (signal.aborted) return;
    if (outcome.kind === 'failure') {
      this.#sink.fail(outcome.failure);
      return;
    }
    this.#sink.head(outcome.head);
    try {
      if (outcome.body !== null) await this.#pass(outcome.body.getReader());
    } catch (cause) {
      if (!signal.aborted) this.#sink.fail({ kind: 'connection-broken', cause });
      return;
    }
    if (!signal.aborted) this.#sink.end([]);
  }

  async #pass(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const { signal } = this.#control;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      // Set before the sink is asked: it may call resume() while it writes.
      const room = new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      if (!this.#sink.write(value)) await room;
    }
  }

  resume(): void {
    this.#resume?.();
  }

  abort(): void {
    this.#control.abort();
    this.#resume?.();
  }
}
