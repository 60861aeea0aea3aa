import { isJsonObject, type Json } from '../../json.ts';
import { parsePhpNumber, toPhpString } from '../../php/numeric.ts';

/**
 * What PHP takes a JSON value for. One of its types holds both lists and objects: a list is an object with the keys
 * 0…n-1, and an object with no keys but integers is a list.
 */
export type PhpScalar = string | number | boolean;

export function isPhpScalar(value: Json): value is PhpScalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isPhpList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The number that a value is for PHP; null where `is_numeric()` says no. */
export function toPhpNumber(value: Json): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parsePhpNumber(value) : null;
}

export function isRestInteger(value: Json): boolean {
  const found = toPhpNumber(value);
  // `round( INF ) === INF`
  return found !== null && (Number.isInteger(found) || !Number.isFinite(found));
}

const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['false', 'true', '0', '1']);

export function isRestBoolean(value: Json): boolean {
  if (typeof value === 'string') return BOOLEAN_WORDS.has(value.toLowerCase());
  return typeof value === 'boolean' || value === 0 || value === 1;
}

const INTEGER_KEY = /^(?:0|-?[1-9]\d{0,18})$/;

/** The items of what is an array to WordPress: scalars are split on commas and white space. Null for anything else. */
export function toArrayItems(value: Json): readonly Json[] | null {
  if (isPhpScalar(value)) return splitPhpList(toPhpString(value));
  if (isPhpList(value)) return value;
  if (!isJsonObject(value)) return null;
  return Object.keys(value).every((key) => INTEGER_KEY.test(key)) ? Object.values(value) : null;
}

/** `wp_parse_list()` of a text: PCRE's `\s` without `u`, so ASCII alone. */
export function splitPhpList(text: string): readonly string[] {
  return text.split(/[ \t\n\v\f\r,]+/).filter((piece) => piece !== '');
}

/** The members of what is an object to WordPress. Null for anything else. */
export function toObjectMembers(value: Json): readonly (readonly [string, Json])[] | null {
  if (value === '') return [];
  if (isPhpList(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value) ? Object.entries(value) : null;
}
