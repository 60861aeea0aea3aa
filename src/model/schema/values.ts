import type { Json } from '../../json.ts';

/** How deep a default, an enum member or an example may nest before it is dropped. */
const MAX_VALUE_DEPTH = 64;

/**
 * Whether a value can stand in a document: it nests no deeper than 64 levels and holds no number that JSON cannot
 * write (`JSON.parse('1e999')` is Infinity).
 */
export function isSerializable(value: Json, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_VALUE_DEPTH) return false;
  for (const member of Object.values(value)) if (!isSerializable(member, depth + 1)) return false;
  return true;
}

/** One text for all values that JSON Schema holds equal: object members in any order (core §4.2.2). */
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

/** PHP 8's numeric strings: white space on both sides, a sign, decimals, an exponent; no hex, no words. */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;

/** The finite number that a value is, or is written as in a numeric string; undefined where it is none. */
export function toFiniteNumber(value: Json): number | undefined {
  const number =
    typeof value === 'string' && value.length <= 40 && NUMERIC.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** PHP's truth: `false`, 0, "", "0", null and `[]` are false. */
export function isPhpTruthy(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) && value !== '0';
}
