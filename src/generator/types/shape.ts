import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../base/json.ts';
import { typesOf } from '../model/schema/keywords.ts';
import { hasSchemaType } from '../model/schema/type-words.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import { MAX_SCHEMA_DEPTH } from '../openapi/schema-view.ts';
import { createSchemaComment, isOpenEnum, wrapText } from './comments.ts';
import { type CompilerSchema, NEVER_SCHEMA, SchemaInterner, UNKNOWN_SCHEMA } from './compiler-schema.ts';
import { guardName } from './print.ts';
import type { ReferenceResolver, TypeDirection } from './references.ts';

export interface TypeNode {
  readonly schema: CompilerSchema;
  readonly typeNames: readonly string[];
}

export interface TypeDeclaration {
  readonly name: string;
  readonly comment: string;
  readonly shape: TypeNode;
  readonly extends?: string;
}

export class ShapeCache {
  readonly nodes: SchemaInterner = new SchemaInterner();
  readonly schemas: Set<CompilerSchema> = new Set();
  readonly #references: ReferenceResolver;
  readonly #isClient: boolean;
  readonly #typeNames: Set<string> = new Set();
  readonly #shapes: Readonly<Record<TypeDirection, WeakMap<JsonObject, TypeNode>>> = {
    read: new WeakMap(),
    write: new WeakMap(),
    query: new WeakMap(),
  };

  /** @param isClient whether clients send values: they write a `Date`, and leave out `undefined` */
  constructor(references: ReferenceResolver, isClient = false) {
    this.#references = references;
    this.#isClient = isClient;
  }

  /** The shape of a schema (JSON Schema 2020-12); invalid parts become `unknown`. */
  shapeOf(schema: Json | undefined, direction: TypeDirection): TypeNode {
    const cached = isJsonObject(schema) ? this.#shapes[direction].get(schema) : undefined;
    if (cached !== undefined) return cached;
    const builder = new ShapeBuilder(direction, this.#references, this.nodes, this.#isClient);
    const shape = { schema: builder.build(schema, 0), typeNames: [...builder.typeNames] };
    for (const name of shape.typeNames) this.#typeNames.add(name);
    this.schemas.add(shape.schema);
    if (isJsonObject(schema)) this.#shapes[direction].set(schema, shape);
    return shape;
  }

  refersTo(name: string): boolean {
    return this.#typeNames.has(name);
  }
}

export function hasMembers({ schema: { tsType, properties = {} } }: TypeNode): boolean {
  return tsType === undefined && Object.keys(properties).length > 0;
}

export function shapeOfType(name: string): TypeNode {
  return { schema: { tsType: name }, typeNames: [name] };
}

export const BYTES_TYPE_NAME = 'Bytes';

/** Of a client: any text. Editors offer the literals beside it. */
export const TEXT_TYPE_NAME = 'Text';

export const QUERY_TYPE_NAMES = {
  boolean: 'QueryBoolean',
  number: 'QueryNumber',
  numbers: 'QueryNumbers',
  words: 'QueryWords',
} as const;

class ShapeBuilder {
  readonly typeNames: Set<string> = new Set();
  readonly #direction: TypeDirection;
  readonly #references: ReferenceResolver;
  readonly #nodes: SchemaInterner;
  readonly #isClient: boolean;

  constructor(
    direction: TypeDirection,
    references: ReferenceResolver,
    nodes: SchemaInterner,
    isClient: boolean,
  ) {
    this.#isClient = isClient;
    this.#direction = direction;
    this.#references = references;
    this.#nodes = nodes;
  }

  build(schema: Json | undefined, depth: number): CompilerSchema {
    if (schema === false) return NEVER_SCHEMA;
    if (!isJsonObject(schema) || depth >= MAX_SCHEMA_DEPTH) return UNKNOWN_SCHEMA;
    const { $ref, allOf, anyOf, oneOf } = schema;
    const own = this.#ownKeywords(schema, depth + 1);
    if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) return own;
    const buildAll = (members: Json | undefined): readonly CompilerSchema[] =>
      jsonItems(members).map((member) => this.build(member, depth + 1));
    const reference = referenceOf(schema);
    const choices = this.#direction === 'read' ? withoutEmptyLists(jsonItems(anyOf)) : anyOf;
    const combined = this.#nodes.internIntersection([
      ...(reference === undefined ? [] : [this.#reference(reference)]),
      ...buildAll(allOf),
      ...[buildAll(choices), buildAll(oneOf)]
        .filter(({ length }) => length > 0)
        .map((members) => this.#nodes.internUnion(members)),
    ]);
    // Sites write a redundant `type: object` beside `oneOf`.
    if (combined.tsType !== 'unknown' && isUnconstrained(own)) return combined;
    return this.#nodes.internIntersection([combined, own]);
  }

