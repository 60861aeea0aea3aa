import { hasMark } from '../base/document-extensions.ts';
import { changeMembers, isJsonObject, type Json, jsonMembers, memberAt, toJsonObject } from '../base/json.ts';
import { toAccessText } from '../generator/openapi/operation-access.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { contentSchemaOf } from '../generator/openapi/schema-view.ts';
import { readOperationDetails } from '../generator/reference/operation-details.ts';
import { createSampleRequest } from '../generator/reference/operation-samples.ts';
import type { SampleRequest } from '../generator/reference/sample-request.ts';
import { type AgentSite, explainRefusal } from './agent-site.ts';
import type { ListedOperation } from './catalog.ts';
import { estimateTokens } from './fit-response.ts';
import { propertiesOf } from './present-item.ts';
import { toLine } from './site-text.ts';
import { type TypeDetail, writeType } from './type-notation.ts';

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
      access === undefined ? '' : `Access: ${toLine(toAccessText(access), 160)}`,
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
