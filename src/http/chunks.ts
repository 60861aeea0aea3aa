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

/** Yields the chunks in `readBefore`, then those of `remaining`. The list is emptied, so that no chunk outlives its use. */
export async function* prependChunks(
  readBefore: Uint8Array[],
  remaining: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for (let chunk = readBefore.shift(); chunk !== undefined; chunk = readBefore.shift()) yield chunk;
  yield* remaining;
}

/** Chunks below this length in bytes are copied together: as objects of their own they would take a multiple of it. */
const SMALL_CHUNK = 4 * 1024;
const BLOCK_LENGTH = 64 * 1024;

/** Collects the chunks of a body. The memory grows with the bytes that arrive, also if they arrive one by one. */
export class BodyBuffer {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  /** Receives small chunks; its used part is the last of `#chunks`. */
  #block: Uint8Array | null = null;
  #used = 0;
  #length = 0;

  /** @param limit maximum length in bytes */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Collected bytes. */
  get length(): number {
    return this.#length;
  }

  /** Appends a chunk, whose bytes must not change. @returns false if it would exceed the limit; it is not added then */
  add(chunk: Uint8Array): boolean {
    const { byteLength } = chunk;
    if (this.#length + byteLength > this.#limit) return false;
    this.#length += byteLength;
    // Most bodies are a single chunk, which needs no copy.
    if (byteLength >= SMALL_CHUNK || this.#chunks.length === 0) {
      this.#block = null;
      this.#chunks.push(chunk);
      return true;
    }
    if (this.#block === null || this.#used + byteLength > this.#block.byteLength) {
      // The first block is small, because most bodies are.
      this.#block = new Uint8Array(this.#chunks.length === 1 ? SMALL_CHUNK : BLOCK_LENGTH);
      this.#used = 0;
      this.#chunks.push(this.#block.subarray(0, 0));
    }
    this.#block.set(chunk, this.#used);
    this.#used += byteLength;
    this.#chunks[this.#chunks.length - 1] = this.#block.subarray(0, this.#used);
    return true;
  }

  /** The collected chunks, in order. */
  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  /** Returns bytes from offset `position`, or as many of them as are in one chunk; none at the end. */
  read(position: number): Uint8Array {
    let start = 0;
    for (const chunk of this.#chunks) {
      if (position < start + chunk.byteLength) return chunk.subarray(position - start);
      start += chunk.byteLength;
    }
    return NO_BYTES;
  }

  /** Returns the chunks, and starts anew. */
  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#block = null;
    this.#length = 0;
    return chunks;
  }

  bytes(): Uint8Array {
    const joined = concatChunks(this.#chunks, this.#length);
    this.#chunks = [joined];
    this.#block = null;
    return joined;
  }
}

const NO_BYTES = new Uint8Array(0);

/** Joins chunks to one array. A single chunk is returned without a copy. @param length total length of the chunks in bytes */
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
