import type { Json } from '../../json.ts';
import { isRestBoolean, isRestInteger, toArrayItems, toObjectMembers, toPhpNumber } from './php-types.ts';

/** The types that WordPress knows, each with what it takes for one. */
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

export function fitsType(value: Json, type: string): boolean {
  return isWordPressType(type) && TYPE_TESTS[type]?.(value) === true;
}

/**
 * `rest_handle_multi_type_schema()`: the first of several types that fits, in the order in which they are listed. Where
 * none does and one of them is no type at all, that one, by which everything is valid. Null where none does.
 */
export function selectType(value: Json, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => fitsType(value, type)) ?? types.find((type) => !isWordPressType(type)) ?? null;
}
