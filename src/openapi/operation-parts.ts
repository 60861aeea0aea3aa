import type { JsonObject } from '../json.ts';
import type { RouteOperation } from '../model/site.ts';
import { createRequestBody } from './bodies.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createPathParameter, createQueryParameter } from './parameters.ts';
import { responses } from './responses.ts';

/** What one route brings to an operation, whether it has the operation for itself or shares it. */
export interface OperationParts {
  readonly requestBody: JsonObject | undefined;
  readonly responses: JsonObject;
}

/** One route's own parameters, path first, without the globals. */
export function createRouteParameters(route: RouteOperation): readonly JsonObject[] {
  return [...route.path.map(createPathParameter), ...route.query.map(createQueryParameter)];
}

export function createOperationParts(route: RouteOperation, components: ComponentRegistry): OperationParts {
  return {
    requestBody: route.body && createRequestBody(route.body, bodyComponentName(route), components),
    responses: responses(route.response, components),
  };
}

/** The component of an endpoint's fields is named after the first of its operations: `CreatePostBody`. */
function bodyComponentName({ id }: RouteOperation): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
}
