import { bytesOf } from './decode.ts';
import { dispositionOf, isBalanced, protectedName } from './multipart-header.ts';
import { MAX_INPUT_VARS } from './query.ts';
import { createVariables, type PhpArray } from './variables.ts';

/** Reads a form of parts (`multipart/form-data`) as it comes by. Files are looked past and not held. */
export interface MultipartReader {
  /** Not kept beyond the call. */
  write(chunk: Uint8Array): void;
  end(): MultipartForm;
}

export interface MultipartForm {
  /** `$_POST`, in byte strings. */
  readonly variables: PhpArray;
  /** False where there was more than is held, or than a PHP of default settings reads. */
  readonly complete: boolean;
}

/** What PHP reads from the form at a time (FILLUNIT). Where a line ends depends on it. */
const UNIT = 5 * 1024;
/** `max_file_uploads` */
const MAX_FILES = 20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ENDED = 'ended';

/** Waits for more of the body, where a step needs it. */
type Step<T> = Generator<void, T, void>;

/**
 * The grammar of PHP's own reader (main/rfc1867.c), which is not that of RFC 7578: a part ends at whatever begins with
 * the boundary, the next begins behind a line that is the boundary, and after the closing one there may be more.
 *
 * @param boundary a byte string
 * @param limit how many bytes of names and values are held
 */
export function createMultipartReader(boundary: string, limit: number): MultipartReader {
  const post = new PostBuffer(Math.max(UNIT, boundary.length + 6));
  const form = new Form(limit);
  const steps = readParts(post, boundary, form);
  let over = steps.next().done === true;
  return {
    write(chunk) {
      if (over) return;
      post.give(chunk);
      over = steps.next().done === true;
    },
    end() {
      post.close();
      // What has all there is waits for nothing.
      while (!over) over = steps.next().done === true;
      return { variables: form.variables.values, complete: form.complete };
    },
  };
}

/** The fields so far. */
class Form {
  readonly variables: ReturnType<typeof createVariables> = createVariables();
  complete = true;
  readonly #files = new Set<string>();
  #room: number;
  #fields = 0;
  #parts = 0;

  constructor(limit: number) {
    this.#room = limit;
  }

