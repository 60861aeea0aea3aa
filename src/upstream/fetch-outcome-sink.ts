import {
  type Exchange,
  NULL_BODY_STATUSES,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../http/exchange.ts';

/** A response with a web stream, or the reason why there is none. */
export type FetchOutcome =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

/**
 * Starts an exchange, and collects its response as a {@link FetchOutcome}. The promise never rejects.
 *
 * @param start starts the exchange; can call the sink before it returns
 * @param headOnly whether the request's method is `HEAD`, so that the response has no body
 * @param signal aborted when the client leaves
 */
export function collectFetchOutcome(
  start: (sink: ResponseSink) => Exchange,
  headOnly: boolean,
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  return new Promise((resolve) => {
    let exchange: Exchange | undefined;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const leave = (): void => {
      exchange?.abort();
      sink.fail({ kind: 'client-gone', cause: signal?.reason });
    };
    const release = (): void => signal?.removeEventListener('abort', leave);
    const createBody = (): ReadableStream<Uint8Array> =>
      new ReadableStream<Uint8Array>(
        {
          start(created) {
            controller = created;
          },
          pull: () => exchange?.resume(),
          // The controller must not be called after a cancel. On Node 20, such a call in Readable.toWeb ends the process.
          cancel() {
            release();
            exchange?.abort();
            controller = undefined;
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
      );
    const sink: ResponseSink = {
      head(head) {
        const hasNoBody = headOnly || NULL_BODY_STATUSES.has(head.status);
        resolve({ kind: 'response', head, body: hasNoBody ? null : createBody() });
      },
      write(chunk) {
        if (controller === undefined) return true;
        // The chunk is copied, because readers of web streams can keep it or transfer its buffer.
        controller.enqueue(new Uint8Array(chunk));
        return (controller.desiredSize ?? 0) > 0;
      },
      end() {
        release();
        controller?.close();
        controller = undefined;
      },
      fail(failure) {
        release();
        // Before the head this settles the promise; after it, only the controller call has an effect.
        resolve({ kind: 'failure', failure });
        controller?.error(failure.cause ?? new DOMException('the response was aborted', 'AbortError'));
        controller = undefined;
      },
    };
    exchange = start(sink);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted === true) leave();
  });
}
