import {
  type Exchange,
  NULL_BODY_STATUSES,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../../base/http/exchange.ts';

export type FetchOutcome =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

/** Never rejects. @param start can call the sink before it returns */
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
          // On Node 20, a call of the controller after a cancel ends the process (Readable.toWeb).
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
      complete(head, body) {
        this.head(head);
        this.write(body);
        this.end();
      },
      write(chunk) {
        if (controller === undefined) return true;
        // Readers of web streams can keep the chunk or transfer its buffer.
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
        // After the head, only the controller call has an effect.
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
