import { adviseOn } from '../docs/error-advice.ts';
import { type OperationDetails, readOperationDetails } from '../docs/operation-details.ts';
import { createSampleRequest } from '../docs/operation-samples.ts';
import { type SampleRequest, toSampleUrl } from '../docs/sample-request.ts';
import type { SchemaSource } from '../docs/schema-tree.ts';
import { getParameterSchema, hasMark } from '../document-extensions.ts';
import { type Json, jsonMembers, memberAt } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import type { AgentSite } from './agent-site.ts';
import { resolveCall } from './call-operation.ts';
import type { ListedOperation } from './catalog.ts';
import { toLine } from './site-text.ts';
import { estimateTokens } from './tokens.ts';
import { type TypeDetail, writeType } from './type-notation.ts';
import { explainRefusedWrite } from './write-policy.ts';

/** Tokens of a description, except of very large operations. */
const MAX_TOKENS = 930;

interface Detail {
  readonly request: TypeDetail;
  readonly response: TypeDetail;
  readonly description: number;
  /** Error codes with advice. */
  readonly advice: number;
}

const level = (request: TypeDetail, response: TypeDetail, description: number, advice: number): Detail => ({
  ...{ request, response, description, advice },
});
const type = (comment: number, depth: number, members: number): TypeDetail => ({ comment, depth, members });

/** Details that a long description leaves out: first of the response and of comments, then of nested objects, last of fields. */
const DETAILS: readonly Detail[] = [
  level(type(160, 4, 100), type(60, 3, 60), 400, 6),
  level(type(90, 4, 100), type(0, 3, 60), 250, 5),
  level(type(60, 3, 100), type(0, 2, 60), 200, 4),
  level(type(60, 3, 100), type(0, 1, 60), 160, 3),
  level(type(40, 2, 80), type(0, 1, 40), 120, 3),
  level(type(0, 2, 80), type(0, 1, 40), 120, 3),
  level(type(0, 2, 80), type(0, 1, 12), 100, 2),
  level(type(0, 1, 60), type(0, 1, 12), 80, 2),
  level(type(0, 1, 40), type(0, 1, 6), 60, 1),
  level(type(0, 1, 20), type(0, 0, 0), 60, 0),
];

/** Describes an operation for an agent: its arguments and its response as TypeScript, credentials, errors and an example. */
export function describeOperation({ id, operation }: ListedOperation, site: AgentSite): string {
  const details = readOperationDetails(operation, site);
  const sample = createSampleRequest(operation, details, '');
  const refusal = explainRefusedWrite(operation, id, site.writes);
  const isCached = resolveCall(operation, toSampleUrl(sample), site)?.isCached() === true;
  const end = [
    ...(details.access === undefined ? [] : [`Access: ${toLine(details.access.text, 160)}`]),
    ...(refusal === undefined ? [] : [`It would not be sent: ${refusal}`]),
    ...(isCached ? ['Cached: visitors may get a stored response; a write purges it.'] : []),
    `Example: ${writeExample(id, sample)}`,
  ];
  let text = '';
  for (const detail of DETAILS) {
    text = [
      ...writeHead(id, operation, details, detail),
      ...writeTypes(operation, site, detail),
      ...end,
    ].join('\n');
    if (estimateTokens(text, MAX_TOKENS) <= MAX_TOKENS) break;
  }
  return text;
}

function writeHead(
  id: string,
  { method, path, title }: ListedOperation['operation'],
  { description, errorCodes, isDeprecated, upload }: OperationDetails,
  { advice, description: length }: Detail,
): readonly string[] {
  const codes = adviseOn(errorCodes.slice(0, advice)).map(
    (each) => `${toLine(each.code, 60)}${each.advice === '' ? '' : `: ${each.advice}`}`,
  );
  const text = toLine(description, length);
  return [
    `${id}: ${toLine(method, 20)} ${toLine(path, 300)}`,
    [toLine(title, 120), ...(text === '' || text === title ? [] : [text])].join('. '),
    ...(isDeprecated ? ['Deprecated.'] : []),
    ...(upload === undefined ? [] : ['It takes a file, which call_operation cannot send.']),
    ...(codes.length === 0 ? [] : [`Errors: ${codes.join(' | ')}`]),
  ];
}

function writeTypes(operation: Operation, { document }: SchemaSource, detail: Detail): readonly string[] {
  const parts = [
    ...readArguments(operation).map(([name, schema]) => [name, schema, detail.request] as const),
    ['response', operation.responseSchema, detail.response] as const,
  ];
  const lines = parts.flatMap(([name, schema, each]) =>
    schema === undefined ? [] : [`${name}: ${writeType(schema, document, each, name !== 'response')}`],
  );
  return hasMark(operation.shared, 'openQuery')
    ? ['The query may have arguments that are unknown.', ...lines]
    : lines;
}

/** The schemas of what a call takes: `path` and `query`, without what all operations share such as `_embed`, and `body`. */
export function readArguments({
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
      const schema = getParameterSchema(parameter);
      return [String(name), description === undefined ? schema : { ...schema, description }];
    });
    const required = parameters.flatMap((each) => (each['required'] === true ? [String(each['name'])] : []));
    return [[place, { type: 'object', properties: Object.fromEntries(properties), required }] as const];
  });
  const [first] = jsonMembers(requestBody?.content).map(([, media]) => memberAt(media, 'schema'));
  const body = contentSchemaOf(requestBody) ?? first;
  return body === undefined ? located : [...located, ['body', body]];
}

function writeExample(id: string, { body, pathParameters, query }: SampleRequest): string {
  const path = Object.fromEntries(pathParameters.map(({ name, value }) => [name, value]));
  const call = {
    id,
    ...(pathParameters.length === 0 ? {} : { path }),
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === undefined ? {} : { body }),
  };
  const text = JSON.stringify(call);
  return text.length <= 400 ? text : JSON.stringify({ ...call, body: {} });
}
