import type { IndexEndpoint } from '../discovery/site.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { BodyModel } from './site.ts';

/**
 * Determines whether an endpoint accepts a file. The index does not state it; three facts indicate it, in
 * order of reliability:
 * 1. The route's resource is a file (it has a file's address and type) and the operation is a POST to its collection.
 *    This is WordPress's media route, which accepts the file as the whole body or as a part named `file`.
 * 2. An argument is declared as a file.
 * 3. The path contains "upload" (`/upload/background`, `/tasks/{task_id}/comment-image-upload`).
 *
 * Only POST is considered: PHP parses multipart bodies of no other method (`sapi_handle_post`).
 */
export function detectUpload(
  method: string,
  endpoint: IndexEndpoint,
  anonymousTemplate: string,
  schema: JsonObject | undefined,
): BodyModel['upload'] {
  if (method !== 'POST') return 'none';
  if (!anonymousTemplate.endsWith('}') && schema !== undefined && isFileSchema(schema)) return 'file';
  if (
    endpoint.args.some(({ declaration }) => declaresFile(declaration)) ||
    mentionsUpload(anonymousTemplate)
  ) {
    return 'form';
  }
  return 'none';
}

const FILE_ADDRESS_PROPERTY = 'source_url';
const FILE_TYPE_PROPERTIES = ['mime_type', 'media_type', 'media_details'];

function isFileSchema(schema: JsonObject): boolean {
  const properties = schema['properties'];
  return (
    isJsonObject(properties) &&
    Object.hasOwn(properties, FILE_ADDRESS_PROPERTY) &&
    FILE_TYPE_PROPERTIES.some((name) => Object.hasOwn(properties, name))
  );
}

function declaresFile(declaration: JsonObject): boolean {
  return declaration['type'] === 'file' || declaration['format'] === 'binary';
}

function mentionsUpload(anonymousTemplate: string): boolean {
  return /(?:^|[/_-])uploads?(?:$|[/_-])/i.test(anonymousTemplate);
}