  /** Whether there is room for more bytes. */
  take(bytes: number): boolean {
    this.#room -= bytes;
    if (this.#room < 0) this.complete = false;
    return this.#room >= 0;
  }

  /** @returns false where PHP reads no further (`max_multipart_body_parts`) */
  countPart(): boolean {
    this.#parts += 1;
    if (this.#parts > MAX_INPUT_VARS + MAX_FILES) this.complete = false;
    return this.complete;
  }

  setField(name: string, value: string): void {
    this.#fields += 1;
    // Sites raise the number that is read.
    if (this.#fields > MAX_INPUT_VARS) this.complete = false;
    else if (this.take(name.length) && !this.#files.has(protectedName(name))) {
      // What a file is called is no field's name any more.
      this.variables.register(name.replace(/^ +/, ''), value);
    }
  }

  addFile(name: string): void {
    if (!this.take(2 * name.length)) return;
    this.#files.add(protectedName(name));
    this.#files.add(protectedName(`${name}[tmp_name]`));
  }
}

/** rfc1867_post_handler() */
function* readParts(post: PostBuffer, boundary: string, form: Form): Step<void> {
  const opening = `--${boundary}`;
  const closing = new Uint8Array([LINE_FEED, ...Array.from(opening, (unit) => unit.charCodeAt(0))]);
  let anonymous = 0;
  let skipsFiles = false;
  while (!(yield* post.isOver())) {
    let line = yield* post.line();
    while (line !== null && line !== opening) line = yield* post.line();
    if (line === null) return;
    const header = yield* readHeader(post, form);
    if (header === null) continue;
    if (!form.countPart()) return;
    const { name, filename } = dispositionOf(header);
    if (filename === undefined) {
      if (name === undefined) return;
      form.setField(name, yield* readValue(post, closing, form));
      continue;
    }
    const field = name ?? String(anonymous++);
    skipsFiles ||= !isBalanced(field);
    if (skipsFiles) continue;
    // Without a name there is no file, and what stands in its place is looked past line by line.
    if (filename !== '') while ((yield* post.read(closing)) !== ENDED);
    form.addFile(field);
  }
}

/** The value of the first `Content-Disposition` of a part; null where there is none. */
function* readHeader(post: PostBuffer, form: Form): Step<string | null> {
  let name: string | undefined;
  let value = '';
  let found: string | null = null;
  const keep = (): void => {
    if (found === null && name?.toLowerCase() === 'content-disposition') found = value;
  };
  for (;;) {
    const line = yield* post.line();
    if (line === null || line === '') break;
    const colon = /^[ \t\v\f\r]/.test(line) ? -1 : line.indexOf(':');
    if (colon >= 0) {
      keep();
      name = line.slice(0, colon);
      value = line.slice(colon + 1).replace(/^[ \t\v\f\r]+/, '');
    } else if (name !== undefined && form.take(line.length)) {
      // What has no colon goes on with the field before it. A boundary on the way is such a line.
      value += line;
    }
  }
  keep();
  return found;
}

function* readValue(post: PostBuffer, closing: Uint8Array, form: Form): Step<string> {
  let value = '';
  for (;;) {
    const piece = yield* post.read(closing);
    if (piece === ENDED) return value;
    if (form.take(piece.length)) value += bytesOf(piece);
  }
}

/** multipart_buffer: a window of fixed size on the body, filled as far as it goes each time. */
class PostBuffer {
  readonly #bytes: Uint8Array;
  #start = 0;
  #end = 0;
  #given: Uint8Array = new Uint8Array();
  #closed = false;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  give(chunk: Uint8Array): void {
    this.#given = chunk;
  }

  close(): void {
    this.#closed = true;
  }

  *isOver(): Step<boolean> {
    if (this.#start === this.#end) yield* this.#fill();
    return this.#start === this.#end;
  }

  /** The next line without its end, cut at the first NUL as a C string is; null at the end of the body. */
  *line(): Step<string | null> {
    let line = this.#nextLine();
    if (line === null) {
      yield* this.#fill();
      line = this.#nextLine();
    }
    return line;
  }

  #nextLine(): string | null {
    const bytes = this.#bytes;
    const feed = this.#indexOf(LINE_FEED, this.#start);
    // A longer line comes in pieces.
    if (feed < 0 && this.#end - this.#start < bytes.length) return null;
    let end = feed < 0 ? this.#end : feed;
    const next = feed < 0 ? this.#end : feed + 1;
    if (feed > this.#start && bytes[feed - 1] === CARRIAGE_RETURN) end -= 1;
    const line = bytesOf(bytes.subarray(this.#start, end));
    this.#start = next;
    const nul = line.indexOf('\0');
    return nul < 0 ? line : line.slice(0, nul);
  }

  /** multipart_buffer_read(): a piece of a part's body, valid until the next call. */
  *read(closing: Uint8Array): Step<Uint8Array | typeof ENDED> {
    if (this.#end - this.#start < UNIT) yield* this.#fill();
    const found = this.#find(closing);
    let end = Math.min(found < 0 ? this.#end : found, this.#start + UNIT - 1);
    if (end > this.#start && found >= 0 && this.#bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
    if (end <= this.#start) return ENDED;
    const piece = this.#bytes.subarray(this.#start, end);
    this.#start = end;
    return piece;
  }

  /** Where the boundary stands, or may begin at the end of the window. */
  #find(closing: Uint8Array): number {
    for (let at = this.#indexOf(LINE_FEED, this.#start); at >= 0; at = this.#indexOf(LINE_FEED, at + 1)) {
      const length = Math.min(closing.length, this.#end - at);
      let same = 1;
      while (same < length && this.#bytes[at + same] === closing[same]) same += 1;
      if (same >= length) return at;
    }
    return -1;
  }

  #indexOf(byte: number, from: number): number {
    const at = this.#bytes.indexOf(byte, from);
    return at < this.#end ? at : -1;
  }

  *#fill(): Step<void> {
    this.#bytes.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    for (;;) {
      const taken = Math.min(this.#bytes.length - this.#end, this.#given.length);
      this.#bytes.set(this.#given.subarray(0, taken), this.#end);
      this.#given = this.#given.subarray(taken);
      this.#end += taken;
      if (this.#end === this.#bytes.length || this.#closed) return;
      yield;
    }
  }
}
