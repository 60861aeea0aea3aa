import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { isJsonObject, type JsonObject, jsonItems, jsonMembers, memberAt } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { capitalize } from '../model/naming/words.ts';
import { typesOf } from '../model/schema/keywords.ts';
import type { BodyModel, ResponseModel, RouteOperation } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf } from './schema-view.ts';

export function createRequestBody(
  route: RouteOperation,
  components: ComponentRegistry,
): JsonObject | undefined {
  const { body, response } = route;
  if (body === undefined) return undefined;
  if (response.kind === 'bulk') return createBulkBodyObject(response, components);
  return createRequestBodyObject(body, bodyComponentName(route), components);
}

function bodyComponentName({ id }: RouteOperation): string {
  return `${capitalize(id)}Body`;
}

/** The site doesn't declare, and so doesn't validate, the fields of a bulk operation. */
function createBulkBodyObject(
  { lists, name }: Extract<ResponseModel, { readonly kind: 'bulk' }>,
  components: ComponentRegistry,
): JsonObject {
  const schema = components.registerSchemaOf(lists, `${name}Body`, () => {
    const list = (description: string, items: JsonObject): JsonObject => ({
      description,
      type: 'array',
      items,
      [EXTENSION_NAMES.type]: null,
    });
    const { create, update, delete: deletion } = lists;
    const isOpen = create === undefined && update === undefined && deletion === undefined;
    const fieldsOf = (operation: RouteOperation | undefined): JsonObject =>
      operation?.body === undefined
        ? { type: 'object' }
        : components.registerSharedSchema(bodyComponentName(operation), operation.body.schema);
    const properties = omitUndefined({
      create: create || isOpen ? list('The items to create.', fieldsOf(create)) : undefined,
      update:
        update || isOpen
          ? list('The items to change, with their ids.', {
              allOf: [
                { type: 'object', properties: { id: idOf(update) }, required: ['id'] },
                fieldsOf(update),
              ],
            })
          : undefined,
      delete: deletion || isOpen ? list('The ids of items to delete for good.', idOf(deletion)) : undefined,
    });
    return { type: 'object', properties };
  });
  const content = { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } };
  return { content };
}

export function idOf(operation: RouteOperation | undefined): JsonObject {
  const description = 'The id of the item.';
  if (operation === undefined) return { description, type: ['integer', 'string'] };
  const types = typesOf(operation.path.at(-1)?.schema ?? {});
  const isNumber = types.length === 0 || types.includes('integer');
  return { description, type: isNumber ? 'integer' : 'string' };
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
