const NOTHING = new Uint8Array(0);

/** A body as it comes in, kept in one piece up to a limit. What has been kept is never moved or changed. */
export class CollectedBody {
  readonly #limit: number;
  readonly #announced: number;
  #room: Uint8Array = NOTHING;
  #length = 0;

  /** @param announced the length that the head states, where it does */
  constructor(limit: number, announced = 0) {
    this.#limit = limit;
    this.#announced = announced;
  }

  get length(): number {
    return this.#length;
  }

  /** @returns false, and keeps nothing of the chunk, where it would pass the limit */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#limit) return false;
    // Most bodies come in one chunk, which is kept as it is.
    if (this.#length === 0 && length >= this.#announced) {
      this.#room = chunk;
      this.#length = length;
      return true;
    }
    if (length > this.#room.byteLength) {
      const size = Math.max(length, this.#announced, this.#room.byteLength * 2);
      const larger = new Uint8Array(Math.min(this.#limit, size));
      larger.set(this.#room.subarray(0, this.#length));
      this.#room = larger;
    }
    this.#room.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** What came after the first `position` bytes. */
  since(position: number): Uint8Array {
    return this.#room.subarray(position, this.#length);
  }

  /** The whole. Whoever keeps it copies it: the memory behind it may be longer. */
  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }
}
