const EMPTY = new Uint8Array(0);

/** Collects the chunks of a body in one buffer, up to a limit. The bytes of a view that it has returned never change. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #expectedLength: number;
  #buffer: Uint8Array = EMPTY;
  #length = 0;

  /**
   * @param limit maximum length in bytes
   * @param expectedLength the value of `Content-Length`, or 0 if it is unknown
   */
  constructor(limit: number, expectedLength = 0) {
    this.#limit = limit;
    this.#expectedLength = expectedLength;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Appends a chunk.
   *
   * @returns false if the chunk would exceed the limit; it is not added then
   */
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

  /** Returns a view of the bytes from offset `position`. */
  bytesFrom(position: number): Uint8Array {
    return this.#buffer.subarray(position, this.#length);
  }

  /** Returns a view of all bytes. Its `ArrayBuffer` may be longer, so a store must copy the bytes. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
