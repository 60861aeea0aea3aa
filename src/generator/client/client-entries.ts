import { hasMark } from '../../base/document-extensions.ts';
import { isJsonObject, type Json, jsonItems, jsonMembers, memberAt } from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { removeParameterNames } from '../model/templates.ts';
import { getSchemaComponentKey, referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import type { Operation } from '../openapi/operations.ts';
import { toCodeSpan, toSingleLine } from '../types/comments.ts';
import { toTypeName } from '../types/names.ts';
import { createParametersSchema, parametersType, type TypeSources } from '../types/operation-types.ts';
import type { ReferenceResolver } from '../types/references.ts';
import type { TypeDeclaration } from '../types/schema-types.ts';
import { hasMembers, namedType, type TypeSchema } from '../types/type-schema.ts';
import type { ClientOperation } from './client-operations.ts';
import type { CommonCode } from './runtime/options-and-results.ts';

export interface ClientEntry {
  readonly facts: ClientOperation;
  readonly name: string;
  readonly comment: string;
  readonly path?: TypeSchema;
  readonly body?: TypeSchema;
  readonly neededContext?: TypeSchema;
  readonly readBack: readonly string[];
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

  createEntry(facts: ClientOperation, readBack: readonly string[]): ClientEntry {
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
      readBack: readBack.flatMap((reference) => this.#typeNameOf(reference)),
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

const UPDATES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Items that programs send back with changes, `{ ...post, title: 'New' }`: WordPress accepts old values. */
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
    const sent = jsonMembers(references.resolve(body?.schema)?.['properties']);
    if (read === undefined || sent.length === 0) return [];
    const items = [...new Set([...read, referenceOf(item)])].filter((reference) => reference !== undefined);
    const areLinked = items.every(
      ($ref) => memberAt(references.resolve({ $ref })?.['properties'], '_links') !== undefined,
    );
    return areLinked ? items : [];
  };
}
