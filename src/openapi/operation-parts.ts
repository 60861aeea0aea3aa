import type { JsonObject } from '../json.ts';
import { capitalize } from '../model/naming/words.ts';
import type { RouteOperation } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createPathParameterObject, createQueryParameterObject } from './parameters.ts';
import { createRequestBodyObject } from './request-bodies.ts';
import { createResponsesObject } from './responses.ts';

/** The request body and the responses that one route contributes to an operation. */
export interface OperationParts {
  readonly requestBody: JsonObject | undefined;
  readonly responses: JsonObject;
}

/** The Parameter Objects of one route, path parameters first, without the global parameters. */
export function createRouteParameterObjects(route: RouteOperation): readonly JsonObject[] {
  return [
    ...route.path.map(createPathParameterObject),
    ...route.query.map(createQueryParameterObject),
    ...(route.body?.upload === 'file' ? [FILE_NAME_HEADER] : []),
  ];
}

/** `WP_REST_Attachments_Controller::upload_from_data()` refuses a file without it (`rest_upload_no_content_disposition`). */
const FILE_NAME_HEADER: JsonObject = {
  name: 'Content-Disposition',
  in: 'header',
  description: 'Required if the body is the file itself: `attachment; filename="photo.jpg"`.',
  schema: { type: 'string' },
};

export function createOperationParts(route: RouteOperation, components: ComponentRegistry): OperationParts {
  return {
    requestBody: route.body && createRequestBodyObject(route.body, bodyComponentName(route), components),
    responses: createResponsesObject(route, components),
  };
}

/** The component name of an endpoint's fields, after the first of its operations: `CreatePostBody`. */
function bodyComponentName({ id }: RouteOperation): string {
  return `${capitalize(id)}Body`;
}
