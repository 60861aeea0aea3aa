import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { type CompilerSchema, NEVER_SCHEMA, UNKNOWN_SCHEMA } from './compiler-schema.ts';
import type { TypeDirection } from './directions.ts';
import { schemaDocumentation } from './documentation.ts';
import { isOfJsonType, createLiteralSchema } from './literals.ts';
import type { SchemaInterner } from './schema-interner.ts';
import { list } from './objects.ts';
import type { ReferenceResolver } from './references.ts';
import { type PropertyTokenTable, createPropertyTokenTable, type TokenTable, createTokenTable } from './tokens.ts';

/** A schema of the document, ready to be compiled, and what its tokens stand for. */
export interface TypeShape {
  readonly schema: CompilerSchema;
  /** Names of properties: `k0`, `k1`, … */
  readonly keys: readonly string[];
  /** The comments above them, by the same numbers; empty for none. */
  readonly comments: readonly string[];
  /** Names of types: `R0`, `R1`, … */
  readonly references: readonly string[];
}

/** The name of the type for bytes that a caller sends, which the module declares where something refers to it. */
export const BYTES_TYPE_NAME = 'Bytes';

/** Deeper than any schema that a person reads. What lies below is `unknown`. */
const MAX_SCHEMA_DEPTH = 48;

/** One schema on its way into a shape. */
interface SchemaContext {
  readonly direction: TypeDirection;
  readonly references: ReferenceResolver;
  readonly nodes: SchemaInterner;
  readonly tokens: { readonly keys: PropertyTokenTable; readonly references: TokenTable };
  readonly depth: number;
}

/** Takes a schema of the document (JSON Schema 2020-12, as tolerantly as it comes) into its shape. */
export function createShape(
  schema: Json | undefined,
  direction: TypeDirection,
  { references, nodes }: Pick<SchemaContext, 'references' | 'nodes'>,
): TypeShape {
  const tokens = { keys: createPropertyTokenTable('k'), references: createTokenTable('R') };
  return {
    schema: toCompilerSchema(schema, { direction, references, nodes, tokens, depth: 0 }),
    keys: tokens.keys.names,
    comments: tokens.keys.comments,
    references: tokens.references.texts,
  };
}

function toCompilerSchema(schema: Json | undefined, outer: SchemaContext): CompilerSchema {
  if (schema === false) {
    return NEVER_SCHEMA;
  }
  if (!isJsonObject(schema) || outer.depth >= MAX_SCHEMA_DEPTH) {
    return UNKNOWN_SCHEMA;
  }
  const { $ref, allOf, anyOf, oneOf } = schema;
  const place = { ...outer, depth: outer.depth + 1 };
  const own = siblingKeywordsSchema(schema, place);
  if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) {
    return own;
  }
  const others = place.nodes.intersection([
    ...(typeof $ref === 'string' ? [referenceSchema($ref, place)] : []),
    ...list(allOf).map((member) => toCompilerSchema(member, place)),
    ...[list(anyOf), list(oneOf)]
      .filter(({ length }) => length > 0)
      .map((members) => place.nodes.union(members.map((member) => toCompilerSchema(member, place)))),
  ]);
  // `type: object` or `type: string` beside members that say more, as sites write it, would only be noise.
  return others.tsType !== 'unknown' && isUnconstrained(own) ? others : place.nodes.intersection([others, own]);
}

function referenceSchema(ref: string, place: SchemaContext): CompilerSchema {
  const name = place.references.typeNameOf(ref, place.direction);
  return name === undefined ? UNKNOWN_SCHEMA : namedTypeSchema(name, place);
}

function namedTypeSchema(name: string, place: SchemaContext): CompilerSchema {
  return place.nodes.intern({ tsType: place.tokens.references.tokenFor(name) });
}

/** Whether a type says no more than which kind of JSON value it is. */
function isUnconstrained({ type, anyOf, items, properties, additionalProperties }: CompilerSchema): boolean {
  switch (type) {
    case undefined:
      return anyOf?.every(isUnconstrained) ?? false;
    case 'array':
      return !Array.isArray(items) && items?.tsType === 'unknown';
    case 'object':
      return (
        Object.keys(properties ?? {}).length === 0 &&
        additionalProperties !== false &&
        additionalProperties?.tsType === 'unknown'
      );
    default:
      return true;
  }
}

