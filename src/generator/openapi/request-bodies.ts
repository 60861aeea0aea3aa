import { isJsonObject, type JsonObject, jsonItems, jsonMembers, memberAt } from '../../base/json.ts';
import { capitalize } from '../model/naming/words.ts';
import type { BodyModel, RouteOperation } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf } from './document-objects.ts';

/** @param bulk schema of the body of a bulk route */
export function createRequestBody(
  { body, id, response }: RouteOperation,
  components: ComponentRegistry,
  bulk: JsonObject = {},
): JsonObject | undefined {
  if (body === undefined) return undefined;
  if (response.kind !== 'bulk') return createRequestBodyObject(body, `${capitalize(id)}Body`, components);
  return {
    content: { 'application/json': { schema: bulk }, 'application/x-www-form-urlencoded': { schema: bulk } },
  };
}

/** The site accepts each field in the query too, which OpenAPI can't express, so the description says so. */
function createRequestBodyObject(body: BodyModel, name: string, components: ComponentRegistry): JsonObject {
  const fields =
    jsonMembers(body.schema['properties']).length === 0
      ? components.registerSharedSchema('AnyFields', ANY_FIELDS_SCHEMA)
      : components.registerSharedSchema(name, body.schema);
  if (body.isList) return { content: { 'application/json': { schema: { type: 'array', items: fields } } } };
  // An upload without a file fails with `rest_upload_no_data`.
  const content: { [mediaType: string]: JsonObject } =
    body.upload === 'file'
      ? {}
      : { 'application/json': { schema: fields }, 'application/x-www-form-urlencoded': { schema: fields } };
  if (body.upload !== 'none')
    content['multipart/form-data'] = { schema: createMultipartSchema(body, fields) };
  // WordPress takes other media types as the file, named by `Content-Disposition`.
  if (body.upload === 'file') content['*/*'] = { schema: BINARY };
  return Array.isArray(body.schema['required']) ? { ...REQUIRED_BODY, content } : { content };
}

export const REQUIRED_BODY: JsonObject = {
  description: 'The query may carry the fields instead of the body.',
  required: true,
};

export function readBodySchema(body: JsonObject): JsonObject | undefined {
  const declared = contentSchemaOf(body) ?? contentSchemaOf(body, 'application/x-www-form-urlencoded');
  if (isJsonObject(declared)) return declared;
  const mayBeFile = memberAt(body, 'content', '*/*') !== undefined;
  const parts = memberAt(contentSchemaOf(body, 'multipart/form-data'), 'allOf');
  const [fields] = mayBeFile ? jsonItems(parts) : [];
  return isJsonObject(fields) ? fields : undefined;
}

export const ANY_FIELDS_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: true,
  description: 'The index does not state which fields the endpoint reads.',
};

/** `format` is for OpenAPI 3.0, `contentMediaType` for 3.1. */
const BINARY: JsonObject = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** WordPress's media controller reads the part `file`; plugins choose their own names. */
function createMultipartSchema(body: BodyModel, fields: JsonObject): JsonObject {
  if (body.upload === 'named') return fields;
  const parts =
    body.upload === 'file'
      ? { type: 'object', properties: { file: BINARY }, required: ['file'] }
      : { type: 'object', description: 'Files are sent as parts whose names the index does not state.' };
  return { allOf: [fields, parts] };
}
