import { isJsonObject } from '../../json.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { toJsonPath } from '../../openapi/json-path.ts';
import { listDocumentOperations, type OperationEntry } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';

/** Describes operations that routes share, once the response of each route is known. */
export function describeSharedOperations(
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
