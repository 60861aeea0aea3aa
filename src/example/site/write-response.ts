import type { Json } from '../../json.ts';
import { rootLinkHeader } from './links.ts';
import type { RestRequest } from './rest-request.ts';
import type { RestResponse } from './rest-response.ts';

/** The headers of every REST response (WP_REST_Server::serve_request). */
const COMMON_HEADERS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
} as const;

/** `wp_get_nocache_headers()`: the headers of responses to authenticated requests. */
const NO_CACHE_HEADERS = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

const JAVASCRIPT = 'application/javascript';

export interface WriteContext {
  readonly request: RestRequest;
  /** The HTTP method, before overrides. */
  readonly requestMethod: string;
  /** Whether `X-HTTP-Method-Override` changed the method. */
  readonly isMethodOverridden: boolean;
  /** The JSONP callback; `undefined` for a JSON response. */
  readonly jsonp: string | undefined;
}

/** WordPress checks the JSONP callback before it sends CORS headers (wp_check_jsonp_callback). */
export function createCallbackErrorResponse(base: string): Response {
  const body = { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' };
  const headers = {
    'Content-Type': `${JAVASCRIPT}; charset=UTF-8`,
    Link: rootLinkHeader(base),
    ...COMMON_HEADERS,
  };
  return new Response(JSON.stringify(body), { status: 400, headers });
}

export function writeResponse(
  { status, headers: responseHeaders, body, raw }: RestResponse,
  written: WriteContext,
): Response {
  const { request, requestMethod, isMethodOverridden, jsonp } = written;
  const headers = new Headers({
    'Content-Type': `${jsonp === undefined ? 'application/json' : JAVASCRIPT}; charset=UTF-8`,
    Link: rootLinkHeader(request.base),
    ...COMMON_HEADERS,
  });
  setCorsHeaders(headers, request, requestMethod);
  // Headers of the response replace the common ones: the pagination links replace the link to the REST API.
  for (const [name, value] of responseHeaders) headers.set(name, toHeaderValue(value));
  if (request.user !== null || (isMethodOverridden && status >= 400 && status < 500)) {
    for (const [name, value] of Object.entries(NO_CACHE_HEADERS)) headers.set(name, value);
  }
  if (raw !== undefined) headers.set('Content-Type', raw.type);
  const isBodyless =
    request.method === 'HEAD' ||
    requestMethod === 'HEAD' ||
    status === 204 ||
    (body === null && raw === undefined);
  if (isBodyless) return new Response(null, { status, headers });
  const text = raw?.bytes ?? toJsonText(body, jsonp);
  return new Response(typeof text === 'string' ? text : text.slice().buffer, { status, headers });
}

/** `rest_send_cors_headers()` */
function setCorsHeaders(
  headers: Headers,
  { headers: requestHeaders, user }: RestRequest,
  requestMethod: string,
): void {
  const origin = requestHeaders.get('origin');
  if (origin !== null && origin !== '') {
    headers.set('Access-Control-Allow-Origin', toHeaderValue(origin));
    headers.set('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    headers.set('Access-Control-Allow-Credentials', 'true');
    headers.set('Vary', 'Origin');
  } else if (requestMethod === 'GET' && user === null) headers.set('Vary', 'Origin');
}

function toJsonText(body: Json, jsonp: string | undefined): string {
  const text = JSON.stringify(body);
  return jsonp === undefined ? text : `/**/${jsonp}(${text})`;
}

/** Makes a value valid as a header: on one line, without characters outside ASCII. */
function toHeaderValue(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/[^\t\x20-\x7e]/g, '');
}
