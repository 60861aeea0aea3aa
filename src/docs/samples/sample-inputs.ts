import type { Json } from '../../json.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import type { ReferenceOperation } from '../reference/document-operations.ts';
import { createSampleFile, isWritingMethod, type SampleRequest } from './sample-request.ts';

const MAX_PARAMETERS = 20;

/** Creates the request that the samples of an operation show before anything is typed: what is required, and an example body. */
export function createSampleRequest(
  { method, path }: ReferenceOperation,
  { access, bodies, parameters, upload }: OperationDetails,
  baseUrl: string,
): SampleRequest {
  const [form] = bodies;
  const isReading = method === 'GET' || method === 'HEAD';
  return {
    method: shorten(method, 20),
    // A hostile path would be in the page many times.
    path: shorten(path, 500),
    baseUrl,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .slice(0, MAX_PARAMETERS)
      .map(({ example, mayContainSlashes, name }) => ({
        name: shorten(name, 200),
        value: toShortValue(example),
        mayContainSlashes,
      })),
    query: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.isInExample)
      .slice(0, MAX_PARAMETERS)
      .map(({ example, name }) => [shorten(name, 200), example ?? '1']),
    body: isReading || upload !== undefined ? undefined : form?.example,
    file: upload === undefined || isReading ? undefined : createSampleFile(upload.field),
    hasCredentials: isWritingMethod(method) || access?.isRequired === true,
  };
}

function toShortValue(value: Json | undefined): Json {
  return typeof value === 'string' ? shorten(value, 500) : (value ?? 1);
}
