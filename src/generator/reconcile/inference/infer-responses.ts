import { groupBy, sortByKey } from '../../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../../../base/json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-responses.ts';
import {
  addReachedReferences,
  collectReferences,
  type JsonLocation,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument } from '../../openapi/index.ts';
import { toJsonPath } from '../../openapi/json-path.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import {
  countResponses,
  listUntypedOperations,
  mergeResponses,
  type SeenResponses,
  type UntypedOperation,
} from '../seen-responses.ts';
import { type InferredComponents, inferComponents, type UntypedResponse } from './components.ts';
import { createShapeSchema, type InferenceOptions, LINK_NAME } from './create-schema.ts';

/** Describes responses without a schema: by existing components, new ones, or in place. */
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

/** Describes operations that routes share. */
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
