import {
  getContexts,
  getErrorCodes,
  getForcedReference,
  isBatchAllowed,
  isQueryAccepted,
} from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { dereference, referenceOf } from '../../openapi/document-references.ts';
import { flattenSchema } from '../../openapi/schema-view.ts';
import type { ReferenceOperation } from '../reference/document-operations.ts';
import { type AccessNote, describeAccess } from './access.ts';
import { listComponents } from './components.ts';
import { createObjectExample } from './examples.ts';
import { createParameterRow, type ParameterRow } from './parameter-row.ts';
import { hasControls, shorten, toPlainText } from './plain-text.ts';
import { listRepairs, type Repair } from './repairs.ts';
import { createSchemaTree, describeType, type SchemaSource, type SchemaTree } from './schema-tree.ts';

/** What the reference shows of an operation. */
export interface OperationDetails {
  readonly description: string;
  readonly isDeprecated: boolean;
  /** Of the path first, then of the query. */
  readonly parameters: readonly ParameterRow[];
  /** Parameters that all operations share, such as `_fields`. */
  readonly commonParameters: readonly ParameterRow[];
  readonly bodies: readonly BodyForm[];
  /** How the request carries a file; `undefined` if it carries none. */
  readonly upload: FileUpload | undefined;
  readonly responses: readonly ResponseRow[];
  /** Codes of the errors that the site may send. */
  readonly errorCodes: readonly string[];
  /** `undefined` if it is unknown whether the operation needs credentials. */
  readonly access: AccessNote | undefined;
  readonly isBatchAllowed: boolean;
  /** Whether the query may carry the fields of the body. */
  readonly isQueryAccepted: boolean;
  /** What was repaired in the site's description. */
  readonly repairs: readonly Repair[];
}

/** The content of a request in one or more content types that have the same fields. */
export interface BodyForm {
  readonly contentTypes: readonly string[];
  readonly isRequired: boolean;
  readonly tree: SchemaTree;
  /** `undefined` for content that has no fields. */
  readonly example: JsonObject | undefined;
  /** How the content carries a file; `undefined` if it carries none. */
  readonly upload: FileUpload | undefined;
}

/** How a request carries a file. */
export interface FileUpload {
  /** Name of the field that carries it; empty if the content itself is the file. */
  readonly field: string;
  /** Whether the document states the name. `file` is usual. */
  readonly isStated: boolean;
}

/** A response, by status. */
export interface ResponseRow {
  /** `200`, `4XX`, `default` */
  readonly status: string;
  readonly description: string;
  readonly contents: readonly ResponseContent[];
}

export interface ResponseContent {
  /** `edit`, `force=true`; empty if the request does not choose the response. */
  readonly condition: string;
  readonly contentType: string;
  /** `list of Post` */
  readonly type: string;
  /** Keys of the components that the type names. */
  readonly components: readonly string[];
  /** The tree of a schema that is no component. */
  readonly tree: SchemaTree | undefined;
  /** The Media Type Object, with the schema that the condition chooses. */
  readonly media: JsonObject;
}

const MAX_PARAMETERS = 200;
/** A file cannot be sent in a field with a longer name. */
const MAX_FIELD_NAME_LENGTH = 200;
const MAX_RESPONSES = 12;

/** Reads what the reference shows of an operation. */
export function readOperationDetails(
  { pathItem, value: operation }: ReferenceOperation,
  source: SchemaSource,
): OperationDetails {
  const stated = [...jsonItems(pathItem['parameters']), ...jsonItems(operation['parameters'])];
  const rows = stated.slice(0, MAX_PARAMETERS).flatMap((parameter) => {
    const row = createParameterRow(parameter, source);
    return row === undefined
      ? []
      : [{ row, isCommon: isJsonObject(parameter) && parameter['$ref'] !== undefined }];
  });
  const errorCodes = getErrorCodes(operation)
    .slice(0, 60)
    .map((code) => shorten(code, 100));
  const own = rows.filter(({ isCommon }) => !isCommon).map(({ row }) => row);
  const bodies = readBodies(operation['requestBody'], source);
  const responses = jsonMembers(operation['responses'])
    .slice(0, MAX_RESPONSES)
    .map(([status, response]) => readResponse(status, response, operation, source));
  const parameters = needsForce(errorCodes, responses) ? own.map(withForce) : own;
  const uploads = bodies.flatMap(({ upload }) => upload ?? []);
  return {
    description: source.localize(withoutRouteNote(toPlainText(operation['description']))),
    isDeprecated: operation['deprecated'] === true,
    parameters: [
      ...parameters.filter((row) => row.in === 'path'),
      ...parameters.filter((row) => row.in !== 'path'),
    ],
    commonParameters: rows.filter(({ isCommon }) => isCommon).map(({ row }) => row),
    bodies,
    // A form carries fields beside the file.
    upload: uploads.find(({ field }) => field !== '') ?? uploads[0],
    responses,
    errorCodes,
    access: describeAccess(operation, source.document, errorCodes),
    isBatchAllowed: isBatchAllowed(operation),
    isQueryAccepted: isQueryAccepted(operation),
    repairs: listRepairs(operation, pathItem, source.document),
  };
}

