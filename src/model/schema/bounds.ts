import { isJsonObject, type Json } from '../../json.ts';

interface Bound {
  /** `undefined` for values that the keyword does not limit. */
  readonly measure: (value: Json) => number | undefined;
  readonly holds: (measure: number, limit: number) => boolean;
}

const number = (value: Json): number | undefined => (typeof value === 'number' ? value : undefined);
const characters = (value: Json): number | undefined =>
  typeof value === 'string' ? countCodePoints(value) : undefined;
const items = (value: Json): number | undefined => (Array.isArray(value) ? value.length : undefined);
const members = (value: Json): number | undefined =>
  isJsonObject(value) ? Object.keys(value).length : undefined;
const atLeast = (measure: number, limit: number): boolean => measure >= limit;
const atMost = (measure: number, limit: number): boolean => measure <= limit;

/** The keywords of JSON Schema that limit a measure of values (validation §6.2 to §6.5), without `multipleOf`. */
export const BOUNDS: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['minimum', { measure: number, holds: atLeast }],
  ['maximum', { measure: number, holds: atMost }],
  ['exclusiveMinimum', { measure: number, holds: (measure, limit) => measure > limit }],
  ['exclusiveMaximum', { measure: number, holds: (measure, limit) => measure < limit }],
  ['minLength', { measure: characters, holds: atLeast }],
  ['maxLength', { measure: characters, holds: atMost }],
  ['minItems', { measure: items, holds: atLeast }],
  ['maxItems', { measure: items, holds: atMost }],
  ['minProperties', { measure: members, holds: atLeast }],
  ['maxProperties', { measure: members, holds: atMost }],
]);

/** Whether a value keeps a bound. */
export function isWithinBound({ holds, measure }: Bound, value: Json, limit: number): boolean {
  const measured = measure(value);
  return measured === undefined || holds(measured, limit);
}

/** The number of characters, as PHP and JSON Schema count them (RFC 8259 §7). */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
}
