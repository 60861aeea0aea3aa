import {
  EXTENSION_NAMES,
  extensionOf,
  getContexts,
  getErrorCodes,
  getForcedReference,
  hasMark,
  isForceRequired,
} from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  jsonTexts,
  memberAt,
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { typesOf } from '../model/schema/keywords.ts';
import { removeParameterNames } from '../model/site.ts';
import {
  contentSchemaOf,
  eitherItemOf,
  formOf,
  getSchemaComponentKey,
  listSchemaComponents,
  referenceOf,
  type SchemaObject,
} from '../openapi/document-objects.ts';
import type { Operation } from '../openapi/operations.ts';
import { readBodySchema } from '../openapi/request-bodies.ts';
import { toCodeSpan, toSingleLine } from '../types/comments.ts';
import { createParametersSchema, parametersType, type TypeSources } from '../types/operation-types.ts';
import { type DocumentParameter, type ReferenceResolver, toTypeName } from '../types/references.ts';
import type { TypeDeclaration } from '../types/schema-types.ts';
import { hasMembers, namedType, type TypeSchema } from '../types/type-schema.ts';
import { isText } from './runtime/error.ts';
import type { CommonCode } from './runtime/options-and-results.ts';

export interface ClientEntry {
  readonly facts: ClientOperation;
  readonly name: string;
  readonly comment: string;
  readonly path?: TypeSchema;
  readonly body?: TypeSchema;
  readonly neededContext?: TypeSchema;
  readonly query: string;
  readonly isQueryRequired: boolean;
  readonly item: TypeSchema;
  readonly contexts: readonly (readonly [context: string, typeName: string])[];
  readonly forced?: TypeSchema;
  readonly embedded?: string;
  readonly codes: readonly string[];
}

export interface EntrySources extends TypeSources {
  readonly relationsOf: ReadonlyMap<string, string>;
}

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

export class EntryFactory {
  readonly declarations: TypeDeclaration[] = [];
  readonly #sources: EntrySources;
  readonly #known: Map<string, string> = new Map();

  constructor(sources: EntrySources) {
    this.#sources = sources;
  }

  createEntry(facts: ClientOperation): ClientEntry {
    const { operation, path, query, body, isFile, item, forced } = facts;
    const { names, relationsOf, typer } = this.#sources;
    const stem = toTypeName(operation.id);
    const { deprecated, summary } = operation.shared;
    const route = toCodeSpan(`${operation.method} ${operation.path}`);
    const title = [toSingleLine(summary), route].filter((text) => text !== '').join(': ');
    const contexts = [...facts.contexts].flatMap(([name, reference]) =>
      this.#typeNameOf(reference).map((typeName) => [name, typeName] as const),
    );
    const relations = relationsOf.get(getSchemaComponentKey(referenceOf(item)) ?? '');
    const [embedded] = relations === undefined ? [] : this.#typeNameOf(`#/components/schemas/${relations}`);
    return omitUndefined({
      facts,
      name: names.allocate(stem, `${stem}Operation`),
      comment: deprecated === true ? `${title}\n\n@deprecated` : title,
      path: path.length === 0 ? undefined : typer.typeOf(createParametersSchema(path), 'query'),
      body: body && this.#bodyType(`${stem}Body`, `Body of ${route}.`, body.schema, operation),
      neededContext:
        facts.neededContext === undefined ? undefined : typer.typeOf(facts.neededContext, 'query'),
      query: this.#printQuery(`${stem}Query`, `Query of ${route}.`, facts),
      isQueryRequired: query.some(({ required }) => required),
      item: isFile
        ? namedType('Blob')
        : this.#namedType(`${stem}Response`, `Response of ${route}.`, item, 'read', operation),
      contexts,
      forced: forced === undefined ? undefined : typer.typeOf({ $ref: forced }, 'read'),
      embedded,
      codes: facts.codes.filter((code) => !Object.hasOwn(COMMON_CODES, code)),
    });
  }

