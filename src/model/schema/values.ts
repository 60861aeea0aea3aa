import { isJsonObject, type Json } from '../../json.ts';
import { parsePhpNumber } from '../../php/numeric.ts';

const MAX_VALUE_DEPTH = 64;

/** Whether JSON can express a value, without Infinity (`JSON.parse('1e999')`), in at most 64 levels. */
export function isSerializable(value: Json, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_VALUE_DEPTH) return false;
  if (!isJsonObject(value)) return value.every((member) => isSerializable(member, depth + 1));
  // `Object.values` would allocate a list each time.
  for (const name in value) if (!isSerializable(value[name] ?? null, depth + 1)) return false;
  return true;
}

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

const MAX_NUMBER_LENGTH = 40;

/** A finite number, or a PHP numeric string; otherwise `undefined`. */
export function toFiniteNumber(value: Json): number | undefined {
  const isShort = typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH;
  const number = isShort ? parsePhpNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
