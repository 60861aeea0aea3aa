import { isJsonObject, type Json } from '../json.ts';
import { type CompilerSchema, never, unknown } from './compiler-schema.ts';
import type { KeyTokens } from './tokens.ts';

/** The type that has one value. Names of properties become tokens; what lies deeper than `depth` is `unknown`. */
export function literal(value: Json, keys: KeyTokens, depth: number): CompilerSchema {
  if (typeof value !== 'object' || value === null) {
    // `JSON.parse` reads 1e999 as a number that JSON cannot write.
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      ? { type: 'number' }
      : { enum: [value] };
  }
  if (depth <= 0) {
    return unknown;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, item]) => [keys.of(name), literal(item, keys, depth - 1)] as const,
    );
    const closed = members.length > 0 ? false : never;
    return {
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([key]) => key),
      additionalProperties: closed,
    };
  }
  return { type: 'array', items: value.map((item) => literal(item, keys, depth - 1)) };
}

const isOfTypeNamed: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

/** Whether a value is of the type that a schema names. */
export function isOfType(value: Json, type: string): boolean {
  return Object.hasOwn(isOfTypeNamed, type) && isOfTypeNamed[type]?.(value) === true;
}
