import type { Json } from '../../json.ts';
import { toObjectMembers } from './php-types.ts';
import { NS_PER_CHARACTER, NS_PER_MEMBER, spendWork } from './work-limit.ts';

/**
 * `rest_are_values_equal()`: values of different types are different, but integers and floats compare by value. The
 * order of members does not count.
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
 * `rest_validate_array_contains_unique_items()`. Returns true for a list with an integer beyond 2^53, because two
 * different integers of PHP can be the same number in JavaScript.
 */
export function hasUniqueItems(items: readonly Json[]): boolean {
  if (items.some((item) => Number.isInteger(item) && !Number.isSafeInteger(item))) return true;
  return new Set(items.map(toComparableText)).size === items.length;
}

/** Returns the same text for equal values: members are sorted, and a list is an object with integer keys. */
function toComparableText(value: Json): string {
  const members = toMembers(value);
  spendWork(NS_PER_MEMBER + (typeof value === 'string' ? NS_PER_CHARACTER * value.length : 0));
  if (members === null) return JSON.stringify(value);
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${toComparableText(member)}`).join()}}`;
}

function toMembers(value: Json): readonly (readonly [string, Json])[] | null {
  return typeof value === 'object' ? toObjectMembers(value) : null;
}
