import { EXTENSION_NAMES } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { hasSchemaType } from '../model/schema/type-words.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../openapi/schema-view.ts';
import { compilePattern } from '../pcre/index.ts';
import { createSchemaComment, wrapText } from './comments.ts';
import { type CompilerSchema, NEVER_SCHEMA, SchemaInterner, UNKNOWN_SCHEMA } from './compiler-schema.ts';
import { guardName } from './print.ts';
import type { ReferenceResolver, TypeDirection } from './references.ts';

/** A schema of the document, prepared for the compiler. */
export interface TypeNode {
  readonly schema: CompilerSchema;
  /** The named types that it refers to. */
  readonly typeNames: readonly string[];
}

/** One exported type of the module. */
export interface TypeDeclaration {
  readonly name: string;
  readonly comment: string;
  readonly shape: TypeNode;
  /** Text after `extends`: a base type with further members. */
  readonly extends?: string;
}

/** Creates the shapes of schemas, each once, and collects their compiler schemas. */
export class ShapeCache {
  readonly nodes: SchemaInterner = new SchemaInterner();
  readonly #schemas: Set<CompilerSchema> = new Set();
  readonly #references: ReferenceResolver;
  readonly #isClient: boolean;
  readonly #typeNames: Set<string> = new Set();
  /** Several media types and statuses use the same schema object of the document. */
  readonly #shapes: Readonly<Record<TypeDirection, WeakMap<JsonObject, TypeNode>>> = {
    read: new WeakMap(),
    write: new WeakMap(),
    query: new WeakMap(),
  };

  /** @param isClient whether values are sent by a client: it writes a `Date` as the site reads it, and leaves out `undefined` */
  constructor(references: ReferenceResolver, isClient = false) {
    this.#references = references;
    this.#isClient = isClient;
  }

  /** The schemas of all shapes, and of the items of their lists; equal schemas are one object. */
  get compilerSchemas(): readonly CompilerSchema[] {
    return [...this.#schemas, ...this.nodes.readonlyItems.keys()];
  }

  /** Returns the shape of a schema of the document: JSON Schema 2020-12, invalid parts of which become `unknown`. */
  shapeOf(schema: Json | undefined, direction: TypeDirection): TypeNode {
    const cached = isJsonObject(schema) ? this.#shapes[direction].get(schema) : undefined;
    if (cached !== undefined) return cached;
    const builder = new ShapeBuilder(direction, this.#references, this.nodes, this.#isClient);
    const shape = { schema: builder.build(schema, 0), typeNames: [...builder.typeNames] };
    for (const name of shape.typeNames) this.#typeNames.add(name);
    this.#schemas.add(shape.schema);
    if (isJsonObject(schema)) this.#shapes[direction].set(schema, shape);
    return shape;
  }

  /** Whether any shape refers to a type of that name. */
  refersTo(name: string): boolean {
    return this.#typeNames.has(name);
  }
}

/** Whether a type is an object with named members. */
export function hasMembers({ schema: { tsType, properties = {} } }: TypeNode): boolean {
  return tsType === undefined && Object.keys(properties).length > 0;
}

/** The shape of a type that is given by its name. */
export function shapeOfType(name: string): TypeNode {
  return { schema: { tsType: name }, typeNames: [name] };
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
    // Sites write `type: object` beside `oneOf` members that state more. Such a type adds nothing.
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

  /** The schema of the keywords beside `$ref`, `allOf`, `anyOf` and `oneOf`. */
  #ownKeywords(schema: SchemaObject, depth: number): CompilerSchema {
    const literal = (value: Json): CompilerSchema => this.#literal(value, MAX_SCHEMA_DEPTH - depth);
    if (schema.const !== undefined) return literal(schema.const);
    const types = declaredOrImpliedTypes(schema);
    const values = jsonItems(schema.enum);
    if (values.length > 0) {
      const fitting = values.filter((value) => types.length === 0 || hasSchemaType(value, types));
      return this.#nodes.internUnion((fitting.length > 0 ? fitting : values).map(literal));
    }
    // WooCommerce lists all types for "any", whose values responses have as `unknown`.
    const isAny = this.#direction === 'write' && JSON_TYPES.every((type) => types.includes(type));
    if (types.length === 0 || isAny) return UNKNOWN_SCHEMA;
    return this.#nodes.internUnion(types.map((type) => this.#ofType(type, schema, depth)));
  }

  /** Creates the schema of one value. Parts below `levels` levels become `unknown`. */
  #literal(value: Json, levels: number): CompilerSchema {
    if (typeof value !== 'object' || value === null) {
      // `JSON.parse` reads 1e999 as Infinity, which is not a literal.
      const isInfinite = typeof value === 'number' && !Number.isFinite(value);
      return this.#nodes.intern(isInfinite ? { type: 'number' } : { enum: [value] });
    }
    if (levels <= 0) return UNKNOWN_SCHEMA;
    if (!isJsonObject(value)) {
      const items = value.map((item) => this.#literal(item, levels - 1));
      return this.#nodes.intern({ type: 'array', items });
    }
    const members = Object.entries(value).map(
      ([name, item]) => [guardName(name), this.#literal(item, levels - 1)] as const,
    );
    return this.#nodes.intern({
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([key]) => key),
      additionalProperties: members.length > 0 ? false : NEVER_SCHEMA,
    });
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

  /** Binary data has a `contentMediaType` without an encoding (OpenAPI 3.1 §4.8.14.3); in OpenAPI 3.0 it was a format. */
  #isBytes({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
    const isUnencoded = typeof contentMediaType === 'string' && contentEncoding === undefined;
    return this.#direction !== 'read' && (format === 'binary' || isUnencoded);
  }

  /** Creates the schema of a list in the query. WordPress reads a single value as a list of one. */
  #listOrItem(schema: SchemaObject, depth: number): CompilerSchema {
    const list = this.#list(schema, depth);
    const { items } = list;
    if (items === this.#named(QUERY_TYPE_NAMES.number)) return this.#named(QUERY_TYPE_NAMES.numbers);
    if (items === undefined || Array.isArray(items) || items.type === 'array') return list;
    const scalars = [this.#nodes.intern({ type: 'string' }), this.#nodes.intern({ type: 'number' })];
    const words = isWords(items) ? [this.#named(QUERY_TYPE_NAMES.words)] : [];
    return this.#nodes.internUnion([...(items === UNKNOWN_SCHEMA ? scalars : [items]), ...words, list]);
  }

  /** Creates the schema of a list or tuple. Bounds on the number of items are ignored: they would make the type a tuple. */
  #list({ items, prefixItems }: JsonObject, depth: number): CompilerSchema {
    const first = jsonItems(prefixItems).map((item) => this.build(item, depth));
    if (first.length === 0) {
      const type = this.build(items, depth);
      // A client sends the list and changes nothing.
      return this.#direction === 'read'
        ? this.#nodes.intern({ type: 'array', items: type })
        : this.#nodes.internReadonlyList(type);
    }
    const rest = items === false ? {} : { additionalItems: this.build(items, depth) };
    return this.#nodes.intern({ type: 'array', items: first, ...rest });
  }

  /**
   * An object with declared properties is closed unless the schema states `additionalProperties`, so that a misspelt name
   * is an error; an object without declarations is open. TypeScript has no keys by pattern, so the types of
   * `patternProperties` share one index signature.
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
      // A client leaves out what is undefined, which `exactOptionalPropertyTypes` tells from what is absent.
      const isOptional = !required.has(name) || this.#isOfOtherDirection(value);
      const mayBeUndefined = this.#isClient && this.#direction !== 'read' && isOptional;
      // The client leaves out null in a query, too.
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

  /** OpenAPI applies `required` of a read-only property to responses only, of a write-only property to requests only. */
  #isOfOtherDirection(schema: Json | undefined): boolean {
    return isJsonObject(schema) && schema[this.#direction === 'read' ? 'writeOnly' : 'readOnly'] === true;
  }
}

/** All types of JSON, without `integer`, which is a number. */
const JSON_TYPES: readonly string[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** The `type` keyword as a list, or the types that other keywords imply; empty if none does. */
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

/** Formats of any text. The text of a number has no other format. */
const TEXT_FORMATS: ReadonlySet<Json | undefined> = new Set([undefined, 'text-field', 'textarea-field']);

/** Texts of numbers: one of each length and kind that patterns distinguish. */
const NUMBERS: readonly string[] = ['0', '1', '10', '100', '1234', '123456', '-1', '1.5'];

/** Whether the text of a number can satisfy the format and the pattern of a text: everything in a query is text. */
function canBeNumber({ format, pattern, [EXTENSION_NAMES.slashes]: mayHaveSlash }: JsonObject): boolean {
  if (!TEXT_FORMATS.has(format) || mayHaveSlash === true) return false;
  return typeof pattern !== 'string' || NUMBERS.some(compilePattern(pattern).test);
}

/** Whether a type consists of texts, of which one can be several that commas separate. */
function isWords({ anyOf, enum: values }: CompilerSchema): boolean {
  return anyOf?.every(isWords) ?? values?.every((value) => typeof value === 'string') ?? false;
}

/** Whether a type states only the kind of the JSON value. */
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
