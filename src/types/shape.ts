import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { type CompilerSchema, never, unknown } from './compiler-schema.ts';
import type { Direction } from './directions.ts';
import { documentation } from './documentation.ts';
import { isOfType, literal } from './literals.ts';
import type { Nodes } from './nodes.ts';
import { list } from './objects.ts';
import type { References } from './references.ts';
import { type KeyTokens, keyTokensOf, type Tokens, tokensOf } from './tokens.ts';

/** A schema of the document, ready to be compiled, and what its tokens stand for. */
export interface Shape {
  readonly schema: CompilerSchema;
  /** Names of properties: `k0`, `k1`, … */
  readonly keys: readonly string[];
  /** The comments above them, by the same numbers; empty for none. */
  readonly comments: readonly string[];
  /** Names of types: `R0`, `R1`, … */
  readonly references: readonly string[];
}

/** The name of the type for bytes that a caller sends, which the module declares where something refers to it. */
export const bytesType = 'Bytes';

/** Deeper than any schema that a person reads. What lies below is `unknown`. */
const deepest = 48;

/** One schema on its way into a shape. */
interface Place {
  readonly direction: Direction;
  readonly references: References;
  readonly nodes: Nodes;
  readonly tokens: { readonly keys: KeyTokens; readonly references: Tokens };
  readonly depth: number;
}

/** Takes a schema of the document (JSON Schema 2020-12, as tolerantly as it comes) into its shape. */
export function shapeOf(
  schema: Json | undefined,
  direction: Direction,
  { references, nodes }: Pick<Place, 'references' | 'nodes'>,
): Shape {
  const tokens = { keys: keyTokensOf('k'), references: tokensOf('R') };
  return {
    schema: typeOf(schema, { direction, references, nodes, tokens, depth: 0 }),
    keys: tokens.keys.names,
    comments: tokens.keys.comments,
    references: tokens.references.texts,
  };
}

function typeOf(schema: Json | undefined, outer: Place): CompilerSchema {
  if (schema === false) {
    return never;
  }
  if (!isJsonObject(schema) || outer.depth >= deepest) {
    return unknown;
  }
  const { $ref, allOf, anyOf, oneOf } = schema;
  const place = { ...outer, depth: outer.depth + 1 };
  const own = ownType(schema, place);
  if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) {
    return own;
  }
  const others = place.nodes.intersection([
    ...(typeof $ref === 'string' ? [referenceTo($ref, place)] : []),
    ...list(allOf).map((member) => typeOf(member, place)),
    ...[list(anyOf), list(oneOf)]
      .filter(({ length }) => length > 0)
      .map((members) => place.nodes.union(members.map((member) => typeOf(member, place)))),
  ]);
  // `type: object` or `type: string` beside members that say more, as sites write it, would only be noise.
  return others.tsType !== 'unknown' && isOpen(own) ? others : place.nodes.intersection([others, own]);
}

function referenceTo(ref: string, place: Place): CompilerSchema {
  const name = place.references.type(ref, place.direction);
  return name === undefined ? unknown : named(name, place);
}

function named(name: string, place: Place): CompilerSchema {
  return place.nodes.of({ tsType: place.tokens.references.of(name) });
}

/** Whether a type says no more than which kind of JSON value it is. */
function isOpen({ type, anyOf, items, properties, additionalProperties }: CompilerSchema): boolean {
  switch (type) {
    case undefined:
      return anyOf?.every(isOpen) ?? false;
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
function ownType(schema: JsonObject, place: Place): CompilerSchema {
  if (schema['const'] !== undefined) {
    return literalAt(schema['const'], place);
  }
  const types = typesOf(schema);
  const values = list(schema['enum']);
  if (values.length > 0) {
    const fitting = values.filter(
      (value) => types.length === 0 || types.some((type) => isOfType(value, type)),
    );
    return place.nodes.union((fitting.length > 0 ? fitting : values).map((value) => literalAt(value, place)));
  }
  return types.length === 0
    ? unknown
    : place.nodes.union(types.map((type) => typeNamed(type, schema, place)));
}

function literalAt(value: Json, { nodes, tokens: { keys }, depth }: Place): CompilerSchema {
  return literal(value, { nodes, keys }, deepest - depth);
}

/** The `type` keyword as a list, or what other keywords imply; empty where nothing is said. */
function typesOf(schema: JsonObject): readonly string[] {
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

function typeNamed(type: string, schema: JsonObject, place: Place): CompilerSchema {
  switch (type) {
    case 'string':
      return isBytes(schema, place) ? named(bytesType, place) : place.nodes.of({ type });
    case 'number':
    case 'integer':
      return place.nodes.of({ type: 'number' });
    case 'boolean':
    case 'null':
      return place.nodes.of({ type });
    case 'array':
      return arrayType(schema, place);
    case 'object':
      return objectType(schema, place);
    default:
      return unknown;
  }
}

/** OpenAPI 3.1 §4.8.14.3 has binary data without an encoding as `contentMediaType`; 3.0 had it as a format. */
function isBytes({ format, contentMediaType, contentEncoding }: JsonObject, { direction }: Place): boolean {
  const bytes =
    format === 'binary' || (typeof contentMediaType === 'string' && contentEncoding === undefined);
  return direction === 'write' && bytes;
}

/** Bounds on the number of items are left to the site: a tuple of one to a hundred is no type to assign a list to. */
function arrayType({ items, prefixItems }: JsonObject, place: Place): CompilerSchema {
  const first = list(prefixItems).map((item) => typeOf(item, place));
  if (first.length === 0) {
    return place.nodes.of({ type: 'array', items: typeOf(items, place) });
  }
  const open = items !== false;
  const rest = open ? { additionalItems: typeOf(items, place) } : {};
  return place.nodes.of({ type: 'array', items: first, ...rest });
}

/**
 * Undeclared properties are typed only where the schema speaks of them, so that a misspelt one is an error; an object
 * of which nothing is declared is open. TypeScript has no keys by pattern: their types share one index signature.
 */
function objectType(schema: JsonObject, place: Place): CompilerSchema {
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
      const comment = isJsonObject(value) ? documentation(value, place.direction) : '';
      return [name, place.tokens.keys.of(name, comment)];
    }),
  );
  const schemas = new Map(properties);
  const must = required.filter((name) => !isForOtherSide(schemas.get(name), place.direction));
  const others = [
    ...patterns.map((value) => typeOf(value, place)),
    ...(rest === true || isJsonObject(rest) ? [typeOf(rest, place)] : []),
  ];
  const closed = properties.length > 0 ? false : rest === false ? never : unknown;
  return place.nodes.of({
    type: 'object',
    properties: Object.fromEntries(
      properties.map(([name, value]) => [keys.get(name) ?? '', typeOf(value, place)]),
    ),
    required: [...new Set(must)].map((name) => keys.get(name) ?? ''),
    additionalProperties: others.length > 0 ? place.nodes.union(others) : closed,
  });
}

/** OpenAPI: `required` holds for answers only where a property is read-only, for requests only where write-only. */
function isForOtherSide(schema: Json | undefined, direction: Direction): boolean {
  return isJsonObject(schema) && schema[direction === 'write' ? 'readOnly' : 'writeOnly'] === true;
}
