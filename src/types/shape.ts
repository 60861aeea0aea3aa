import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../openapi/schema-view.ts';
import { createSchemaComment } from './comments.ts';
import type { ReferenceResolver, TypeDirection } from './references.ts';

/** Creates the shapes of schemas, each once, and collects their compiler schemas. */
export interface ShapeCache {
  shapeOf(schema: Json | undefined, direction: TypeDirection): TypeShape;
  /** The shape of a union of types that are given by name or as text. */
  shapeOfTypes(...names: readonly string[]): TypeShape;
  /** Whether any shape refers to a type of that name. */
  refersTo(name: string): boolean;
  /** The schemas of all shapes; equal schemas are one object. */
  readonly compilerSchemas: ReadonlySet<CompilerSchema>;
}

export function createShapeCache(references: ReferenceResolver): ShapeCache {
  const compilerSchemas = new Set<CompilerSchema>();
  const nodes = createSchemaInterner();
  const referred = new Set<string>();
  // Several media types and statuses use the same schema object of the document.
  const shapes = {
    read: new WeakMap<object, TypeShape>(),
    write: new WeakMap<object, TypeShape>(),
    query: new WeakMap<object, TypeShape>(),
  };
  const register = (shape: TypeShape): TypeShape => {
    for (const name of shape.typeNames) {
      referred.add(name);
    }
    compilerSchemas.add(shape.schema);
    return shape;
  };
  return {
    shapeOf(schema, direction) {
      const cached = isJsonObject(schema) ? shapes[direction].get(schema) : undefined;
      if (cached !== undefined) return cached;
      const shape = register(createTypeShape(schema, direction, { references, nodes }));
      if (isJsonObject(schema)) {
        shapes[direction].set(schema, shape);
      }
      return shape;
    },
    shapeOfTypes: (...typeNames) =>
      register({
        schema: nodes.internUnion(typeNames.map((_, at) => nodes.intern({ tsType: `R${at}` }))),
        propertyNames: [],
        propertyComments: [],
        typeNames,
        hasReadonlyLists: false,
      }),
    refersTo: (name) => referred.has(name),
    compilerSchemas,
  };
}

