import { isJsonObject, type Json } from '../json.ts';
import { type CompilerSchema, never, unknown } from './compiler-schema.ts';
import type { Nodes } from './nodes.ts';
import type { KeyTokens } from './tokens.ts';

/** Where literals are made: their nodes, and tokens for the names of their properties. */
export interface LiteralPlace {
  readonly nodes: Nodes;
  readonly keys: KeyTokens;
}

/** The type that has one value. What lies deeper than `depth` is `unknown`. */
export function literal(value: Json, place: LiteralPlace, depth: number): CompilerSchema {
  const { nodes, keys } = place;
  if (typeof value !== 'object' || value === null) {
    // `JSON.parse` reads 1e999 as a number that JSON cannot write.
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      ? nodes.of({ type: 'number' })
      : nodes.of({ enum: [value] });
  }
  if (depth <= 0) {
    return unknown;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, item]) => [keys.of(name), literal(item, place, depth - 1)] as const,
    );
    const closed = members.length > 0 ? false : never;
    return nodes.of({
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([key]) => key),
      additionalProperties: closed,
    });
  }
  return nodes.of({ type: 'array', items: value.map((item) => literal(item, place, depth - 1)) });
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
