import type {
  Exchange,
  FetchOutcome,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../http/exchange.ts';
import { NULL_BODY_STATUSES } from '../http/exchange.ts';

/**
 * Starts an exchange, and collects its response as a {@link FetchOutcome}. The promise never rejects.
 *
 * @param start starts the exchange; may call the sink before it returns
 * @param headOnly whether the request's method is `HEAD`, so that the response has no body
 * @param signal aborted when the client leaves
 */
export function collectFetchOutcome(
  start: (sink: ResponseSink) => Exchange,
  headOnly: boolean,
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  return new Promise((resolve) => {
    const sink = new FetchOutcomeSink(headOnly, resolve);
    sink.attach(start(sink), signal);
  });
}

class FetchOutcomeSink implements ResponseSink {
  readonly #headOnly: boolean;
  readonly #resolve: (outcome: FetchOutcome) => void;
  #exchange: Exchange | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #release: () => void = () => undefined;

  constructor(headOnly: boolean, resolve: (outcome: FetchOutcome) => void) {
    this.#headOnly = headOnly;
    this.#resolve = resolve;
  }

  attach(exchange: Exchange, signal: AbortSignal | undefined): void {
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

  head(head: ResponseHead): void {
    this.#resolve({ kind: 'response', head, body: this.#createBody(head) });
  }

  #createBody({ status }: ResponseHead): ReadableStream<Uint8Array> | null {
    if (this.#headOnly || NULL_BODY_STATUSES.has(status)) return null;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#exchange?.resume(),
        // The controller must not be called after a cancel. On Node 20, such a call in Readable.toWeb ends the process.
        cancel: () => {
          this.#release();
          this.#exchange?.abort();
          this.#controller = undefined;
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
    );
  }

  write(chunk: Uint8Array): boolean {
    if (this.#controller === undefined) return true;
    // The chunk is copied, because readers of web streams may keep it or transfer its buffer.
    this.#controller.enqueue(new Uint8Array(chunk));
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  end(): void {
    this.#release();
    this.#controller?.close();
    this.#controller = undefined;
  }

  fail(failure: UpstreamFailure): void {
    this.#release();
    // Before the head this settles the promise; after it, only the controller call has an effect.
    this.#resolve({ kind: 'failure', failure });
    this.#controller?.error(failure.cause ?? new DOMException('the response was aborted', 'AbortError'));
    this.#controller = undefined;
  }
}
