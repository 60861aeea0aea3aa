import { isJsonObject, type Json, jsonItems } from '../json.ts';
import { encodeByteString } from '../php/byte-string.ts';
import { type MockRequest, readQuery } from './mock-request.ts';
import { type MockResponse, respondWith } from './mock-response.ts';

/** Maximum number of requests in a batch, as WordPress limits them. */
const MAX_REQUESTS = 25;

/** Runs the requests of a batch in their order. */
export async function respondToBatch(
  { body }: MockRequest,
  respond: (request: MockRequest) => Promise<MockResponse>,
): Promise<MockResponse> {
  const responses: Json[] = [];
  for (const request of jsonItems(body['requests']).slice(0, MAX_REQUESTS)) {
    if (!isJsonObject(request)) continue;
    const { method = 'POST', path, body: fields } = request;
    const [route = '', query = ''] = String(path).split('?');
    const response = await respond({
      method: String(method).toUpperCase(),
      route: route.replace(/\/+$/, ''),
      query: readQuery(encodeByteString(query)),
      body: isJsonObject(fields) ? fields : {},
    });
    responses.push({ body: response.body, status: response.status, headers: response.headers });
  }
  return respondWith(207, { responses });
}
