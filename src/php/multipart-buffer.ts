import { toByteString } from './byte-string.ts';

/** A step of the parser. It yields while it needs more of the body. */
export type MultipartParseStep<T> = Generator<void, T, void>;

/** Returned at the end of a part's body. */
export const PART_END = 'ended';

/** Bytes that PHP reads from a form at a time (FILLUNIT). Long lines are split by it. */
const FILL_UNIT = 5 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** PHP's multipart_buffer: a window of fixed size on the body, filled as far as possible each time. */
export class MultipartBuffer {
  readonly #bytes: Uint8Array;
  /** Delimiter that ends the body of a part. */
  readonly #closing: Uint8Array;
  #start = 0;
  #end = 0;
  #pending: Uint8Array = new Uint8Array();
  #closed = false;

  /** @param boundary a byte string */
  constructor(boundary: string) {
    this.#bytes = new Uint8Array(Math.max(FILL_UNIT, boundary.length + 6));
    this.#closing = Uint8Array.from(`\n--${boundary}`, (unit) => unit.charCodeAt(0));
  }

  setNextChunk(chunk: Uint8Array): void {
    this.#pending = chunk;
  }

  endInput(): void {
    this.#closed = true;
  }

  *isAtEnd(): MultipartParseStep<boolean> {
    if (this.#start === this.#end) yield* this.#fill();
    return this.#start === this.#end;
  }

  /** Reads a line without its terminator, cut at the first NUL like a C string; `null` at the end of the body. */
  *readLine(): MultipartParseStep<string | null> {
    let line = this.#nextLine();
    if (line === null) {
      yield* this.#fill();
      line = this.#nextLine();
    }
    return line;
  }

  #nextLine(): string | null {
    const window = this.#bytes;
    const lineFeed = this.#indexOf(LINE_FEED, this.#start);
    // A line longer than the window is returned in pieces.
    if (lineFeed < 0 && this.#end - this.#start < window.length) return null;
    let end = lineFeed < 0 ? this.#end : lineFeed;
    const next = lineFeed < 0 ? this.#end : lineFeed + 1;
    if (lineFeed > this.#start && window[lineFeed - 1] === CARRIAGE_RETURN) end -= 1;
    const line = toByteString(window.subarray(this.#start, end));
    this.#start = next;
    const nul = line.indexOf('\0');
    return nul < 0 ? line : line.slice(0, nul);
  }

  /** multipart_buffer_read(): reads a piece of a part's body. The piece is valid until the next call. */
  *readBodyPiece(): MultipartParseStep<Uint8Array | typeof PART_END> {
    if (this.#end - this.#start < FILL_UNIT) yield* this.#fill();
    const found = this.#findBoundary();
    let end = Math.min(found < 0 ? this.#end : found, this.#start + FILL_UNIT - 1);
    if (end > this.#start && found >= 0 && this.#bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
    if (end <= this.#start) return PART_END;
    const piece = this.#bytes.subarray(this.#start, end);
    this.#start = end;
    return piece;
  }

  /** Finds the delimiter, or a prefix of it at the end of the window; -1 if there is none. */
  #findBoundary(): number {
    const boundary = this.#closing;
    for (let at = this.#indexOf(LINE_FEED, this.#start); at >= 0; at = this.#indexOf(LINE_FEED, at + 1)) {
      const length = Math.min(boundary.length, this.#end - at);
      let matched = 1;
      while (matched < length && this.#bytes[at + matched] === boundary[matched]) matched += 1;
      if (matched >= length) return at;
    }
    return -1;
  }

  #indexOf(byte: number, from: number): number {
    const at = this.#bytes.indexOf(byte, from);
    return at < this.#end ? at : -1;
  }

  *#fill(): MultipartParseStep<void> {
    this.#bytes.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    for (;;) {
      const taken = Math.min(this.#bytes.length - this.#end, this.#pending.length);
      this.#bytes.set(this.#pending.subarray(0, taken), this.#end);
      this.#pending = this.#pending.subarray(taken);
      this.#end += taken;
      if (this.#end === this.#bytes.length || this.#closed) return;
      yield;
    }
  }
}
