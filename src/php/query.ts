import { memoizeByString } from '../memoize.ts';
import { urlDecode } from './encoding.ts';

/** One `name=value` of a query, in the order of the query. */
export interface QueryPair {
  /** As it stands in the query, undecoded, without its separator. */
  readonly raw: string;
  /** The variable of `$_GET` that PHP sets for it, a byte string; empty where PHP drops the pair. */
  readonly name: string;
  /** Whether the name goes on into an array: `name[]`, `name[key]`. */
  readonly isArray: boolean;
  /** The value undecoded; empty where there is no `=`. */
  readonly value: string;
}

/** `max_input_vars`: what stands behind the thousandth variable PHP does not read (its default). */
export const MAX_INPUT_VARS = 1000;

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * The pairs of a query with the names that PHP gives them. `raw` is a byte string without the question mark.
 *
 * @param limit how many pairs to read; all by default, so that a reader sees what PHP would not
 */
export function parseQueryPairs(raw: string, limit: number = Number.POSITIVE_INFINITY): readonly QueryPair[] {
  if (raw === '') return NO_PAIRS;
  const pairs = parsePairs(raw);
  return pairs.length > limit ? pairs.slice(0, limit) : pairs;
}

/** One query is read by several, one after the other. */
const parsePairs = memoizeByString(
  (raw): readonly QueryPair[] => splitQuery(raw, Number.POSITIVE_INFINITY).map(parsePair),
  1,
);

/** What stands between separators, undecoded. `strtok()`: empty pieces are no variables and are not counted. */
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

/** What php_register_variable_ex() makes of the name before the first bracket. */
export function parseVariableName(rawName: string): { readonly name: string; readonly isArray: boolean } {
  return mangleVariableName(decodeVariableName(rawName));
}

/** The same of a name that has been decoded and cut. */
export function mangleVariableName(given: string): { readonly name: string; readonly isArray: boolean } {
  // A name of letters is itself: the usual case, without a copy.
  if (/^[a-z_][\w-]*$/i.test(given)) return { name: given, isArray: false };
  const bracket = given.indexOf('[');
  if (bracket < 0) return toVariableName(given.replace(/[ .]/g, '_'), given, false);
  if (bracket === 0) return { name: '', isArray: false };
  const closed = given.indexOf(']', bracket + 1) >= 0;
  const name = closed ? given.slice(0, bracket).replace(/[ .]/g, '_') : given.replace(/[ .[]/g, '_');
  return toVariableName(name, given, closed);
}

/** Decoded, without leading spaces, and cut at the first NUL, for names are C strings. */
export function decodeVariableName(rawName: string): string {
  const decoded = urlDecode(rawName);
  const nul = decoded.indexOf('\0');
  return (nul < 0 ? decoded : decoded.slice(0, nul)).replace(/^ +/, '');
}

function toVariableName(name: string, given: string, isArray: boolean): { name: string; isArray: boolean } {
  return isForgedCookieName(name, given) ? { name: '', isArray: false } : { name, isArray };
}

/** Names that only become a protected cookie's by mangling are dropped, in queries too (PHP 8.1.11, CVE-2022-31629). */
export function isForgedCookieName(name: string, given: string): boolean {
  return ['__Host-', '__Secure-'].some((prefix) => name.startsWith(prefix) && !given.startsWith(prefix));
}
