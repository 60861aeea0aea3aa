import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-response-schemas.ts';
import {
  collectReferences,
  getSchemaComponentKey,
  type JsonLocation,
} from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { toJsonPath } from '../../openapi/json-path.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { FORCED_VARIANT, mergeResponses, type SeenResponses } from '../../validation/shapes/index.ts';
import {
  countAllResponses,
  listDocumentOperations,
  listUntypedOperations,
  type OperationEntry,
  type UntypedOperation,
} from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { pathResourceName } from './component-names.ts';
import { type InferredComponents, inferComponents, type UntypedResponse } from './components.ts';
import { createShapeSchema, type InferenceOptions } from './create-schema.ts';

const LINK_NAME = 'Link';
/** Reference to the schema of a link, in documents that have it and in those that get it. */
export const LINK_REFERENCE: JsonObject = { $ref: `#/components/schemas/${LINK_NAME}` };

/**
 * Creates the actions that describe the responses of operations without a schema: references to components that all
 * responses match, new components for resources, and schemas in place for the rest.
 */
export function inferResponses(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const untyped = listUntypedOperations(document, shapes);
  const responses = untyped.flatMap(({ operation: { method, path }, variants }) =>
    Array.from(variants, ([variant, { shape }]): UntypedResponse => ({ method, path, variant, shape })),
  );
  const components = inferComponents(responses, document, LINK_REFERENCE);
  const deletions = untyped.flatMap(({ operation, variants }) => {
    const forced = variants.get(FORCED_VARIANT);
    return forced === undefined
      ? []
      : [{ operation, ...createDeletionComponent(operation, forced, components) }];
  });
  const forcedNames = new Map(deletions.map(({ name, operation }) => [operation, name]));
  const described = untyped.flatMap((each) =>
    describeOperation(each, components.options, forcedNames.get(each.operation)),
  );
  const shared = describeSharedOperations(document, described);
  const schemas = new Map([
    ...components.schemas,
    ...deletions.map(({ name, schema }): [string, JsonObject] => [name, schema]),
    [LINK_NAME, LINK_SCHEMA],
  ]);
  return [
    ...createComponentActions(document, schemas, [...described, ...shared], untyped),
    ...described,
    ...shared,
  ];
}

/** @param forcedName name of the component of a deletion for good */
function describeOperation(
  untyped: UntypedOperation,
  componentOptions: InferenceOptions,
  forcedName: string | undefined,
): readonly OverlayAction[] {
  const { operation, variants } = untyped;
  const { content, id, isAlternative, location, method, path } = operation;
  const options = path.includes('{') ? componentOptions : { ...componentOptions, requiredEvidence: 1 };
  const forced = forcedName === undefined ? undefined : { $ref: `#/components/schemas/${forcedName}` };
  const toSchema = ({ shape, variant }: SeenResponses): JsonObject =>
    variant === FORCED_VARIANT && forced !== undefined ? forced : createShapeSchema(shape, options);
  const responses = [...variants.values()];
  const evidence = { kind: 'inferred', responses: countAllResponses(responses), operations: [id] } as const;
  const describe = (at: JsonLocation, change: JsonObject, what: string): OverlayAction =>
    createInferenceAction(at, change, `${what}, inferred from samples.`, evidence);
  if (responses.every(({ shape }) => shape.count === 0)) {
    const statuses = new Set(responses.flatMap((response) => [...response.statuses.keys()]));
    const empty = Array.from(statuses, (status) => [
      String(status),
      { description: 'Success, without content.' },
    ]);
    return isAlternative
      ? []
      : [describe([...location, 'responses'], Object.fromEntries(empty), 'The status')];
  }
  const contexts = isAlternative ? undefined : contextReferences(untyped, toSchema);
  const schema = createResponseSchema(method, variants, contexts !== undefined, toSchema);
  if (isAlternative) return [describe(location, { response: schema }, 'The response')];
  return [
    describe(
      [...location, 'responses'],
      createResponses(content['responses'], responses, schema),
      'The response',
    ),
    ...(contexts === undefined
      ? []
      : [describe(location, { [EXTENSION_NAMES.contexts]: contexts }, 'The component of each context')]),
    ...(forced === undefined
      ? []
      : [describe(location, { [EXTENSION_NAMES.forced]: { schema: forced } }, 'The response to force=true')]),
  ];
}

