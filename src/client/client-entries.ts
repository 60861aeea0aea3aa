import { hasMark } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { removeParameterNames } from '../model/templates.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { getSchemaComponentKey, referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import type { Operation } from '../openapi/operations.ts';
import { typesOf } from '../openapi/schema-view.ts';
import { toCodeSpan, toSingleLine } from '../types/comments.ts';
import { toStringLiteral, toTypeName } from '../types/names.ts';
import { createParametersSchema, parametersShape, type TypeSources } from '../types/operation-types.ts';
import type { ReferenceResolver } from '../types/references.ts';
import { hasMembers, shapeOfType, type TypeDeclaration, type TypeNode } from '../types/shape.ts';
import type { ClientOperation } from './client-operations.ts';
import type { CommonCode } from './runtime/typed-calls.ts';

/** One operation of a generated client: its types by name, or as shapes where they have no name. */
export interface ClientEntry {
  readonly facts: ClientOperation;
  /** The name of its interface. Editors show it and the summary where the operation is called. */
  readonly name: string;
  readonly summary: string;
  readonly comment: string;
  readonly path?: TypeNode;
  readonly body?: TypeNode;
  readonly neededContext?: TypeNode;
  /** Names of the types of the items that the body can be made of. */
  readonly readBack: readonly string[];
  readonly query: string;
  readonly isQueryRequired: boolean;
  readonly item: TypeNode;
  readonly contexts: readonly (readonly [context: string, typeName: string])[];
  readonly forced?: TypeNode;
  readonly fields?: string;
  readonly embedded?: string;
  /** The error codes that the operation has besides {@link COMMON_CODES}. */
  readonly codes: readonly string[];
}

/** A union of texts, by name. */
export interface TypeAlias {
  readonly name: string;
  readonly members: readonly string[];
}

export interface EntrySources extends TypeSources {
  /** The component with the members of `_embedded`, by the component of the item. */
  readonly relationsOf: ReadonlyMap<string, string>;
}

/** The codes that the types of the runtime have for every operation. */
const COMMON_CODES: Readonly<Record<CommonCode, true>> = {
  rest_invalid_param: true,
  rest_missing_callback_param: true,
  rest_no_route: true,
  rest_forbidden: true,
  rest_invalid_json: true,
  rest_cookie_invalid_nonce: true,
  rest_not_logged_in: true,
  incorrect_password: true,
  invalid_username: true,
};

/**
 * Creates the entries of operations, and declares the types that they refer to by name. The methods of one path share equal types.
 * Those of several paths share none: the name would be that of the operation that comes first.
 */
export class EntryFactory {
  /** Types that the entries created so far refer to by name. */
  readonly declarations: TypeDeclaration[] = [];
  readonly aliases: TypeAlias[] = [];
  readonly #sources: EntrySources;
  /** The names of declarations and aliases, by what they declare. */
  readonly #known: Map<string, string> = new Map();
  /** The names of types that the entries refer to. */
  readonly #used: Set<string> = new Set();

  constructor(sources: EntrySources) {
    this.#sources = sources;
  }

