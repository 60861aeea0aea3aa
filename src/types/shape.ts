import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../openapi/schema-view.ts';
import {
  type CompilerSchema,
  isUnconstrained,
  NEVER_SCHEMA,
  type SchemaInterner,
  UNKNOWN_SCHEMA,
} from './compiler-schema.ts';
import type { TypeDirection } from './directions.ts';
import { createSchemaComment } from './documentation.ts';
import { createLiteralSchema, isOfJsonType } from './literals.ts';
import { withoutEmptyLists } from './php-lists.ts';
import type { ReferenceResolver } from './references.ts';
import {
  createPropertyTokenTable,
  createTokenTable,
  type PropertyTokenTable,
  type TokenTable,
} from './tokens.ts';

/** A schema of the document, prepared for the compiler, and the names that its tokens replace. */
export interface TypeShape {
  readonly schema: CompilerSchema;
  /** Property names, by the numbers of `k0`, `k1`, … */
  readonly propertyNames: readonly string[];
  /** The comments of the properties, by the same numbers; empty for none. */
  readonly propertyComments: readonly string[];
  /** Type names, by the numbers of `R0`, `R1`, … */
  readonly typeNames: readonly string[];
  /** Whether lists are `readonly`: a client sends them and changes nothing. */
  readonly hasReadonlyLists: boolean;
}

/** The type of bytes that a client sends. The module declares it if a type refers to it. */
export const BYTES_TYPE_NAME = 'Bytes';

/** The types of values in the query. The module declares those that a type refers to. */
export const QUERY_TYPE_NAMES = {
  boolean: 'QueryBoolean',
  number: 'QueryNumber',
  numbers: 'QueryNumbers',
  words: 'QueryWords',
} as const;

/** State for the creation of a compiler schema, passed on to subschemas. */
interface SchemaContext {
  readonly direction: TypeDirection;
  readonly references: ReferenceResolver;
  readonly nodes: SchemaInterner;
  readonly tokens: { readonly keys: PropertyTokenTable; readonly references: TokenTable };
  readonly depth: number;
}

/** Creates the shape of a schema of the document: JSON Schema 2020-12, invalid parts of which become `unknown`. */
export function createTypeShape(
  schema: Json | undefined,
  direction: TypeDirection,
  { references, nodes }: Pick<SchemaContext, 'references' | 'nodes'>,
): TypeShape {
  const tokens = { keys: createPropertyTokenTable('k'), references: createTokenTable('R') };
  return {
    schema: toCompilerSchema(schema, { direction, references, nodes, tokens, depth: 0 }),
    propertyNames: tokens.keys.names,
    propertyComments: tokens.keys.comments,
    typeNames: tokens.references.texts,
    hasReadonlyLists: direction !== 'read',
  };
}

function toCompilerSchema(schema: Json | undefined, parent: SchemaContext): CompilerSchema {
  if (schema === false) return NEVER_SCHEMA;
  if (!isJsonObject(schema) || parent.depth >= MAX_SCHEMA_DEPTH) return UNKNOWN_SCHEMA;
  const { $ref, allOf, anyOf, oneOf } = schema;
  const context = { ...parent, depth: parent.depth + 1 };
  const own = siblingKeywordsSchema(schema, context);
  if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) return own;
  const combined = context.nodes.internIntersection([
    ...(typeof $ref === 'string' ? [referenceSchema($ref, context)] : []),
    ...jsonItems(allOf).map((member) => toCompilerSchema(member, context)),
    ...[
      context.direction === 'read' ? withoutEmptyLists(jsonItems(anyOf)) : jsonItems(anyOf),
      jsonItems(oneOf),
    ]
      .filter(({ length }) => length > 0)
      .map((members) =>
        context.nodes.internUnion(members.map((member) => toCompilerSchema(member, context))),
      ),
  ]);
  // Sites write `type: object` beside `oneOf` members that state more. Such a type adds nothing.
  return combined.tsType !== 'unknown' && isUnconstrained(own)
    ? combined
    : context.nodes.internIntersection([combined, own]);
}

function referenceSchema(ref: string, context: SchemaContext): CompilerSchema {
  const name = context.references.typeNameOf(ref, context.direction);
  return name === undefined ? UNKNOWN_SCHEMA : namedTypeSchema(name, context);
}

function namedTypeSchema(name: string, context: SchemaContext): CompilerSchema {
  return context.nodes.intern({ tsType: context.tokens.references.tokenFor(name) });
}

/** The schema of the keywords beside `$ref`, `allOf`, `anyOf` and `oneOf`. */
function siblingKeywordsSchema(schema: JsonObject, context: SchemaContext): CompilerSchema {
  if (schema['const'] !== undefined) return toLiteralSchema(schema['const'], context);
  const types = statedOrImpliedTypes(schema);
  const values = jsonItems(schema['enum']);
  if (values.length > 0) {
    const fitting = values.filter(
      (value) => types.length === 0 || types.some((type) => isOfJsonType(value, type)),
    );
    return context.nodes.internUnion(
      (fitting.length > 0 ? fitting : values).map((value) => toLiteralSchema(value, context)),
    );
  }
  return types.length === 0
    ? UNKNOWN_SCHEMA
    : context.nodes.internUnion(types.map((type) => schemaOfType(type, schema, context)));
}

function toLiteralSchema(
  value: Json,
  { nodes, tokens: { keys: propertyTokens }, depth }: SchemaContext,
): CompilerSchema {
  return createLiteralSchema(value, { nodes, propertyTokens }, MAX_SCHEMA_DEPTH - depth);
}

