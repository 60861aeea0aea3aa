import type { Json } from '../json.ts';
import { memoizeByString } from '../memoize.ts';

/** PHP's escaping on byte strings (one code unit for each byte). Malformed escapes stay unchanged. */

/** `urldecode()`: `+` becomes a space, `%41` becomes `A`, `%zz` stays. */
export function urlDecode(text: string): string {
  return decode(text, text.includes('+'));
}

/** `rawurldecode()`: as {@link urlDecode}, but `+` stays. */
export function rawUrlDecode(text: string): string {
  return decode(text, false);
}

function decode(text: string, hasPlus: boolean): string {
  if (!hasPlus && !text.includes('%')) return text;
  const bytes = fromByteString(text);
  const { length } = bytes;
  let end = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT && at + 2 < length ? hexDigit(bytes[at + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2] ?? 0);
    if (low < 0) bytes[end++] = hasPlus && byte === PLUS ? SPACE : byte;
    else {
      bytes[end++] = 16 * high + low;
      at += 2;
    }
  }
  return toByteString(bytes.subarray(0, end));
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Slashes stay, as in `rest_route=/a/b`; other reserved bytes (RFC 3986 §2.3) don't. */
export function encodeQueryValue(bytes: string): string {
  if (/^[\w.~/-]*$/.test(bytes)) return bytes;
  return bytes.replace(/[^\w.~/-]/g, escapeByte);
}

