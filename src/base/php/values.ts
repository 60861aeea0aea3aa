import { isJsonObject, isShallow, type Json, parseJson } from '../json.ts';

/** A value, or an error of `json_last_error()`; `null` for too many values. */
type PhpJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: PhpJsonError | null };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As `json_decode()`, which limits the depth to 511 and refuses lone surrogates. Too many values aren't decoded. */
export function decodePhpJson(bytes: Uint8Array): PhpJsonResult {
  // A value has two bytes at least. V8 parses the brackets of a short body at any depth.
  const exceeded = bytes.length > 2 * MAX_JSON_VALUES ? findExceededLimit(bytes) : null;
  if (exceeded === 'values') return { ok: false, error: null };
  if (exceeded === 'depth') return { ok: false, error: PHP_JSON_ERRORS.depth };
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { ok: false, error: PHP_JSON_ERRORS.utf8 };
  }
  const value = parseJson(text);
  if (value === undefined || !isShallow(value, MAX_JSON_DEPTH)) {
    const isDeep = findExceededLimit(bytes) === 'depth';
    return { ok: false, error: PHP_JSON_ERRORS[isDeep ? 'depth' : 'syntax'] };
  }
  const hasSurrogates = /\\u[dD][89a-fA-F]/.test(text);
  return !hasSurrogates || isWellFormed(value)
    ? { ok: true, value }
    : { ok: false, error: PHP_JSON_ERRORS.utf16 };
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries<Json>(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

export function castJsonToArray(value: Json): ReadonlyMap<string, Json> {
  if (typeof value !== 'object' || value === null) return new Map(value === null ? [] : [['0', value]]);
  if (!isJsonObject(value)) return new Map(Object.entries<Json>(value));
  const members = new Map<string, Json>();
  for (const name of Object.keys(value)) members.set(name, value[name] ?? null);
  return members;
}

const MAX_JSON_VALUES = 40_000;

/** Bounds what parsing costs: `JSON.parse` takes half a second for 8 MB of `{}`. */
export function findExceededLimit(bytes: Uint8Array): 'values' | 'depth' | null {
  let values = 1;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_JSON_DEPTH) return 'depth';
    if (values > MAX_JSON_VALUES) return 'values';
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface PhpJsonError {
  readonly code: number;
  readonly message: string;
}

const PHP_JSON_ERRORS: Readonly<Record<'depth' | 'syntax' | 'utf8' | 'utf16', PhpJsonError>> = {
  depth: { code: 1, message: 'Maximum stack depth exceeded' },
  syntax: { code: 4, message: 'Syntax error' },
  utf8: { code: 5, message: 'Malformed UTF-8 characters, possibly incorrectly encoded' },
  utf16: { code: 10, message: 'Single unpaired UTF-16 surrogate in unicode escape' },
};

/** The default depth of `json_decode()` is 512, and the 512th open bracket is already an error. */
const MAX_JSON_DEPTH = 511;

/** `is_numeric()` of a string in PHP 8. White space surrounds the number, but doesn't follow the sign. */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;
const LEADING_NUMBER = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i;

export function parsePhpNumber(text: string): number | null {
  return NUMERIC.test(text) ? Number(text.trim()) : null;
}

export function toPhpFloat(text: string): number {
  return Number(LEADING_NUMBER.exec(text)?.[1] ?? 0);
}

export function toPhpInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
}

export function toPhpString(value: string | number | boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  if (Number.isSafeInteger(value) || !Number.isFinite(value))
    return Object.is(value, -0) ? '-0' : String(value);
  const [digits = '', exponent = ''] = value.toExponential(13).split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 14) return String(Number(value.toPrecision(14)));
  return `${digits.replace(/(\.\d+?)0+$/, '$1')}E${exponent}`;
}
