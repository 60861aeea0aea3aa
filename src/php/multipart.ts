import { toByteString } from './byte-string.ts';
import { MultipartBuffer, type MultipartParseStep, PART_END } from './multipart-buffer.ts';
import { hasBalancedBrackets, normalizeProtectedName, parsePartDisposition } from './multipart-header.ts';
import { MAX_INPUT_VARS } from './query.ts';
import { createVariableRegistry, type PhpArray } from './variables.ts';

/** Parses `multipart/form-data` while it streams. File contents are skipped, not stored. */
export interface MultipartReader {
  /** Bytes of the names and values in memory. */
  readonly retainedBytes: number;
  /** @param chunk not used after the call */
  write(chunk: Uint8Array): void;
  end(): MultipartForm;
}

/** The fields of a parsed form. */
export interface MultipartForm {
  /** `$_POST`, as byte strings. */
  readonly variables: PhpArray;
  /** `false` if the form exceeded the byte limit, or the limits of PHP's default settings. */
  readonly isComplete: boolean;
  /** Whether the header section of a part exceeded {@link MAX_PART_HEADER_LENGTH}. The rest was not parsed. */
  readonly hasLongHeader: boolean;
}

/**
 * Maximum length of a part's header section in bytes, that of Node for a request. PHP has no limit. The names in a header
 * are parsed at once, so a longer one would block the process.
 */
const MAX_PART_HEADER_LENGTH = 16 * 1024;

/** `max_file_uploads` */
const MAX_FILES = 20;

/**
 * Creates a parser with the grammar of PHP (main/rfc1867.c), which differs from RFC 7578: a part ends at any text that
 * starts with the boundary, the next part starts after a line that equals the boundary, and parts may follow the closing
 * delimiter.
 *
 * @param boundary a byte string
 * @param limit maximum bytes of names and values in memory
 */
export function createMultipartReader(boundary: string, limit: number): MultipartReader {
  const buffer = new MultipartBuffer(boundary);
  const form = new FormFields(limit);
  const steps = readParts(buffer, boundary, form);
  let over = steps.next().done === true;
  return {
    get retainedBytes() {
      return form.retainedBytes;
    },
    write(chunk) {
      if (over) return;
      buffer.setNextChunk(chunk);
      over = steps.next().done === true;
    },
    end() {
      buffer.endInput();
      // After close() no step waits for input.
      while (!over) over = steps.next().done === true;
      return {
        variables: form.variables.values,
        isComplete: form.complete,
        hasLongHeader: form.hasLongHeader,
      };
    },
  };
}

/** Collects fields within the limits. */
class FormFields {
  readonly variables: ReturnType<typeof createVariableRegistry> = createVariableRegistry();
  complete = true;
  hasLongHeader = false;
  readonly #files = new Set<string>();
  readonly #limit: number;
  #bytesLeft: number;
  #fields = 0;
  #parts = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#bytesLeft = limit;
  }

  get retainedBytes(): number {
    return this.#limit - Math.max(0, this.#bytesLeft);
  }

  /** Counts bytes against the limit; `false` if it is exceeded. */
  reserve(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.complete = false;
    return this.#bytesLeft >= 0;
  }

  /** @returns `false` if the form is not read any further */
  acceptHeader(length: number): boolean {
    if (length <= MAX_PART_HEADER_LENGTH) return true;
    this.hasLongHeader = true;
    this.complete = false;
    return false;
  }

  /** @returns `false` if PHP stops reading (`max_multipart_body_parts`) */
  countPart(): boolean {
    this.#parts += 1;
    if (this.#parts > MAX_INPUT_VARS + MAX_FILES) this.complete = false;
    return this.complete;
  }

  setField(name: string, value: string): void {
    this.#fields += 1;
    // Sites may raise max_input_vars, so further fields make the form incomplete.
    if (this.#fields > MAX_INPUT_VARS) this.complete = false;
    else if (this.reserve(name.length) && !this.#files.has(normalizeProtectedName(name))) {
      // PHP ignores fields with the name of a file field.
      this.variables.register(name.replace(/^ +/, ''), value);
    }
  }

  addFile(name: string): void {
    if (!this.reserve(2 * name.length)) return;
    this.#files.add(normalizeProtectedName(name));
    this.#files.add(normalizeProtectedName(`${name}[tmp_name]`));
  }
}

/** rfc1867_post_handler(): parses all parts. */
function* readParts(buffer: MultipartBuffer, boundary: string, form: FormFields): MultipartParseStep<void> {
  const opening = `--${boundary}`;
  let anonymous = 0;
  let skipsFiles = false;
  while (!(yield* buffer.isAtEnd())) {
    let line = yield* buffer.readLine();
    while (line !== null && line !== opening) line = yield* buffer.readLine();
    if (line === null) return;
    const header = yield* readHeader(buffer, form);
    if (form.hasLongHeader) return;
    if (header === null) continue;
    if (!form.countPart()) return;
    const { name, filename } = parsePartDisposition(header);
    if (filename === undefined) {
      if (name === undefined) return;
      form.setField(name, yield* readValue(buffer, form));
      continue;
    }
    const field = name ?? String(anonymous++);
    skipsFiles ||= !hasBalancedBrackets(field);
    if (skipsFiles) continue;
    // Without a file name there is no file, and the part's body is skipped line by line.
    if (filename !== '') while ((yield* buffer.readBodyPiece()) !== PART_END);
    form.addFile(field);
  }
}

/** Reads a part's header section; returns its first `Content-Disposition`, or `null` if it has none or is too long. */
function* readHeader(buffer: MultipartBuffer, form: FormFields): MultipartParseStep<string | null> {
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
    if (!form.acceptHeader(length)) return null;
    const colon = /^[ \t\v\f\r]/.test(line) ? -1 : line.indexOf(':');
    if (colon >= 0) {
      saveField();
      name = line.slice(0, colon);
      value = line.slice(colon + 1).replace(/^[ \t\v\f\r]+/, '');
    } else if (name !== undefined && form.reserve(line.length)) {
      // A line without a colon continues the field before it, even if the line is a boundary.
      value += line;
    }
  }
  saveField();
  return found;
}

function* readValue(buffer: MultipartBuffer, form: FormFields): MultipartParseStep<string> {
  let value = '';
  for (;;) {
    const piece = yield* buffer.readBodyPiece();
    if (piece === PART_END) return value;
    if (form.reserve(piece.length)) value += toByteString(piece);
  }
}
