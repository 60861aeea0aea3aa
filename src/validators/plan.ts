import { getContexts } from '../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toPointerSegment,
  unescapePointerToken,
} from '../json.ts';
import { collectReferences, resolveReference } from '../openapi/document-references.ts';
import { findStrongComponents } from '../pcre/ambiguity.ts';
import { toCodeSpan, toSingleLine } from '../types/comments.ts';
import { createTypeNameAllocator, type TypeNameAllocator, toStringLiteral } from '../types/names.ts';
import {
  type DocumentOperation,
  type DocumentParameter,
  readDocumentOperations,
} from '../types/operations.ts';
import { ReferenceResolver } from '../types/references.ts';
import { type ReducedSchema, reduceSchema, type SchemaUse } from './checked-schema.ts';

/** A schema that becomes a constant of the module. */
export interface NamedValidator {
  readonly name: string;
  readonly schema: ReducedSchema;
  /** Its type in the module of `toTypes`; `unknown` if that has no name for it. */
  readonly type: string;
}

/** One part of a request, or the response. */
export interface ValidatorPart {
  readonly key: string;
  readonly schema: ReducedSchema;
  readonly type: string;
}

export interface OperationValidators {
  readonly id: string;
  /** Name of the constant. */
  readonly name: string;
  readonly comment: string;
  /** In this order, as far as the operation has them: `path`, `query`, `body`, `response`. */
  readonly parts: readonly ValidatorPart[];
  /** The response in each context that the client can choose. */
  readonly contexts: readonly ValidatorPart[];
}

export interface ValidatorPlan {
  readonly title: string;
  readonly components: readonly NamedValidator[];
  readonly operations: readonly OperationValidators[];
}

/** Names the validators of a document, and reduces their schemas. No name of the module is in `reservedNames`. */
export function planValidators(document: JsonObject, reservedNames: Iterable<string>): ValidatorPlan {
  const names = createTypeNameAllocator();
  for (const name of reservedNames) names.allocate(name);
  const references = new ReferenceResolver(document, names);
  const operations = readDocumentOperations(document, references);
  const useOf = createUseLookup(document, operations);
  const namer = createNamer(document, references, names);
  const both = { inRequests: true, inResponses: true };
  const reduce = (schema: Json | undefined, use: SchemaUse): ReducedSchema =>
    reduceSchema(schema, { use, nameOf: namer.nameOf });
  const planned = operations.map((operation) => planOperation(operation, references, names, reduce));
  const components = namer.named.map(({ name, reference, schema, type }) => ({
    name,
    type,
    schema: reduce(schema, useOf(reference) ?? both),
  }));
  const { info } = document;
  return { title: toSingleLine(isJsonObject(info) ? info['title'] : ''), components, operations: planned };
}

interface NamedReference {
  readonly name: string;
  readonly reference: string;
  readonly schema: Json;
  readonly type: string;
}

/** Names all components at once, and other targets of references when they are met. The list grows meanwhile. */
function createNamer(
  document: JsonObject,
  { componentSchemas }: ReferenceResolver,
  names: TypeNameAllocator,
): { readonly named: readonly NamedReference[]; nameOf(reference: string): string | undefined } {
  const named: NamedReference[] = componentSchemas.map(({ componentKey, typeName, schema }) => ({
    name: typeName,
    reference: `#/components/schemas${toPointerSegment(componentKey)}`,
    schema,
    type: `components["schemas"][${toStringLiteral(componentKey)}]`,
  }));
  const byReference = new Map(named.map(({ reference, name }) => [reference, name]));
  return {
    named,
    nameOf(reference) {
      const known = byReference.get(reference);
      if (known !== undefined) return known;
      const schema = resolveReference(document, reference);
      if (schema === undefined) return undefined;
      const name = names.allocate(reference.split('/').slice(-2).join(' '));
      byReference.set(reference, name);
      named.push({ name, reference, schema, type: 'unknown' });
      return name;
    },
  };
}

/** Creates a function that tells in which messages the target of a reference occurs. */
function createUseLookup(
  document: JsonObject,
  operations: readonly DocumentOperation[],
): (reference: string) => SchemaUse | undefined {
  const requests = new Set<string>();
  const responses = new Set<string>();
  for (const { operationObject, parameters } of operations) {
    for (const { schema } of parameters) collectReferences(schema, requests);
    collectReferences(operationObject['requestBody'] ?? null, requests);
    collectReferences(operationObject['responses'] ?? null, responses);
    for (const reference of getContexts(operationObject).values()) responses.add(reference);
  }
  for (const found of [requests, responses]) {
    // A set visits the members that are added while it is read.
    for (const reference of found) {
      collectReferences(resolveReference(document, reference) ?? null, found);
    }
  }
  return (reference) => {
    const use = { inRequests: requests.has(reference), inResponses: responses.has(reference) };
    return use.inRequests || use.inResponses ? use : undefined;
  };
}

const IN_REQUESTS: SchemaUse = { inRequests: true, inResponses: false };
const IN_RESPONSES: SchemaUse = { inRequests: false, inResponses: true };

