import { NULL_BODY_STATUSES } from '../http/body.ts';
import type {
  Exchange,
  FetchOutcome,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../http/exchange.ts';

/**
 * What goes into a sink, as `fetch` would bring it.
 *
 * @param start begins the exchange; it may call the sink before it returns
 * @param headOnly whether the answer is one to `HEAD`: it has no body whatever it says
 * @param signal the caller's: aborted when they leave
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
    this.#resolve({ kind: 'response', head, body: this.#bodyOf(head) });
  }

  #bodyOf({ status }: ResponseHead): ReadableStream<Uint8Array> | null {
    if (this.#headOnly || NULL_BODY_STATUSES.has(status)) return null;
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
          this.#controller = undefined;
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
    this.#controller = undefined;
  }

  fail(failure: UpstreamFailure): void {
    this.#release();
    // Whichever comes second finds its promise settled, or nobody who reads.
    this.#resolve({ kind: 'failure', failure });
    this.#controller?.error(failure.cause ?? new DOMException('the answer was broken off', 'AbortError'));
    this.#controller = undefined;
  }
}
