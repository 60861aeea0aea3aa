/** Up to here a body is copied into a buffer of the pool; copying a larger one would show. */
const LARGEST = 256 * 1024;
/** Buffers that wait for a body, in bytes: what is given up and what is kept follow close upon one another. */
const MOST_FREE = 4 * 1024 * 1024;
/** Sizes between a power of two and the next: an eighth at most is left empty. */
const STEPS = 8;
const SMALLEST = 64;

/**
 * Buffers for the bodies of answers, used again. V8 leaves up to 64 MB of buffers lying before it collects them, and
 * under a stream of addresses that are asked for once the store would take as much more than it was allowed.
 *
 * Only what nobody else has seen may come back: a socket may be writing it.
 */
export class BufferPool {
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;

  /** The same bytes in memory of the pool's, or of their own where they are many. */
  copy(body: Uint8Array): Uint8Array {
    const length = body.byteLength;
    if (length > LARGEST) return compactBytes(body);
    const size = sizeFor(length);
    const found = this.#free.get(size)?.pop();
    if (found !== undefined) this.#freeBytes -= size;
    const own = new Uint8Array(found ?? new ArrayBuffer(size), 0, length);
    own.set(body);
    return own;
  }

  /** Takes back what {@link copy} gave and nobody has seen. */
  release({ buffer }: Uint8Array): void {
    const size = buffer.byteLength;
    if (!(buffer instanceof ArrayBuffer) || size > sizeFor(LARGEST) || size !== sizeFor(size)) return;
    if (this.#freeBytes + size > MOST_FREE) return;
    const waiting = this.#free.get(size);
    if (waiting === undefined) this.#free.set(size, [buffer]);
    else waiting.push(buffer);
    this.#freeBytes += size;
  }
}

/** A view of a larger buffer (Node's pool, a part of a packet) would keep all of it in memory. */
export function compactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function sizeFor(length: number): number {
  if (length <= SMALLEST) return SMALLEST;
  const step = 2 ** Math.floor(Math.log2(length - 1)) / STEPS;
  return Math.ceil(length / step) * step;
}
