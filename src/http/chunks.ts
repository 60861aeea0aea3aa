/**
 * Yields the result of `transform` for each chunk, then the result of `flush`. A result of `null` yields nothing. An
 * exception in `transform` or `flush` rejects the iteration.
 */
export async function* transformChunks(
  chunks: AsyncIterable<Uint8Array>,
  transform: (chunk: Uint8Array) => Uint8Array | null,
  flush: () => Uint8Array | null,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of chunks) {
    const transformed = transform(chunk);
    if (transformed !== null) yield transformed;
  }
  const last = flush();
  if (last !== null) yield last;
}

/** Yields the chunks in `readBefore`, then those of `remaining`. */
export async function* prependChunks(
  readBefore: readonly Uint8Array[],
  remaining: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield* readBefore;
  yield* remaining;
}

/**
 * Joins chunks to one array. A single chunk is returned without a copy.
 *
 * @param length total length of the chunks in bytes
 */
export function concatChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}