  #reference(reference: string): CompilerSchema {
    const name = this.#references.typeNameOf(reference, this.#direction);
    return name === undefined ? UNKNOWN_SCHEMA : this.#named(name);
  }

  #named(name: string): CompilerSchema {
    this.typeNames.add(name);
    return this.#nodes.intern({ tsType: name });
  }

  #ownKeywords(schema: SchemaObject, depth: number): CompilerSchema {
    if (schema.const !== undefined) return this.#literal(schema.const);
    const types = declaredOrImpliedTypes(schema);
    const stated = schema[EXTENSION_NAMES.type];
    const values = jsonItems(schema.enum);
    if (values.length > 0) {
      const fitting = values.filter((value) => types.length === 0 || hasSchemaType(value, types));
      const listed = fitting.length > 0 ? fitting : values;
      const isOpen = isOpenEnum(schema, this.#direction);
      const known = isOpen && !this.#isClient ? listed.filter((value) => typeof value !== 'string') : listed;
      const literals = known.map((value) => this.#literal(value));
      return this.#nodes.internUnion(isOpen ? [...literals, this.#anyText()] : literals);
    }
    // WooCommerce lists all types for "any"; in responses that is `unknown`.
    const isAny = this.#direction === 'write' && JSON_TYPES.every((type) => types.includes(type));
    if (types.length === 0 || isAny) return UNKNOWN_SCHEMA;
    const union = this.#nodes.internUnion(types.map((type) => this.#ofType(type, schema, depth)));
    const isList = types.includes('array');
    if (this.#direction === 'read' || stated !== null || !(isList || types.includes('object'))) return union;
    // WordPress checks no argument without a `type`, and PHP code splits texts: `categories=music`.
    const items = isList ? [this.build(schema['items'], depth)] : [];
    return this.#nodes.internUnion([...items, union, this.#anyText()]);
  }

  /** openapi-fetch maps members of each object, also of an intersection that lets editors offer the literals. */
  #anyText(): CompilerSchema {
    return this.#isClient ? this.#named(TEXT_TYPE_NAME) : this.#nodes.intern({ type: 'string' });
  }

  #literal(value: Json): CompilerSchema {
    if (typeof value === 'object' && value !== null) return UNKNOWN_SCHEMA;
    // `JSON.parse` reads 1e999 as Infinity, which is not a literal.
    const isInfinite = typeof value === 'number' && !Number.isFinite(value);
    return this.#nodes.intern(isInfinite ? { type: 'number' } : { enum: [value] });
  }

  #ofType(type: string, schema: SchemaObject, depth: number): CompilerSchema {
    const isQuery = this.#direction === 'query';
    const isSent = this.#direction !== 'read';
    switch (type) {
      case 'string': {
        const text = this.#nodes.intern({ type });
        if (this.#isBytes(schema)) return this.#named(BYTES_TYPE_NAME);
        if (this.#isClient && isSent && /^date-time(?:-local)?$/.test(String(schema.format))) {
          return this.#nodes.internUnion([text, this.#named('Date')]);
        }
        return isQuery && canBeNumber(schema)
          ? this.#nodes.internUnion([text, this.#nodes.intern({ type: 'number' })])
          : text;
      }
      case 'number':
      case 'integer':
        if (isQuery && !typesOf(schema).includes('string')) return this.#named(QUERY_TYPE_NAMES.number);
        return this.#nodes.intern({ type: 'number' });
      case 'boolean':
        return isQuery ? this.#named(QUERY_TYPE_NAMES.boolean) : this.#nodes.intern({ type });
      case 'null':
        return this.#nodes.intern({ type });
      case 'array':
        if (isQuery && !typesOf(schema).includes('string')) return this.#listOrItem(schema, depth);
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return UNKNOWN_SCHEMA;
    }
  }

  /** A `contentMediaType` without an encoding (OpenAPI 3.1 §4.8.14.3); a format in OpenAPI 3.0. */
  #isBytes({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
    const isUnencoded = typeof contentMediaType === 'string' && contentEncoding === undefined;
    return this.#direction !== 'read' && (format === 'binary' || isUnencoded);
  }

  /** WordPress reads a single value as a list of one. */
  #listOrItem(schema: SchemaObject, depth: number): CompilerSchema {
    const list = this.#list(schema, depth);
    const { items } = list;
    if (items === this.#named(QUERY_TYPE_NAMES.number)) return this.#named(QUERY_TYPE_NAMES.numbers);
    if (items === undefined || items.type === 'array') return list;
    const scalars = [this.#nodes.intern({ type: 'string' }), this.#nodes.intern({ type: 'number' })];
    const words = isWords(items) ? [this.#named(QUERY_TYPE_NAMES.words)] : [];
    return this.#nodes.internUnion([...(items === UNKNOWN_SCHEMA ? scalars : [items]), ...words, list]);
  }

  /** Bounds on the number of items would make the type a tuple. Items of a tuple are `unknown`. */
  #list({ items, prefixItems }: JsonObject, depth: number): CompilerSchema {
    const type = prefixItems === undefined ? this.build(items, depth) : UNKNOWN_SCHEMA;
    // Clients send `readonly` lists too.
    return this.#direction === 'read'
      ? this.#nodes.intern({ type: 'array', items: type })
      : this.#nodes.internReadonlyList(type);
  }

  /**
   * Closed with declared properties, so that a misspelt name is an error, unless `additionalProperties` is
   * stated. TypeScript has no keys by pattern, so `patternProperties` share one index signature.
   */
  #object(schema: SchemaObject, depth: number): CompilerSchema {
    const rest = schema.additionalProperties;
    const required = new Set(jsonItems(schema.required).filter((name) => typeof name === 'string'));
    const properties = new Map(jsonMembers(schema.properties));
    for (const name of required) {
      if (!properties.has(name)) properties.set(name, isJsonObject(rest) ? rest : true);
    }
    const typeOf = (name: string, value: Json): CompilerSchema => {
      const declared = this.build(value, depth);
      // `exactOptionalPropertyTypes` tells `undefined` from absent; clients leave out both.
      const isOptional = !required.has(name) || this.#isOfOtherDirection(value);
      const mayBeUndefined = this.#isClient && this.#direction !== 'read' && isOptional;
      // Null too is left out of a query.
      const absent = this.#direction === 'query' ? 'null | undefined' : 'undefined';
      const type = mayBeUndefined
        ? this.#nodes.internUnion([declared, this.#nodes.intern({ tsType: absent })])
        : declared;
      const comment = isJsonObject(value) ? createSchemaComment(value, this.#direction) : '';
      return comment === '' ? type : this.#nodes.intern({ ...type, description: wrapText(comment) });
    };
    const combined = [
      ...jsonMembers(schema['patternProperties']).map(([, value]) => this.build(value, depth)),
      ...(rest === true || isJsonObject(rest) ? [this.build(rest, depth)] : []),
    ];
    const empty = rest === false ? NEVER_SCHEMA : UNKNOWN_SCHEMA;
    const closed = properties.size > 0 ? false : empty;
    return this.#nodes.intern({
      type: 'object',
      properties: Object.fromEntries(
        Array.from(properties, ([name, value]) => [guardName(name), typeOf(name, value)]),
      ),
      required: [...required]
        .filter((name) => !this.#isOfOtherDirection(properties.get(name)))
        .map(guardName),
      additionalProperties: combined.length > 0 ? this.#nodes.internUnion(combined) : closed,
    });
  }

  /** OpenAPI 3.1: `required` with `readOnly` is for responses only, with `writeOnly` for requests only. */
  #isOfOtherDirection(schema: Json | undefined): boolean {
    return isJsonObject(schema) && schema[this.#direction === 'read' ? 'writeOnly' : 'readOnly'] === true;
  }
}

