import type { Json } from '../../json.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import type { ReferenceOperation } from '../reference/document-operations.ts';
import type { SampleRequest } from './sample-request.ts';

const MAX_PARAMETERS = 20;

/** Creates the request that the samples of an operation show before anything is typed: what is required, and an example body. */
export function createSampleRequest(
  { method, path }: ReferenceOperation,
  { bodies, parameters }: OperationDetails,
  baseUrl: string,
): SampleRequest {
  const file =
    bodies.find(({ fileField }) => fileField === '') ??
    bodies.find(({ fileField }) => fileField !== undefined);
  const [form] = bodies;
  const toText = (value: Json | undefined): string =>
    typeof value === 'string' ? shorten(value, 500) : value === undefined ? '1' : JSON.stringify(value);
  const isReading = method === 'GET' || method === 'HEAD';
  return {
    method: shorten(method, 20),
    // A hostile path would be in the page many times.
    path: shorten(path, 500),
    baseUrl,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .slice(0, MAX_PARAMETERS)
      .map(({ example, name }) => [shorten(name, 200), toText(example)]),
    query: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
      .slice(0, MAX_PARAMETERS)
      .map(({ example, name }) => [shorten(name, 200), example ?? '1']),
    body: isReading || file !== undefined ? undefined : form?.example,
    file:
      file?.fileField === undefined
        ? undefined
        : { field: shorten(file.fileField, 200), name: 'photo.jpg', type: 'image/jpeg' },
  };
}
