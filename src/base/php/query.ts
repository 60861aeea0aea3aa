import type { Json } from '../json.ts';
import { memoizeByString } from '../memoize.ts';
import { decodeByteString, urlDecode } from './encoding.ts';

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
