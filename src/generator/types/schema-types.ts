import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../base/json.ts';
import { hasSchemaType, typesOf } from '../model/schema/keywords.ts';
import { MAX_SCHEMA_DEPTH, referenceOf, type SchemaObject } from '../openapi/document-objects.ts';
import { createSchemaComment, isOpenEnum, textOfPattern } from './comments.ts';
import { type ReferenceResolver, type TypeDirection, toStringLiteral } from './references.ts';
import {
  NEVER_TYPE,
  namedType,
  TypeInterner,
  type TypeMember,
  type TypeSchema,
  UNKNOWN_TYPE,
} from './type-schema.ts';

export interface TypeDeclaration {
  readonly name: string;
  readonly comment: string;
  readonly type: TypeSchema;
  readonly extends?: string;
}

export const BYTES_TYPE_NAME = 'Bytes';

/** Type of any text, in a client. Editors offer the literals beside it. */
export const TEXT_TYPE_NAME = 'Text';

export const QUERY_TYPE_NAMES = {
  boolean: 'QueryBoolean',
  number: 'QueryNumber',
  numbers: 'QueryNumbers',
  words: 'QueryWords',
} as const;

/** Creates the types of schemas (JSON Schema 2020-12); invalid parts become `unknown`. */
export class SchemaTyper {
  readonly types: TypeInterner = new TypeInterner();
  readonly references: ReferenceResolver;
  /** Whether clients send values: they write a `Date`, and leave out `undefined`. */
  readonly isClient: boolean;
  readonly #known: Readonly<Record<TypeDirection, WeakMap<JsonObject, TypeSchema>>> = {
    read: new WeakMap(),
    write: new WeakMap(),
    query: new WeakMap(),
  };

  constructor(references: ReferenceResolver, isClient = false) {
    this.references = references;
    this.isClient = isClient;
  }

  typeOf(schema: Json | undefined, direction: TypeDirection): TypeSchema {
    const builder = new TypeBuilder(direction, this);
    if (!isJsonObject(schema)) return builder.build(schema, 0);
    const type = this.#known[direction].get(schema) ?? builder.build(schema, 0);
    this.#known[direction].set(schema, type);
    return type;
  }
}

class TypeBuilder {
  readonly #direction: TypeDirection;
  readonly #typer: SchemaTyper;
  readonly #types: TypeInterner;

  constructor(direction: TypeDirection, typer: SchemaTyper) {
    this.#direction = direction;
    this.#typer = typer;
    this.#types = typer.types;
  }

  build(schema: Json | undefined, depth: number): TypeSchema {
    if (schema === false) return NEVER_TYPE;
    if (!isJsonObject(schema) || depth >= MAX_SCHEMA_DEPTH) return UNKNOWN_TYPE;
    const { $ref, allOf, anyOf, oneOf } = schema;
    const own = this.#ownKeywords(schema, depth + 1);
    if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) return own;
    const buildAll = (members: Json | undefined): readonly TypeSchema[] =>
      jsonItems(members).map((member) => this.build(member, depth + 1));
    const reference = referenceOf(schema);
    const choices = this.#direction === 'read' ? withoutEmptyLists(jsonItems(anyOf)) : anyOf;
    const combined = this.#types.internIntersection([
      ...(reference === undefined ? [] : [this.#reference(reference)]),
      ...buildAll(allOf),
      ...[buildAll(choices), buildAll(oneOf)]
        .filter(({ length }) => length > 0)
        .map((members) => this.#types.internUnion(members)),
    ]);
    // Sites write a redundant `type: object` beside `oneOf`.
    if (combined !== UNKNOWN_TYPE && isUnconstrained(own)) return combined;
    return this.#types.internIntersection([combined, own]);
  }

