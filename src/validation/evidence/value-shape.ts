import { isJsonObject, type Json } from '../../json.ts';

/**
 * Describes the shape of a value without its content: `string(12)`, `list(3) of integer`, `object(2)`. That is enough to
 * see why a rule is wrong, and exposes no data of clients.
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

/** Maximum number of items whose types are compared. */
const MAX_SAMPLED_ITEMS = 20;

/** Kinds of text that PHP converts to other types, which most wrong rules concern. */
const TEXT_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^$/, ', empty'],
  [/^\s+$/, ', white space'],
  [/^[+-]?\d+$/, ', digits'],
  [/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i, ', numeric'],
  [/^(?:true|false)$/i, ', a boolean word'],
];

/** Maximum length of text that is classified. */
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