/** Whether two shapes of one module print the same type. */
export function isSameShape(a: TypeShape, b: TypeShape): boolean {
  return (
    a === b ||
    (a.schema === b.schema &&
      isSameList(a.propertyNames, b.propertyNames) &&
      isSameList(a.propertyComments, b.propertyComments) &&
      isSameList(a.typeNames, b.typeNames) &&
      a.hasReadonlyLists === b.hasReadonlyLists)
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

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
function createTypeShape(
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

/** Interns the nodes of literals, and allocates tokens for the names of their properties. */
interface LiteralContext {
  readonly nodes: SchemaInterner;
  readonly propertyTokens: PropertyTokenTable;
}

/** Creates the schema of one value. Parts below `depth` levels become `unknown`. */
function createLiteralSchema(value: Json, context: LiteralContext, depth: number): CompilerSchema {
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
function isOfJsonType(value: Json, type: string): boolean {
  return Object.hasOwn(TYPE_CHECKS, type) && TYPE_CHECKS[type]?.(value) === true;
}

/**
 * Removes empty lists beside maps. PHP sends an empty map as a list, and a member of either is `undefined`, so that readers need
 * not tell them apart.
 */
function withoutEmptyLists(members: readonly Json[]): readonly Json[] {
  const rest = members.filter(
    (member) => !(isJsonObject(member) && member['type'] === 'array' && member['maxItems'] === 0),
  );
  const areMaps = rest.every(
    (member) => isJsonObject(member) && member['type'] === 'object' && member['required'] === undefined,
  );
  return rest.length > 0 && areMaps ? rest : members;
}

/** Allocates a numbered token for each text, in the order of first use. */
interface TokenTable {
  tokenFor(text: string): string;
  readonly texts: readonly string[];
}

function createTokenTable(prefix: string): TokenTable {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    tokenFor(text) {
      const number = numbers.get(text) ?? texts.push(text) - 1;
      numbers.set(text, number);
      return `${prefix}${number}`;
    },
    texts,
  };
}

/** Allocates a numbered token for each pair of property name and comment, so that the compiler sees no comments. */
interface PropertyTokenTable {
  tokenFor(name: string, comment?: string): string;
  readonly names: readonly string[];
  readonly comments: readonly string[];
}

function createPropertyTokenTable(prefix: string): PropertyTokenTable {
  const numbers = new Map<string, number[]>();
  const names: string[] = [];
  const comments: string[] = [];
  return {
    tokenFor(name, comment = '') {
      const candidates = numbers.get(name) ?? [];
      let number = candidates.find((candidate) => comments[candidate] === comment);
      if (number === undefined) {
        number = names.push(name) - 1;
        comments.push(comment);
        candidates.push(number);
        numbers.set(name, candidates);
      }
      return `${prefix}${number}`;
    },
    names,
    comments,
  };
}

/**
 * Input of json-schema-to-typescript: one construct per node, and no text of the site except enum literals.
 * Properties and references are numbered tokens (`k0`, `R0`), so that no hostile name (`__proto__`, `hasOwnProperty`,
 * `$ref`) reaches the compiler, and schemas that differ only in names are compiled once.
 */
export interface CompilerSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
  /** TypeScript text, copied to the output. */
  tsType?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: CompilerSchema[];
  allOf?: CompilerSchema[];
  /** A list for a tuple. */
  items?: CompilerSchema | CompilerSchema[];
  /** Schema of the items after those of a tuple. */
  additionalItems?: CompilerSchema;
  properties?: Record<string, CompilerSchema>;
  required?: string[];
  additionalProperties?: false | CompilerSchema;
}

const UNKNOWN_SCHEMA: CompilerSchema = { tsType: 'unknown' };
const NEVER_SCHEMA: CompilerSchema = { tsType: 'never' };

/**
 * Interns nodes: equal nodes of all shapes of a module become one object. The compiler visits an object once, and most
 * nodes are plain strings and numbers. Two interned nodes are equal only if they are identical.
 */
interface SchemaInterner {
  /**
   * Returns the node that is equal to this one and was interned first.
   *
   * @param node a node whose members are interned; it must not be changed afterwards
   */
  intern(node: CompilerSchema): CompilerSchema;
  /** Interns the union of members (`oneOf`, `anyOf`). A member that is `unknown` makes the union `unknown`. */
  internUnion(members: readonly CompilerSchema[]): CompilerSchema;
  /** Interns the intersection of members. A member that is `unknown` adds nothing. */
  internIntersection(members: readonly CompilerSchema[]): CompilerSchema;
}

function createSchemaInterner(): SchemaInterner {
  const interned = new Map<string, CompilerSchema>();
  const numbers = new Map<CompilerSchema, number>();
  const intern = (node: CompilerSchema): CompilerSchema => {
    const key = structuralKey(node, numbers);
    const existing = interned.get(key);
    if (existing !== undefined) return existing;
    interned.set(key, node);
    numbers.set(node, numbers.size);
    return node;
  };
  intern(NEVER_SCHEMA);
  intern(UNKNOWN_SCHEMA);
  return {
    intern,
    internUnion(members) {
      const [only] = members;
      if (only !== undefined && members.length === 1) return only;
      const distinct = new Set(members.flatMap((member) => member.anyOf ?? [member]));
      distinct.delete(NEVER_SCHEMA);
      if (distinct.has(UNKNOWN_SCHEMA)) return UNKNOWN_SCHEMA;
      const [first] = distinct;
      return distinct.size > 1 ? intern({ anyOf: [...distinct] }) : (first ?? NEVER_SCHEMA);
    },
    internIntersection(members) {
      const distinct = new Set(members.flatMap((member) => member.allOf ?? [member]));
      distinct.delete(UNKNOWN_SCHEMA);
      if (distinct.has(NEVER_SCHEMA)) return NEVER_SCHEMA;
      const [first] = distinct;
      return distinct.size > 1 ? intern({ allOf: [...distinct] }) : (first ?? UNKNOWN_SCHEMA);
    },
  };
}

/** A key that only equal nodes share: the node's own keywords, and its members by number. */
function structuralKey(node: CompilerSchema, numbers: ReadonlyMap<CompilerSchema, number>): string {
  const all = (members: readonly CompilerSchema[]): string =>
    members.map((member) => numbers.get(member)).join();
  const { type, tsType, anyOf, allOf, items, additionalItems, additionalProperties } = node;
  if (tsType !== undefined) return `type ${tsType}`;
  if (node.enum !== undefined) return `enum ${JSON.stringify(node.enum)}`;
  if (anyOf !== undefined) return `any ${all(anyOf)}`;
  if (allOf !== undefined) return `all ${all(allOf)}`;
  if (Array.isArray(items)) return `tuple ${all(items)} ${additionalItems ? all([additionalItems]) : ''}`;
  if (items !== undefined) return `list ${all([items])}`;
  if (type !== 'object') return type ?? '';
  let key = 'object';
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    key += ` ${name}:${numbers.get(property)}`;
  }
  const rest = additionalProperties === false ? '' : all(additionalProperties ? [additionalProperties] : []);
  return `${key} | ${(node.required ?? []).join()} | ${rest}`;
}

/** Whether a type states only the kind of the JSON value. */
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
