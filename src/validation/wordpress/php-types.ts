import { isJsonObject, type Json } from '../../json.ts';
import { parsePhpNumber, toPhpString } from '../../php/numeric.ts';

/*
 * A limit of the work that one validation may take on the event loop. Validation is synchronous, and its cost depends on
 * the value (600,000 members), on the schema (a site's `anyOf` in `anyOf`) and on both (a pattern on megabytes). So each
 * step counts an estimate of its time before it runs. The estimate depends on value and schema alone: whether a request is
 * validated does not depend on how busy the machine is.
 */

/** Default of the work of one request, in nanoseconds: parsing and validation of its body. */
export const DEFAULT_WORK_LIMIT = 50_000_000;

/** Of one visit of a value by one schema. */
export const NS_PER_VALUE = 1000;
/** Of one member or item, when a collection is listed. */
export const NS_PER_MEMBER = 250;
/** Of one character, when a text is copied or searched. */
export const NS_PER_CHARACTER = 5;
/** Of one character, when a text is split or rewritten. */
export const NS_PER_REWRITTEN_CHARACTER = 200;

const EXCEEDED: unique symbol = Symbol('work limit exceeded');

/**
 * The work that is left in the enclosing {@link limitWork}, which sets it for the time of a synchronous call. Without one
 * there is no limit. Passed as an argument, it would go through every function of the validator.
 */
const enclosing = { remaining: Number.POSITIVE_INFINITY };

/**
 * Runs synchronous work within a limit.
 *
 * @param nanoseconds estimated time
 * @param onExceeded gives the result if the work exceeds the limit
 */
export function limitWork<T>(nanoseconds: number, work: () => T, onExceeded: () => T): T {
  const outer = enclosing.remaining;
  enclosing.remaining = nanoseconds;
  try {
    return work();
  } catch (cause) {
    if (cause !== EXCEEDED) throw cause;
    return onExceeded();
  } finally {
    enclosing.remaining = outer;
  }
}

/** Counts work before it is done. Ends the enclosing {@link limitWork} if its limit is exceeded. */
export function spendWork(nanoseconds: number): void {
  enclosing.remaining -= nanoseconds;
  if (enclosing.remaining < 0) throw EXCEEDED;
}

/** Work that is left, in nanoseconds. */
export function remainingWork(): number {
  return enclosing.remaining;
}

/*
 * Types of JSON values in PHP and WordPress. PHP has one array type for lists and objects: a list is an object with the
 * keys 0…n-1, and an object with integer keys only is a list.
 */

type PhpScalar = string | number | boolean;

export function isPhpScalar(value: Json): value is PhpScalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isPhpList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Converts a value to a number as PHP does; `null` when `is_numeric()` is false. */
export function toPhpNumber(value: Json): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parsePhpNumber(value) : null;
}

/** `rest_is_integer()` */
export function isRestInteger(value: Json): boolean {
  const number = toPhpNumber(value);
  // `round( INF ) === INF`
  return number !== null && (Number.isInteger(number) || !Number.isFinite(number));
}

const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['false', 'true', '0', '1']);

/** `rest_is_boolean()` */
export function isRestBoolean(value: Json): boolean {
  if (typeof value === 'string') return BOOLEAN_WORDS.has(value.toLowerCase());
  return typeof value === 'boolean' || value === 0 || value === 1;
}

const INTEGER_KEY = /^(?:0|-?[1-9]\d{0,18})$/;

/** Returns the items of a value that WordPress accepts as an array; otherwise `null`. A scalar is split like a list. */
export function toArrayItems(value: Json): readonly Json[] | null {
  if (isPhpScalar(value)) return splitPhpList(toPhpString(value));
  if (isPhpList(value)) return value;
  if (!isJsonObject(value)) return null;
  // Only the first key that is no integer is tested, but all are listed.
  const keys = Object.keys(value);
  spendWork(NS_PER_MEMBER * keys.length);
  return keys.every((key) => INTEGER_KEY.test(key)) ? Object.values(value) : null;
}

/** `wp_parse_list()`: splits on commas and ASCII white space, which is what PCRE's `\s` matches without `u`. */
export function splitPhpList(text: string): readonly string[] {
  spendWork(NS_PER_REWRITTEN_CHARACTER * text.length);
  return text.split(/[ \t\n\v\f\r,]+/).filter((piece) => piece !== '');
}

/** Returns the members of a value that WordPress accepts as an object; otherwise `null`. */
export function toObjectMembers(value: Json): readonly (readonly [string, Json])[] | null {
  if (value === '') return [];
  const members = isPhpList(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : null;
  spendWork(NS_PER_MEMBER * (members?.length ?? 0));
  return members;
}

/** The types that WordPress knows, each with the test of whether a value has it. */
const TYPE_TESTS: Readonly<Record<string, (value: Json) => boolean>> = {
  array: (value) => toArrayItems(value) !== null,
  object: (value) => toObjectMembers(value) !== null,
  integer: isRestInteger,
  number: (value) => toPhpNumber(value) !== null,
  boolean: isRestBoolean,
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
};

export function isWordPressType(word: string): boolean {
  return Object.hasOwn(TYPE_TESTS, word);
}

function fitsType(value: Json, type: string): boolean {
  return isWordPressType(type) && TYPE_TESTS[type]?.(value) === true;
}

/**
 * `rest_handle_multi_type_schema()`: selects the first of several types that a value has.
 *
 * @returns a type that WordPress does not know, which accepts every value, if no other fits; `null` without such a type
 */
export function selectType(value: Json, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => fitsType(value, type)) ?? types.find((type) => !isWordPressType(type)) ?? null;
}