const JSON_TYPES: readonly string[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

function declaredOrImpliedTypes(schema: SchemaObject): readonly string[] {
  const declared = typesOf(schema);
  if (declared.length > 0) return declared;
  const { properties, patternProperties, additionalProperties, required, items, prefixItems } = schema;
  const isObject =
    [properties, patternProperties, additionalProperties].some(isJsonObject) ||
    jsonItems(required).length > 0;
  const isList = isJsonObject(items) || Array.isArray(prefixItems);
  return [...(isObject ? ['object'] : []), ...(isList ? ['array'] : [])];
}

/** Removes the empty list that PHP sends for an empty map: a member of either is `undefined`. */
function withoutEmptyLists(members: readonly Json[]): readonly Json[] {
  const rest = members.filter(
    (member) => !(isJsonObject(member) && member['type'] === 'array' && member['maxItems'] === 0),
  );
  const areMaps = rest.every(
    (member) => isJsonObject(member) && member['type'] === 'object' && member['required'] === undefined,
  );
  return rest.length > 0 && areMaps ? rest : members;
}

const TEXT_FORMATS: ReadonlySet<Json | undefined> = new Set([undefined, 'text-field', 'textarea-field']);

/** A query is text, so a number can be a text of no other format. */
function canBeNumber({ format, [EXTENSION_NAMES.slashes]: mayHaveSlash }: JsonObject): boolean {
  return TEXT_FORMATS.has(format) && mayHaveSlash !== true;
}

function isWords({ anyOf, enum: values }: CompilerSchema): boolean {
  return anyOf?.every(isWords) ?? values?.every((value) => typeof value === 'string') ?? false;
}

function isUnconstrained({ type, anyOf, items, properties, additionalProperties }: CompilerSchema): boolean {
  switch (type) {
    case undefined:
      return anyOf?.every(isUnconstrained) ?? false;
    case 'array':
      return !Array.isArray(items) && items?.tsType === 'unknown';
    case 'object': {
      const isOpen = additionalProperties !== false && additionalProperties?.tsType === 'unknown';
      return Object.keys(properties ?? {}).length === 0 && isOpen;
    }
    default:
      return true;
  }
}
