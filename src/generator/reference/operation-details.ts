import {
  EXTENSION_NAMES,
  extensionOf,
  getContexts,
  getErrorCodes,
  getForcedReference,
  getParameterName,
  hasMark,
  isForceRequired,
} from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonStructure,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import { hasControls, shorten, toPlainText } from '../../base/text.ts';
import {
  createBodyExample,
  createExample,
  resourceOfParameter,
} from '../example-values/document-examples.ts';
import { dereference, flattenSchema, referenceOf } from '../openapi/document-objects.ts';
import type { AccessNote } from '../openapi/operation-access.ts';
import { isLevel, type Level } from '../openapi/operation-levels.ts';
import type { Operation } from '../openapi/operations.ts';
import {
  createSchemaTree,
  describeSchemaFacts,
  describeType,
  listComponents,
  NO_PROPERTIES,
  type SchemaSource,
  type SchemaTree,
} from './schema-tree.ts';

export interface OperationDetails {
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly ParameterRow[];
  readonly commonParameters: readonly ParameterRow[];
  readonly bodies: readonly BodyForm[];
  /** Name of its field, empty if the content is the file. */
  readonly upload: string | undefined;
  readonly responses: readonly ResponseRow[];
  readonly errorCodes: readonly string[];
  readonly access: AccessNote | undefined;
  /** The `operationId` that returns what a member of the response names by its id: `author` → `getUser`. */
  readonly links: ReadonlyMap<string, string>;
  readonly level: Level | undefined;
}

interface BodyForm {
  readonly contentTypes: readonly string[];
  readonly isRequired: boolean;
  readonly tree: SchemaTree;
  readonly example: JsonStructure | undefined;
  readonly upload: string | undefined;
}

export interface ResponseRow {
  readonly status: string;
  readonly description: string;
  readonly contents: readonly ResponseContent[];
}

export interface ResponseContent {
  /** `edit`, `force=true`; empty if the request does not choose the response. */
  readonly condition: string;
  readonly contentType: string;
  readonly type: string;
  readonly components: readonly string[];
  readonly tree: SchemaTree | undefined;
  readonly media: JsonObject;
}

const MAX_PARAMETERS = 200;
/** Names of fields that a file can be sent in. curl ends a name at its first `=`, and what follows could name any file. */
const FILE_FIELD = /^[^=]{0,200}$/;
const MAX_RESPONSES = 12;
const MAX_LINKS = 50;

