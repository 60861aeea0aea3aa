import { omitUndefined } from '../omit-undefined.ts';
import { toByteString } from './encoding.ts';

/** Bytes of a part's header section, as Node limits that of a request. PHP has no limit. */
const MAX_PART_HEADER_LENGTH = 16 * 1024;

/** PHP parses no form with a longer boundary (FILLUNIT less "\r\n--"). */
const MAX_BOUNDARY_LENGTH = 5116;

/**
 * Streams PHP's grammar (main/rfc1867.c): a part ends at any text that starts with the boundary, and parts
 * can follow the closing delimiter.
 */
export class MultipartReader {
  readonly #buffer: MultipartBuffer;
  readonly #steps: MultipartParseStep<void>;
  readonly #onName: (name: string) => void;
  /** Whether {@link MAX_BOUNDARY_LENGTH} or {@link MAX_PART_HEADER_LENGTH} was exceeded. */
  isUnreadable: boolean;
  #isOver: boolean;

  /** @param boundary a byte string @param onName called before the field's value is read */
  constructor(boundary: string, onName: (name: string) => void) {
    this.#buffer = new MultipartBuffer(boundary);
    this.#onName = onName;
    this.#steps = this.#readParts(boundary);
    this.isUnreadable = boundary.length > MAX_BOUNDARY_LENGTH;
    this.#isOver = this.isUnreadable || this.#steps.next().done === true;
  }

  write(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#buffer.setNextChunk(chunk);
    this.#isOver = this.#steps.next().done === true;
  }

  end(): void {
    this.#buffer.endInput();
    while (!this.#isOver) this.#isOver = this.#steps.next().done === true;
  }

  /** rfc1867_post_handler() */
  *#readParts(boundary: string): MultipartParseStep<void> {
    const buffer = this.#buffer;
    const opening = `--${boundary}`;
    let anonymous = 0;
    let skipsFiles = false;
    while (!(yield* buffer.isAtEnd())) {
      let line = yield* buffer.readLine();
      while (line !== null && line !== opening) line = yield* buffer.readLine();
      if (line === null) return;
      const header = yield* readHeader(buffer);
      if (header === TOO_LONG) {
        this.isUnreadable = true;
        return;
      }
      if (header === null) continue;
      const { name, filename } = parsePartDisposition(header);
      if (filename === undefined) {
        if (name === undefined) return;
        this.#onName(name);
        while ((yield* buffer.readBodyPiece()) !== PART_END);
        continue;
      }
      skipsFiles ||= !hasBalancedBrackets(name ?? String(anonymous++));
      // Without a file name, the part's body is skipped line by line.
      if (!skipsFiles && filename !== '') while ((yield* buffer.readBodyPiece()) !== PART_END);
    }
  }
}

const TOO_LONG = Symbol('too long');

/** Returns the first `Content-Disposition` of a part's header section. */
function* readHeader(buffer: MultipartBuffer): MultipartParseStep<string | typeof TOO_LONG | null> {
  let name: string | undefined;
  let value = '';
  let found: string | null = null;
  let length = 0;
  const saveField = (): void => {
    if (found === null && name?.toLowerCase() === 'content-disposition') found = value;
  };
  for (;;) {
    const line = yield* buffer.readLine();
    if (line === null || line === '') break;
    length += line.length + 1;
    if (length > MAX_PART_HEADER_LENGTH) return TOO_LONG;
    const colon = /^[ \t\v\f\r]/.test(line) ? -1 : line.indexOf(':');
    if (colon >= 0) {
      saveField();
      name = line.slice(0, colon);
      value = line.slice(colon + 1).replace(/^[ \t\v\f\r]+/, '');
    } else if (name !== undefined) {
      // A line without a colon continues the field before it, even a boundary.
      value += line;
    }
  }
  saveField();
  return found;
}