  /** The names of types that the entries, and some declarations, refer to. */
  reachedNames(declarations: readonly TypeDeclaration[]): ReadonlySet<string> {
    return new Set([...this.#used, ...declarations.flatMap(({ shape }) => shape.typeNames)]);
  }

  /** @param readBack references to the items that the body of the operation can be made of */
  createEntry(facts: ClientOperation, readBack: readonly string[]): ClientEntry {
    const { operation, path, query, body, isFile, item, forced } = facts;
    const { names, relationsOf, shapes } = this.#sources;
    const stem = toTypeName(operation.id);
    const { deprecated, summary } = operation.shared;
    const route = toCodeSpan(`${operation.method} ${operation.path}`);
    const contexts = [...facts.contexts].flatMap(([name, reference]) =>
      this.#typeNameOf(reference).map((typeName) => [name, typeName] as const),
    );
    const relations = relationsOf.get(getSchemaComponentKey(referenceOf(item)) ?? '');
    const [embedded] = relations === undefined ? [] : this.#typeNameOf(`#/components/schemas/${relations}`);
    const fields = this.#nameFields(facts, embedded !== undefined);
    return omitUndefined({
      facts,
      name: names.allocate(stem, `${stem}Operation`),
      summary: toSingleLine(summary),
      comment: deprecated === true ? `${route}\n\n@deprecated` : route,
      path: path.length === 0 ? undefined : shapes.shapeOf(createParametersSchema(path), 'query'),
      body: body && this.#bodyShape(`${stem}Body`, `Body of ${route}.`, body.schema, operation),
      neededContext:
        facts.neededContext === undefined
          ? undefined
          : this.#use(shapes.shapeOf(facts.neededContext, 'query')),
      readBack: readBack.flatMap((reference) => this.#typeNameOf(reference)),
      query: hasMark(operation.shared, 'openQuery')
        ? 'Readonly<Record<string, unknown>>'
        : this.#queryName(`${stem}Query`, `Query of ${route}.`, facts),
      isQueryRequired: query.some(({ required }) => required),
      item: isFile
        ? shapeOfType('Blob')
        : this.#namedShape(`${stem}Response`, `Response of ${route}.`, item, 'read', operation),
      contexts,
      forced: forced === undefined ? undefined : this.#use(shapes.shapeOf({ $ref: forced }, 'read')),
      fields,
      embedded,
      codes: facts.codes.filter((code) => !Object.hasOwn(COMMON_CODES, code)),
    });
  }

  #use(shape: TypeNode): TypeNode {
    for (const name of shape.typeNames) this.#used.add(name);
    return shape;
  }

  #typeNameOf(reference: string): readonly string[] {
    const name = this.#sources.references.typeNameOf(reference, 'read');
    if (name === undefined) return [];
    this.#used.add(name);
    return [name];
  }

  /** Removes read-only fields of a body, which the site ignores. Nested ones stay: sites find items of lists by them. */
  #bodyShape(wanted: string, comment: string, schema: Json, operation: Operation): TypeNode {
    const object = this.#sources.references.resolve(schema);
    if (isOpenObject(object)) return shapeOfType('object');
    const properties = jsonMembers(object?.['properties']);
    const isIgnored = (value: Json | undefined): boolean => memberAt(value, 'readOnly') === true;
    const kept = properties.filter(([, value]) => !isIgnored(value));
    const required = jsonItems(object?.['required']).filter(
      (name) => !isIgnored(memberAt(object?.['properties'], String(name))),
    );
    const sendable =
      kept.length === properties.length
        ? schema
        : { ...object, properties: Object.fromEntries(kept), required };
    return this.#namedShape(wanted, comment, sendable, 'write', operation);
  }

  /** Names the union of what `_fields` takes: the members of the item in each context, and nested members. */
  #nameFields(operation: ClientOperation, embeds: boolean): string | undefined {
    const { item, contexts, shape } = operation;
    const reference = referenceOf(item);
    if (reference === undefined || shape === 'map') return undefined;
    const all = [...new Set([reference, ...contexts.values()])];
    const nested = nestedFieldNames(
      all.map(($ref) => ({ $ref })),
      this.#sources.references,
    );
    if (nested === undefined) return undefined;
    const types = all.flatMap((reference) => this.#typeNameOf(reference));
    const members = [
      ...types.map((type) => `keyof ${type}`),
      ...(embeds ? ['"_embedded"'] : []),
      ...nested.map(toStringLiteral),
    ];
    const wanted = `${types.length > 1 ? 'Any' : ''}${types[0] ?? ''}Field`;
    return this.#nameOnce(wanted, `union ${members.join()}`, (name) => this.aliases.push({ name, members }));
  }

  /** The shape of a schema: a reference to a component, or to a declared type if it is an object. */
  #namedShape(
    wanted: string,
    comment: string,
    schema: Json | undefined,
    direction: 'read' | 'write',
    { path }: Operation,
  ): TypeNode {
    const shape = this.#sources.shapes.shapeOf(schema, direction);
    if (!isJsonObject(schema) || schema['$ref'] !== undefined || !hasMembers(shape)) return this.#use(shape);
    const key = `${direction} ${removeParameterNames(path)} ${JSON.stringify(schema)}`;
    return this.#use(shapeOfType(this.#declare(wanted, key, { comment, shape })));
  }

  #queryName(wanted: string, comment: string, { operation, query: parameters }: ClientOperation): string {
    const type = parametersShape(parameters, this.#sources.shapes, this.#sources.sharedQuery);
    if (parameters.length === 0) return 'NoMembers';
    const { typeName } = this.#sources.sharedQuery;
    if (!hasMembers(type.shape) && type.extends === typeName) return typeName;
    const facts = parameters.map(({ name, schema, required, componentKey }) => [
      name,
      schema,
      required,
      componentKey,
    ]);
    const key = `query ${removeParameterNames(operation.path)} ${JSON.stringify(facts)}`;
    return this.#declare(wanted, key, { comment, ...type });
  }

  #declare(wanted: string, key: string, declaration: Omit<TypeDeclaration, 'name'>): string {
    return this.#nameOnce(wanted, key, (name) => this.declarations.push({ name, ...declaration }));
  }

  #nameOnce(wanted: string, key: string, declare: (name: string) => void): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#sources.names.allocate(wanted, `${wanted}Type`);
    this.#known.set(key, name);
    declare(name);
    return name;
  }
}