export function readOperationDetails(declared: Operation, source: SchemaSource): OperationDetails {
  const { path, shared: operation, declaredParameters } = declared;
  const rows = declaredParameters.slice(0, MAX_PARAMETERS).flatMap((parameter) => {
    const row = createParameterRow(parameter, source, path);
    return row === undefined ? [] : [{ row, isCommon: memberAt(parameter, '$ref') !== undefined }];
  });
  const errorCodes = listErrorCodes(operation);
  const own = rows.filter(({ isCommon }) => !isCommon).map(({ row }) => row);
  const bodies = readBodies(operation, source, path);
  const responses = jsonMembers(operation['responses'])
    .slice(0, MAX_RESPONSES)
    .map(([status, response]) => readResponse(status, response, operation, source));
  const isForced = isForceRequired(operation);
  const parameters = own.map((row) =>
    isForced && row.name === 'force' ? { ...row, example: true, isInExample: true } : row,
  );
  const uploads = bodies.flatMap(({ upload }) => upload ?? []);
  const access = describeAccess(declared);
  const level = extensionOf(operation, 'level');
  // The document states route and access in paragraphs of their own. The pages show both elsewhere.
  const paragraphs = toPlainText(operation['description'])
    .split('\n\n')
    .filter((each) => !/^Routes?: `[^`\n]*`\.?$/.test(each) && each !== access?.text);
  return {
    description: source.localize(paragraphs.join('\n\n')),
    isDeprecated: operation['deprecated'] === true,
    parameters: [
      ...parameters.filter((row) => row.in === 'path'),
      ...parameters.filter((row) => row.in !== 'path'),
    ],
    commonParameters: rows.filter(({ isCommon }) => isCommon).map(({ row }) => row),
    bodies,
    upload: uploads.find((field) => field !== '') ?? uploads[0],
    responses,
    errorCodes,
    access,
    links: readLinks(operation, source.document),
    level: isLevel(level) ? level : undefined,
  };
}

function readLinks(operation: JsonObject, document: JsonObject): ReadonlyMap<string, string> {
  const links = jsonMembers(operation['responses'])
    .slice(0, MAX_RESPONSES)
    .flatMap(([, response]) => jsonMembers(dereference(response, document)?.['links']).slice(0, MAX_LINKS));
  return new Map(
    links.flatMap(([member, link]): [string, string][] => {
      const target = dereference(link, document)?.['operationId'];
      return typeof target === 'string' ? [[member, target]] : [];
    }),
  );
}

function listErrorCodes(operation: JsonObject): readonly string[] {
  const codes = getErrorCodes(operation).slice(0, 60);
  return codes.map((code) => shorten(code, 100));
}

function readBodies(operation: JsonObject, source: SchemaSource, path: string): readonly BodyForm[] {
  const body = dereference(operation['requestBody'], source.document);
  if (body === undefined) return [];
  const contents = jsonMembers(body['content'])
    .slice(0, 10)
    .map(([contentType, media]) => ({ contentType, schema: memberAt(media, 'schema') }));
  const forms = groupBy(contents, ({ contentType, schema }) => referenceOf(schema) ?? contentType);
  return Array.from(forms.values(), (form) => {
    const contentTypes = form.map(({ contentType }) => shorten(contentType, 80));
    const schema = form[0]?.schema;
    const { schema: flat } = flattenSchema(schema, source.document);
    return {
      contentTypes,
      isRequired: body['required'] === true,
      tree: createSchemaTree(schema, source, { forRequest: true }),
      example:
        flat['format'] === 'binary' ? undefined : createBodyExample(schema, source.document, path, operation),
      upload: readUpload(flat, contentTypes),
    };
  });
}

function readUpload(schema: JsonObject, contentTypes: readonly string[]): string | undefined {
  if (schema['format'] === 'binary') return '';
  const declared = jsonMembers(schema['properties']).find(
    ([name, property]) =>
      memberAt(property, 'format') === 'binary' && FILE_FIELD.test(name) && !hasControls(name),
  );
  if (declared !== undefined) return declared[0];
  // The document has this content type for files alone. An index states no names of parts, and `file` is usual.
  return contentTypes.includes('multipart/form-data') ? 'file' : undefined;
}

function readResponse(
  status: string,
  declared: Json,
  operation: JsonObject,
  source: SchemaSource,
): ResponseRow {
  const { document, localize } = source;
  const response = dereference(declared, document) ?? {};
  const isSuccess = /^2/.test(status);
  const contexts = isSuccess ? getContexts(operation) : new Map<string, string>();
  const forced = isSuccess ? getForcedReference(operation) : undefined;
  const contents: ResponseContent[] = [];
  for (const [contentType, media] of jsonMembers(response['content']).slice(0, 6)) {
    const schema = memberAt(media, 'schema');
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
        // An example that the document states is that of its own schema.
        media: described === schema ? toJsonObject(media) : { schema: described ?? {} },
      };
    };
    if (contexts.size > 1 && contentType === 'application/json') {
      for (const [context, reference] of [...contexts].slice(0, 5)) {
        const item = { $ref: reference };
        const described = isList ? { type: 'array', items: item } : item;
        contents.push(describe(`context=${shorten(context, 20)}`, described));
      }
    } else contents.push(describe('', schema));
    if (forced !== undefined && contentType === 'application/json') {
      contents.push(describe('force=true', { $ref: forced }));
    }
  }
  return {
    status: shorten(status, 10),
    // It names objects of other contexts, which the pages list.
    description: localize(
      toPlainText(response['description'], 500).replace(/ In other contexts: [^.\n]*\.$/, ''),
    ),
    contents,
  };
}

export interface ParameterRow
  extends Pick<SchemaTree, 'type' | 'isRequired' | 'isDeprecated' | 'description' | 'facts'> {
  readonly name: string;
  readonly siteName: string;
  readonly in: string;
  readonly allowed: readonly string[];
  readonly default: string;
  readonly example: Json | undefined;
  /** Whether it is required, or the site refuses requests without it. */
  readonly isInExample: boolean;
  readonly mayContainSlashes: boolean;
}

export function toParameterTree(rows: readonly ParameterRow[]): SchemaTree {
  const children = rows.map((row) => {
    const called = row.siteName === '' ? '' : ` The site calls it \`${row.siteName}\`.`;
    const description = row.description + called;
    const type = `${row.type} in ${row.in}`;
    return { ...NO_PROPERTIES, ...row, name: shorten(row.name, 120), type, description };
  });
  return { ...NO_PROPERTIES, children };
}

