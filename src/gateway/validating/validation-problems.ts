import { fieldValue } from '../../http/fields.ts';
import type { JsonObject } from '../../json.ts';
import type { InvalidRequest } from '../../validation/request/index.ts';
import type { Problem } from '../exchange/problem.ts';

/** Header fields of every response of the REST interface (`serve_request()`). A browser's script needs them to read an error. */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

/** Creates the response to an invalid request, with the code, message and data that the site would send. */
export function createValidationProblem(
  { brokenRules, status, code, message, data }: InvalidRequest,
  headers: readonly string[],
  isEnveloped: boolean,
): Problem {
  return {
    isEnveloped,
    status,
    code,
    message,
    data,
    brokenRules,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** Creates the response to a batch that the gateway refuses as a whole. Its body has one response for each subrequest. */
export function createRefusedBatchProblem(
  { status, body }: { readonly status: number; readonly body: JsonObject | readonly [] },
  headers: readonly string[],
  isEnveloped: boolean,
): Problem {
  return {
    isEnveloped,
    status,
    code: 'rest_batch_refused',
    message: 'No request of the batch was run.',
    body,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** Creates the response to `OPTIONS` for a route that does not exist (`rest_handle_options_request()`). */
export function createUnknownRouteOptionsProblem(headers: readonly string[], enveloped: boolean): Problem {
  const message = 'No route was found matching the URL.';
  return {
    ...createRefusedBatchProblem({ status: 200, body: [] }, headers, enveloped),
    code: 'rest_no_route',
    message,
  };
}

/** `rest_send_cors_headers()` */
function createCorsHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const origin = fieldValue(headers, 'origin') ?? '';
  if (origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-credentials': 'true',
  };
}
