import type { JsonObject } from '../json.ts';
import type { RouteOperation } from '../model/site.ts';
import { requestBody } from './bodies.ts';
import type { Components } from './components.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import { responses } from './responses.ts';

/** What one route brings to an operation, whether it has the operation for itself or shares it. */
export interface OperationParts {
  readonly requestBody: JsonObject | undefined;
  readonly responses: JsonObject;
}

/** One route's own parameters, path first, without the globals. */
export function parametersOf(route: RouteOperation): readonly JsonObject[] {
  return [...route.path.map(pathParameter), ...route.query.map(queryParameter)];
}

export function partsOf(route: RouteOperation, components: Components): OperationParts {
  return {
    requestBody: route.body && requestBody(route.body, bodyName(route), components),
    responses: responses(route.answer, components),
  };
}

/** The component of an endpoint's fields is named after the first of its operations: `CreatePostBody`. */
function bodyName({ id }: RouteOperation): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
}