  #typeNameOf(reference: string): readonly string[] {
    const name = this.#sources.references.typeNameOf(reference, 'read');
    return name === undefined ? [] : [name];
  }

  /** Removes read-only fields. Nested ones stay: sites find items of lists by them. */
  #bodyType(wanted: string, comment: string, schema: Json, operation: Operation): TypeSchema {
    const object = this.#sources.references.resolve(schema);
    if (isOpenObject(object)) return namedType('object');
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
    return this.#namedType(wanted, comment, sendable, 'write', operation);
  }

  #namedType(
    wanted: string,
    comment: string,
    schema: Json | undefined,
    direction: 'read' | 'write',
    { path }: Operation,
  ): TypeSchema {
    const type = this.#sources.typer.typeOf(schema, direction);
    if (!isJsonObject(schema) || schema['$ref'] !== undefined || !hasMembers(type)) return type;
    const key = `${direction} ${removeParameterNames(path)} ${JSON.stringify(schema)}`;
    return namedType(this.#declare(wanted, key, { comment, type }));
  }

  #printQuery(wanted: string, comment: string, facts: ClientOperation): string {
    const name = this.#queryName(wanted, comment, facts);
    if (!hasMark(facts.operation.shared, 'openQuery')) return name;
    const isKnown = name !== 'NoMembers' && name !== this.#sources.sharedQuery.typeName;
    return `${isKnown ? `${name} & ` : ''}Readonly<Record<string, unknown>>`;
  }

  #queryName(wanted: string, comment: string, { operation, query: parameters }: ClientOperation): string {
    const declared = parametersType(parameters, this.#sources);
    if (parameters.length === 0) return 'NoMembers';
    const { typeName } = this.#sources.sharedQuery;
    if (!hasMembers(declared.type) && declared.extends === typeName) return typeName;
    const facts = parameters.map(({ name, schema, required, componentKey }) => [
      name,
      schema,
      required,
      componentKey,
    ]);
    const key = `query ${removeParameterNames(operation.path)} ${JSON.stringify(facts)}`;
    return this.#declare(wanted, key, { comment, ...declared });
  }

  #declare(wanted: string, key: string, declaration: Omit<TypeDeclaration, 'name'>): string {
    return getOrCreate(this.#known, key, () => {
      const name = this.#sources.names.allocate(wanted, `${wanted}Type`);
      this.declarations.push({ name, ...declaration });
      return name;
    });
  }
}

/** An interface has no index signature, so it can't be a body that allows any members. */
function isOpenObject(schema: SchemaObject | undefined): boolean {
  const { type, additionalProperties = true, ...rest } = schema ?? {};
  return (
    type === 'object' &&
    additionalProperties === true &&
    Object.keys(rest).every((keyword) => ['description', 'title', 'default', 'example'].includes(keyword))
  );
}

export interface ClientOperation {
  readonly operation: Operation;
  readonly path: readonly DocumentParameter[];
  readonly query: readonly DocumentParameter[];
  readonly selects: 'plain' | 'context' | 'force' | 'forced';
  readonly body?: { readonly schema: Json; readonly required: boolean };
  readonly neededContext?: Json;
  readonly file: 'none' | 'optional' | 'required';
  readonly shape: 'one' | 'list' | 'pages' | 'map' | 'either';
  readonly item?: Json | undefined;
  readonly isFile: boolean;
  readonly contexts: ReadonlyMap<string, string>;
  readonly forced?: string;
  readonly codes: readonly string[];
  readonly batch: boolean;
  readonly slashes: readonly string[];
  /** Query parameters that take several values only as a text with commas. */
  readonly commas: readonly string[];
}

/** Declared by `runtime/response-data.ts`, written by the client (`rest_route`), or not for a typed call. */
const OMITTED = new Set(['_fields', '_embed', '_envelope', '_jsonp', '_method', '_wpnonce', 'rest_route']);

