const EMPTY = new Uint8Array(0);

/** Collects a body that is still arriving in one buffer, up to a limit. Bytes once added are never moved or changed. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #expectedLength: number;
  #buffer: Uint8Array = EMPTY;
  #length = 0;

  /** @param expectedLength `Content-Length`, where the head has it */
  constructor(limit: number, expectedLength = 0) {
    this.#limit = limit;
    this.#expectedLength = expectedLength;
  }

  get length(): number {
    return this.#length;
  }

  /** @returns false where the chunk would exceed the limit; nothing of it is added then */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#limit) return false;
    // Most bodies arrive in one chunk, which is used without a copy.
    if (this.#length === 0 && length >= this.#expectedLength) {
      this.#buffer = chunk;
      this.#length = length;
      return true;
    }
    if (length > this.#buffer.byteLength) {
      const size = Math.max(length, this.#expectedLength, this.#buffer.byteLength * 2);
      const larger = new Uint8Array(Math.min(this.#limit, size));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** A view of the bytes after the first `position`. */
  bytesFrom(position: number): Uint8Array {
    return this.#buffer.subarray(position, this.#length);
  }

  /** A view of all bytes. The memory behind it may be longer, so a store must copy it. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
