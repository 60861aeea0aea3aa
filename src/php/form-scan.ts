import { toByteString } from './encoding.ts';
import { MultipartReader, parseMultipartBoundary } from './multipart.ts';
import { mangleVariableName, parseVariableName } from './query.ts';
import { toPhpContentType } from './request.ts';

/** `unclear`: versions of PHP read the form differently, or a part's header is too long to be read. */
export type ScanResult = 'absent' | 'found' | 'unclear';

/** Looks for a variable of `$_POST`, e.g. `rest_route`, while a form streams. It keeps no values, and has no limit of fields. */
export interface FormScan {
  /** @returns the result for the chunks so far */
  write(chunk: Uint8Array): ScanResult;
  end(): ScanResult;
}

/** @returns `null` if PHP reads no form from a body of this type */
export function createFormScan(contentType: string, variable: string): FormScan | null {
  const type = toPhpContentType(contentType);
  if (type === 'application/x-www-form-urlencoded') return new UrlencodedScan(variable);
  const boundary = type === 'multipart/form-data' ? parseMultipartBoundary(contentType) : null;
  return boundary === null ? null : new MultipartScan(boundary, variable);
}

/** Characters of a name, without leading spaces, that decide which variable it is. Each can be percent-encoded. */
const MAX_NAME = 128;

class UrlencodedScan implements FormScan {
  readonly #variable: string;
  /** Start of a pair whose end has not arrived: its name without leading spaces, or `=` within its value. */
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

  /** A name without `=` has no value, and WordPress ignores an empty variable. */
  end(): ScanResult {
    return 'absent';
  }
}

class MultipartScan implements FormScan {
  readonly #reader: MultipartReader;
  #isFound = false;

  constructor(boundary: string, variable: string) {
    this.#reader = new MultipartReader(boundary, (name) => {
      this.#isFound ||= mangleVariableName(name.replace(/^ +/, '')).name === variable;
    });
  }

  write(chunk: Uint8Array): ScanResult {
    this.#reader.write(chunk);
    return this.#getResult();
  }

  end(): ScanResult {
    this.#reader.end();
    return this.#getResult();
  }

  #getResult(): ScanResult {
    if (this.#isFound) return 'found';
    return this.#reader.isUnreadable ? 'unclear' : 'absent';
  }
}
