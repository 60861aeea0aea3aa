import { isJsonObject, type JsonObject, jsonItems } from '../json.ts';
import type { BodyModel } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf } from './schema-view.ts';

/**
 * Creates the Request Body Object. It is required if a field is. The site accepts each field in the query too (extension
 * `queryAccepted` of the operation), which OpenAPI cannot express, so the description states it.
 */
export function createRequestBodyObject(
  body: BodyModel,
  name: string,
  components: ComponentRegistry,
): JsonObject {
  const fields = declaresNoFields(body.schema)
    ? components.registerSharedSchema('AnyFields', ANY_FIELDS_SCHEMA)
    : components.registerSharedSchema(name, body.schema);
  // Without a file, the collection of files responds with `rest_upload_no_data`.
  const content: { [mediaType: string]: JsonObject } =
    body.upload === 'file'
      ? {}
      : {
          'application/json': { schema: fields },
          'application/x-www-form-urlencoded': { schema: fields },
        };
  if (body.upload !== 'none')
    content['multipart/form-data'] = { schema: createMultipartSchema(body, fields) };
  // WordPress takes a body of any other media type as the file itself, named by `Content-Disposition`.
  if (body.upload === 'file') content['*/*'] = { schema: BINARY };
  return Array.isArray(body.schema['required']) ? { ...REQUIRED_BODY, content } : { content };
}

/** The fields of a body that a request needs. */
export const REQUIRED_BODY: JsonObject = {
  description: 'The query may carry the fields instead of the body.',
  required: true,
};

/**
 * Reads the schema of the fields from a Request Body Object: that of JSON or of a form, or the fields beside a file.
 * Returns `undefined` if it has none of them.
 */
export function readBodySchema(body: JsonObject): JsonObject | undefined {
  const { content } = body;
  const stated = contentSchemaOf(body) ?? contentSchemaOf(body, 'application/x-www-form-urlencoded');
  if (isJsonObject(stated)) return stated;
  const parts = contentSchemaOf(body, 'multipart/form-data');
  const mayBeFile = isJsonObject(content) && '*/*' in content;
  const [fields] = mayBeFile && isJsonObject(parts) ? jsonItems(parts['allOf']) : [];
  return isJsonObject(fields) ? fields : undefined;
}

/** The schema of the fields of an endpoint that declares no arguments. Such an endpoint may read any field. */
export const ANY_FIELDS_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: true,
  description: 'The index does not state which fields the endpoint reads.',
};

function declaresNoFields(fields: JsonObject): boolean {
  const { properties } = fields;
  return !isJsonObject(properties) || Object.keys(properties).length === 0;
}

/** `format` is for tools of OpenAPI 3.0, `contentMediaType` for those of 3.1. */
const BINARY: JsonObject = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** WordPress's media controller reads the part `file`; plugins choose their own names, which the index does not state. */
function createMultipartSchema(body: BodyModel, fields: JsonObject): JsonObject {
  const parts =
    body.upload === 'file'
      ? { type: 'object', properties: { file: BINARY }, required: ['file'] }
      : { type: 'object', description: 'Files are sent as parts whose names the index does not state.' };
  return { allOf: [fields, parts] };
}
