/** Settings of {@link abortWhenStalled}. */
interface StalledBodyOptions {
  /** Milliseconds between two chunks, counted while the reader waits; 0 waits forever. */
  readonly idleTimeout: number;
  /** Aborts the request that the body belongs to. */
  readonly control: AbortController;
  /** Called once, when the stream ends, fails or is cancelled. */
  readonly release: () => void;
}

/**
 * Wraps a response body so that its request is aborted if the site sends nothing for too long. Chunks, backpressure and
 * errors pass unchanged; a cancel aborts the request.
 */
export function abortWhenStalled(
  source: ReadableStream<Uint8Array>,
  { control, idleTimeout, release }: StalledBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer =
          idleTimeout === 0
            ? undefined
            : setTimeout(
                () => control.abort(new DOMException('the response stalled', 'TimeoutError')),
                idleTimeout,
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
        // The abort has already errored the source.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    // Nothing is read ahead, so that backpressure reaches the site.
    { highWaterMark: 0 },
  );
}
