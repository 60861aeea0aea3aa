import { isJsonObject, type Json } from '../../json.ts';

/**
 * What a value is like, and nothing of what it is: `string(12)`, `list(3) of integer`, `object(2)`. Enough to see why a
 * rule is wrong; names and values of callers stay with them.
 */
export function describeShape(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (typeof value === 'string') return describeText(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (isJsonObject(value)) return `object(${Object.keys(value).length})`;
  const kinds = new Set(value.slice(0, MAX_SAMPLED_ITEMS).map(getTypeName));
  const [only] = kinds;
  return `list(${value.length})${kinds.size === 1 && only !== undefined ? ` of ${only}` : ''}`;
}

/** Members of a list that are looked at. */
const MAX_SAMPLED_ITEMS = 20;

/** Text that PHP would take for something else says so: most wrong rules are about one of these. */
const TEXT_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^$/, ', empty'],
  [/^\s+$/, ', white space'],
  [/^[+-]?\d+$/, ', digits'],
  [/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i, ', numeric'],
  [/^(?:true|false)$/i, ', a boolean word'],
];

/** Longer text is not looked into. */
const MAX_CLASSIFIED_LENGTH = 64;

function describeText(text: string): string {
  const kind =
    text.length > MAX_CLASSIFIED_LENGTH ? undefined : TEXT_KINDS.find(([pattern]) => pattern.test(text));
  return `string(${text.length}${kind?.[1] ?? ''})`;
}

function getTypeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value;
}
