import { isJsonObject, type Json } from '../json.ts';
import { type CompilerSchema, NEVER_SCHEMA, type SchemaInterner, UNKNOWN_SCHEMA } from './compiler-schema.ts';
import type { PropertyTokenTable } from './tokens.ts';

/** Interns the nodes of literals, and allocates tokens for the names of their properties. */
export interface LiteralContext {
  readonly nodes: SchemaInterner;
  readonly propertyTokens: PropertyTokenTable;
}

/** Creates the schema of one value. Parts below `depth` levels become `unknown`. */
export function createLiteralSchema(value: Json, context: LiteralContext, depth: number): CompilerSchema {
  const { nodes, propertyTokens } = context;
  if (typeof value !== 'object' || value === null) {
    // `JSON.parse` reads 1e999 as Infinity, which is not a literal.
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      ? nodes.intern({ type: 'number' })
      : nodes.intern({ enum: [value] });
  }
  if (depth <= 0) return UNKNOWN_SCHEMA;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, item]) =>
        [propertyTokens.tokenFor(name), createLiteralSchema(item, context, depth - 1)] as const,
    );
    const closed = members.length > 0 ? false : NEVER_SCHEMA;
    return nodes.intern({
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([key]) => key),
      additionalProperties: closed,
    });
  }
  return nodes.intern({
    type: 'array',
    items: value.map((item) => createLiteralSchema(item, context, depth - 1)),
  });
}

const TYPE_CHECKS: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

/** Whether a value has a type of JSON Schema; false for unknown type words. */
export function isOfJsonType(value: Json, type: string): boolean {
  return Object.hasOwn(TYPE_CHECKS, type) && TYPE_CHECKS[type]?.(value) === true;
}
