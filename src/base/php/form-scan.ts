import { toByteString, toPhpContentType } from './request.ts';

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

/** Of all pairs, as a site can raise `max_input_vars`. One expression searches each chunk: pairs can be as short as two bytes. */
class UrlencodedScan implements FormScan {
  readonly #name: RegExp;
  /** The end of what has arrived, if it can begin the variable's name. */
  #rest = '&';

  constructor(variable: string) {
    const letters = Array.from(variable, (letter) =>
      letter === '_' ? '(?:[ +._[]|%(?:20|2[eE]|5[bBfF]))' : toLetterPattern(letter),
    );
    this.#name = new RegExp(`&(?:[ +]|%20)*${letters.join('')}(?=[&=\\0]|%00|${SUBSCRIPT})`);
  }

  write(chunk: Uint8Array): ScanResult {
    const text = this.#rest + toByteString(chunk);
    const start = text.lastIndexOf('&');
    const last = start < 0 ? '' : text.slice(start).replace(/^&(?:\+|%20| )+/, '&');
    this.#rest = last.includes('=') ? '' : last.slice(0, MAX_NAME);
    return this.#name.test(text) ? 'found' : 'absent';
  }

  /** WordPress ignores an empty variable, such as a name without `=`. */
  end(): ScanResult {
    return 'absent';
  }
}

/** Without a closing bracket, PHP reads `a[` as `a_`. */
const SUBSCRIPT = '(?:\\[|%5[bB])[^&=]*(?:\\]|%5[dD])';

function toLetterPattern(letter: string): string {
  const code = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|%${code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
}

const MAX_PART_HEADER_LENGTH = 16 * 1024;

/** PHP parses no form with a longer boundary (FILLUNIT less "\r\n--"). */
const MAX_BOUNDARY_LENGTH = 5116;

/** Of one form. PHP 8.2 reads as many as it reads variables and files: 1,020 by default. */
const MAX_PARTS = 20_000;

/** Finds what main/rfc1867.c can take for a name: PHP continues lines and ignores repeated `=`. NUL would end a line. */
class MultipartScan implements FormScan {
  readonly #delimiter: string;
  readonly #name: RegExp;
  #text = '';
  #isInHeader = false;
  #parts = 0;

  constructor(boundary: string, variable: string) {
    this.#delimiter = `--${boundary}`;
    const letters = Array.from(variable, (letter) => (letter === '_' ? '[ ._[]' : letter));
    const name = [...'name'].map((letter) => `[${letter}${letter.toUpperCase()}]`);
    this.#name = new RegExp(`${[...name, '=+'].join(LINE_END)}[\\s"']*${letters.join(LINE_END)}(?![\\w.-])`);
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
        this.#parts += 1;
      }
      const end = this.#text.search(/\n\r?\n/);
      const length = end < 0 ? this.#text.length : end;
      if (length > MAX_PART_HEADER_LENGTH || this.#parts > MAX_PARTS) return 'unclear';
      if (end < 0) return 'absent';
      const result = this.#inspect(this.#text.slice(0, end + 1));
      if (result !== 'absent') return result;
      this.#text = this.#text.slice(end + 1);
      this.#isInHeader = false;
    }
  }

  #inspect(header: string): ScanResult {
    if (header.includes('\0')) return 'unclear';
    return this.#name.test(header) && !FILE_HEADER.test(header) ? 'found' : 'absent';
  }

  end(): ScanResult {
    return this.#isInHeader ? this.#inspect(this.#text) : 'absent';
  }
}

const LINE_END = '(?:\\r?\\n)?';

/** The header section of a file as browsers write it. A file isn't a variable. */
const FILE_HEADER =
  /^\r\nContent-Disposition: form-data; name="[^"\\\s]*"; filename="[^"\\\r\n]*"\r\n(?:Content-Type: [\w.+/-]+\r\n)?$/;

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