/** Creates the schema of an operation: in its default context, or in all of them if it names none. */
function createResponseSchema(
  method: string,
  variants: ReadonlyMap<string, SeenResponses>,
  hasContexts: boolean,
  toSchema: (response: SeenResponses) => JsonObject,
): JsonObject {
  const usual = variants.get('');
  if (usual !== undefined && (hasContexts || variants.size === 1)) return toSchema(usual);
  const responses = [...variants.values()];
  if (method === 'DELETE') {
    const schemas = responses.map(toSchema);
    return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
  }
  const [first, ...others] = responses;
  return first === undefined ? {} : toSchema(others.reduce(mergeResponses, first));
}

/** Puts the schema to every successful status that the document states or that was seen with a body. */
function createResponses(
  stated: Json | undefined,
  shapes: readonly SeenResponses[],
  schema: JsonObject,
): JsonObject {
  const known = jsonMembers(stated).filter(([status]) => /^2(?:\d\d|XX)$/.test(status) && status !== '204');
  const seen = shapes.flatMap(({ statuses }) =>
    [...statuses.keys()].filter((status) => status !== 204).map(String),
  );
  const content = { 'application/json': { schema } };
  return Object.fromEntries(
    [...new Set([...known.map(([status]) => status), ...seen])]
      .sort()
      .map((status): [string, Json] => [
        status,
        known.some(([other]) => other === status) ? { content } : { description: 'Success.', content },
      ]),
  );
}

/** Creates the actions that add components, without those that nothing refers to. */
function createComponentActions(
  document: OpenApiDocument,
  schemas: ReadonlyMap<string, JsonObject>,
  actions: readonly OverlayAction[],
  untyped: readonly UntypedOperation[],
): readonly OverlayAction[] {
  const used = new Set<string>();
  const users = new Map<string, Set<string>>();
  const use = (value: Json, operations: readonly string[]): void => {
    for (const reference of collectReferences(value)) {
      const name = getSchemaComponentKey(reference);
      const schema = name === undefined ? undefined : schemas.get(name);
      if (name === undefined || schema === undefined) continue;
      const known = users.get(name) ?? new Set();
      users.set(name, known);
      const isNew = operations.some((operation) => !known.has(operation)) || !used.has(name);
      for (const operation of operations) known.add(operation);
      used.add(name);
      if (isNew) use(schema, operations);
    }
  };
  for (const action of actions) use(action, readOperations(action));
  const counts = new Map(
    untyped.map(({ operation: { id }, variants }) => [id, countAllResponses(variants.values())]),
  );
  const stated = new Map(listSchemaComponents(document));
  return [...schemas]
    .filter(([name]) => used.has(name) && !stated.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const operations = [...(users.get(name) ?? [])];
      const responses = operations.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
      return createInferenceAction(
        ['components', 'schemas'],
        { [name]: schema },
        `A component ${name}, inferred from samples.`,
        { kind: 'inferred', responses, operations },
      );
    });
}

function readOperations(action: OverlayAction): readonly string[] {
  const evidence = action[EXTENSION_NAMES.evidence];
  const [first] = Array.isArray(evidence) ? evidence : [];
  const operations = isJsonObject(first) ? first['operations'] : undefined;
  return Array.isArray(operations)
    ? operations.filter((each): each is string => typeof each === 'string')
    : [];
}