function planOperation(
  { id, method, path, parameters, operationObject }: DocumentOperation,
  references: ReferenceResolver,
  names: TypeNameAllocator,
  reduce: (schema: Json | undefined, use: SchemaUse) => ReducedSchema,
): OperationValidators {
  const type = `operations[${toStringLiteral(id)}]`;
  const parts: ValidatorPart[] = [];
  for (const location of ['path', 'query'] as const) {
    const located = parameters.filter((parameter) => parameter.in === location);
    if (located.length === 0) continue;
    const schema = reduce(toParametersSchema(located), IN_REQUESTS);
    parts.push({ key: location, schema, type: `NonNullable<${type}["parameters"]["${location}"]>` });
  }
  const body = references.resolve(operationObject['requestBody']);
  const [mediaType, content] = jsonMembers(body?.['content']).find(([name]) => JSON_OR_FORM.test(name)) ?? [];
  if (mediaType !== undefined && isJsonObject(content)) {
    const bodyType = `NonNullable<${type}["requestBody"]>["content"][${toStringLiteral(mediaType)}]`;
    parts.push({ key: 'body', schema: reduce(content['schema'], IN_REQUESTS), type: bodyType });
  }
  const success = findSuccessSchema(operationObject, references);
  const contexts: ValidatorPart[] = [];
  if (success !== undefined) {
    const { status, mediaType: of, schema } = success;
    const responseType = `${type}["responses"][${toStatusKey(status)}]["content"][${toStringLiteral(of)}]`;
    parts.push({ key: 'response', schema: reduce(schema, IN_RESPONSES), type: responseType });
    for (const [context, reference] of getContexts(operationObject)) {
      const siblings = new Set(getContexts(operationObject).values());
      const replaced = replaceReferences(schema, siblings, reference);
      contexts.push({
        key: context,
        schema: reduce(replaced, IN_RESPONSES),
        type: typeInContext(replaced, reference),
      });
    }
  }
  return {
    id,
    name: names.allocate(`${id}Validators`),
    comment: toCodeSpan(`${method.toUpperCase()} ${path}`),
    parts,
    contexts,
  };
}

const JSON_OR_FORM = /^application\/(?:json|x-www-form-urlencoded)$/;

function toStatusKey(status: string): string {
  return /^[1-9]\d\d$/.test(status) ? status : toStringLiteral(status);
}

/** Creates the schema of the parameters of one location. A list may be given as its only item, as the types allow. */
function toParametersSchema(parameters: readonly DocumentParameter[]): JsonObject {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = parameters.map(({ name, schema, in: location }): [string, Json] => [
    name,
    location === 'query' && schema['type'] === 'array' && isJsonObject(schema['items'])
      ? { anyOf: [schema['items'], schema] }
      : schema,
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** Copies a schema with the references to components of other contexts replaced. */
function replaceReferences(schema: Json, siblings: ReadonlySet<string>, wanted: string): Json {
  if (Array.isArray(schema)) return schema.map((item: Json) => replaceReferences(item, siblings, wanted));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === '$ref' && siblings.has(String(value))
        ? [keyword, wanted]
        : [keyword, replaceReferences(value, siblings, wanted)],
    ),
  );
}

/** The type of a response in a context: an item, a list or a map of the component. */
function typeInContext(schema: Json, reference: string): string {
  const key = unescapePointerToken(reference.slice(reference.lastIndexOf('/') + 1));
  const component = `components["schemas"][${toStringLiteral(key)}]`;
  if (!isJsonObject(schema)) return 'unknown';
  const refersTo = (value: Json | undefined): boolean => isJsonObject(value) && value['$ref'] === reference;
  if (refersTo(schema)) return component;
  if (refersTo(schema['items'])) return `${component}[]`;
  const [map] = [schema, ...jsonItems(schema['anyOf'])].filter(
    (member) => isJsonObject(member) && refersTo(member['additionalProperties']),
  );
  return map === undefined ? 'unknown' : `Readonly<Record<string, ${component}>>`;
}

/** The schema of an operation's successful response. */
interface SuccessSchema {
  /** Key in `responses`: `200`. */
  readonly status: string;
  readonly mediaType: string;
  readonly schema: JsonObject;
}

/** The JSON schema of the first 2xx response that has one; `undefined` if there is none. */
function findSuccessSchema(
  operation: JsonObject,
  references: Pick<ReferenceResolver, 'resolve'>,
): SuccessSchema | undefined {
  for (const [status, response] of jsonMembers(operation['responses'])) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const content = references.resolve(response)?.['content'];
    for (const [mediaType, media] of jsonMembers(content)) {
      const schema = isJsonObject(media) ? media['schema'] : undefined;
      if (/^application\/(?:[\w.-]+\+)?json$/.test(mediaType) && isJsonObject(schema)) {
        return { status, mediaType, schema };
      }
    }
  }
  return undefined;
}

/** Sorts schemas so that each stands below those that it refers to, as far as there are no cycles. */
export function sortByReferences(components: readonly NamedValidator[]): readonly NamedValidator[] {
  const indexes = new Map(components.map(({ name }, index) => [name, index]));
  const next = components.map(({ schema }) =>
    [...namesIn(schema)].flatMap((name) => indexes.get(name) ?? []),
  );
  // A component is numbered after all that it leads to (Tarjan's order).
  const numbers = findStrongComponents(next);
  return components
    .map((component, index) => ({ component, number: numbers[index] ?? 0, index }))
    .sort((a, b) => a.number - b.number || a.index - b.index)
    .map(({ component }) => component);
}

function namesIn(schema: ReducedSchema, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof schema === 'boolean') return found;
  if (schema.$ref !== undefined) found.add(schema.$ref);
  const inside = [
    schema.items,
    schema.additionalProperties,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  for (const member of inside) if (member !== undefined) namesIn(member, found);
  return found;
}