/** The `type` keyword as a list, or the types that other keywords imply; empty if none does. */
function statedOrImpliedTypes(schema: JsonObject): readonly string[] {
  const stated = typesOf(schema);
  if (stated.length > 0) return stated;
  const { properties, patternProperties, additionalProperties, required, items, prefixItems } = schema;
  const object =
    isJsonObject(properties) ||
    isJsonObject(patternProperties) ||
    isJsonObject(additionalProperties) ||
    jsonItems(required).length > 0;
  const array = isJsonObject(items) || Array.isArray(prefixItems);
  return [...(object ? ['object'] : []), ...(array ? ['array'] : [])];
}

function schemaOfType(type: string, schema: JsonObject, context: SchemaContext): CompilerSchema {
  switch (type) {
    case 'string':
      return isBytes(schema, context)
        ? namedTypeSchema(BYTES_TYPE_NAME, context)
        : context.nodes.intern({ type });
    case 'number':
    case 'integer':
      return context.direction === 'query'
        ? namedTypeSchema(QUERY_TYPE_NAMES.number, context)
        : context.nodes.intern({ type: 'number' });
    case 'boolean':
      return context.direction === 'query'
        ? namedTypeSchema(QUERY_TYPE_NAMES.boolean, context)
        : context.nodes.intern({ type });
    case 'null':
      return context.nodes.intern({ type });
    case 'array':
      return context.direction === 'query' ? listOrItemSchema(schema, context) : arraySchema(schema, context);
    case 'object':
      return objectSchema(schema, context);
    default:
      return UNKNOWN_SCHEMA;
  }
}

/** Binary data has a `contentMediaType` without an encoding (OpenAPI 3.1 §4.8.14.3); in OpenAPI 3.0 it was a format. */
function isBytes(
  { format, contentMediaType, contentEncoding }: JsonObject,
  { direction }: SchemaContext,
): boolean {
  const bytes =
    format === 'binary' || (typeof contentMediaType === 'string' && contentEncoding === undefined);
  return direction !== 'read' && bytes;
}

/** Creates the schema of a list in the query. WordPress reads a single value as a list of one. */
function listOrItemSchema(schema: JsonObject, context: SchemaContext): CompilerSchema {
  const { intern, internUnion } = context.nodes;
  const list = arraySchema(schema, context);
  const { items } = list;
  if (items === namedTypeSchema(QUERY_TYPE_NAMES.number, context))
    return namedTypeSchema(QUERY_TYPE_NAMES.numbers, context);
  if (items === undefined || Array.isArray(items) || items.type === 'array') return list;
  const scalars: readonly CompilerSchema[] = [intern({ type: 'string' }), intern({ type: 'number' })];
  const words = isWords(items) ? [namedTypeSchema(QUERY_TYPE_NAMES.words, context)] : [];
  return internUnion([...(items === UNKNOWN_SCHEMA ? scalars : [items]), ...words, list]);
}

/** Whether a type consists of texts, of which one may be several that commas separate. */
function isWords({ anyOf, enum: values }: CompilerSchema): boolean {
  return anyOf?.every(isWords) ?? values?.every((value) => typeof value === 'string') ?? false;
}

/** Creates the schema of a list or tuple. Bounds on the number of items are ignored: they would make the type a tuple. */
function arraySchema({ items, prefixItems }: JsonObject, context: SchemaContext): CompilerSchema {
  const first = jsonItems(prefixItems).map((item) => toCompilerSchema(item, context));
  if (first.length === 0)
    return context.nodes.intern({ type: 'array', items: toCompilerSchema(items, context) });
  const open = items !== false;
  const rest = open ? { additionalItems: toCompilerSchema(items, context) } : {};
  return context.nodes.intern({ type: 'array', items: first, ...rest });
}

/**
 * An object with declared properties is closed unless the schema states `additionalProperties`, so that a misspelt name
 * is an error; an object without declarations is open. TypeScript has no keys by pattern, so the types of
 * `patternProperties` share one index signature.
 */
function objectSchema(schema: JsonObject, context: SchemaContext): CompilerSchema {
  const declared = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = jsonItems(schema['required']).filter((name) => typeof name === 'string');
  const known = new Set(declared.map(([name]) => name));
  const missing = [...new Set(required)].filter((name) => !known.has(name));
  const patterns = isJsonObject(schema['patternProperties'])
    ? Object.values(schema['patternProperties'])
    : [];
  const rest = schema['additionalProperties'];

  const properties = [
    ...declared,
    ...missing.map((name): [string, Json] => [name, isJsonObject(rest) ? rest : true]),
  ];
  const keys = new Map(
    properties.map(([name, value]) => {
      const comment = isJsonObject(value) ? createSchemaComment(value, context.direction) : '';
      return [name, context.tokens.keys.tokenFor(name, comment)];
    }),
  );
  const schemas = new Map(properties);
  const requiredNames = required.filter(
    (name) => !isExcludedFromDirection(schemas.get(name), context.direction),
  );
  const combined = [
    ...patterns.map((value) => toCompilerSchema(value, context)),
    ...(rest === true || isJsonObject(rest) ? [toCompilerSchema(rest, context)] : []),
  ];
  const closed = properties.length > 0 ? false : rest === false ? NEVER_SCHEMA : UNKNOWN_SCHEMA;
  return context.nodes.intern({
    type: 'object',
    properties: Object.fromEntries(
      properties.map(([name, value]) => [keys.get(name) ?? '', toCompilerSchema(value, context)]),
    ),
    required: [...new Set(requiredNames)].map((name) => keys.get(name) ?? ''),
    additionalProperties: combined.length > 0 ? context.nodes.internUnion(combined) : closed,
  });
}

/** OpenAPI applies `required` of a read-only property to responses only, of a write-only property to requests only. */
function isExcludedFromDirection(schema: Json | undefined, direction: TypeDirection): boolean {
  return isJsonObject(schema) && schema[direction === 'read' ? 'writeOnly' : 'readOnly'] === true;
}