/** Whether the site deletes without a trash: there is no response but that to `force=true`. */
function needsForce(errorCodes: readonly string[], responses: readonly ResponseRow[]): boolean {
  const contents = responses.flatMap((response) => (/^2/.test(response.status) ? response.contents : []));
  return (
    errorCodes.includes('rest_trash_not_supported') && new Set(contents.map(({ type }) => type)).size === 1
  );
}

function withForce(row: ParameterRow): ParameterRow {
  return row.name === 'force' ? { ...row, example: true, isInExample: true } : row;
}

/** The document states the route of an operation in a paragraph of its description. The pages show the path anyway. */
function withoutRouteNote(text: string): string {
  return text
    .split('\n\n')
    .filter((paragraph) => !/^Routes?: `[^`\n]*`\.?$/.test(paragraph))
    .join('\n\n');
}

/** The document names the objects of other contexts in the description of a response. The pages list them anyway. */
function withoutContextNote(text: string): string {
  return text.replace(/ In other contexts: [^.\n]*\.$/, '');
}

/** Content types with the same schema are one form. */
function readBodies(stated: Json | undefined, source: SchemaSource): readonly BodyForm[] {
  const body = dereference(stated, source.document);
  if (body === undefined) return [];
  const forms = new Map<string, { contentTypes: string[]; schema: Json | undefined }>();
  for (const [contentType, media] of jsonMembers(body['content']).slice(0, 10)) {
    const schema = isJsonObject(media) ? media['schema'] : undefined;
    const key = referenceOf(schema) ?? contentType;
    const form = forms.get(key) ?? { contentTypes: [], schema };
    form.contentTypes.push(shorten(contentType, 80));
    forms.set(key, form);
  }
  return Array.from(forms.values(), ({ contentTypes, schema }) => {
    const { schema: flat } = flattenSchema(schema, source.document);
    return {
      contentTypes,
      isRequired: body['required'] === true,
      tree: createSchemaTree(schema, source, { forRequest: true }),
      example: flat['format'] === 'binary' ? undefined : createObjectExample(schema, source.document),
      upload: readUpload(flat, contentTypes),
    };
  });
}

function readUpload(schema: JsonObject, contentTypes: readonly string[]): FileUpload | undefined {
  if (schema['format'] === 'binary') return { field: '', isStated: true };
  const stated = jsonMembers(schema['properties']).find(
    ([name, property]) =>
      isJsonObject(property) &&
      property['format'] === 'binary' &&
      name.length <= MAX_FIELD_NAME_LENGTH &&
      !hasControls(name),
  );
  if (stated !== undefined) return { field: stated[0], isStated: true };
  // The document has this content type for files alone. An index states no names of parts.
  return contentTypes.includes('multipart/form-data') ? { field: 'file', isStated: false } : undefined;
}

function readResponse(
  status: string,
  stated: Json,
  operation: JsonObject,
  source: SchemaSource,
): ResponseRow {
  const { document, localize } = source;
  const response = dereference(stated, document) ?? {};
  const isSuccess = /^2/.test(status);
  const contexts = isSuccess ? getContexts(operation) : new Map<string, string>();
  const forced = isSuccess ? getForcedReference(operation) : undefined;
  const contents: ResponseContent[] = [];
  for (const [contentType, media] of jsonMembers(response['content']).slice(0, 6)) {
    const schema = isJsonObject(media) ? media['schema'] : undefined;
    const { schema: flat } = flattenSchema(schema, document);
    const isList = flat['type'] === 'array';
    const describe = (condition: string, described: Json | undefined): ResponseContent => {
      const components = listComponents(described, document);
      return {
        condition,
        contentType: shorten(contentType, 80),
        type: describeType(described, document),
        components,
        tree: components.length > 0 ? undefined : createSchemaTree(described, source),
        media: { ...(isJsonObject(media) ? media : {}), schema: described ?? {} },
      };
    };
    if (contexts.size > 1 && contentType === 'application/json') {
      for (const [context, reference] of [...contexts].slice(0, 5)) {
        const item = { $ref: reference };
        contents.push(
          describe(`context=${shorten(context, 20)}`, isList ? { type: 'array', items: item } : item),
        );
      }
    } else contents.push(describe('', schema));
    if (forced !== undefined && contentType === 'application/json') {
      contents.push(describe('force=true', { $ref: forced }));
    }
  }
  return {
    status: shorten(status, 10),
    description: localize(withoutContextNote(toPlainText(response['description'], 500))),
    contents,
  };
}
