import { adviseOn } from '../docs/error-advice.ts';
import { readOperationDetails } from '../docs/operation-details.ts';
import { createSampleRequest } from '../docs/operation-samples.ts';
import { type SampleRequest, toSampleUrl } from '../docs/sample-request.ts';
import { getParameterSchema, hasMark } from '../document-extensions.ts';
import { type Json, jsonMembers, memberAt } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import { toLine } from '../ui/site-text.ts';
import { type AgentSite, explainRefusal } from './agent-site.ts';
import { resolveCall } from './call-operation.ts';
import type { ListedOperation } from './catalog.ts';
import { estimateTokens } from './tokens.ts';
import { type TypeDetail, writeType } from './type-notation.ts';

/** Tokens of a description, except of very large operations. */
const MAX_TOKENS = 930;

type Detail = readonly [request: TypeDetail, response: TypeDetail, description: number, codes: number];

/**
 * Details that a long description leaves out: first of the response and of comments, then of nested objects, last of fields. Each has the
 * detail of both types, the length of the description, and the number of error codes with advice.
 */
const DETAILS: readonly Detail[] = [
  [[160, 4, 100], [60, 3, 60], 400, 6],
  [[90, 4, 100], [0, 3, 60], 250, 5],
  [[60, 3, 100], [0, 2, 60], 200, 4],
  [[60, 3, 100], [0, 1, 60], 160, 3],
  [[40, 2, 80], [0, 1, 40], 120, 3],
  [[0, 2, 80], [0, 1, 40], 120, 3],
  [[0, 2, 80], [0, 1, 12], 100, 2],
  [[0, 1, 60], [0, 1, 12], 80, 2],
  [[0, 1, 40], [0, 1, 6], 60, 1],
  [[0, 1, 20], [0, 0, 0], 60, 0],
];

/** Describes an operation for an agent: its arguments and its response as TypeScript, credentials, errors and an example. */
export function describeOperation(listed: ListedOperation, site: AgentSite): string {
  const { id, operation } = listed;
  const { method, path, responseSchema, shared, title } = operation;
  const details = readOperationDetails(operation, site);
  const { access, description, errorCodes, isDeprecated, upload } = details;
  const sample = createSampleRequest(operation, details, '');
  const called = listed.classify();
  const refusal = explainRefusal(listed, called, site);
  const isCached =
    access?.isRequired !== true && resolveCall(operation, toSampleUrl(sample), site)?.isCached() === true;
  let text = '';
  for (const [request, response, length, count] of DETAILS) {
    const summary = toLine(description, length);
    const codes = adviseOn(errorCodes.slice(0, count)).map(({ advice, code }) =>
      [toLine(code, 60), advice].filter((part) => part !== '').join(': '),
    );
    const lines = [
      `${id}: ${toLine(method, 20)} ${toLine(path, 300)}`,
      toLine(title, 120) + (summary === '' || summary === title ? '' : `. ${summary}`),
      isDeprecated ? 'Deprecated.' : '',
      upload === undefined ? '' : 'It takes a file, which these tools cannot send.',
      codes.length === 0 ? '' : `Errors: ${codes.join(' | ')}`,
      hasMark(shared, 'openQuery') ? 'The query can have undeclared arguments.' : '',
      ...readArguments(operation).map(
        ([name, schema]) => `${name}: ${writeType(schema, site.document, request, true)}`,
      ),
      responseSchema === undefined
        ? ''
        : `response: ${writeType(responseSchema, site.document, response, false)}`,
      access === undefined ? '' : `Access: ${toLine(access.text, 160)}`,
      refusal !== undefined
        ? `It would not be sent: ${refusal}`
        : called.name === 'administration' || called.name === 'deletion'
          ? `Class: ${called.name}`
          : '',
      isCached ? 'Cached: visitors can get a stored response; a write purges it.' : '',
      `Example: ${writeExample(id, sample)}`,
    ];
    text = lines.filter((line) => line !== '').join('\n');
    if (estimateTokens(text, MAX_TOKENS) <= MAX_TOKENS) break;
  }
  return text;
}

/** The schemas of what a call takes: `path` and `query`, without what all operations share such as `_embed`, and `body`. */
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
