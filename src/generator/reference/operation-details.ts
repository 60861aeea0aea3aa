import {
  EXTENSION_NAMES,
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
import { createBodyExample, createExample, resourceOfParameter } from '../example-values/request-examples.ts';
import { dereference, referenceOf } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/operations.ts';
import { flattenSchema } from '../openapi/schema-view.ts';
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
  /** Name of the field that carries a file, empty if the content itself is the file; `undefined` if the request carries none. */
  readonly upload: string | undefined;
  readonly responses: readonly ResponseRow[];
  readonly errorCodes: readonly string[];
  readonly access: AccessNote | undefined;
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

export function readOperationDetails(declared: Operation, source: SchemaSource): OperationDetails {
  const { path, shared: operation, declaredParameters } = declared;
  const rows = declaredParameters.slice(0, MAX_PARAMETERS).flatMap((parameter) => {
    const row = createParameterRow(parameter, source, path);
    return row === undefined ? [] : [{ row, isCommon: memberAt(parameter, '$ref') !== undefined }];
  });
  const errorCodes = listErrorCodes(operation);
  const own = rows.filter(({ isCommon }) => !isCommon).map(({ row }) => row);
  const bodies = readBodies(operation['requestBody'], source);
  const responses = jsonMembers(operation['responses'])
    .slice(0, MAX_RESPONSES)
    .map(([status, response]) => readResponse(status, response, operation, source));
  const isForced =
    isForceRequired(operation) || /\/media\/\{\w+\}$/.test(path) || needsForce(errorCodes, responses, own);
  const parameters = own.map((row) =>
    isForced && row.name === 'force' ? { ...row, example: true, isInExample: true } : row,
  );
  const uploads = bodies.flatMap(({ upload }) => upload ?? []);
  // The document states the route in a paragraph of its own. The pages show the path anyway.
  const paragraphs = toPlainText(operation['description'])
    .split('\n\n')
    .filter((each) => !/^Routes?: `[^`\n]*`\.?$/.test(each));
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
    access: describeAccess(declared),
  };
}

function listErrorCodes(operation: JsonObject): readonly string[] {
  const codes = getErrorCodes(operation).slice(0, 60);
  return codes.map((code) => shorten(code, 100));
}

/** Whether the site deletes without a trash: it says so, or there is no response but that to `force=true`. */
function needsForce(
  errorCodes: readonly string[],
  responses: readonly ResponseRow[],
  parameters: readonly ParameterRow[],
): boolean {
  const declared = parameters.find(({ name }) => name === 'force')?.description ?? '';
  if (/^Required to be true\b/.test(declared)) return true;
  const contents = responses.flatMap((response) => (/^2/.test(response.status) ? response.contents : []));
  return (
    errorCodes.includes('rest_trash_not_supported') && new Set(contents.map(({ type }) => type)).size === 1
  );
}

function readBodies(declared: Json | undefined, source: SchemaSource): readonly BodyForm[] {
  const body = dereference(declared, source.document);
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
      example: flat['format'] === 'binary' ? undefined : createBodyExample(schema, source.document),
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
    // It names the objects of other contexts, which the pages list anyway.
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
  /** Whether an example of the operation has the parameter: it is required, or the site refuses requests without it. */
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

export function createParameterRow(
  declared: Json,
  source: SchemaSource,
  path = '',
): ParameterRow | undefined {
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

interface AccessNote {
  readonly text: string;
  readonly isRequired: boolean;
  readonly isForNobody: boolean;
}

const NEEDS_RIGHT = 'Needs a user with the right to do it';
const NEEDS_USER = 'Needs a signed-in user';
const FOR_NOBODY = 'WordPress refuses it to every user';

/** Codes of WordPress for users without a right, by what the right is needed for. */
const RIGHTS: readonly (readonly [text: string, codes: RegExp, isOptional?: 'optional'])[] = [
  [NEEDS_USER, /^rest_not_logged_in$/],
  ['Private items need a user who can read them', /^rest_cannot_read_post$/, 'optional'],
  [
    NEEDS_RIGHT,
    /^(?!rest_user_cannot_view$)(?:\w+_)?(?:cannot_(?:create(?:_user)?|update|edit|delete|publish|(?:export|list|manage|read|view)\w*)|rest_(?:user_)?create)$/,
  ],
  ['The edit context needs a user who can edit', /^rest_forbidden_context$/, 'optional'],
  [NEEDS_RIGHT, /^rest_forbidden$/],
];

/** Users of core operations, by permission callbacks and roles of WordPress 6.1 to 7.1. The first applies. */
const ROLES: readonly (readonly [users: string, operations: RegExp])[] = [
  [
    FOR_NOBODY,
    // `map_meta_cap()` gives nobody the right to delete a revision.
    /^DELETE \/wp\/v2\/(?!template|global-styles)[\w-]+\/\{\w+\}\/revisions\//,
  ],
  ['Needs the users that its requests need', /^POST \/batch\/v1$/],
  ['Needs a user whom the ability allows to run it', /^\w+ \/wp-abilities\/v1\/.*\/run$/],
  [
    NEEDS_USER,
    /^(?!DELETE .*\/me$)\w+ \/(?:wp-abilities\/v1\/.|wp\/v2\/users\/(?:me$|\{\w+\}\/application-passwords))/,
  ],
  [
    ', such as an administrator',
    /^\w+ \/wp(?:-site-health\/v1\/.|-block-editor\/v1\/export|\/v2\/(?:templates|template-parts|global-styles|font-|menu|navigation|settings|themes|plugins|sidebars|widget|users|block-directory))/,
  ],
  // Types of posts that a plugin registers below `/wp/v2/` have rights of their own.
  [
    ', such as an editor or an administrator',
    /^\w+ \/(?:wp\/v2\/(?:posts|pages|media|blocks|block-|pattern-|wp_pattern_|categories|tags|comments|types|taxonomies)|wp-block-editor\/v1\/.|oembed\/1\.0\/proxy)/,
  ],
];

export function describeAccess({ method, path, shared, source }: Operation): AccessNote | undefined {
  const name = `${method} ${path}`;
  const errorCodes = listErrorCodes(shared);
  const [users = ''] = ROLES.find(([, operations]) => operations.test(name)) ?? [];
  const isSentence = /^[A-Z]/.test(users);
  const note = (known: string, isRequired = true): AccessNote => ({
    text: `${isSentence ? '' : known}${users}.`,
    ...{ isRequired, isForNobody: users === FOR_NOBODY },
  });
  const required = jsonItems(shared['security'] ?? source.document['security']);
  if (required.length > 0 && required.every((each) => jsonMembers(each).length > 0))
    return note('Needs credentials');
  // Its permission callback refuses visitors without a code of its own.
  if (name === 'GET /wp/v2/blocks/{id}') return note(NEEDS_RIGHT);
  for (const [text, known, isOptional] of RIGHTS) {
    if (errorCodes.some((code) => known.test(code))) return note(text, isOptional === undefined);
  }
  if (isSentence || (users !== '' && !/^(?:GET|HEAD) /.test(name))) return note(NEEDS_RIGHT);
  const responses = shared['responses'];
  const isRefusalKnown = isJsonObject(responses) && (responses['401'] ?? responses['403']) !== undefined;
  return isRefusalKnown ? note('The site refuses requests without sufficient credentials') : undefined;
}
