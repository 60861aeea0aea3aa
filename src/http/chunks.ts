/**
 * The chunks of a body, each passed through `each`, and what `last` adds. Ends where the source ends; `each` and `last`
 * may throw, which breaks the body off.
 */
export async function* transformChunks(
  chunks: AsyncIterable<Uint8Array>,
  each: (chunk: Uint8Array) => Uint8Array | null,
  last: () => Uint8Array | null,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of chunks) {
    const passed = each(chunk);
    if (passed !== null) yield passed;
  }
  const rest = last();
  if (rest !== null) yield rest;
}

/** Chunks that have been read already, and then the others. */
export async function* prependChunks(
  before: readonly Uint8Array[],
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield* before;
  yield* chunks;
}

/** Chunks in one piece; a single one is given as it is. */
export function concatChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
