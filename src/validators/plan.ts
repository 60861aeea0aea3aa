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
import type { CheckedSchema } from '../model/schema/walk.ts';
import { replaceReferences, resolveReference } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/operations.ts';
import { toCodeSpan } from '../types/comments.ts';
import { TypeNameAllocator, toStringLiteral } from '../types/names.ts';
import { type DocumentParameter, listTypedOperations } from '../types/parameters.ts';
import { titleOf } from '../types/plan.ts';
import { collectMessageReferences, ReferenceResolver } from '../types/references.ts';
import { findStrongComponents } from '../types/strong-components.ts';
import { reduceSchema, type SchemaUse } from './checked-schema.ts';

export interface PlannedSchema {
  readonly schema: CheckedSchema | boolean;
  /** Parts of the schema that are not checked, for a comment. */
  readonly remarks: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
  /** Its type in the module of `toTypes`; `unknown` if that has no name for it. */
  readonly type: string;
}

/** A schema that becomes a constant of the module. */
export interface NamedValidator extends PlannedSchema {
  readonly name: string;
}

export interface ValidatorPart extends PlannedSchema {
  readonly key: string;
}

export interface OperationValidators {
  readonly id: string;
  readonly name: string;
  readonly comment: string;
  /** In this order, as far as the operation has them: `path`, `query`, `body`, `response`. */
  readonly parts: readonly ValidatorPart[];
  /** The response in each context that the client can choose. */
  readonly contexts: readonly ValidatorPart[];
  /** Name of the constant with them; empty if there are none. */
  readonly contextsName: string;
}

export interface ValidatorPlan {
  readonly title: string;
  readonly components: readonly NamedValidator[];
  readonly operations: readonly OperationValidators[];
}

const IN_REQUESTS: SchemaUse = { inRequests: true, inResponses: false };
const IN_RESPONSES: SchemaUse = { inRequests: false, inResponses: true };

/** Names the validators of a document, and reduces their schemas. No name of the module is in `reservedNames`. */
export function planValidators(document: JsonObject, reservedNames: Iterable<string>): ValidatorPlan {
  const names = new TypeNameAllocator();
  for (const name of reservedNames) names.allocate(name);
  const resolver = new ReferenceResolver(document, names);
  const operations = listTypedOperations(document);
  const { requests, responses } = collectMessageReferences(document);
  const useOf = (reference: string): SchemaUse => {
    const [inRequests, inResponses] = [requests.has(reference), responses.has(reference)];
    // A schema that no message has could be in both.
    return inRequests || inResponses ? { inRequests, inResponses } : { inRequests: true, inResponses: true };
  };
  /** All components, and other targets of references when they are met. The list grows meanwhile. */
  const targets = resolver.componentSchemas.map(({ componentKey, typeName, schema }) => ({
    name: typeName,
    reference: `#/components/schemas${toPointerSegment(componentKey)}`,
    schema,
    type: `components["schemas"][${toStringLiteral(componentKey)}]`,
  }));
  const byReference = new Map(targets.map(({ reference, name }) => [reference, name]));
  const nameOf = (reference: string): string | undefined => {
    const known = byReference.get(reference);
    if (known !== undefined) return known;
    const schema = resolveReference(document, reference);
    if (schema === undefined) return undefined;
    const name = names.allocate(reference.split('/').slice(-2).join(' '));
    byReference.set(reference, name);
    targets.push({ name, reference, schema, type: 'unknown' });
    return name;
  };
  const reduce: Reduce = (schema, use) => {
    const [remarks, references] = [new Set<string>(), new Set<string>()];
    return { schema: reduceSchema(schema, { use, nameOf, remarks, references }), remarks, references };
  };
  const planned = operations.map((operation): OperationValidators => {
    const { id, method, path } = operation;
    const parts = planRequest(operation, resolver, reduce);
    const { response, contexts } = planResponse(operation, resolver, reduce);
    return {
      id,
      name: names.allocate(`${id}Validators`),
      contextsName: contexts.length === 0 ? '' : names.allocate(`${id}Contexts`),
      comment: toCodeSpan(`${method} ${path}`),
      parts: [...parts, ...response],
      contexts,
    };
  });
  const components: NamedValidator[] = [];
  for (const { name, reference, schema, type } of targets) {
    components.push({ name, type, ...reduce(schema, useOf(reference)) });
  }
  return { title: titleOf(document), components, operations: planned };
}

