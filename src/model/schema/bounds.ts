import { isJsonObject, type Json } from '../../json.ts';

/** Whether a value keeps a limit. A value that the keyword does not limit keeps every one. */
type Bound = (value: Json, limit: number) => boolean;

const least =
  (measure: (value: Json) => number | undefined): Bound =>
  (value, limit) =>
    (measure(value) ?? limit) >= limit;
const most =
  (measure: (value: Json) => number | undefined): Bound =>
  (value, limit) =>
    (measure(value) ?? limit) <= limit;

const number = (value: Json): number | undefined => (typeof value === 'number' ? value : undefined);
const characters = (value: Json): number | undefined =>
  typeof value === 'string' ? countCodePoints(value) : undefined;
const items = (value: Json): number | undefined => (Array.isArray(value) ? value.length : undefined);
const members = (value: Json): number | undefined =>
  isJsonObject(value) ? Object.keys(value).length : undefined;

/** The keywords of JSON Schema that limit a measure of values (validation §6.2 to §6.5), without `multipleOf`. */
export const BOUNDS: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['minimum', least(number)],
  ['maximum', most(number)],
  ['exclusiveMinimum', (value, limit) => typeof value !== 'number' || value > limit],
  ['exclusiveMaximum', (value, limit) => typeof value !== 'number' || value < limit],
  ['minLength', least(characters)],
  ['maxLength', most(characters)],
  ['minItems', least(items)],
  ['maxItems', most(items)],
  ['minProperties', least(members)],
  ['maxProperties', most(members)],
]);

/** The number of characters, as PHP and JSON Schema count them (RFC 8259 §7). */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
}
