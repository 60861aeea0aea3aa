import { isJsonObject, type JsonObject } from '../json.ts';
import type { BodyModel } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';

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
  const content: { [mediaType: string]: JsonObject } = {
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

/** Reads the schema of the fields from a Request Body Object; `undefined` if it has neither JSON nor a form. */
export function readBodySchema(body: JsonObject): JsonObject | undefined {
  const content = body['content'];
  if (!isJsonObject(content)) return undefined;
  for (const mediaType of ['application/json', 'application/x-www-form-urlencoded']) {
    const entry = content[mediaType];
    const schema = isJsonObject(entry) ? entry['schema'] : undefined;
    if (isJsonObject(schema)) return schema;
  }
  return undefined;
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
      ? { type: 'object', properties: { file: BINARY } }
      : { type: 'object', description: 'Files are sent as parts whose names the index does not state.' };
  return { allOf: [fields, parts] };
}
