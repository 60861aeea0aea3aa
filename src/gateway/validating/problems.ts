import { fieldValue } from '../../http/fields.ts';
import type { JsonObject } from '../../json.ts';
import type { InvalidRequest } from '../../validation/request/index.ts';
import type { Problem } from '../plan/problem.ts';

/** What every answer of the interface carries (`serve_request()`), so that a browser's script can read a refusal too. */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

/** What the caller is told in place of the site: its own code, words and data. */
export function createValidationProblem(
  { status, code, message, data }: InvalidRequest,
  headers: readonly string[],
  enveloped: boolean,
): Problem {
  return {
    enveloped,
    status,
    code,
    message,
    data,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** What the caller of a batch is told of which nothing is run: as the site, an answer for each request. */
export function createBatchProblem(
  { status, body }: { readonly status: number; readonly body: JsonObject | readonly [] },
  headers: readonly string[],
  enveloped: boolean,
): Problem {
  return {
    enveloped,
    status,
    code: 'rest_batch_refused',
    message: 'No request of the batch is run.',
    body,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** `rest_handle_options_request()` of a route that is not there. */
export function createEmptyDescription(headers: readonly string[], enveloped: boolean): Problem {
  const message = 'There is nothing to describe.';
  return {
    ...createBatchProblem({ status: 200, body: [] }, headers, enveloped),
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