/** Whether a schema allows any members. Objects of an interface have no index signature, so such a body is any object. */
function isOpenObject(schema: SchemaObject | undefined): boolean {
  const { type, additionalProperties = true, ...rest } = schema ?? {};
  return (
    type === 'object' &&
    additionalProperties === true &&
    Object.keys(rest).every((keyword) => ['description', 'title', 'default', 'example'].includes(keyword))
  );
}

/** Names of nested members, such as `title.rendered`, are offered to this depth. */
const MAX_DEPTH = 3;

/** More names of one resource are not offered. */
const MAX_NAMES = 300;

/**
 * Lists the names of nested members that `_fields` takes for items of some schemas: `title.rendered`. Members of lists have no
 * names.
 *
 * @returns the names in the order of the schemas; `undefined` if a schema is not an object with properties
 */
function nestedFieldNames(
  schemas: readonly Json[],
  references: ReferenceResolver,
): readonly string[] | undefined {
  const names = new Set<string>();
  for (const schema of schemas) {
    const properties = jsonMembers(references.resolve(schema)?.['properties']);
    if (properties.length === 0) return undefined;
    for (const [name, property] of properties) addNames(names, name, property, references, 2);
  }
  return [...names];
}

function addNames(
  names: Set<string>,
  parent: string,
  schema: Json,
  references: ReferenceResolver,
  depth: number,
): void {
  const object = isJsonObject(schema) ? references.resolve(schema) : undefined;
  for (const [name, property] of jsonMembers(object?.['properties'])) {
    // A name with a comma or a dot cannot be written in a list of names.
    if (names.size >= MAX_NAMES || /[,.\s]/.test(name)) return;
    names.add(`${parent}.${name}`);
    if (depth < MAX_DEPTH) addNames(names, `${parent}.${name}`, property, references, depth + 1);
  }
}

/** Writes that change what a `GET` of the same path returns. */
const UPDATES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Finds the items that programs read and send back with changes: `{ ...post, title: 'New' }`. WordPress accepts a value that the
 * item has, although a change to this value is refused: the status `trash` of a post in the trash
 * (`WP_REST_Posts_Controller::check_status()`).
 *
 * @returns references to the schemas of the items, by path and operation; empty if the body accepts their members anyway
 */
export function createReadBackFinder(
  operations: readonly ClientOperation[],
  references: ReferenceResolver,
): (operation: ClientOperation) => readonly string[] {
  const itemsByPath = new Map(
    operations
      .filter(({ operation: { method }, shape }) => method === 'GET' && shape === 'one')
      .map(({ operation: { path }, item, contexts }) => [path, [referenceOf(item), ...contexts.values()]]),
  );
  return ({ operation: { method, path }, body, item }) => {
    const read = UPDATES.has(method) && body !== undefined ? itemsByPath.get(path) : undefined;
    if (read === undefined) return [];
    const items = [...new Set([...read, referenceOf(item)])].filter((reference) => reference !== undefined);
    const schemas = items.map(($ref) => new Map(jsonMembers(references.resolve({ $ref })?.['properties'])));
    const areLinked = schemas.every((properties) => properties.has('_links'));
    const sent = jsonMembers(references.resolve(body?.schema)?.['properties']);
    const isRefused = ([name, member]: readonly [string, Json]) =>
      schemas.some((properties) => !accepts(member, properties.get(name), references));
    return areLinked && sent.some(isRefused) ? items : [];
  };
}

/** Whether the type of a member of the body includes the type that the member has in a response, as far as schemas tell. */
function accepts(sent: Json, read: Json | undefined, references: ReferenceResolver): boolean {
  const value = references.resolve(read);
  if (value === undefined) return true;
  const alternatives = alternativesOf(sent, references);
  if (mayBeNull(value, references) && !alternatives.some((each) => mayBeNull(each, references))) return false;
  const values = jsonItems(value['enum']);
  if (values.length > 0) {
    const accepted = alternatives.map((alternative) => jsonItems(alternative['enum']));
    return values.every((each) => accepted.some((list) => list.length === 0 || list.includes(each)));
  }
  const names = new Set(jsonMembers(value['properties']).map(([name]) => name));
  const objects = alternatives.map((alternative) => jsonMembers(alternative['properties']));
  // TypeScript refuses an object that has none of the members of a type whose members are all optional.
  return (
    names.size === 0 ||
    objects.every((members) => members.length === 0 || members.some(([name]) => names.has(name)))
  );
}

function alternativesOf(schema: Json, references: ReferenceResolver): readonly JsonObject[] {
  const object = references.resolve(schema);
  const members = jsonItems(object?.['anyOf']);
  return (members.length > 0 ? members : [schema])
    .map((member) => references.resolve(member))
    .filter((member) => member !== undefined);
}

function mayBeNull(schema: SchemaObject, references: ReferenceResolver): boolean {
  return alternativesOf(schema, references).some((each) => typesOf(each).includes('null'));
}