  #reference(reference: string): TypeSchema {
    const name = this.#typer.references.typeNameOf(reference, this.#direction);
    return name === undefined ? UNKNOWN_TYPE : this.#named(name);
  }

  #named(name: string): TypeSchema {
    return this.#types.intern(namedType(name));
  }

  #ownKeywords(schema: SchemaObject, depth: number): TypeSchema {
    if (schema.const !== undefined) return this.#literal(schema.const);
    const types = declaredOrImpliedTypes(schema);
    const stated = schema[EXTENSION_NAMES.type];
    const values = jsonItems(schema.enum);
    if (values.length > 0) {
      const fitting = values.filter((value) => types.length === 0 || hasSchemaType(value, types));
      const listed = fitting.length > 0 ? fitting : values;
      const isOpen = isOpenEnum(schema, this.#direction);
      const known =
        isOpen && !this.#typer.isClient ? listed.filter((value) => typeof value !== 'string') : listed;
      // The check that would refuse null is of requests, too.
      const isNullable =
        isOpen && this.#direction === 'read' && types.includes('null') && !known.includes(null);
      const literals = [...known, ...(isNullable ? [null] : [])].map((value) => this.#literal(value));
      return this.#types.internUnion(isOpen ? [...literals, this.#anyText()] : literals);
    }
    // WooCommerce lists all types for "any"; in responses that is `unknown`.
    const isAny = this.#direction === 'write' && JSON_TYPES.every((type) => types.includes(type));
    if (types.length === 0 || isAny) return UNKNOWN_TYPE;
    const union = this.#types.internUnion(types.map((type) => this.#ofType(type, schema, depth)));
    const isList = types.includes('array');
    if (this.#direction === 'read' || stated !== null || !(isList || types.includes('object'))) return union;
    // WordPress checks no argument without a `type`, and PHP code splits texts: `categories=music`.
    const items = isList ? [this.build(schema['items'], depth)] : [];
    return this.#types.internUnion([...items, union, this.#anyText()]);
  }

  /** openapi-fetch maps members of each object, also of an intersection that lets editors offer the literals. */
  #anyText(): TypeSchema {
    return this.#typer.isClient ? this.#named(TEXT_TYPE_NAME) : this.#types.intern({ type: 'string' });
  }

  #literal(value: Json): TypeSchema {
    if (typeof value === 'object' && value !== null) return UNKNOWN_TYPE;
    // `JSON.parse` reads 1e999 as Infinity, which is not a literal.
    const isInfinite = typeof value === 'number' && !Number.isFinite(value);
    if (isInfinite) return this.#types.intern({ type: 'number' });
    const isVisible = typeof value !== 'string' || toStringLiteral(value) === JSON.stringify(value);
    return isVisible ? this.#types.intern({ enum: [value] }) : this.#named(toStringLiteral(value));
  }

  #ofType(type: string, schema: SchemaObject, depth: number): TypeSchema {
    const isQuery = this.#direction === 'query';
    const isSent = this.#direction !== 'read';
    switch (type) {
      case 'string': {
        const only = textOfPattern(schema.pattern);
        if (only !== undefined) return this.#literal(only);
        const text = this.#types.intern({ type });
        if (this.#isBytes(schema)) return this.#named(BYTES_TYPE_NAME);
        if (this.#typer.isClient && isSent && /^date-time(?:-local)?$/.test(String(schema.format))) {
          return this.#types.internUnion([text, this.#named('Date')]);
        }
        // A query is text, so a number can be a text of no other format.
        return isQuery && TEXT_FORMATS.has(schema['format']) && schema[EXTENSION_NAMES.slashes] !== true
          ? this.#types.internUnion([text, this.#types.intern({ type: 'number' })])
          : text;
      }
      case 'number':
      case 'integer':
        if (isQuery && !typesOf(schema).includes('string')) return this.#named(QUERY_TYPE_NAMES.number);
        return this.#types.intern({ type: 'number' });
      case 'boolean':
        return isQuery ? this.#named(QUERY_TYPE_NAMES.boolean) : this.#types.intern({ type });
      case 'null':
        return this.#types.intern({ type });
      case 'array':
        if (isQuery && !typesOf(schema).includes('string')) return this.#listOrItem(schema, depth);
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return UNKNOWN_TYPE;
    }
  }

  /** A `contentMediaType` without an encoding (OpenAPI 3.1 §4.8.14.3); a format in OpenAPI 3.0. */
  #isBytes({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
    const isUnencoded = typeof contentMediaType === 'string' && contentEncoding === undefined;
    return this.#direction !== 'read' && (format === 'binary' || isUnencoded);
  }

  /** WordPress reads a single value as a list of one. */
  #listOrItem(schema: SchemaObject, depth: number): TypeSchema {
    const list = this.#list(schema, depth);
    if (!('items' in list) || 'items' in list.items) return list;
    const { items } = list;
    if (items === this.#named(QUERY_TYPE_NAMES.number)) return this.#named(QUERY_TYPE_NAMES.numbers);
    const scalars = [this.#types.intern({ type: 'string' }), this.#types.intern({ type: 'number' })];
    const words = isWords(items) ? [this.#named(QUERY_TYPE_NAMES.words)] : [];
    return this.#types.internUnion([...(items === UNKNOWN_TYPE ? scalars : [items]), ...words, list]);
  }

  /** Bounds on the number of items would make the type a tuple. Items of a tuple are `unknown`. */
  #list({ items, prefixItems }: JsonObject, depth: number): TypeSchema {
    const type = prefixItems === undefined ? this.build(items, depth) : UNKNOWN_TYPE;
    // Clients send `readonly` lists too.
    return this.#types.intern({ items: type, isReadonly: this.#direction !== 'read' });
  }

  /** Closed, so that a misspelt name is an error, unless `additionalProperties` is stated. */
  #object(schema: SchemaObject, depth: number): TypeSchema {
    const rest = schema.additionalProperties;
    const required = new Set(jsonItems(schema.required).filter((name) => typeof name === 'string'));
    const properties = new Map(jsonMembers(schema.properties));
    for (const name of required) {
      if (!properties.has(name)) properties.set(name, isJsonObject(rest) ? rest : true);
    }
    const members = Array.from(properties, ([name, value]) => this.#member(name, value, required, depth));
    const combined = [
      ...jsonMembers(schema['patternProperties']).map(([, value]) => this.build(value, depth)),
      ...(rest === true || isJsonObject(rest) ? [this.build(rest, depth)] : []),
    ];
    if (combined.length === 0) {
      const closed = members.length === 0 ? { rest: rest === false ? NEVER_TYPE : UNKNOWN_TYPE } : {};
      return this.#types.intern({ members, ...closed });
    }
    // TypeScript wants the index signature to fit every member.
    const absent = members.some(({ isOptional }) => isOptional) ? [this.#named('undefined')] : [];
    const all = [...combined, ...members.map(({ type }) => type), ...absent];
    return this.#types.intern({ members, rest: this.#types.internUnion(all) });
  }

  #member(name: string, schema: Json, required: ReadonlySet<Json>, depth: number): TypeMember {
    const type = this.build(schema, depth);
    const isOptional = !required.has(name) || this.#isOfOtherDirection(schema);
    // `exactOptionalPropertyTypes` tells `undefined` from absent; clients leave out both.
    const mayBeUndefined = this.#typer.isClient && this.#direction !== 'read' && isOptional;
    // Null too is left out of a query.
    const absent = this.#direction === 'query' ? 'null | undefined' : 'undefined';
    return {
      name,
      comment: isJsonObject(schema) ? createSchemaComment(schema, this.#direction) : '',
      isOptional,
      type: mayBeUndefined ? this.#types.internUnion([type, this.#named(absent)]) : type,
    };
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
    (member) =>
      isJsonObject(member) &&
      member['required'] === undefined &&
      typesOf(member).includes('object') &&
      typesOf(member).every((type) => type === 'object' || type === 'null'),
  );
  return rest.length > 0 && areMaps ? rest : members;
}

const TEXT_FORMATS: ReadonlySet<Json | undefined> = new Set([undefined, 'text-field', 'textarea-field']);

function isWords(type: TypeSchema): boolean {
  if ('anyOf' in type) return type.anyOf.every(isWords);
  return 'enum' in type && type.enum.every((value) => typeof value === 'string');
}

function isUnconstrained(type: TypeSchema): boolean {
  if ('members' in type) return type.members.length === 0 && type.rest === UNKNOWN_TYPE;
  if ('items' in type) return type.items === UNKNOWN_TYPE;
  return 'anyOf' in type ? type.anyOf.every(isUnconstrained) : 'type' in type;
}
