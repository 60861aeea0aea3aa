import { parseVariableName, toByteString, toPhpContentType } from './request.ts';

/** `unclear`: versions of PHP differ, or a part's header is too long. */
type ScanResult = 'absent' | 'found' | 'unclear';

/** Looks for a variable of `$_POST`, e.g. `rest_route`, in a streamed form. */
interface FormScan {
  write(chunk: Uint8Array): ScanResult;
  end(): ScanResult;
}

/** @returns `null` if PHP reads no form of this type */
export function createFormScan(contentType: string, variable: string): FormScan | null {
  const type = toPhpContentType(contentType);
  if (type === 'application/x-www-form-urlencoded') return new UrlencodedScan(variable);
  const boundary = type === 'multipart/form-data' ? parseMultipartBoundary(contentType) : null;
  return boundary === null ? null : new MultipartScan(boundary, variable);
}

const MAX_NAME = 128;

class UrlencodedScan implements FormScan {
  readonly #variable: string;
  #pair = '';

  constructor(variable: string) {
    this.#variable = variable;
  }

  write(chunk: Uint8Array): ScanResult {
    const pairs = (this.#pair + toByteString(chunk)).split('&');
    const last = pairs.at(-1) ?? '';
    const hasValue = last.includes('=');
    if (!hasValue && last.length <= MAX_NAME) pairs.pop();
    this.#pair = hasValue ? '=' : last.replace(/^(?:\+|%20| )+/, '').slice(0, MAX_NAME);
    const names = pairs.map((pair) => parseVariableName(pair.split('=', 1)[0] ?? '').name);
    return names.includes(this.#variable) ? 'found' : 'absent';
  }

  /** WordPress ignores an empty variable, such as a name without `=`. */
  end(): ScanResult {
    return 'absent';
  }
}

const MAX_PART_HEADER_LENGTH = 16 * 1024;

/** PHP parses no form with a longer boundary (FILLUNIT less "\r\n--"). */
const MAX_BOUNDARY_LENGTH = 5116;

/** Finds what main/rfc1867.c can take for a name: PHP continues lines, ends them at NUL, ignores repeated `=`. */
class MultipartScan implements FormScan {
  readonly #delimiter: string;
  readonly #name: RegExp;
  #text = '';
  #isInHeader = false;

  constructor(boundary: string, variable: string) {
    this.#delimiter = `--${boundary}`;
    const letters = Array.from(variable, (letter) => (letter === '_' ? '[ ._[]' : letter));
    const name = [...'name'].map((letter) => `[${letter}${letter.toUpperCase()}]`);
    this.#name = new RegExp(
      `${[...name, `=+(?:[\\s"']|${LINE_END})*`, ...letters].join(`(?:${LINE_END})*`)}(?![\\w.-])`,
    );
  }

  write(chunk: Uint8Array): ScanResult {
    if (this.#delimiter.length - 2 > MAX_BOUNDARY_LENGTH) return 'unclear';
    this.#text += toByteString(chunk);
    for (;;) {
      if (!this.#isInHeader) {
        const start = this.#text.indexOf(this.#delimiter);
        this.#text = this.#text.slice(
          start < 0 ? 1 - this.#delimiter.length : start + this.#delimiter.length,
        );
        if (start < 0) return 'absent';
        this.#isInHeader = true;
      }
      const end = this.#text.search(/\n\r?\n/);
      if ((end < 0 ? this.#text.length : end) > MAX_PART_HEADER_LENGTH) return 'unclear';
      if (end < 0) return 'absent';
      const header = this.#text.slice(0, end + 1);
      if (this.#name.test(header) && !FILE_HEADER.test(header)) return 'found';
      this.#text = this.#text.slice(end + 1);
      this.#isInHeader = false;
    }
  }

  end(): ScanResult {
    return this.#isInHeader && this.#name.test(this.#text) ? 'found' : 'absent';
  }
}

const LINE_END = '\\0[^\\n]*\\n|\\r?\\n';

/** The header section of a file as browsers write it. A file isn't a variable. */
const FILE_HEADER =
  /^\r\nContent-Disposition: form-data; name="[^"\\\s\0]*"; filename="[^"\\\r\n\0]*"\r\n(?:Content-Type: [\w.+/-]+\r\n)?$/;

/** As PHP's rfc1867.c does. */
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
