import { EXTENSION_NAMES } from '../document-extensions.ts';
import { isJsonObject, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { capitalize } from '../model/naming/words.ts';
import type { BodyModel, ResponseModel, RouteOperation } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf, typesOf } from './schema-view.ts';

/** Creates the Request Body Object of an operation; `undefined` if it has none. */
export function createRequestBody(
  route: RouteOperation,
  components: ComponentRegistry,
): JsonObject | undefined {
  const { body, response } = route;
  if (body === undefined) return undefined;
  if (response.kind === 'bulk') return createBulkBodyObject(response, components);
  return createRequestBodyObject(body, bodyComponentName(route), components);
}

/** The component name of an endpoint's fields, after the first of its operations: `CreatePostBody`. */
function bodyComponentName({ id }: RouteOperation): string {
  return `${capitalize(id)}Body`;
}

/**
 * Creates the request body of a bulk operation. The site does not declare its fields as arguments, so it does not validate them:
 * a stated type of null says so.
 */
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

/** The schema of an item's id: a number, if the last parameter of its path is one. Nothing is known without an operation. */
export function idOf(operation: RouteOperation | undefined): JsonObject {
  const description = 'The id of the item.';
  if (operation === undefined) return { description, type: ['integer', 'string'] };
  const types = typesOf(operation.path.at(-1)?.schema ?? {});
  const isNumber = types.length === 0 || types.includes('integer');
  return { description, type: isNumber ? 'integer' : 'string' };
}

/**
 * Creates the Request Body Object. It is required if a field is. The site accepts each field in the query too (extension
 * `queryAccepted` of the operation), which OpenAPI cannot express, so the description states it.
 */
function createRequestBodyObject(body: BodyModel, name: string, components: ComponentRegistry): JsonObject {
  const fields =
    jsonMembers(body.schema['properties']).length === 0
      ? components.registerSharedSchema('AnyFields', ANY_FIELDS_SCHEMA)
      : components.registerSharedSchema(name, body.schema);
  if (body.isList) return { content: { 'application/json': { schema: { type: 'array', items: fields } } } };
  // Without a file, the collection of files responds with `rest_upload_no_data`.
  const content: { [mediaType: string]: JsonObject } =
    body.upload === 'file'
      ? {}
      : { 'application/json': { schema: fields }, 'application/x-www-form-urlencoded': { schema: fields } };
  if (body.upload !== 'none')
    content['multipart/form-data'] = { schema: createMultipartSchema(body, fields) };
  // WordPress takes a body of any other media type as the file itself, named by `Content-Disposition`.
  if (body.upload === 'file') content['*/*'] = { schema: BINARY };
  return Array.isArray(body.schema['required']) ? { ...REQUIRED_BODY, content } : { content };
}

export const REQUIRED_BODY: JsonObject = {
  description: 'The query may carry the fields instead of the body.',
  required: true,
};

/**
 * Reads the schema of the fields from a Request Body Object: that of JSON or of a form, or the fields beside a file.
 * Returns `undefined` if it has none of them.
 */
export function readBodySchema(body: JsonObject): JsonObject | undefined {
  const declared = contentSchemaOf(body) ?? contentSchemaOf(body, 'application/x-www-form-urlencoded');
  if (isJsonObject(declared)) return declared;
  const mayBeFile = memberAt(body, 'content', '*/*') !== undefined;
  const parts = memberAt(contentSchemaOf(body, 'multipart/form-data'), 'allOf');
  const [fields] = mayBeFile ? jsonItems(parts) : [];
  return isJsonObject(fields) ? fields : undefined;
}

/** The schema of the fields of an endpoint that declares no arguments. Such an endpoint can read any field. */
export const ANY_FIELDS_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: true,
  description: 'The index does not state which fields the endpoint reads.',
};

/** `format` is for tools of OpenAPI 3.0, `contentMediaType` for those of 3.1. */
const BINARY: JsonObject = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** WordPress's media controller reads the part `file`; plugins choose their own names, which few of their indexes state. */
function createMultipartSchema(body: BodyModel, fields: JsonObject): JsonObject {
  if (body.upload === 'named') return fields;
  const parts =
    body.upload === 'file'
      ? { type: 'object', properties: { file: BINARY }, required: ['file'] }
      : { type: 'object', description: 'Files are sent as parts whose names the index does not state.' };
  return { allOf: [fields, parts] };
}
