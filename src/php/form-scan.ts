import { toByteString } from './encoding.ts';
import { MultipartReader, parseMultipartBoundary } from './multipart.ts';
import { mangleVariableName, parseVariableName } from './query.ts';
import { toPhpContentType } from './request.ts';

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

/** Maximum length of a name, in characters that can each be percent-encoded. */
const MAX_NAME = 128;

class UrlencodedScan implements FormScan {
  readonly #variable: string;
  /** Start of a pair whose end hasn't arrived: its name, or `=` within its value. */
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
