import { isJsonObject, type Json } from '../json.ts';
import { toByteString } from './encoding.ts';

/** Result of `json_decode( $body, true )`: a value, or the error of `json_last_error()`; `null` for too many values to decode. */
type PhpJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: PhpJsonError | null };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes JSON as PHP does. PHP and JavaScript accept the same texts, with two exceptions: PHP limits the depth to 511,
 * and refuses an escape that is half of a surrogate pair. Both keep the last value of a repeated name.
 *
 * The event loop waits meanwhile, so a text with more than {@link MAX_JSON_VALUES} is not decoded.
 */
export function decodePhpJson(bytes: Uint8Array): PhpJsonResult {
  const exceeded = findExceededLimit(bytes);
  if (exceeded === 'values') return { ok: false, error: null };
  let error = exceeded === 'depth' ? findJsonError(bytes) : null;
  if (error !== null) return { ok: false, error };
  let text: string;
  let value: Json;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, error: findJsonError(bytes) ?? PHP_JSON_ERRORS.syntax };
  }
  // Only an escape can be an unpaired surrogate.
  error = hasSurrogateEscape(text) ? findJsonError(bytes) : null;
  return error === null ? { ok: true, value } : { ok: false, error };
}

/** `(array)` of a decoded value: a scalar becomes the element `0`. */
export function castJsonToArray(value: Json): ReadonlyMap<string, Json> {
  if (typeof value !== 'object' || value === null) return new Map(value === null ? [] : [['0', value]]);
  if (!isJsonObject(value)) return new Map(Object.entries<Json>(value));
  const members = new Map<string, Json>();
  // Faster than a map of entries, for each JSON body.
  for (const name of Object.keys(value)) members.set(name, value[name] ?? null);
  return members;
}

function hasSurrogateEscape(text: string): boolean {
  // Most texts have no escape, and a search for a string takes a tenth of the time.
  return text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text);
}

/** Values and members of a JSON text that is decoded: 50,000 members take 40 ms. */
const MAX_JSON_VALUES = 50_000;

/** Finds the first limit that a JSON text exceeds; `null` if there is none. The values of malformed JSON are an estimate. */
export function findExceededLimit(bytes: Uint8Array): 'values' | 'depth' | null {
  // Each bracket is a byte, and has one that closes it.
  if (bytes.length <= 2 * MAX_JSON_DEPTH) return null;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else continue;
    if (depth > MAX_JSON_DEPTH) return 'depth';
    if (values > MAX_JSON_VALUES) return 'values';
  }
  return null;
}

/** @returns the index of the quote that ends a string; the length of the text if there is none */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A JSON error: `json_last_error()` and `json_last_error_msg()`. */
export interface PhpJsonError {
  readonly code: number;
  readonly message: string;
}

/** The JSON errors that a body can cause. */
type PhpJsonErrorKind = 'depth' | 'mismatch' | 'control' | 'syntax' | 'utf8' | 'utf16';

export const PHP_JSON_ERRORS: Readonly<Record<PhpJsonErrorKind, PhpJsonError>> = {
  depth: { code: 1, message: 'Maximum stack depth exceeded' },
  mismatch: { code: 2, message: 'State mismatch (invalid or malformed JSON)' },
  control: { code: 3, message: 'Control character error, possibly incorrectly encoded' },
  syntax: { code: 4, message: 'Syntax error' },
  utf8: { code: 5, message: 'Malformed UTF-8 characters, possibly incorrectly encoded' },
  utf16: { code: 10, message: 'Single unpaired UTF-16 surrogate in unicode escape' },
};

/** The default depth of `json_decode()` is 512, and the 512th open bracket is already an error. */
const MAX_JSON_DEPTH = 511;

/** A token of the grammar; `text` is a string, `value` a number or a literal. */
export type JsonToken = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'value';

/** The grammar of JSON (RFC 8259), token by token and without recursion. */
export class JsonGrammar {
  /** The open brackets, outermost first. */
  readonly #open: ('{' | '[')[] = [];
  #expected: 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'more' = 'value';

  get depth(): number {
    return this.#open.length;
  }

  /** Whether the tokens so far are a whole value. */
  get isComplete(): boolean {
    return this.#expected === 'more' && this.#open.length === 0;
  }