export function toClientOperation(operation: Operation, references: ReferenceResolver): ClientOperation {
  const { method, shared } = operation;
  const parameters = references.parametersOf(operation);
  const contexts = getContexts(shared);
  const forced = getForcedReference(shared);
  const derived = contexts.size > 0 ? 'context' : forced === undefined ? 'plain' : 'force';
  const { body, file }: Pick<ClientOperation, 'body' | 'file'> =
    method === 'GET' ? { file: 'none' } : readBody(operation);
  // Block previews have `?context=edit` and their attributes in the body: the site reads both.
  const fields = references.resolve(body?.schema);
  const context = memberAt(fields?.['properties'], 'context');
  const isContextNeeded = context !== undefined && jsonItems(fields?.['required']).includes('context');
  const query = [
    ...parameters.filter((parameter) => parameter.in === 'query'),
    ...(isJsonObject(context)
      ? [{ name: 'context', in: 'query', required: false, schema: context } as const]
      : []),
  ];
  const kind = derived === 'force' && isForceRequired(shared) ? 'forced' : derived;
  const selects: ClientOperation['selects'] = query.some(({ name }) => name === derived) ? kind : 'plain';
  const objects = operation.parameterObjects;
  const slashes = jsonTexts(objects.filter((each) => hasMark(each, 'slashes')).map(({ name = '' }) => name));
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => {
      const { name, schema } = parameter;
      const { pattern: _, ...others } = schema;
      const words = listWords(objects.find((each) => each['in'] === 'path' && each['name'] === name));
      const marks = slashes.includes(name) ? { [EXTENSION_NAMES.slashes]: true } : {};
      return { ...parameter, schema: { ...(words ? { enum: words, ...others } : schema), ...marks } };
    });
  return omitUndefined({
    ...{ operation, path, selects, body, file, contexts, forced, slashes },
    query: query.filter(({ name }) => !OMITTED.has(name) && name !== derived),
    neededContext: isContextNeeded ? context : undefined,
    ...readResponse(operation, references, forced),
    codes: getErrorCodes(shared),
    batch: hasMark(shared, 'allowBatch'),
    commas: query.flatMap(({ name, schema }) =>
      extensionOf(schema, 'type') === 'string' && typesOf(schema).includes('array') ? [name] : [],
    ),
  });
}

