import { isJsonObject, type JsonObject } from '../json.ts';
import type { BodyModel } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';

/**
 * The Request Body Object. Never `required`: each field may come in the query instead (`x-waygate-query-accepted` on the
 * operation), so that a request without a body can be complete. Which fields a request needs, wherever they come, is
 * the schema's `required`.
 */
export function createRequestBody(body: BodyModel, name: string, components: ComponentRegistry): JsonObject {
  const fields = declaresNoFields(body.fields)
    ? components.sharedSchema('AnyFields', ANY_FIELDS)
    : components.sharedSchema(name, body.fields);
  const content: { [mediaType: string]: JsonObject } = {
    'application/json': { schema: fields },
    'application/x-www-form-urlencoded': { schema: fields },
  };
  if (body.upload !== 'none') content['multipart/form-data'] = { schema: createMultipartSchema(body, fields) };
  // What is none of the above is the file itself, whatever its media type; `Content-Disposition` names it.
  if (body.upload === 'file') content['*/*'] = { schema: BINARY };
  return { content };
}

/** The schema of the fields in a Request Body Object of ours, whatever was edited around it. */
export function readBodyFields(body: JsonObject): JsonObject | undefined {
  const content = body['content'];
  if (!isJsonObject(content)) return undefined;
  for (const mediaType of ['application/json', 'application/x-www-form-urlencoded']) {
    const entry = content[mediaType];
    const schema = isJsonObject(entry) ? entry['schema'] : undefined;
    if (isJsonObject(schema)) return schema;
  }
  return undefined;
}

/** For endpoints that declare no arguments, and may read any. */
export const ANY_FIELDS: JsonObject = {
  type: 'object',
  additionalProperties: true,
  description: 'The index does not say which fields are read.',
};

function declaresNoFields(fields: JsonObject): boolean {
  const { properties } = fields;
  return !isJsonObject(properties) || Object.keys(properties).length === 0;
}

/** `format` for the tools of OpenAPI 3.0's days, which are many, `contentMediaType` for those of 3.1. */
const BINARY: JsonObject = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** WordPress's media controller takes the first part called `file`; elsewhere the part's name is the plugin's own. */
function createMultipartSchema(body: BodyModel, fields: JsonObject): JsonObject {
  const parts =
    body.upload === 'file'
      ? { type: 'object', properties: { file: BINARY } }
      : { type: 'object', description: 'Files are parts of names that the index does not say.' };
  return { allOf: [fields, parts] };
}
