import { hasMark } from '../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
} from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import {
  choicesOf,
  contentSchemaOf,
  flattenSchema,
  neededOneOf,
} from '../generator/openapi/document-objects.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { toLiteral } from '../generator/reference/code-samples.ts';
import { readOperationDetails } from '../generator/reference/operation-details.ts';
import { createSampleRequest } from '../generator/reference/operation-samples.ts';
import type { SampleRequest } from '../generator/reference/sample-request.ts';
import { describeSchemaFacts } from '../generator/reference/schema-tree.ts';
import { type AgentSite, explainRefusal, type ListedOperation } from './agent-site.ts';
import { propertiesOf } from './present-item.ts';
import { estimateTokens } from './read-response.ts';
import { toLine } from './site-text.ts';

const MAX_TOKENS = 600;

/** A long description omits comments, then nested members, of the response first, then members. */
const DETAILS: readonly (readonly [request: TypeDetail, response: TypeDetail, description: number])[] = [
  [[100, 4, 100], [0, 2, 100], 200],
  [[0, 2, 80], [0, 1, 60], 100],
  [[0, 1, 60], [0, 1, 12], 80],
  [[0, 1, 20], [0, 0, 0], 60],
];

export function describeOperation(listed: ListedOperation, site: AgentSite): string {
  const { id, operation } = listed;
  const { method, path, responseSchema, shared, title } = operation;
  const details = readOperationDetails(operation, site);
  const { access, description, isDeprecated, upload } = details;
  const sample = createSampleRequest(operation, details, '');
  const { level } = listed;
  const { requestBody } = operation;
  const isUndescribed =
    requestBody !== undefined &&
    upload === undefined &&
    Object.keys(propertiesOf(contentSchemaOf(requestBody), site.document)).length === 0;
  const refusal = explainRefusal(listed, level, site);
  let text = '';
  for (const [request, response, length] of DETAILS) {
    const summary = toLine(description, length);
    const lines = [
      `${id}: ${toLine(method, 20)} ${toLine(path, 300)}`,
      summary === title ? summary : `${toLine(title, 120)}. ${summary}`,
      isDeprecated ? 'Deprecated.' : '',
      upload === undefined ? '' : `It takes a file in "body": ${describeFile(site)}`,
      isUndescribed
        ? 'Its plugin describes nothing of its arguments: ask the user, or copy what a read of such an item shows.'
        : '',
      hasMark(shared, 'openQuery') ? 'The query can have undeclared arguments.' : '',
      ...readArguments(operation).map(
        ([name, schema]) => `${name}: ${writeType(schema, site.document, request, true)}`,
      ),
      responseSchema === undefined
        ? ''
        : `response: ${writeType(responseSchema, site.document, response, false)}`,
      access === undefined ? '' : `Access: ${toLine(access.text, 160)}`,
      refusal === undefined ? `Level: ${level}` : `It would not be sent: ${refusal}`,
      level === 'manage' || level === 'delete' || isUndescribed ? '' : writeExample(id, sample),
    ];
    text = lines.filter((line) => line !== '').join('\n');
    if (estimateTokens(text) <= MAX_TOKENS) break;
  }
  return text;
}

function describeFile({ readFile }: AgentSite): string {
  const path = readFile === undefined ? '' : `, or {"file": {"path": "photo.jpg"}} of the operator's folder`;
  return `{"file": {"name": "photo.jpg", "base64": "…"}}${path}`;
}

/** Schemas of `path`, `query` and `body`, without shared arguments such as `_embed`. */
function readArguments({
  parameterObjects,
  requestBody,
}: Operation): readonly (readonly [name: 'path' | 'query' | 'body', schema: Json])[] {
  const located = (['path', 'query'] as const).flatMap((place) => {
    const parameters = parameterObjects.filter(
      (parameter) => parameter['in'] === place && !String(parameter['name']).startsWith('_'),
    );
    if (parameters.length === 0) return [];
    const properties = parameters.map((parameter): [string, Json] => {
      const { description, name } = parameter;
      const schema = toJsonObject(parameter['schema']);
      return [String(name), description === undefined ? schema : { ...schema, description }];
    });
    const required = parameters.flatMap((each) => (each['required'] === true ? [String(each['name'])] : []));
    return [[place, { type: 'object', properties: Object.fromEntries(properties), required }] as const];
  });
  const [first] = jsonMembers(requestBody?.content).map(([, media]) => memberAt(media, 'schema'));
  const body = contentSchemaOf(requestBody) ?? first;
  return body === undefined ? located : [...located, ['body', body]];
}

/** An example that a model can copy, which creates a draft. Other changes have none. */
function writeExample(id: string, { body, pathParameters, query }: SampleRequest): string {
  const path = Object.fromEntries(pathParameters.map(({ name, value }) => [name, value]));
  const toDraft = (value: Json, name: string): Json =>
    name === 'status' && value === 'publish' ? 'draft' : value;
  const call = {
    ...(pathParameters.length === 0 ? {} : { path }),
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === undefined ? {} : { body: isJsonObject(body) ? changeMembers(body, toDraft) : body }),
  };
  if (Object.keys(call).length === 0) return '';
  const text = JSON.stringify({ id, ...call });
  return `Example: ${text.length <= 400 ? text : JSON.stringify({ id, ...call, body: {} })}`;
}

