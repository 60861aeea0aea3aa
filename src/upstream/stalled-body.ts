/**
 * A web stream that gives up when its source is silent for too long, and passes everything else on: chunks as they are,
 * backpressure (it reads only when it is read), the source's error as its own, a cancel as an abort of the request.
 *
 * @param silence milliseconds between two chunks, counted while the reader waits; 0 waits for ever
 * @param control aborts the request that the source belongs to
 * @param release called once, when the stream is over in whatever way
 */
export function abortWhenStalled(
  source: ReadableStream<Uint8Array>,
  silence: number,
  control: AbortController,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer =
          silence === 0
            ? undefined
            : setTimeout(
                () => control.abort(new DOMException('the answer stalled', 'TimeoutError')),
                silence,
              );
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (error) {
          release();
          controller.error(error);
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason) {
        release();
        control.abort(reason);
        // The abort has errored the source; that is no news.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    // Nothing is read ahead: what the caller does not take stays with the site.
    { highWaterMark: 0 },
  );
}
