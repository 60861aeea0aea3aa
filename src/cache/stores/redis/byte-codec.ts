/** Numbers are IEEE 754 doubles, lengths 32 bits before what they measure, texts UTF-8; big-endian. */

const NUMBER = 8;
const LENGTH = 4;
const encoder = new TextEncoder();

/** Values one after the other in a buffer that grows. */
export class ByteWriter {
  #room: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(expected: number) {
    this.#room = new Uint8Array(expected);
    this.#view = new DataView(this.#room.buffer);
  }

  number(value: number): this {
    this.#need(NUMBER);
    this.#view.setFloat64(this.#length, value);
    this.#length += NUMBER;
    return this;
  }

  text(value: string): this {
    // A code unit becomes three bytes at most.
    this.#need(LENGTH + 3 * value.length);
    const { written } = encoder.encodeInto(value, this.#room.subarray(this.#length + LENGTH));
    this.#view.setUint32(this.#length, written);
    this.#length += LENGTH + written;
    return this;
  }

  texts(values: readonly string[]): this {
    this.number(values.length);
    for (const value of values) this.text(value);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#need(LENGTH + value.byteLength);
    this.#view.setUint32(this.#length, value.byteLength);
    this.#room.set(value, this.#length + LENGTH);
    this.#length += LENGTH + value.byteLength;
    return this;
  }

  done(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  #need(more: number): void {
    if (this.#length + more <= this.#room.byteLength) return;
    const room = new Uint8Array(Math.max(this.#length + more, this.#room.byteLength * 2));
    room.set(this.#room.subarray(0, this.#length));
    this.#room = room;
    this.#view = new DataView(room.buffer);
  }
}

/**
 * Reads what {@link ByteWriter} wrote, from bytes that anyone may have written: what is missing reads as nothing, and
 * whether all was there and no more says {@link isComplete}.
 */
export class ByteReader {
  readonly #frame: Uint8Array;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #at = 0;
  #broken = false;

  constructor(frame: Uint8Array) {
    this.#frame = frame;
    this.#view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  }

  get isComplete(): boolean {
    return !this.#broken && this.#at === this.#frame.byteLength;
  }

  number(): number {
    const at = this.#take(NUMBER);
    const value = at === undefined ? 0 : this.#view.getFloat64(at);
    if (!Number.isFinite(value)) this.#broken = true;
    return value;
  }

  text(): string {
    return this.#decoder.decode(this.bytes());
  }

  texts(): readonly string[] {
    const count = this.number();
    const values: string[] = [];
    while (values.length < count && !this.#broken) values.push(this.text());
    return values;
  }

  /** A view of the frame. */
  bytes(): Uint8Array {
    const head = this.#take(LENGTH);
    const length = head === undefined ? 0 : this.#view.getUint32(head);
    const at = this.#take(length) ?? 0;
    return this.#broken ? new Uint8Array(0) : this.#frame.subarray(at, at + length);
  }

  #take(length: number): number | undefined {
    if (this.#broken || this.#at + length > this.#frame.byteLength) {
      this.#broken = true;
      return undefined;
    }
    this.#at += length;
    return this.#at - length;
  }
}