const MAX_ALLOWED_LENGTH = 500;

function createParameterRow(declared: Json, source: SchemaSource, path = ''): ParameterRow | undefined {
  const { document, localize } = source;
  const parameter = dereference(declared, document);
  const name = parameter?.['name'];
  if (parameter === undefined || typeof name !== 'string') return undefined;
  const siteName = getParameterName(parameter);
  const schema = toJsonObject(parameter['schema']);
  const { schema: flat } = flattenSchema(schema, document);
  const items = isJsonObject(flat['items']) ? flattenSchema(flat['items'], document).schema : {};
  const location = typeof parameter['in'] === 'string' ? shorten(parameter['in'], 20) : 'query';
  const allowed = jsonItems(flat['enum']);
  return {
    name,
    siteName: typeof siteName === 'string' && siteName !== name ? shorten(siteName, 120) : '',
    in: location,
    type: describeType(schema, document),
    isRequired: parameter['required'] === true,
    isDeprecated: parameter['deprecated'] === true,
    description: localize(toPlainText(parameter['description'] ?? flat['description'], 1_500)),
    facts: [
      ...describeSchemaFacts(flat),
      ...describeSchemaFacts(items).map((fact) => ({ ...fact, label: `${fact.label} of each` })),
    ],
    allowed: allowed
      .filter((value) => typeof value !== 'object')
      .map(toText)
      .filter((value) => value.length <= MAX_ALLOWED_LENGTH && !hasControls(value))
      .slice(0, 100),
    default: toDefaultText(flat['default']),
    example: createExample(
      location === 'path' ? { minimum: 1, ...flat } : flat,
      document,
      name,
      resourceOfParameter(name, path),
    ),
    // The site refuses a request without a value if its own default is none of the allowed values.
    isInExample:
      parameter['required'] === true || (allowed.length > 0 && flat[EXTENSION_NAMES.default] !== undefined),
    mayContainSlashes: hasMark(parameter, 'slashes'),
  };
}

function toDefaultText(value: Json | undefined): string {
  if (value === undefined || value === null || typeof value === 'object') return '';
  return shorten(toPlainText(String(value), 100), 60);
}

export function describeAccess({ shared, source }: Operation): AccessNote | undefined {
  const { description, isForNobody } = toJsonObject(extensionOf(shared, 'access'));
  const required = jsonItems(shared['security'] ?? source.document['security']);
  const isRequired = required.length > 0 && required.every((each) => jsonMembers(each).length > 0);
  if (typeof description !== 'string' && !isRequired) return undefined;
  return {
    text: toPlainText(description ?? 'Needs credentials.', 300),
    isRequired,
    isForNobody: isForNobody === true,
  };
}
