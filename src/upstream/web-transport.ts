import { Readable } from 'node:stream';
import { errors } from 'undici';
import { BODILESS } from '../http/status.ts';
import type { DispatchTransport } from './dispatch.ts';
import type { AnswerHead, AnswerSink, Exchange, FetchOutcome, UpstreamFailure } from './exchange.ts';
import type { FetchTransport } from './fetch.ts';

/**
 * Dispatch in the shape of fetch, for the portable handler where it runs on Node. Node's own `fetch` keeps every byte of
 * a streamed upload in memory until the answer comes (it tees the body in case of a redirect, even of one that it is
 * told not to follow), undoes codings, and normalises addresses.
 */
export function webTransport(transport: DispatchTransport): FetchTransport {
  return {
    send: (request, signal) =>
      new Promise((resolve) => {
        const body =
          request.body instanceof ReadableStream ? Readable.from(parts(request.body)) : request.body;
        const sink = new WebSink(request.method === 'HEAD', resolve);
        sink.begin(transport.send({ ...request, body }, sink), signal);
      }),
  };
}

async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Of a stream that has errored there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

class WebSink implements AnswerSink {
  readonly #headOnly: boolean;
  readonly #resolve: (outcome: FetchOutcome) => void;
  #exchange: Exchange | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #release: () => void = () => undefined;

  constructor(headOnly: boolean, resolve: (outcome: FetchOutcome) => void) {
    this.#headOnly = headOnly;
    this.#resolve = resolve;
  }

  begin(exchange: Exchange, signal: AbortSignal | undefined): void {
    this.#exchange = exchange;
    if (signal === undefined) return;
    const leave = (): void => {
      exchange.abort();
      this.fail({ kind: 'client-gone', cause: signal.reason });
    };
    this.#release = () => signal.removeEventListener('abort', leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  }

  head(head: AnswerHead): void {
    this.#resolve({ kind: 'answer', head, body: this.#bodyOf(head) });
  }

  #bodyOf({ status }: AnswerHead): ReadableStream<Uint8Array> | null {
    if (this.#headOnly || BODILESS.has(status)) return null;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#exchange?.resume(),
        // Nothing is called on the controller after this: that is what ends Node 20 in Readable.toWeb.
        cancel: () => {
          this.#release();
          this.#exchange?.abort();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
    );
  }

  write(chunk: Uint8Array): boolean {
    if (this.#controller === undefined) return true;
    // Readers of web streams may keep a chunk, or transfer its buffer.
    this.#controller.enqueue(new Uint8Array(chunk));
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  end(): void {
    this.#release();
    this.#controller?.close();
  }

  fail(failure: UpstreamFailure): void {
    this.#release();
    // Whichever comes second finds its promise settled, or nobody who reads.
    this.#resolve({ kind: 'failure', failure });
    this.#controller?.error(failure.cause ?? new errors.RequestAbortedError());
  }
}
