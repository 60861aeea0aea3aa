import { toByteString } from './byte-string.ts';
import { MultipartBuffer, PART_END, type ParseStep } from './multipart-buffer.ts';
import { hasBalancedBrackets, normalizeProtectedName, parsePartDisposition } from './multipart-header.ts';
import { MAX_INPUT_VARS } from './query.ts';
import { createVariableRegistry, type PhpArray } from './variables.ts';

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

/** `max_file_uploads` */
const MAX_FILES = 20;

/**
 * The grammar of PHP's own reader (main/rfc1867.c), which is not that of RFC 7578: a part ends at whatever begins with
 * the boundary, the next begins behind a line that is the boundary, and after the closing one there may be more.
 *
 * @param boundary a byte string
 * @param limit how many bytes of names and values are held
 */
export function createMultipartReader(boundary: string, limit: number): MultipartReader {
  const buffer = new MultipartBuffer(boundary);
  const form = new FormFields(limit);
  const steps = readParts(buffer, boundary, form);
  let over = steps.next().done === true;
  return {
    write(chunk) {
      if (over) return;
      buffer.feed(chunk);
      over = steps.next().done === true;
    },
    end() {
      buffer.close();
      // What has all there is waits for nothing.
      while (!over) over = steps.next().done === true;
      return { variables: form.variables.values, complete: form.complete };
    },
  };
}

/** The fields so far. */
class FormFields {
  readonly variables: ReturnType<typeof createVariableRegistry> = createVariableRegistry();
  complete = true;
  readonly #files = new Set<string>();
  #bytesLeft: number;
  #fields = 0;
  #parts = 0;

  constructor(limit: number) {
    this.#bytesLeft = limit;
  }

  /** Whether there is room for more bytes. */
  reserve(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.complete = false;
    return this.#bytesLeft >= 0;
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
    else if (this.reserve(name.length) && !this.#files.has(normalizeProtectedName(name))) {
      // What a file is called is no field's name any more.
      this.variables.register(name.replace(/^ +/, ''), value);
    }
  }

  addFile(name: string): void {
    if (!this.reserve(2 * name.length)) return;
    this.#files.add(normalizeProtectedName(name));
    this.#files.add(normalizeProtectedName(`${name}[tmp_name]`));
  }
}

/** rfc1867_post_handler() */
function* readParts(buffer: MultipartBuffer, boundary: string, form: FormFields): ParseStep<void> {
  const opening = `--${boundary}`;
  let anonymous = 0;
  let skipsFiles = false;
  while (!(yield* buffer.isAtEnd())) {
    let line = yield* buffer.readLine();
    while (line !== null && line !== opening) line = yield* buffer.readLine();
    if (line === null) return;
    const header = yield* readHeader(buffer, form);
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
    // Without a name there is no file, and what stands in its place is looked past line by line.
    if (filename !== '') while ((yield* buffer.readBody()) !== PART_END);
    form.addFile(field);
  }
}

/** The value of the first `Content-Disposition` of a part; null where there is none. */
function* readHeader(buffer: MultipartBuffer, form: FormFields): ParseStep<string | null> {
  let name: string | undefined;
  let value = '';
  let found: string | null = null;
  const keep = (): void => {
    if (found === null && name?.toLowerCase() === 'content-disposition') found = value;
  };
  for (;;) {
    const line = yield* buffer.readLine();
    if (line === null || line === '') break;
    const colon = /^[ \t\v\f\r]/.test(line) ? -1 : line.indexOf(':');
    if (colon >= 0) {
      keep();
      name = line.slice(0, colon);
      value = line.slice(colon + 1).replace(/^[ \t\v\f\r]+/, '');
    } else if (name !== undefined && form.reserve(line.length)) {
      // What has no colon goes on with the field before it. A boundary on the way is such a line.
      value += line;
    }
  }
  keep();
  return found;
}

function* readValue(buffer: MultipartBuffer, form: FormFields): ParseStep<string> {
  let value = '';
  for (;;) {
    const piece = yield* buffer.readBody();
    if (piece === PART_END) return value;
    if (form.reserve(piece.length)) value += toByteString(piece);
  }
}