export function escapeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** `addslashes()`: `wp_magic_quotes()` applies it before routes match, so `/it's` is `/it\'s`. */
export function addSlashes(bytes: string): string {
  return bytes.replace(/[\0'"\\]/g, (byte) => (byte === '\0' ? '\\0' : `\\${byte}`));
}

/** `stripslashes()`: the text to send so that WordPress sees `bytes`. */
export function stripSlashes(bytes: string): string {
  if (!bytes.includes('\\')) return bytes;
  return bytes.replace(/\\([\s\S]?)/g, (_, byte: string) => (byte === '0' ? '\0' : byte));
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function decodeByteString(bytes: string): string {
  return isAscii(bytes) ? bytes : UTF8.decode(fromByteString(bytes));
}

export function encodeByteString(result: string): string {
  return isAscii(result) ? result : toByteString(new TextEncoder().encode(result));
}

export function toByteString({ buffer, byteLength, byteOffset }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function fromByteString(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function isAscii(result: string): boolean {
  return !/[^\0-\x7f]/.test(result);
}

export interface QueryPair {
  readonly raw: string;
  readonly name: string;
  readonly isArray: boolean;
  readonly value: string;
}

export const MAX_INPUT_VARS = 1000;

export const parseQueryPairs: (raw: string) => readonly QueryPair[] = memoizeByString(
  (raw): readonly QueryPair[] => splitQuery(raw, Number.POSITIVE_INFINITY).map(parsePair),
  1,
);

function splitQuery(raw: string, limit: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < raw.length && pieces.length < limit; ) {
    let end = raw.indexOf('&', start);
    if (end < 0) end = raw.length;
    if (end > start) pieces.push(raw.slice(start, end));
    start = end + 1;
  }
  return pieces;
}

function parsePair(raw: string): QueryPair {
  const equals = raw.indexOf('=');
  const value = equals < 0 ? '' : raw.slice(equals + 1);
  return { raw, value, ...parseVariableName(equals < 0 ? raw : raw.slice(0, equals)) };
}

/** Decodes a raw name and mangles it like php_register_variable_ex(). */
export function parseVariableName(rawName: string): { readonly name: string; readonly isArray: boolean } {
  return mangleVariableName(decodeVariableName(rawName));
}

/** php_register_variable_ex(): the name before the first bracket. */
function mangleVariableName(decodedName: string): { readonly name: string; readonly isArray: boolean } {
  if (/^[a-z_][\w-]*$/i.test(decodedName)) return { name: decodedName, isArray: false };
  const bracket = decodedName.indexOf('[');
  if (bracket === 0) return { name: '', isArray: false };
  const isArray = bracket > 0 && decodedName.includes(']', bracket + 1);
  const name = isArray
    ? decodedName.slice(0, bracket).replace(/[ .]/g, '_')
    : decodedName.replace(/[ .[]/g, '_');
  return isForgedCookieName(name, decodedName) ? { name: '', isArray: false } : { name, isArray };
}

function decodeVariableName(rawName: string): string {
  const decoded = urlDecode(rawName);
  const nul = decoded.indexOf('\0');
  return (nul < 0 ? decoded : decoded.slice(0, nul)).replace(/^ +/, '');
}

/** Whether mangling makes a name a protected cookie's, which PHP drops (8.1.11, CVE-2022-31629). */
function isForgedCookieName(name: string, decodedName: string): boolean {
  return ['__Host-', '__Secure-'].some(
    (prefix) => name.startsWith(prefix) && !decodedName.startsWith(prefix),
  );
}

export type PhpValue = string | PhpArray;

/** A PHP array in insertion order. Integer keys are decimal text: `"7"` and `7` are the same. */
export type PhpArray = ReadonlyMap<string, PhpValue>;

type MutablePhpArray = Map<string, string | MutablePhpArray>;

const MAX_NESTING = 64;
const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);
const EMPTY_ARRAY: PhpArray = new Map();

/** php_register_variable_ex(): the variables that PHP registers. */
export class VariableRegistry {
  readonly #values: MutablePhpArray = new Map();
  readonly #nextIndex = new Map<MutablePhpArray, bigint>();

  get values(): PhpArray {
    return this.#values;
  }

  register(decodedName: string, value: string): void {
    const { name, isArray } = mangleVariableName(decodedName);
    if (name === '') return;
    if (!isArray) {
      this.#values.set(name, value);
      return;
    }
    const keys = parseSubscripts(decodedName);
    // PHP drops the whole variable, with elements that earlier pairs have set.
    if (keys === null) this.#values.delete(name);
    else this.#setNested(name, keys, value, decodedName);
  }

  #setNested(name: string, keys: readonly (string | null)[], value: string, decodedName: string): void {
    let array = this.#values;
    let key: string | null = name;
    for (const next of keys) {
      const existing: string | MutablePhpArray | undefined = key === null ? undefined : array.get(key);
      const child: MutablePhpArray = existing instanceof Map ? existing : new Map();
      if (child !== existing && !this.#setElement(array, key, child)) return;
      // PHP also refuses such a key, and keeps the arrays created so far.
      if (next !== null && isForgedCookieName(next, decodedName)) return;
      array = child;
      key = next;
    }
    this.#setElement(array, key, value);
  }

  #setElement(array: MutablePhpArray, key: string | null, value: string | MutablePhpArray): boolean {
    const next = this.#nextIndex.get(array) ?? 0n;
    const index = key === null ? next : integerKey(key);
    const text = key ?? String(next);
    if (key === null && array.has(text)) return false;
    array.set(text, value);
    if (index !== null && (index >= next || !this.#nextIndex.has(array))) {
      this.#nextIndex.set(array, index < LONG_MAX ? index + 1n : LONG_MAX);
    }
    return true;
  }
}

/** `parse_str()` on byte strings, with PHP's default limits. */
export function parsePhpQuery(raw: string): PhpArray {
  if (raw === '') return EMPTY_ARRAY;
  const variables = new VariableRegistry();
  for (const piece of splitQuery(raw, MAX_INPUT_VARS)) {
    const equals = piece.indexOf('=');
    const name = decodeVariableName(equals < 0 ? piece : piece.slice(0, equals));
    variables.register(name, equals < 0 ? '' : urlDecode(piece.slice(equals + 1)));
  }
  return variables.values;
}

/** Parses subscripts. `null` in the list is `[]`, which appends; a result of `null` is too deep. */
function parseSubscripts(name: string): readonly (string | null)[] | null {
  const keys: (string | null)[] = [];
  let at = name.indexOf('[');
  while (name[at] === '[') {
    if (keys.length === MAX_NESTING) return null;
    // PHP skips one white-space character to find an empty subscript, but keeps it in a key.
    const search = ' \t\n\v\f\r'.includes(name[at + 1] ?? 'no') ? at + 2 : at + 1;
    const end = name.indexOf(']', search);
    if (end < 0) break;
    keys.push(end === search ? null : name.slice(at + 1, end));
    at = end + 1;
  }
  return keys;
}

function integerKey(key: string): bigint | null {
  if (key.length > 20 || !/^(?:0|-?[1-9]\d*)$/.test(key)) return null;
  const index = BigInt(key);
  return index >= LONG_MIN && index <= LONG_MAX ? index : null;
}

/** An array with the keys 0, 1, 2, … becomes a list, any other an object. */
export function phpArrayToJsonMembers(variables: PhpArray): ReadonlyMap<string, Json> {
  return new Map([...variables].map(([name, value]) => [decodeByteString(name), phpValueToJson(value)]));
}

function phpValueToJson(value: PhpValue): Json {
  if (typeof value === 'string') return decodeByteString(value);
  const keys = [...value.keys()];
  if (keys.every((key, index) => key === String(index))) return [...value.values()].map(phpValueToJson);
  return Object.fromEntries(
    [...value].map(([key, member]) => [decodeByteString(key), phpValueToJson(member)]),
  );
}

export interface ParsedVariables {
  readonly values: ReadonlyMap<string, Json>;
  /** `false` beyond PHP's default limit, which a site can raise (`max_input_vars`). */
  readonly isComplete: boolean;
}

const NO_VARIABLES: ParsedVariables = { values: new Map(), isComplete: true };

/** @param bytes a query without question mark, or an urlencoded body */
export function parseVariables(bytes: string): ParsedVariables {
  if (bytes === '') return NO_VARIABLES;
  return {
    values: phpArrayToJsonMembers(parsePhpQuery(bytes)),
    isComplete: !hasMoreThan(bytes, MAX_INPUT_VARS - 1),
  };
}

/** `null` if it isn't certain how many variables the site parses. */
export function parseQueryParameters(bytes: string): ReadonlyMap<string, Json> | null {
  const { values, isComplete } = parseVariables(bytes);
  return isComplete ? values : null;
}

function hasMoreThan(bytes: string, count: number): boolean {
  let found = 1;
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    found += 1;
    if (found > count) return true;
  }
  return false;
}

/**
 * As web servers and PHP read it: `//wp-admin%2f` is `/wp-admin`, `/wp-login.php/x` is `/wp-login.php`. In
 * `/a.php/wp-login.php` servers run either script. @param isWhole keep what follows a script
 */
export function toSitePath(path: string, isWhole = false): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const merged = `/${decoded}`
    .toLowerCase()
    .replace(/[/\\]+/g, '/')
    .replace(/^\/index\.php(?=\/|$)/, '');
  const [script = merged] = /^.*?\.php(?=\/)/s.exec(merged) ?? [];
  const namesAnother = /\/wp-|\.php/.test(merged.slice(script.length));
  return (isWhole || namesAnother ? merged : script).replace(/\/$/, '') || '/';
}

/** `Content-Type` as PHP and WordPress parse it, against RFC 9110 and each other. */

/** The type by which PHP selects its body parser (`sapi_read_post_data()`). */
export function toPhpContentType(header: string | null): string {
  return /^[^;, ]*/.exec(header ?? '')?.[0].toLowerCase() ?? '';
}

/** `WP_REST_Request::get_content_type()`: `null` if absent or without slash. */
export function toWordPressContentType(header: string | null): string | null {
  if (header === null || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = (semicolon > 0 ? header.slice(0, semicolon) : header).toLowerCase();
  return value.includes('/') ? value.trim() : null;
}

/** `WP_REST_Request::is_json_content_type()`: `&-^` in its class is a range with comma and slash. */
export function isJsonContentType(header: string | null): boolean {
  const value = toWordPressContentType(header) ?? '';
  for (const { 0: found, 1: run, index } of value.matchAll(/(?:^|[\s,])application\/([\w!#$&-^.+]*)/g)) {
    const next = value.charAt(index + found.length);
    if (/(?:^|.\+|,application\/)json(?:\+oembed)?(?:$|[\s;,])/.test(run + next)) return true;
  }
  return false;
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/** Accepts longer types than PHP, which only makes the upstream target more explicit. */
export function isFormPost(method: string, contentType: string): boolean {
  if (method.length !== 4 || method.toUpperCase() !== 'POST') return false;
  const type = contentType.trimStart().toLowerCase();
  return FORM_TYPES.some((form) => type.startsWith(form));
}

/** `untrailingslashit()`; an empty route is `/`. */
export function normalizeRoute(route: string): string {
  const trimmed = trimTrailingSlashes(route);
  return isPhpEmpty(trimmed) ? '/' : trimmed;
}

/** In linear time. */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === '/' || path[end - 1] === '\\')) end--;
  return path.slice(0, end);
}

/** PHP's `empty()`; an object is an array. */
export function isPhpEmpty(value: Json): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === '0' || value === 0 || value === false;
}

/** `http_build_query()`: `a[0]=1&a[b]=2`. @param joins writes lists as `a=1,2`, which WordPress splits, if no value has a comma */
export function writePhpQuery(values: Iterable<readonly [name: string, value: Json]>, joins = false): string {
  const write = (value: Json): string => encodeURIComponent(String(value));
  const pairs = Array.from(values, ([name, value]): string => {
    if (value === null) return '';
    if (typeof value !== 'object') return `${write(name)}=${write(value)}`;
    if (joins && Array.isArray(value) && value.every(isPartOfText))
      return `${write(name)}=${value.map(write).join(',')}`;
    const members = Object.entries<Json>(value).map(([key, member]) => [`${name}[${key}]`, member] as const);
    return writePhpQuery(members, joins);
  });
  return pairs.filter((pair) => pair !== '').join('&');
}

function isPartOfText(item: Json): boolean {
  return typeof item !== 'object' && !String(item).includes(',');
}
