import type { SiteWrite } from '../../cache/wordpress/write-invalidation.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { parseQueryParameters } from '../../validation/request/index.ts';
import type { WriteOutcome } from './write-observer.ts';

/** One request of a batch, with its own outcome. */
export interface BatchWrite {
  readonly method: string;
  /** As the site reads it. */
  readonly route: string;
  readonly outcome: Pick<SiteWrite, 'status' | 'sentParameters' | 'responseBody'>;
}

/**
 * Splits `POST /batch/v1` into its writes: `{"requests":[{method,path,body}]}`, with the response
 * `{"responses":[{status,body}|null]}`. The outcome of a request without readable response is unknown.
 *
 * @returns `null` if the request body is unknown
 */
export function parseBatchWrites({
  sentParameters,
  responseBody,
}: Pick<WriteOutcome, 'sentParameters' | 'responseBody'>): readonly BatchWrite[] | null {
  const requests = sentParameters?.get('requests');
  if (!Array.isArray(requests)) return null;
  const { failed, responses } = isJsonObject(responseBody) ? responseBody : {};
  const known = Array.isArray(responses) && responses.length === requests.length ? responses : [];
  const writes: BatchWrite[] = [];
  for (const [index, request] of requests.entries()) {
    const response = known[index];
    // Validation of the whole batch failed (`require-all-validate`), so the site ran no request.
    if (response === null && failed === 'validation') continue;
    const write = parseBatchWrite(request, response);
    if (write === null) return null;
    writes.push(write);
  }
  return writes;
}

function parseBatchWrite(request: Json, response: Json | undefined): BatchWrite | null {
  if (!isJsonObject(request)) return null;
  const { body, method, path } = request;
  // WordPress parses the path as a URL (`wp_parse_url()`), so one with an origin or a fragment is another route.
  if (typeof path !== 'string' || !/^\/(?!\/)[^#]*$/.test(path)) return null;
  const queryStart = path.indexOf('?');
  const inQuery = parseQueryParameters(queryStart < 0 ? '' : path.slice(queryStart + 1));
  const { status, body: responseBody } = isJsonObject(response) ? response : {};
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route: queryStart < 0 ? path : path.slice(0, queryStart),
    outcome: {
      status: typeof status === 'number' ? status : null,
      sentParameters:
        inQuery === null ? null : new Map([...inQuery, ...(isJsonObject(body) ? Object.entries(body) : [])]),
      responseBody: responseBody ?? undefined,
    },
  };
}
