import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { groupBy, sortByKey } from '../../group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  jsonTexts,
  memberAt,
} from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-responses.ts';
import {
  collectReferences,
  getSchemaComponentKey,
  type JsonLocation,
} from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument } from '../../openapi/index.ts';
import { toJsonPath } from '../../openapi/json-path.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { getDefaultContext } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import {
  countResponses,
  FORCED_VARIANT,
  listUntypedOperations,
  mergeResponses,
  type SeenResponses,
  type UntypedOperation,
} from '../seen-responses.ts';
import {
  type InferredComponents,
  inferComponents,
  pathResourceName,
  type UntypedResponse,
} from './components.ts';
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
  leastSamples: number,
): readonly OverlayAction[] {
  const untyped = listUntypedOperations(document, shapes);
  const responses = untyped.flatMap(({ operation: { method, path }, variants }) =>
    Array.from(variants, ([variant, { shape }]): UntypedResponse => ({ method, path, variant, shape })),
  );
  const components = inferComponents(responses, document, LINK_REFERENCE, leastSamples);
  const schemas = new Map(components.schemas);
  const described = untyped.flatMap((each) => {
    const forced = each.variants.get(FORCED_VARIANT);
    if (forced === undefined) return describeOperation(each, components.options, undefined);
    const [name, schema] = createDeletionComponent(each.operation.path, forced, components);
    schemas.set(name, schema);
    return describeOperation(each, components.options, name);
  });
  schemas.set(LINK_NAME, LINK_SCHEMA);
  const actions = [...described, ...describeSharedOperations(document, described)];
  return [...createComponentActions(document, schemas, actions, untyped), ...actions];
}

/** @param forcedName name of the component of a deletion for good */
function describeOperation(
  untyped: UntypedOperation,
  componentOptions: InferenceOptions,
  forcedName: string | undefined,
): readonly OverlayAction[] {
  const { operation, variants } = untyped;
  const { object: content, id, isAlternative, location, method, path } = operation;
  const options = path.includes('{') ? componentOptions : { ...componentOptions, requiredEvidence: 1 };
  const forced = forcedName === undefined ? undefined : { $ref: `#/components/schemas/${forcedName}` };
  const toSchema = ({ shape, variant }: SeenResponses): JsonObject =>
    variant === FORCED_VARIANT && forced !== undefined ? forced : createShapeSchema(shape, options);
  const responses = [...variants.values()];
  const evidence = { kind: 'inferred', responses: countResponses(responses), operations: [id] } as const;
  const describe = (at: JsonLocation, change: JsonObject, what: string): OverlayAction =>
    createInferenceAction(at, change, `${what}, inferred from samples.`, evidence);
  if (responses.every(({ shape }) => shape.count === 0)) {
    const statuses = new Set(responses.flatMap((response) => [...response.statuses.keys()]));
    const response = { description: 'Success, without content.' };
    const empty = Object.fromEntries(Array.from(statuses, (status) => [String(status), response]));
    return isAlternative ? [] : [describe([...location, 'responses'], empty, 'The status')];
  }
  const contexts = isAlternative ? undefined : contextReferences(untyped, toSchema);
  const schema = createResponseSchema(method, variants, contexts !== undefined, toSchema);
  if (isAlternative) return [describe(location, { response: schema }, 'The response')];
  const stated = createResponses(content['responses'], responses, schema);
  const actions = [describe([...location, 'responses'], stated, 'The response')];
  const addExtension = (name: string, value: Json, what: string): void => {
    actions.push(describe(location, { [name]: value }, what));
  };
  if (contexts) addExtension(EXTENSION_NAMES.contexts, contexts, 'The component of each context');
  if (forced) addExtension(EXTENSION_NAMES.forced, { schema: forced }, 'The response to force=true');
  return actions;
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
  const seen = shapes.flatMap(({ statuses }) => [...statuses.keys()].map(String));
  const content = { 'application/json': { schema } };
  const all = new Map<string, Json>(seen.map((status) => [status, { description: 'Success.', content }]));
  for (const [status] of known) all.set(status, { content });
  all.delete('204');
  return Object.fromEntries(sortByKey(all));
}

