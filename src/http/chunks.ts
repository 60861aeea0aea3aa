/**
 * Passes each chunk through `transform`, and appends the result of `flush`; `null` drops the chunk. An exception of either
 * ends the iteration with it.
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

/** Yields chunks that were read before, then the remaining ones. */
export async function* prependChunks(
  readBefore: readonly Uint8Array[],
  remaining: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield* readBefore;
  yield* remaining;
}

/**
 * Joins chunks. A single chunk is returned itself, not copied.
 *
 * @param length bytes of all chunks together
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