/** Limits: length of a member's comment (0: none), nested objects, members of an object. */
type TypeDetail = readonly [comment: number, depth: number, members: number];

const MAX_VALUES = 12;
const MAX_CHOICES = 6;
/** Schemas of one type that are read. A hostile document has millions. */
const MAX_SCHEMAS = 2_000;

/**
 * Writes a schema as a TypeScript type, which takes a third of the tokens of JSON Schema: `{ id: number; title?: string; // Its name }`.
 * A response has names only: `{ id; title: { rendered } }`.
 */
function writeType(
  declared: Json | undefined,
  document: JsonObject,
  [commentLength, maxDepth, maxMembers]: TypeDetail,
  isRequest: boolean,
): string {
  let remaining = MAX_SCHEMAS;

  function write(value: Json | undefined, depth: number, trail: readonly string[]): string {
    remaining -= 1;
    if (remaining < 0) return 'unknown';
    const { open, schema } = flattenSchema(value, document, trail);
    if (new Set(open).size < open.length) return 'object';
    if (schema['const'] !== undefined) return writeValues([schema['const']]);
    if (jsonItems(schema['enum']).length > 0) return writeValues(jsonItems(schema['enum']));
    const choices = choicesOf(schema).slice(0, MAX_CHOICES);
    if (choices.length > 0) return joinTypes(choices.map((choice) => write(choice, depth, open)));
    const types = typesOf(schema);
    if (types.length === 0)
      return schema['properties'] === undefined ? 'unknown' : writeObject(schema, depth, open);
    return joinTypes(types.map((type) => writeNamed(type, schema, depth, open)));
  }

  /** A title that can be written as a text needs no `{ raw }`. */
  function joinTypes(types: readonly string[]): string {
    const isText = isRequest && types.includes('string');
    return join(isText ? types.filter((type) => !type.startsWith('{') && type !== 'object') : types);
  }

  function writeNamed(type: string, schema: JsonObject, depth: number, open: readonly string[]): string {
    if (type === 'object') return writeObject(schema, depth, open);
    if (type === 'integer') return 'number';
    if (type !== 'array') return /^(?:boolean|null|number|string)$/.test(type) ? type : 'unknown';
    const item = write(schema['items'], depth, open);
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }

  function writeObject(schema: JsonObject, depth: number, open: readonly string[]): string {
    const isHidden = (member: Json): boolean => isRequest && memberAt(member, 'readOnly') === true;
    const members = jsonMembers(schema['properties']).filter(
      ([name, member]) => !/^_(?:links|embedded)$/.test(name) && !isHidden(member),
    );
    const { additionalProperties } = schema;
    if (members.length === 0) {
      if (!isJsonObject(additionalProperties) || depth <= 0) return 'object';
      return `Record<string, ${write(additionalProperties, depth - 1, open)}>`;
    }
    if (depth <= 0) return 'object';
    const required = new Set(jsonItems(schema['required']));
    const rank = ([name]: readonly [string, Json]): number => (required.has(name) ? 0 : 1);
    const sorted = members.toSorted((one, other) => rank(one) - rank(other));
    const lines = sorted.slice(0, maxMembers).map(([name, member]) => {
      const type = write(member, depth - 1, open);
      // A response shows its values itself.
      if (!isRequest) return `${writeName(name)}${type.includes('{') ? `: ${type}` : ''};`;
      const comment = commentLength === 0 ? '' : describe(member);
      return `${writeName(name)}${required.has(name) ? '' : '?'}: ${type};${comment === '' ? '' : ` // ${comment}`}`;
    });
    const omitted = members.length - lines.length;
    if (omitted > 0) lines.push(isRequest ? `// and ${omitted} more` : `/* ${omitted} more */`);
    const needed = neededOneOf(schema).map((name) => toLine(String(name), 60));
    if (needed.length > 0) lines.push(`// one of these is needed: ${needed.slice(0, 8).join(', ')}`);
    if (!lines.some((line) => line.includes('//'))) return `{ ${lines.join(' ').replace(/;$/, '')} }`;
    return `{\n${lines.join('\n').replace(/^/gm, ' ')}\n}`;
  }

  /** A member's purpose, and rules for its values beside their type. */
  function describe(member: Json): string {
    const { schema } = flattenSchema(member, document);
    const facts = describeSchemaFacts(schema)
      .filter(({ label }) => /^(?:Default|Format|Minimum|Maximum)$/.test(label))
      .map(({ label, values }) => `${label.toLowerCase()} ${toLine(values.join(), 40)}`);
    const { description } = schema;
    const text = typeof description === 'string' ? toLine(description, commentLength) : '';
    return [text, ...facts].filter((part) => part !== '').join('; ');
  }

  return write(declared, maxDepth, []);
}

function writeValues(values: readonly Json[]): string {
  const literals = values
    .slice(0, MAX_VALUES)
    .map((value) => toLiteral(typeof value === 'string' ? toLine(value, 60) : value));
  if (values.length > MAX_VALUES) literals.push(`string /* ${values.length - MAX_VALUES} more */`);
  return join(literals);
}

function join(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function writeName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= 80 ? name : toLiteral(toLine(name, 80));
}