  /** Takes the next token. @returns why it cannot stand there: `mismatch` for the bracket of the other kind */
  accept(token: JsonToken): 'mismatch' | 'syntax' | undefined {
    const expected = this.#expected;
    const innermost = this.#open[this.#open.length - 1];
    const closes = expected === 'more' || expected === 'value or ]' || expected === 'name or }';
    if ((token === '}' || token === ']') && closes && innermost !== undefined) {
      if ((token === '}') !== (innermost === '{')) return 'mismatch';
      this.#open.pop();
      this.#expected = 'more';
    } else if (token === ',' && expected === 'more' && innermost !== undefined) {
      this.#expected = innermost === '{' ? 'name' : 'value';
    } else if (token === ':' && expected === ':') {
      this.#expected = 'value';
    } else if (token === 'text' && (expected === 'name' || expected === 'name or }')) {
      this.#expected = ':';
    } else if (expected !== 'value' && expected !== 'value or ]') {
      return 'syntax';
    } else if (token === 'text' || token === 'value') {
      this.#expected = 'more';
    } else if (token === '{' || token === '[') {
      this.#open.push(token);
      this.#expected = token === '{' ? 'name or }' : 'value or ]';
    } else {
      return 'syntax';
    }
    return undefined;
  }
}

const SPACE = /[ \t\r\n]*/y;
const VALUE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u(?:[0-9a-ce-f][0-9a-f]{3}|d[0-7][0-9a-f]{2}|d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}))/iy;
const ANY_UNICODE_ESCAPE = /\\u[0-9a-f]{4}/iy;

/**
 * Finds the first error that PHP's parser reports for a JSON text; `null` for valid JSON. One pass without recursion.
 */
export function findJsonError(bytes: Uint8Array): PhpJsonError | null {
  const kind = findErrorKind({ bytes, text: toByteString(bytes) });
  return kind === null ? null : PHP_JSON_ERRORS[kind];
}

/** A JSON text as bytes, and as a byte string for regular expressions. */
interface JsonSource {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function findErrorKind(source: JsonSource): PhpJsonErrorKind | null {
  const grammar = new JsonGrammar();
  for (let at = 0; ; ) {
    const next = nextToken(source, at);
    if (next === undefined) return grammar.isComplete ? null : 'syntax';
    if ('error' in next) return next.error;
    const error = grammar.accept(next.token);
    if (error !== undefined) return error;
    if (grammar.depth > MAX_JSON_DEPTH) return 'depth';
    at = next.end;
  }
}

type TokenResult = { readonly token: JsonToken; readonly end: number } | { readonly error: PhpJsonErrorKind };

/** Reads a token as php_json_scanner.re does; `undefined` at the end of the text. */
function nextToken(source: JsonSource, from: number): TokenResult | undefined {
  const { text } = source;
  const at = matchEnd(SPACE, text, from) ?? from;
  const first = text[at];
  switch (first) {
    case undefined:
      return undefined;
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { token: first, end: at + 1 };
    case '"':
      return readString(source, at + 1);
  }
  const end = matchEnd(VALUE, text, at);
  if (end !== null) return { token: 'value', end };
  if (first < ' ') return { error: 'control' };
  return { error: first > '\x7f' && multiByteLength(text, at) === 0 ? 'utf8' : 'syntax' };
}

function readString({ bytes, text }: JsonSource, from: number): TokenResult {
  let at = from;
  for (;;) {
    at = skipPlainAscii(bytes, at);
    const next = text.charCodeAt(at);
    if (next === QUOTE) return { token: 'text', end: at + 1 };
    if (Number.isNaN(next) || next < 0x20) return { error: 'control' };
    if (next === BACKSLASH) {
      const end = matchEnd(ESCAPE, text, at);
      if (end === null)
        return { error: matchEnd(ANY_UNICODE_ESCAPE, text, at) === null ? 'syntax' : 'utf16' };
      at = end;
    } else {
      const length = multiByteLength(text, at);
      if (length === 0) return { error: 'utf8' };
      at += length;
    }
  }
}

/** Skips ASCII characters that a string contains unescaped. A loop over bytes is the fastest way for megabytes of text. */
function skipPlainAscii(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7f || byte === QUOTE || byte === BACKSLASH) break;
  }
  return at;
}

/** Returns the bytes of the well-formed UTF-8 sequence (RFC 3629 §4) that begins at `at`; 0 for any other. */
function multiByteLength(text: string, at: number): number {
  const lead = text.charCodeAt(at);
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 ? 4 : 0;
  if (length === 0 || lead > 0xf4) return 0;
  const [least, most] = SECOND_BYTES.get(lead) ?? [0x80, 0xbf];
  const second = text.charCodeAt(at + 1);
  if (!(second >= least && second <= most)) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if ((text.charCodeAt(next) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Bounds of the second byte after lead bytes for which it is not 0x80 to 0xbf: no overlong form, surrogate or excess. */
const SECOND_BYTES: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

/** Matches a sticky expression at a position; returns the end of the match, or `null`. */
function matchEnd(expression: RegExp, text: string, at: number): number | null {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : null;
}

/** Reads the code of an error in the form of `WP_Error`; `null` for any other body. */
export function readErrorCode(body: Json | undefined): string | null {
  const { code, message } = isJsonObject(body) ? body : {};
  return typeof code === 'string' && typeof message === 'string' ? code : null;
}
