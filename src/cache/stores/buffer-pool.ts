/** Maximum length of a body that is copied into a buffer of the pool. To copy a larger body would take too long. */
const MAX_POOLED_BODY = 256 * 1024;
/** Maximum bytes of unused buffers: evictions and new bodies alternate, so a few buffers are enough. */
const MAX_FREE_BYTES = 4 * 1024 * 1024;
/** Number of buffer sizes from one power of two to the next. No more than one eighth of a buffer is unused. */
const SIZES_PER_POWER_OF_TWO = 8;
const MIN_BUFFER_SIZE = 64;

/**
 * Reuses buffers for the bodies of stored responses. V8 keeps up to 64 MB of unreferenced buffers before it collects
 * them, so without reuse a stream of keys that are requested once takes that much more than the store's limit.
 */
export class BufferPool {
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;

  /** Copies a body into a buffer of the pool. A large body is only copied if it is a view of a larger buffer. */
  copy(body: Uint8Array): Uint8Array {
    const length = body.byteLength;
    if (length > MAX_POOLED_BODY) return compactBytes(body);
    const size = bufferSizeFor(length);
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#freeBytes -= size;
    const copy = new Uint8Array(free ?? new ArrayBuffer(size), 0, length);
    copy.set(body);
    return copy;
  }

  /** Takes back the buffer of a {@link copy}. Nothing else may refer to the copy: a socket could still be sending it. */
  release({ buffer }: Uint8Array): void {
    const size = buffer.byteLength;
    const isPoolSize = size <= bufferSizeFor(MAX_POOLED_BODY) && size === bufferSizeFor(size);
    if (!(buffer instanceof ArrayBuffer) || !isPoolSize) return;
    if (this.#freeBytes + size > MAX_FREE_BYTES) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else free.push(buffer);
    this.#freeBytes += size;
  }
}

/** Copies bytes that are a view of a larger buffer (Node's pool, a network packet), which they would keep in memory. */
export function compactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function bufferSizeFor(length: number): number {
  if (length <= MIN_BUFFER_SIZE) return MIN_BUFFER_SIZE;
  const step = 2 ** Math.floor(Math.log2(length - 1)) / SIZES_PER_POWER_OF_TWO;
  return Math.ceil(length / step) * step;
}
