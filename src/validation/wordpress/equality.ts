import type { Json } from '../../json.ts';
import { toObjectMembers } from './php-types.ts';

/**
 * `rest_are_values_equal()`: strict between types, but whole and broken numbers compare by value. Members are looked up,
 * so their order does not count.
 */
export function areRestValuesEqual(a: Json, b: Json): boolean {
  const [left, right] = [toMembers(a), toMembers(b)];
  if (left === null || right === null) return a === b;
  if (left.length !== right.length) return false;
  const others = new Map(right);
  return left.every(([key, value]) => {
    const other = others.get(key);
    return other !== undefined && areRestValuesEqual(value, other);
  });
}

/**
 * `rest_validate_array_contains_unique_items()`. Beyond 2^53 two integers of PHP may be one number here: then nothing is
 * called alike.
 */
export function hasUniqueItems(items: readonly Json[]): boolean {
  if (items.some((item) => Number.isInteger(item) && !Number.isSafeInteger(item))) return true;
  return new Set(items.map(toComparableText)).size === items.length;
}

/** A text that is alike for values that are alike: members sorted, a list as an object with numbers for keys. */
function toComparableText(value: Json): string {
  const members = toMembers(value);
  if (members === null) return JSON.stringify(value);
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${toComparableText(member)}`).join()}}`;
}

function toMembers(value: Json): readonly (readonly [string, Json])[] | null {
  return typeof value === 'object' ? toObjectMembers(value) : null;
}