/** Repeats an operation for `/products/{slug}` beside `/products/{id}`, which OpenAPI doesn't allow. */
export function withOtherNames(facts: ClientOperation, references: ReferenceResolver): ClientOperation[] {
  const { operation, slashes } = facts;
  const others = new Map<string, ClientOperation>();
  for (const route of operation.routes) {
    const names = new Map(
      route.parameterObjects.flatMap((object) => {
        const name = extensionOf(object, 'name');
        return object['in'] === 'path' && typeof name === 'string' && /^\w+$/.test(name)
          ? [[String(object['name']), name]]
          : [];
      }),
    );
    if (names.size === 0) continue;
    const rename = (name: string) => names.get(name) ?? name;
    const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${rename(name)}}`);
    const parameters = references.parametersOf(route).filter((parameter) => parameter.in === 'path');
    const named = parameters.map((parameter) => ({ ...parameter, name: rename(parameter.name) }));
    const other = operation.withPath(path);
    others.set(path, { ...facts, operation: other, path: named, slashes: slashes.map(rename) });
  }
  return [facts, ...others.values()];
}

function listWords(parameter: JsonObject = {}): readonly string[] | undefined {
  const pattern = extensionOf(parameter, 'pcre');
  return typeof pattern === 'string' && /^[a-z_-]+(?:\|[a-z_-]+)+$/i.test(pattern)
    ? pattern.split('|')
    : undefined;
}

const ANY_FIELDS: JsonObject = { type: 'object', additionalProperties: true };

function readBody({ method, requestBody: object }: Operation): Pick<ClientOperation, 'body' | 'file'> {
  const mediaTypes = jsonMembers(object?.['content']).map(([name]) => name);
  const [first = ''] = mediaTypes;
  const isForm = mediaTypes.includes('multipart/form-data');
  const file = mediaTypes.includes('*/*') ? 'required' : isForm ? 'optional' : 'none';
  const schema =
    object === undefined && method !== 'DELETE'
      ? ANY_FIELDS
      : (readBodySchema(object ?? {}) ?? (first === '*/*' ? undefined : contentSchemaOf(object, first)));
  if (schema === undefined) return { file };
  return { file, body: { schema, required: object?.['required'] === true } };
}

function readResponse(
  { responseSchema, shared }: Operation,
  references: ReferenceResolver,
  forced: string | undefined,
): Pick<ClientOperation, 'shape' | 'item' | 'isFile'> {
  const successes = jsonMembers(shared.responses).filter(([status]) => status.startsWith('2'));
  const [object, ...others] = successes.map(([, response]) => references.resolve(response));
  const [mediaType = 'application/json'] = jsonMembers(object?.['content']).map(([name]) => name);
  const isFile = !isText(mediaType);
  const declared = [responseSchema, ...others.map((other) => contentSchemaOf(other, mediaType))].filter(
    (each) => each !== undefined,
  );
  const schema = withoutMember(
    declared.length > 1 ? { anyOf: declared } : responseSchema,
    (member) => forced !== undefined && referenceOf(member) === forced,
  );
  if (!isJsonObject(schema)) return { shape: 'one', item: undefined, isFile };
  if (jsonMembers(shared.responses).some(([status]) => /^20[45]$/.test(status)))
    return { shape: 'one', item: { anyOf: [schema, { type: 'null' }] }, isFile };
  const either = eitherItemOf(schema);
  if (either !== undefined) return { shape: 'either', item: either, isFile };
  const { form, item } = formOf(schema);
  const hasTotal = jsonMembers(object?.['headers']).some(([name]) => name.toLowerCase() === 'x-wp-total');
  return { shape: form === 'list' && hasTotal ? 'pages' : form, item, isFile };
}

function withoutMember(schema: Json | undefined, matches: (member: Json) => boolean): Json | undefined {
  const members = isJsonObject(schema) ? jsonItems(schema['anyOf']) : [];
  const rest = members.filter((member) => !matches(member));
  if (rest.length === 0 || rest.length === members.length || !isJsonObject(schema)) return schema;
  const [only] = rest;
  return rest.length === 1 ? only : { ...schema, anyOf: rest };
}

export function separateRelations(
  document: JsonObject,
): Pick<EntrySources, 'relationsOf'> & { readonly document: JsonObject } {
  const { components } = document;
  const schemas = new Map(listSchemaComponents(document));
  const relationsOf = new Map<string, string>();
  for (const [key, schema] of [...schemas]) {
    if (!isJsonObject(schema)) continue;
    const { _embedded: embedded, ...properties } = Object.fromEntries(jsonMembers(schema['properties']));
    if (embedded === undefined) continue;
    let relations = getSchemaComponentKey(referenceOf(embedded));
    if (relations === undefined) {
      relations = `${key}Embedded`;
      while (schemas.has(relations)) relations += '_';
      schemas.set(relations, embedded);
    }
    relationsOf.set(key, relations);
    const required = jsonItems(schema['required']).filter((name) => name !== '_embedded');
    schemas.set(key, { ...schema, properties, required });
  }
  for (const key of new Set(relationsOf.values())) {
    schemas.set(key, withoutErrors(schemas.get(key) ?? {}));
  }
  const own = isJsonObject(components) ? components : {};
  return {
    document: { ...document, components: { ...own, schemas: Object.fromEntries(schemas) } },
    relationsOf,
  };
}

function withoutErrors(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutErrors);
  if (!isJsonObject(schema)) return schema;
  const members = jsonItems(schema['anyOf']);
  const rest = members.filter((member) => getSchemaComponentKey(referenceOf(member)) !== 'Error');
  const [only] = rest;
  if (rest.length < members.length && only !== undefined) {
    return rest.length === 1 ? withoutErrors(only) : { ...schema, anyOf: rest.map(withoutErrors) };
  }
  return Object.fromEntries(jsonMembers(schema).map(([name, value]) => [name, withoutErrors(value)]));
}
