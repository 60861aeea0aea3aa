import type { Json } from '../../json.ts';
import { asItems, asMembers, isBoolean, isInteger, numeric } from './php-types.ts';

/** The types that WordPress knows, each with what it takes for one. */
const FITS: Readonly<Record<string, (value: Json) => boolean>> = {
  array: (value) => asItems(value) !== null,
  object: (value) => asMembers(value) !== null,
  integer: isInteger,
  number: (value) => numeric(value) !== null,
  boolean: isBoolean,
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
};

export function isType(word: string): boolean {
  return Object.hasOwn(FITS, word);
}

export function fits(value: Json, type: string): boolean {
  return isType(type) && FITS[type]?.(value) === true;
}

/**
 * `rest_handle_multi_type_schema()`: the first of several types that fits, in the order in which they are listed. Where
 * none does and one of them is no type at all, that one, by which everything is valid. Null where none does.
 */
export function bestType(value: Json, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => fits(value, type)) ?? types.find((type) => !isType(type)) ?? null;
}