/** Creates the actions that add components, without those that nothing refers to. */
function createComponentActions(
  document: OpenApiDocument,
  schemas: ReadonlyMap<string, JsonObject>,
  actions: readonly OverlayAction[],
  untyped: readonly UntypedOperation[],
): readonly OverlayAction[] {
  const users = new Map<string, Set<string>>();
  const use = (value: Json, operations: readonly string[]): void => {
    for (const reference of collectReferences(value)) {
      const name = getSchemaComponentKey(reference) ?? '';
      const schema = schemas.get(name);
      const known = users.get(name);
      if (schema === undefined || (known && operations.every((operation) => known.has(operation)))) continue;
      users.set(name, new Set([...(known ?? []), ...operations]));
      use(schema, operations);
    }
  };
  for (const action of actions) use(action, readOperations(action));
  const counts = new Map(
    untyped.map(({ operation: { id }, variants }) => [id, countResponses(variants.values())]),
  );
  const stated = new Map(listSchemaComponents(document));
  return sortByKey(schemas)
    .filter(([name]) => users.has(name) && !stated.has(name))
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
  const [first] = jsonItems(action[EXTENSION_NAMES.evidence]);
  return jsonTexts(memberAt(first, 'operations'));
}

/** Returns the component of each context; `undefined` if a response in one of them has none, or all have the same. */
function contextReferences(
  { operation, variants }: UntypedOperation,
  toSchema: (response: SeenResponses) => JsonObject,
): JsonObject | undefined {
  const { method, object: content } = operation;
  if (method !== 'GET' || EXTENSION_NAMES.contexts in content || !variants.has('')) return undefined;
  const references = Array.from(variants, ([variant, shape]): [string, string | undefined] => {
    const [only, ...others] = collectUnitReferences(toSchema(shape));
    return [variant === '' ? getDefaultContext(operation) : variant, others.length === 0 ? only : undefined];
  });
  if (references.some(([, reference]) => reference === undefined)) return undefined;
  if (new Set(references.map(([, reference]) => reference)).size < 2) return undefined;
  return Object.fromEntries(sortByKey(references).map(([context, $ref = '']) => [context, { $ref }]));
}

/** The references of a response itself, of the items of its list, or of the values of its map. */
function collectUnitReferences(schema: JsonObject): readonly string[] {
  const { $ref, additionalProperties, anyOf, items } = schema;
  if (typeof $ref === 'string') return [$ref];
  if (Array.isArray(anyOf)) return jsonItems(anyOf).filter(isJsonObject).flatMap(collectUnitReferences);
  const inner = items ?? additionalProperties;
  return isJsonObject(inner) ? collectUnitReferences(inner) : [];
}

/**
 * Creates the component of `{ deleted: true, previous }`, the response to `force=true`. `previous` is the resource, which
 * has no links any more.
 */
function createDeletionComponent(
  path: string,
  { shape }: SeenResponses,
  components: InferredComponents,
): readonly [name: string, schema: JsonObject] {
  const previous = shape.objects?.members.get('previous');
  const resource = previous?.objects ? components.findWithoutLinks(previous.objects) : null;
  const schema =
    resource?.schema ?? (previous === undefined ? {} : createShapeSchema(previous, components.options));
  return [`Deleted${resource?.name ?? pathResourceName(path)}`, createDeletionSchema(schema)];
}

/** `{ deleted: true, previous }`, whose item has no links any more (`WP_REST_Posts_Controller::delete_item()`). */
export function createDeletionSchema(previous: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { deleted: { const: true }, previous },
    required: ['deleted', 'previous'],
  };
}

/** Describes operations that routes share, once the response of each route is known. */
function describeSharedOperations(
  document: OpenApiDocument,
  actions: readonly OverlayAction[],
): readonly OverlayAction[] {
  const byTarget = new Map(actions.map((action) => [action.target, action]));
  const alternatives = listRouteOperations(document).filter(({ isAlternative }) => isAlternative);
  const byOperation = groupBy(alternatives, ({ location }) => JSON.stringify(location.slice(0, -2)));
  return [...byOperation.values()].flatMap((routes): OverlayAction[] => {
    const own = routes.map(({ location, object: content }) => {
      const action = byTarget.get(toJsonPath(location));
      return { stated: content['response'], inferred: memberAt(action, 'update', 'response') };
    });
    if (own.every(({ inferred }) => inferred === undefined)) return [];
    const schemas = own.map(({ inferred, stated }) => inferred ?? stated);
    if (!schemas.every(isJsonObject)) return [];
    const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
    const [only = {}] = distinct;
    const schema = distinct.length === 1 ? only : { anyOf: distinct };
    const location = routes[0].location.slice(0, -2);
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
