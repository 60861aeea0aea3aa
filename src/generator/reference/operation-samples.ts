import type { Json } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';
import type { CreateResponseExample } from '../example-values/document-examples.ts';
import { listShown, type Operation } from '../openapi/operations.ts';
import { type OperationDetails, type ResponseRow, readOperationDetails } from './operation-details.ts';
import type { ReferencePage } from './reference.ts';
import {
  createSampleFile,
  isCartPath,
  isWritingMethod,
  type RequestField,
  type RequestForm,
  type SampleRequest,
  toSampleUrl,
} from './sample-request.ts';
import type { SchemaSource } from './schema-tree.ts';

const MAX_PARAMETERS = 20;

export function createSampleRequest(
  operation: Operation,
  { access, bodies, parameters, upload }: OperationDetails,
  baseUrl: string,
): SampleRequest {
  const { method, path } = operation;
  const [form] = bodies;
  const isReading = method === 'GET' || method === 'HEAD';
  return {
    method: shorten(method, 20),
    path: shorten(path, 500),
    baseUrl,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .slice(0, MAX_PARAMETERS)
      .map(({ example, mayContainSlashes, name }) => ({
        name: shorten(name, 200),
        value: typeof example === 'string' ? shorten(example, 500) : (example ?? 1),
        mayContainSlashes,
      })),
    query: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.isInExample)
      .slice(0, MAX_PARAMETERS)
      .map(({ example, name }) => [shorten(name, 200), example ?? '1']),
    body: isReading || upload !== undefined ? undefined : form?.example,
    file: upload === undefined || isReading ? undefined : createSampleFile(upload),
    credentials: findCredentials(operation, access),
  };
}

/** The cart is read without a token to get one. */
function findCredentials(
  { method, path, source }: Operation,
  access: OperationDetails['access'],
): SampleRequest['credentials'] {
  const isReading = !isWritingMethod(method);
  if (isCartPath(path)) {
    if (isReading && path.endsWith('/cart')) return 'none';
    return source.namespaces.has('wc/store/v1') ? 'cart' : 'sessionCart';
  }
  return isReading && access?.isRequired !== true ? 'none' : 'user';
}

export function explainMissingSamples(
  operation: Operation,
  { access }: OperationDetails,
  request: SampleRequest,
  { findOperation }: Pick<SampleSource, 'findOperation'>,
): string | undefined {
  if (access?.isForNobody === true) return 'No request can succeed, so there are no samples.';
  const path = toSampleUrl({ ...request, baseUrl: '', query: [] });
  const taken = findOperation(request.method, path);
  if (taken === undefined || operation.routes.some(({ pattern }) => pattern === taken.pattern))
    return undefined;
  const other = shorten(`${taken.method} ${taken.path}`, 500);
  return `The site runs ${other} for a request such as ${shorten(path, 500)}, because it registered that route before. So there are no samples.`;
}

const MAX_LENGTH = 3_000;
const MAX_VALUES = 1_500;
const MAX_DEPTH = 24;

export interface SampleSource {
  readonly responseExamples: CreateResponseExample;
  readonly source: SchemaSource;
  readonly requestUrl: string;
  readonly findOperation: (method: string, path: string) => Operation | undefined;
}

/** A creation has 201 in WordPress, also where the document lists 200 before. */
export function findMainResponse(responses: readonly ResponseRow[]): ResponseRow | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return successes.find(({ status }) => status === '201') ?? successes[0];
}

export function createResponseSample(
  { contents }: Pick<ResponseRow, 'contents'>,
  { responseExamples, source }: Pick<SampleSource, 'responseExamples' | 'source'>,
): { readonly title: string; readonly text: string } | undefined {
  const content = contents.find(({ contentType }) => contentType === 'application/json');
  const example = content && responseExamples(content.media);
  if (example === undefined || !isSmall(example)) return undefined;
  const { isShortened, text } = fitJson(example);
  // An address of the gateway might be longer than that of the site.
  const title = isShortened ? 'Example, shortened' : 'Example';
  return { title, text: shorten(source.localize(text), 2 * MAX_LENGTH) };
}

function isSmall(example: Json): boolean {
  let values = 0;
  const visit = (value: Json, depth: number): boolean => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((item: Json) => visit(item, depth + 1));
  };
  return visit(example, 0);
}

const MAX_FIELDS = 100;

export function createRequestForms(page: ReferencePage, source: SchemaSource): string {
  const forms = listShown(page.operations).map((operation): [string, RequestForm] => {
    const { access, bodies, commonParameters, parameters, upload } = readOperationDetails(operation, source);
    const rows = [...parameters, ...commonParameters].slice(0, MAX_FIELDS);
    const isWriting = isWritingMethod(operation.method);
    const fields = rows.flatMap((row): RequestField[] => {
      const { default: preset, isRequired, mayContainSlashes, type } = row;
      if (row.in !== 'path' && row.in !== 'query') return [];
      const field: RequestField = {
        ...{ type, isRequired, default: preset, mayContainSlashes },
        in: row.in,
        name: shorten(row.name, 120),
        isCommon: commonParameters.includes(row),
        allowed: type === 'boolean' ? ['true', 'false'] : row.allowed,
        value: row.isInExample && !(row.in === 'path' && isWriting) ? row.example : undefined,
      };
      return [field];
    });
    const isReading = operation.method === 'GET' || operation.method === 'HEAD';
    return [
      operation.anchor,
      {
        method: shorten(operation.method, 20),
        path: shorten(operation.path, 500),
        fields: fields.sort((one, other) => rankField(one) - rankField(other)),
        body: isReading ? undefined : bodies.find(({ example }) => example !== undefined)?.example,
        upload: isReading ? undefined : upload,
        credentials: findCredentials(operation, access),
      },
    ];
  });
  return JSON.stringify(Object.fromEntries(forms));
}

function rankField({ isCommon, isRequired, value }: RequestField): number {
  return isCommon ? 2 : isRequired || value !== undefined ? 0 : 1;
}

function fitJson(value: Json): { readonly text: string; readonly isShortened: boolean } {
  const whole = JSON.stringify(value, null, 2);
  if (whole.length <= MAX_LENGTH) return { text: whole, isShortened: false };
  const shown = whole.slice(0, MAX_LENGTH);
  return { text: `${shown.slice(0, shown.lastIndexOf('\n') + 1)}…`, isShortened: true };
}