/** What the keywords beside `$ref`, `allOf`, `anyOf` and `oneOf` say. */
function siblingKeywordsSchema(schema: JsonObject, place: SchemaContext): CompilerSchema {
  if (schema['const'] !== undefined) {
    return toLiteralSchema(schema['const'], place);
  }
  const types = statedOrImpliedTypes(schema);
  const values = list(schema['enum']);
  if (values.length > 0) {
    const fitting = values.filter(
      (value) => types.length === 0 || types.some((type) => isOfJsonType(value, type)),
    );
    return place.nodes.union((fitting.length > 0 ? fitting : values).map((value) => toLiteralSchema(value, place)));
  }
  return types.length === 0
    ? UNKNOWN_SCHEMA
    : place.nodes.union(types.map((type) => schemaOfType(type, schema, place)));
}

function toLiteralSchema(value: Json, { nodes, tokens: { keys }, depth }: SchemaContext): CompilerSchema {
  return createLiteralSchema(value, { nodes, keys }, MAX_SCHEMA_DEPTH - depth);
}

/** The `type` keyword as a list, or what other keywords imply; empty where nothing is said. */
function statedOrImpliedTypes(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') {
    return [type];
  }
  const stated = list(type).filter((name) => typeof name === 'string');
  if (stated.length > 0) {
    return stated;
  }
  const { properties, patternProperties, additionalProperties, required, items, prefixItems } = schema;
  const object =
    isJsonObject(properties) ||
    isJsonObject(patternProperties) ||
    isJsonObject(additionalProperties) ||
    list(required).length > 0;
  const array = isJsonObject(items) || Array.isArray(prefixItems);
  return [...(object ? ['object'] : []), ...(array ? ['array'] : [])];
}

function schemaOfType(type: string, schema: JsonObject, place: SchemaContext): CompilerSchema {
  switch (type) {
    case 'string':
      return isBytes(schema, place) ? namedTypeSchema(BYTES_TYPE_NAME, place) : place.nodes.intern({ type });
    case 'number':
    case 'integer':
      return place.nodes.intern({ type: 'number' });
    case 'boolean':
    case 'null':
      return place.nodes.intern({ type });
    case 'array':
      return arraySchema(schema, place);
    case 'object':
      return objectSchema(schema, place);
    default:
      return UNKNOWN_SCHEMA;
  }
}

/** OpenAPI 3.1 §4.8.14.3 has binary data without an encoding as `contentMediaType`; 3.0 had it as a format. */
function isBytes({ format, contentMediaType, contentEncoding }: JsonObject, { direction }: SchemaContext): boolean {
  const bytes =
    format === 'binary' || (typeof contentMediaType === 'string' && contentEncoding === undefined);
  return direction === 'write' && bytes;
}

/** Bounds on the number of items are left to the site: a tuple of one to a hundred is no type to assign a list to. */
function arraySchema({ items, prefixItems }: JsonObject, place: SchemaContext): CompilerSchema {
  const first = list(prefixItems).map((item) => toCompilerSchema(item, place));
  if (first.length === 0) {
    return place.nodes.intern({ type: 'array', items: toCompilerSchema(items, place) });
  }
  const open = items !== false;
  const rest = open ? { additionalItems: toCompilerSchema(items, place) } : {};
  return place.nodes.intern({ type: 'array', items: first, ...rest });
}

/**
 * Undeclared properties are typed only where the schema speaks of them, so that a misspelt one is an error; an object
 * of which nothing is declared is open. TypeScript has no keys by pattern: their types share one index signature.
 */
function objectSchema(schema: JsonObject, place: SchemaContext): CompilerSchema {
  const declared = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = list(schema['required']).filter((name) => typeof name === 'string');
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
      const comment = isJsonObject(value) ? schemaDocumentation(value, place.direction) : '';
      return [name, place.tokens.keys.tokenFor(name, comment)];
    }),
  );
  const schemas = new Map(properties);
  const must = required.filter((name) => !isExcludedFromDirection(schemas.get(name), place.direction));
  const others = [
    ...patterns.map((value) => toCompilerSchema(value, place)),
    ...(rest === true || isJsonObject(rest) ? [toCompilerSchema(rest, place)] : []),
  ];
  const closed = properties.length > 0 ? false : rest === false ? NEVER_SCHEMA : UNKNOWN_SCHEMA;
  return place.nodes.intern({
    type: 'object',
    properties: Object.fromEntries(
      properties.map(([name, value]) => [keys.get(name) ?? '', toCompilerSchema(value, place)]),
    ),
    required: [...new Set(must)].map((name) => keys.get(name) ?? ''),
    additionalProperties: others.length > 0 ? place.nodes.union(others) : closed,
  });
}

/** OpenAPI: `required` holds for answers only where a property is read-only, for requests only where write-only. */
function isExcludedFromDirection(schema: Json | undefined, direction: TypeDirection): boolean {
  return isJsonObject(schema) && schema[direction === 'write' ? 'readOnly' : 'writeOnly'] === true;
}