type Reduce = (schema: Json | undefined, use: SchemaUse) => Omit<PlannedSchema, 'type'>;

function planRequest(
  operation: Operation,
  references: ReferenceResolver,
  reduce: Reduce,
): readonly ValidatorPart[] {
  const type = `operations[${toStringLiteral(operation.id)}]`;
  const parameters = references.parametersOf(operation);
  const parts: ValidatorPart[] = [];
  for (const key of ['path', 'query'] as const) {
    const located = parameters.filter((parameter) => parameter.in === key);
    if (located.length === 0) continue;
    const schema = toParametersSchema(located);
    parts.push({
      key,
      ...reduce(schema, IN_REQUESTS),
      type: `NonNullable<${type}["parameters"]["${key}"]>`,
    });
  }
  const [mediaType, content] =
    jsonMembers(operation.requestBody?.content).find(([name]) => JSON_OR_FORM.test(name)) ?? [];
  if (mediaType !== undefined && isJsonObject(content)) {
    const bodyType = `NonNullable<${type}["requestBody"]>["content"][${toStringLiteral(mediaType)}]`;
    parts.push({ key: 'body', ...reduce(content['schema'], IN_REQUESTS), type: bodyType });
  }
  return parts;
}

/** Plans the JSON of the first 2xx response that has a schema, and that of each context. */
function planResponse(
  { id, shared }: Operation,
  references: ReferenceResolver,
  reduce: Reduce,
): { readonly response: readonly ValidatorPart[]; readonly contexts: readonly ValidatorPart[] } {
  for (const [status, response] of jsonMembers(shared.responses)) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const content = jsonMembers(references.resolve(response)?.['content']);
    for (const [mediaType, media] of content) {
      const schema = isJsonObject(media) ? media['schema'] : undefined;
      if (!JSON_TYPE.test(mediaType) || !isJsonObject(schema)) continue;
      const key = /^[1-9]\d\d$/.test(status) ? status : toStringLiteral(status);
      const of = `operations[${toStringLiteral(id)}]["responses"][${key}]["content"]`;
      const type = `${of}[${toStringLiteral(mediaType)}]`;
      const declared = getContexts(shared);
      const siblings = new Set(declared.values());
      const part = { key: 'response', ...reduce(schema, IN_RESPONSES), type };
      const contexts = Array.from(declared, ([context, reference]): ValidatorPart => {
        const replaced = replaceReferences(schema, siblings, reference);
        const contextType = typeInContext(replaced, reference);
        return { key: context, ...reduce(replaced, IN_RESPONSES), type: contextType };
      });
      return { response: [part], contexts };
    }
  }
  return { response: [], contexts: [] };
}

const JSON_OR_FORM = /^application\/(?:json|x-www-form-urlencoded)$/;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

/** Creates the schema of the parameters of one location. A list can be given as its only item, as the types allow. */
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

/** Sorts schemas so that each stands below those that it refers to, as far as there are no cycles. */
export function sortByReferences(components: readonly NamedValidator[]): readonly NamedValidator[] {
  const indexes = new Map(components.map(({ name }, index) => [name, index]));
  const next = components.map((component) =>
    [...component.references].flatMap((name) => indexes.get(name) ?? []),
  );
  // A component is numbered after all that it leads to (Tarjan's order).
  const numbers = findStrongComponents(next);
  return components
    .map((component, index) => ({ component, number: numbers[index] ?? 0, index }))
    .sort((a, b) => a.number - b.number || a.index - b.index)
    .map(({ component }) => component);
}
