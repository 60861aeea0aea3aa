/**
 * The encoding of values in Redis: a number is a big-endian IEEE 754 double, bytes and UTF-8 text follow their length as
 * 32 bits, a list of texts follows its length as a number.
 */

const NUMBER_SIZE = 8;
const LENGTH_SIZE = 4;
const encoder = new TextEncoder();

/** Appends values to a buffer that grows as needed. */
export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(expectedLength: number) {
    this.#buffer = new Uint8Array(expectedLength);
    this.#view = new DataView(this.#buffer.buffer);
  }

  number(value: number): this {
    this.#reserve(NUMBER_SIZE);
    this.#view.setFloat64(this.#length, value);
    this.#length += NUMBER_SIZE;
    return this;
  }

  text(value: string): this {
    // One UTF-16 code unit is at most three bytes of UTF-8.
    this.#reserve(LENGTH_SIZE + 3 * value.length);
    const { written } = encoder.encodeInto(value, this.#buffer.subarray(this.#length + LENGTH_SIZE));
    this.#view.setUint32(this.#length, written);
    this.#length += LENGTH_SIZE + written;
    return this;
  }

  texts(values: readonly string[]): this {
    this.number(values.length);
    for (const value of values) this.text(value);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(LENGTH_SIZE + value.byteLength);
    this.#view.setUint32(this.#length, value.byteLength);
    this.#buffer.set(value, this.#length + LENGTH_SIZE);
    this.#length += LENGTH_SIZE + value.byteLength;
    return this;
  }

  /** The written bytes, as a view of the buffer. */
  done(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.byteLength) return;
    const larger = new Uint8Array(Math.max(this.#length + more, this.#buffer.byteLength * 2));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/**
 * Reads what {@link ByteWriter} wrote. The bytes are untrusted: a missing value reads as 0 or as empty, and
 * {@link isComplete} tells whether the bytes contain the values that were read and nothing else.
 */
export class ByteReader {
  readonly #source: Uint8Array;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #offset = 0;
  #isInvalid = false;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  }

  get isComplete(): boolean {
    return !this.#isInvalid && this.#offset === this.#source.byteLength;
  }

  number(): number {
    const start = this.#advance(NUMBER_SIZE);
    const value = start === undefined ? 0 : this.#view.getFloat64(start);
    if (!Number.isFinite(value)) this.#isInvalid = true;
    return value;
  }

  text(): string {
    return this.#decoder.decode(this.bytes());
  }

  texts(): readonly string[] {
    const count = this.number();
    const values: string[] = [];
    while (values.length < count && !this.#isInvalid) values.push(this.text());
    return values;
  }

  /** Returns a view of the source. */
  bytes(): Uint8Array {
    const lengthStart = this.#advance(LENGTH_SIZE);
    const length = lengthStart === undefined ? 0 : this.#view.getUint32(lengthStart);
    const start = this.#advance(length) ?? 0;
    return this.#isInvalid ? new Uint8Array(0) : this.#source.subarray(start, start + length);
  }

  /** @returns the offset before the bytes that it steps over; undefined when the source has fewer */
  #advance(length: number): number | undefined {
    if (this.#isInvalid || this.#offset + length > this.#source.byteLength) {
      this.#isInvalid = true;
      return undefined;
    }
    this.#offset += length;
    return this.#offset - length;
  }
}
