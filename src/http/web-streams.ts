import { BodyBuffer } from './chunks.ts';

export async function* readChunks(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Cancelling an errored stream rejects.
    await reader.cancel().catch(() => undefined);
  }
}

/** `null` if the stream is longer than `maxBytes`. */
export async function readAll(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const collected = new BodyBuffer(maxBytes);
  for await (const chunk of readChunks(stream)) {
    if (!collected.add(chunk)) return null;
  }
  return collected.bytes();
}
