import type { Dispatch, Exchange, ResponseSink } from '../http/exchange.ts';
import type { FetchTransport } from './fetch-transport.ts';

/** Adapts a {@link FetchTransport} to a function that writes the response into a sink. */
export function adaptFetchToDispatch(transport: FetchTransport): Dispatch<ReadableStream<Uint8Array>> {
  return (request, sink) => {
    const exchange = new FetchExchange(sink);
    void exchange.run((signal) => transport.send(request, signal));
    return exchange;
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
      if (outcome.body !== null) await this.#writeChunks(outcome.body.getReader());
    } catch (cause) {
      if (!signal.aborted) this.#sink.fail({ kind: 'connection-broken', cause });
      return;
    }
    if (!signal.aborted) this.#sink.end([]);
  }

  async #writeChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const { signal } = this.#control;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      // Set before the call: the sink may call resume() from within write().
      const resumed = new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      if (!this.#sink.write(value)) await resumed;
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
