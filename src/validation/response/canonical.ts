import type { Json } from '../../json.ts';
import { type ResponseWalk, ValidationBudgetError } from './node.ts';

/** Maximum depth of compared values. */
const MAX_DEPTH = 64;

/** Returns the same text for values that are equal in JSON Schema (core §4.2.2). @throws {ValidationBudgetError} */
export function toCanonicalText(value: Json, walk: Pick<ResponseWalk, 'spend'>, depth = 0): string {
  if (depth > MAX_DEPTH) throw new ValidationBudgetError('too-deep');
  if (typeof value === 'string') {
    walk.spend(1 + (value.length >> 6));
    return JSON.stringify(value);
  }
  walk.spend(1);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value))
    return `[${value.map((item: Json) => toCanonicalText(item, walk, depth + 1)).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member, walk, depth + 1)}`,
  );
  return `{${members.sort().join()}}`;
}
