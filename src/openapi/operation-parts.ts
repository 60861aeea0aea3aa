import type { JsonObject } from '../json.ts';
import type { RouteOperation } from '../model/site.ts';
import { createRequestBody } from './bodies.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createPathParameter, createQueryParameter } from './parameters.ts';
import { createResponses } from './responses.ts';

/** The request body and the responses that one route contributes to an operation. */
export interface OperationParts {
  readonly requestBody: JsonObject | undefined;
  readonly responses: JsonObject;
}

/** The Parameter Objects of one route, path parameters first, without the global parameters. */
export function createRouteParameters(route: RouteOperation): readonly JsonObject[] {
  return [...route.path.map(createPathParameter), ...route.query.map(createQueryParameter)];
}

export function createOperationParts(route: RouteOperation, components: ComponentRegistry): OperationParts {
  return {
    requestBody: route.body && createRequestBody(route.body, bodyComponentName(route), components),
    responses: createResponses(route.response, components),
  };
}

/** The component name of an endpoint's fields, after the first of its operations: `CreatePostBody`. */
function bodyComponentName({ id }: RouteOperation): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
}