/** Parses `Content-Disposition` without its type, as php_ap_getword() and php_ap_getword_conf() do. */
export function parsePartDisposition(header: string): Partial<Record<'name' | 'filename', string>> {
  const found = new Map<string, string>();
  let rest = header.replace(LEADING_SPACE, '');
  while (rest !== '') {
    const [pair, after] = cutWord(rest, ';');
    rest = after.replace(LEADING_SPACE, '');
    if (!pair.includes('=')) continue;
    const [key, value] = cutWord(pair, '=');
    found.set(key.toLowerCase(), unquote(value));
  }
  return omitUndefined({ name: found.get('name'), filename: found.get('filename') });
}

const LEADING_SPACE = /^[ \t\n\v\f\r]+/;

/** php_ap_getword(): splits at the first `stop` outside of quotes; repeated stops count as one. */
function cutWord(text: string, stop: string): readonly [word: string, rest: string] {
  let at = 0;
  while (at < text.length && text[at] !== stop) {
    const quote = text[at];
    at += 1;
    if (quote !== '"' && quote !== "'") continue;
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' && text[at + 1] === quote ? 2 : 1;
    at += 1;
  }
  let end = at;
  while (text[end] === stop) end += 1;
  return [text.slice(0, at), text.slice(end)];
}

function unquote(value: string): string {
  const text = value.replace(LEADING_SPACE, '');
  const [quote = ''] = text;
  if (quote !== '"' && quote !== "'") return removeEscapes(/^[^ \t\n\v\f\r]*/.exec(text)?.[0] ?? '', '');
  return removeEscapes(text.slice(1), quote);
}

function removeEscapes(text: string, quote: string): string {
  let plain = '';
  for (let at = 0; at < text.length && (quote === '' || text[at] !== quote); at++) {
    const next = text[at + 1];
    if (text[at] === '\\' && (next === '\\' || (quote !== '' && next === quote))) at += 1;
    plain += text[at];
  }
  return plain;
}

/** PHP accepts a file field if all brackets are closed and only brackets follow a bracket. */
function hasBalancedBrackets(name: string): boolean {
  let open = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === '[') open += 1;
    if (name[at] !== ']') continue;
    open -= 1;
    const next = name[at + 1];
    if (open < 0 || (next !== undefined && next !== '[')) return false;
  }
  return open === 0;
}

/** Finds the boundary as PHP does. */
export function parseMultipartBoundary(contentType: string): string | null {
  const declared = contentType.indexOf('boundary');
  const word = declared < 0 ? contentType.toLowerCase().indexOf('boundary') : declared;
  const equals = word < 0 ? -1 : contentType.indexOf('=', word);
  if (equals < 0) return null;
  const value = contentType.slice(equals + 1);
  if (!value.startsWith('"')) return /^[^,;]*/.exec(value)?.[0] ?? '';
  const quote = value.indexOf('"', 1);
  return quote < 0 ? null : value.slice(1, quote);
}

/** Yields while the parser needs more of the body. */
type MultipartParseStep<T> = Generator<void, T, void>;

const PART_END = 'ended';

/** FILLUNIT: bytes that PHP reads at a time. Long lines are split by it. */
const FILL_UNIT = 5 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** PHP's multipart_buffer: a window of fixed size on the body. */
class MultipartBuffer {
  readonly #bytes: Uint8Array;
  readonly #closing: Uint8Array;
  #start = 0;
  #end = 0;
  #pending: Uint8Array = new Uint8Array();
  #closed = false;

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

  /** Reads a line without its terminator, cut at the first NUL; `null` at the end of the body. */
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
    // A longer line is returned in pieces.
    if (lineFeed < 0 && this.#end - this.#start < window.length) return null;
    let end = lineFeed < 0 ? this.#end : lineFeed;
    const next = lineFeed < 0 ? this.#end : lineFeed + 1;
    if (lineFeed > this.#start && window[lineFeed - 1] === CARRIAGE_RETURN) end -= 1;
    const line = toByteString(window.subarray(this.#start, end));
    this.#start = next;
    const nul = line.indexOf('\0');
    return nul < 0 ? line : line.slice(0, nul);
  }

  /** multipart_buffer_read(). The piece is valid until the next call. */
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

  /** Finds the delimiter, or a prefix of it at the end of the window. */
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
