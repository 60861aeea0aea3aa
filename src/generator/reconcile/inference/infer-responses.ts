import { getContexts } from '../../../base/document-extensions.ts';
import { groupBy, sortByKey } from '../../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../../../base/json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-responses.ts';
import {
  addReachedReferences,
  collectReferences,
  dereference,
  type JsonLocation,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../../openapi/index.ts';
import { toJsonPath } from '../../openapi/json-path.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { createInferenceAction, isTyped, type OverlayAction } from '../document-operations.ts';
import {
  countResponses,
  listUntypedOperations,
  mergeResponses,
  type SeenResponses,
  type UntypedOperation,
} from '../seen-responses.ts';
import { type InferredComponents, inferComponents, type UntypedResponse } from './components.ts';
import { createShapeSchema, type InferenceOptions, LINK_NAME } from './create-schema.ts';

export function inferResponses(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const untyped = listUntypedOperations(document, shapes);
  const responses = untyped.flatMap(({ operation: { id, path }, responses }) =>
    responses.map((seen): UntypedResponse => ({ ...seen, operation: id, path })),
  );
  const components = inferComponents(responses, document);
  const described = untyped.flatMap((each) => describeOperation(each, components.options));
  const actions = [...described, ...describeSharedOperations(document, described)];
  return [...createComponentActions(document, responses, components, actions), ...actions];
}

function describeOperation(untyped: UntypedOperation, options: InferenceOptions): readonly OverlayAction[] {
  const { operation, responses } = untyped;
  const { object: content, id, isAlternative, location } = operation;
  const evidence = { kind: 'inferred', responses: countResponses(responses), operations: [id] } as const;
  const describe = (at: JsonLocation, change: JsonObject, what: string): OverlayAction =>
    createInferenceAction(at, change, `${what}, inferred from samples.`, evidence);
  const schema = createShapeSchema(responses.reduce(mergeResponses).shape, options);
  if (isAlternative) return [describe(location, { response: schema }, 'The response')];
  const declared = createResponses(content['responses'], responses, schema);
  return [describe([...location, 'responses'], declared, 'The response')];
}

function createResponses(
  declared: Json | undefined,
  shapes: readonly SeenResponses[],
  schema: JsonObject,
): JsonObject {
  const known = jsonMembers(declared).filter(([status]) => /^2(?:\d\d|XX)$/.test(status) && status !== '204');
  const seen = shapes.flatMap(({ statuses }) => [...statuses.keys()].map(String));
  const content = { 'application/json': { schema } };
  const all = new Map<string, Json>(seen.map((status) => [status, { description: 'Success.', content }]));
  for (const [status] of known) all.set(status, { content });
  all.delete('204');
  return Object.fromEntries(sortByKey(all));
}

function createComponentActions(
  document: OpenApiDocument,
  responses: readonly UntypedResponse[],
  { created }: InferredComponents,
  actions: readonly OverlayAction[],
): readonly OverlayAction[] {
  const all = [...created, { name: LINK_NAME, schema: LINK_SCHEMA, responses }];
  const schemas = Object.fromEntries(all.map(({ name, schema }) => [name, schema]));
  const reached = addReachedReferences(collectReferences(actions), { components: { schemas } });
  const declared = new Map(listSchemaComponents(document));
  return all
    .filter(({ name }) => reached.has(toSchemaReference(name)) && !declared.has(name))
    .map(({ name, responses: seen, schema }) =>
      createInferenceAction(
        ['components', 'schemas'],
        { [name]: schema },
        `A component ${name}, inferred from samples.`,
        {
          kind: 'inferred',
          responses: countResponses(seen),
          operations: seen.map(({ operation }) => operation),
        },
      ),
    );
}

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
      return { declared: content['response'], inferred: memberAt(action, 'update', 'response') };
    });
    if (own.every(({ inferred }) => inferred === undefined)) return [];
    const schemas = own.map(({ inferred, declared }) => inferred ?? declared);
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

const UPDATES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** `WP_REST_Controller`: a change or creation returns the item, a deletion the item or its confirmation. */
export function describeConventionalWrites(document: OpenApiDocument): readonly OverlayAction[] {
  const operations = listRouteOperations(document).filter(({ isAlternative }) => !isAlternative);
  const reads = new Map(operations.filter(({ method }) => method === 'GET').map((each) => [each.path, each]));
  const changed = new Set(
    operations.filter(({ method }) => method === 'PUT' || method === 'PATCH').map(({ path }) => path),
  );
  return operations.flatMap((operation) => {
    const { path } = operation;
    const read = reads.get(path);
    if (read === undefined || isTyped(operation)) return [];
    // A single resource, such as settings, can be changed at its path.
    const isItem = path.endsWith('}') || changed.has(path);
    const schema = createConventionalSchema(operation.method, isItem, read, document);
    return schema === undefined ? [] : [createAction(operation, schema)];
  });
}

function createConventionalSchema(
  method: string,
  isItem: boolean,
  read: Operation,
  document: OpenApiDocument,
): JsonObject | undefined {
  const declared = read.responseSchema;
  if (declared === undefined) return undefined;
  const { items, type } = declared;
  const unit = type === 'array' ? items : declared;
  const item = isJsonObject(unit) && isItem === (type !== 'array') ? unit : undefined;
  if (item === undefined || !isResource(item, document)) return undefined;
  // WordPress returns a written item in the context `edit`.
  const inEdit = getContexts(read.object).get('edit');
  const written = inEdit === undefined ? item : { $ref: inEdit };
  if (isItem ? UPDATES.has(method) : method === 'POST') return written;
  if (method !== 'DELETE' || !isItem) return undefined;
  // A permanently deleted item has no links (`WP_REST_Posts_Controller::delete_item()`).
  const properties = { deleted: { const: true }, previous: { anyOf: [written, { type: 'object' }] } };
  return { anyOf: [{ type: 'object', properties, required: ['deleted', 'previous'] }, written] };
}

function isResource(schema: JsonObject, document: JsonObject): boolean {
  const { properties } = dereference(schema, document) ?? {};
  return jsonMembers(properties).length > 1;
}

const DESCRIPTION =
  'No response was seen. Inferred by convention: a write returns the item as the GET operation of the path does.';

function createAction(operation: Operation, schema: JsonObject): OverlayAction {
  const { id, location, method, object: content, path } = operation;
  const response = { description: DESCRIPTION, content: { 'application/json': { schema } } };
  const declared = jsonMembers(content['responses']).map(([status]) => status);
  const known = declared.filter((status) => /^2\d\d$/.test(status) && status !== '204');
  const usual = method === 'POST' && !path.endsWith('}') ? ['200', '201'] : ['200'];
  const statuses = [...new Set([...known, ...usual])].sort();
  return createInferenceAction(
    [...location, 'responses'],
    Object.fromEntries(statuses.map((status): [string, Json] => [status, response])),
    DESCRIPTION,
    { kind: 'convention', responses: 0, operations: [id] },
  );
}
