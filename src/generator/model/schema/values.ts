import type { Json } from '../../../base/json.ts';
import { parsePhpNumber } from '../../../base/php/numeric.ts';

/** Equal texts for values that JSON Schema considers equal (core §4.2.2). */
export function canonicalText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`,
  );
  return `{${members.sort().join(',')}}`;
}

export function uniqueValues(values: readonly Json[]): readonly Json[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = canonicalText(value);
    return seen.has(text) ? false : seen.add(text);
  });
}

export function toFiniteNumber(value: Json): number | undefined {
  const number = typeof value === 'string' ? parsePhpNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
