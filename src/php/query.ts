import { memoizeByString } from '../memoize.ts';
import { urlDecode } from './encoding.ts';

/** One `name=value` of a query, in the order of the query. */
export interface QueryPair {
  /** The raw pair, without separator. */
  readonly raw: string;
  /** The variable of `$_GET` that PHP sets, a byte string; empty if PHP drops the pair. */
  readonly name: string;
  /** Whether the pair sets an element of an array: `name[]`, `name[key]`. */
  readonly isArray: boolean;
  /** The raw value; empty if there is no `=`. */
  readonly value: string;
}

/** Default of PHP's `max_input_vars`: later variables are ignored. */
export const MAX_INPUT_VARS = 1000;

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * Splits a query into pairs, with the variable names that PHP gives them.
 *
 * @param raw a byte string without question mark
 * @param limit maximum number of pairs. @default all, including those that PHP ignores
 */
export function parseQueryPairs(raw: string, limit: number = Number.POSITIVE_INFINITY): readonly QueryPair[] {
  if (raw === '') return NO_PAIRS;
  const pairs = parsePairs(raw);
  return pairs.length > limit ? pairs.slice(0, limit) : pairs;
}

/** Remembers the last query: several modules parse the same one in a row. */
const parsePairs = memoizeByString(
  (raw): readonly QueryPair[] => splitQuery(raw, Number.POSITIVE_INFINITY).map(parsePair),
  1,
);

/** Splits a query at `&`, undecoded. As with `strtok()`, empty pieces are skipped and not counted. */
export function splitQuery(raw: string, limit: number): readonly string[] {
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

/** Decodes a raw name and mangles it as php_register_variable_ex() does. */
export function parseVariableName(rawName: string): { readonly name: string; readonly isArray: boolean } {
  return mangleVariableName(decodeVariableName(rawName));
}

/** Mangles a decoded name as php_register_variable_ex() does: the name before the first bracket. */
export function mangleVariableName(decodedName: string): {
  readonly name: string;
  readonly isArray: boolean;
} {
  // Most names need no mangling.
  if (/^[a-z_][\w-]*$/i.test(decodedName)) return { name: decodedName, isArray: false };
  const bracket = decodedName.indexOf('[');
  if (bracket < 0) return toVariableName(decodedName.replace(/[ .]/g, '_'), decodedName, false);
  if (bracket === 0) return { name: '', isArray: false };
  const closed = decodedName.indexOf(']', bracket + 1) >= 0;
  const name = closed
    ? decodedName.slice(0, bracket).replace(/[ .]/g, '_')
    : decodedName.replace(/[ .[]/g, '_');
  return toVariableName(name, decodedName, closed);
}

/** Decodes a name, removes leading spaces, and cuts it at the first NUL: PHP handles names as C strings. */
export function decodeVariableName(rawName: string): string {
  const decoded = urlDecode(rawName);
  const nul = decoded.indexOf('\0');
  return (nul < 0 ? decoded : decoded.slice(0, nul)).replace(/^ +/, '');
}

function toVariableName(
  name: string,
  decodedName: string,
  isArray: boolean,
): { name: string; isArray: boolean } {
  return isForgedCookieName(name, decodedName) ? { name: '', isArray: false } : { name, isArray };
}

/** Whether only mangling makes a name that of a protected cookie. PHP drops such names (8.1.11, CVE-2022-31629). */
export function isForgedCookieName(name: string, decodedName: string): boolean {
  return ['__Host-', '__Secure-'].some(
    (prefix) => name.startsWith(prefix) && !decodedName.startsWith(prefix),
  );
}
