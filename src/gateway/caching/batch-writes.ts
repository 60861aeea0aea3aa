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
 * `{"responses":[{status,body}|null]}`.
 *
 * @returns `null` if the request body is unknown
 */
export function parseBatchWrites({
  status,
  sentParameters,
  responseBody,
}: Pick<WriteOutcome, 'status' | 'sentParameters' | 'responseBody'>): readonly BatchWrite[] | null {
  const requests = sentParameters?.get('requests');
  if (!Array.isArray(requests)) return null;
  const responses =
    isJsonObject(responseBody) && Array.isArray(responseBody['responses']) ? responseBody['responses'] : [];
  return requests.flatMap((request: Json, index): readonly BatchWrite[] => {
    const response: Json = responses[index] ?? null;
    // Validation of the whole batch failed (`require-all-validate`), so the site ran no request.
    if (response === null && status === 207) return [];
    return parseBatchWrite(request, response);
  });
}

function parseBatchWrite(request: Json, response: Json): readonly BatchWrite[] {
  if (!isJsonObject(request)) return [];
  const { body, method, path } = request;
  if (typeof path !== 'string') return [];
  const queryStart = path.indexOf('?');
  const inQuery = parseQueryParameters(queryStart < 0 ? '' : path.slice(queryStart + 1));
  const { status, body: responseBody } = isJsonObject(response) ? response : {};
  return [
    {
      method: typeof method === 'string' ? method.toUpperCase() : 'POST',
      route: queryStart < 0 ? path : path.slice(0, queryStart),
      outcome: {
        status: typeof status === 'number' ? status : null,
        sentParameters:
          inQuery === null
            ? null
            : new Map([...inQuery, ...(isJsonObject(body) ? Object.entries(body) : [])]),
        responseBody: responseBody ?? undefined,
      },
    },
  ];
}