/** Returns the component of each context; `undefined` if a response in one of them has none, or all have the same. */
function contextReferences(
  { operation: { content, method }, variants }: UntypedOperation,
  toSchema: (response: SeenResponses) => JsonObject,
): JsonObject | undefined {
  if (method !== 'GET' || EXTENSION_NAMES.contexts in content || !variants.has('')) return undefined;
  const references = Array.from(variants, ([variant, shape]): [string, string | undefined] => {
    const [only, ...others] = collectUnitReferences(toSchema(shape));
    return [variant === '' ? defaultContext(content) : variant, others.length === 0 ? only : undefined];
  });
  if (references.some(([, reference]) => reference === undefined)) return undefined;
  if (new Set(references.map(([, reference]) => reference)).size < 2) return undefined;
  return Object.fromEntries(
    references
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([context, $ref = '']) => [context, { $ref }]),
  );
}

/** The references of a response itself, of the items of its list, or of the values of its map. */
function collectUnitReferences(schema: JsonObject): readonly string[] {
  const { $ref, additionalProperties, anyOf, items } = schema;
  if (typeof $ref === 'string') return [$ref];
  if (Array.isArray(anyOf))
    return anyOf.flatMap((each: Json) => (isJsonObject(each) ? collectUnitReferences(each) : []));
  const inner = items ?? additionalProperties;
  return isJsonObject(inner) ? collectUnitReferences(inner) : [];
}

/** The context of a response without the parameter, `view` unless the site states another. */
function defaultContext({ parameters }: JsonObject): string {
  const parameter = Array.isArray(parameters)
    ? parameters.find(
        (each: Json) => isJsonObject(each) && each['name'] === 'context' && each['in'] === 'query',
      )
    : undefined;
  const schema = isJsonObject(parameter) ? parameter['schema'] : undefined;
  const stated = isJsonObject(schema) ? schema['default'] : undefined;
  return typeof stated === 'string' ? stated : 'view';
}

/** A component for the response to a deletion for good. */
interface DeletionComponent {
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Creates the component of `{ deleted: true, previous }`, the response to `force=true`. `previous` is the resource, which
 * has no links any more.
 */
function createDeletionComponent(
  { path }: Pick<OperationEntry, 'path'>,
  { shape }: SeenResponses,
  components: InferredComponents,
): DeletionComponent {
  const previous = shape.objects?.members.get('previous');
  const resource = previous?.objects ? components.findWithoutLinks(previous.objects) : null;
  const schema =
    resource?.schema ?? (previous === undefined ? {} : createShapeSchema(previous, components.options));
  return {
    name: `Deleted${resource?.name ?? pathResourceName(path)}`,
    schema: {
      type: 'object',
      properties: { deleted: { const: true }, previous: schema },
      required: ['deleted', 'previous'],
    },
  };
}

/** Describes operations that routes share, once the response of each route is known. */
function describeSharedOperations(
  document: OpenApiDocument,
  actions: readonly OverlayAction[],
): readonly OverlayAction[] {
  const byTarget = new Map(actions.map((action) => [action.target, action]));
  const byOperation = new Map<string, OperationEntry[]>();
  for (const operation of listDocumentOperations(document)) {
    if (!operation.isAlternative) continue;
    const key = JSON.stringify(operation.location.slice(0, -2));
    byOperation.set(key, [...(byOperation.get(key) ?? []), operation]);
  }
  return [...byOperation.values()].flatMap((routes): OverlayAction[] => {
    const [first] = routes;
    if (first === undefined) return [];
    const own = routes.map(({ content, location }) => {
      const action = byTarget.get(toJsonPath(location));
      const update = isJsonObject(action?.['update']) ? action['update']['response'] : undefined;
      return { stated: content['response'], inferred: update };
    });
    if (own.every(({ inferred }) => inferred === undefined)) return [];
    const schemas = own.map(({ inferred, stated }) => inferred ?? stated);
    if (!schemas.every(isJsonObject)) return [];
    const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
    const [only = {}] = distinct;
    const schema = distinct.length === 1 ? only : { anyOf: distinct };
    const location = first.location.slice(0, -2);
    return [
      createInferenceAction(
        [...location, 'responses', '200'],
        { content: { 'application/json': { schema } } },
        'The response of the route that matches, inferred from samples.',
        { kind: 'inferred', responses: 1, operations: routes.map(({ id }) => id) },
      ),
    ];
  });
}
