import type { Json, JsonObject } from '../../base/json.ts';
import { encodeByteString, encodeQueryValue, writePhpQuery } from '../../base/php/request.ts';
import type { InvalidRequest } from '../../generator/validation/request/result.ts';
import type {
  ItemLink,
  ItemLinks,
  Pagination,
  RestRequest,
  RestResponse,
  SiteError,
  SiteResponse,
  SiteUser,
  UserRole,
} from './declarations.ts';

export function respondWith(
  status: number,
  body: Json,
  headers: readonly (readonly [string, string])[] = [],
): RestResponse {
  return { status, headers: new Map(headers), body };
}

export function ok(body: Json, headers: Readonly<Record<string, string>> = {}): RestResponse {
  return respondWith(200, body, Object.entries(headers));
}

/** @param location the new resource's URL, if a route shows it */
export function created(body: Json, location?: string): RestResponse {
  return respondWith(201, body, location === undefined ? [] : [['Location', location]]);
}

export function listResponse(items: readonly Json[], page: Pagination): SiteResponse {
  return { ...respondWith(200, items), page };
}

export function restError(status: number, code: string, message: string, data: JsonObject = {}): SiteError {
  return { kind: 'error', status, code, message, data };
}

/** 401 for an anonymous request, 403 for a user (`rest_authorization_required_code()`). */
export function forbiddenError(
  user: SiteUser | null,
  code = 'rest_forbidden',
  message = 'Sorry, you are not allowed to do that.',
): SiteError {
  return restError(user === null ? 401 : 403, code, message);
}

export class RefusedError extends Error {
  readonly error: SiteError;

  constructor(error: SiteError) {
    super(error.message);
    this.error = error;
  }
}

export function refuse(status: number, code: string, message: string, data?: JsonObject): never {
  throw new RefusedError(restError(status, code, message, data));
}

export function refuseUser(user: SiteUser | null, code?: string, message?: string): never {
  throw new RefusedError(forbiddenError(user, code, message));
}

const ROLE_RANKS: Readonly<Record<UserRole, number>> = { subscriber: 0, editor: 1, administrator: 2 };

export function hasRole(user: SiteUser | null, role: UserRole): boolean {
  return user !== null && ROLE_RANKS[user.role] >= ROLE_RANKS[role];
}

export function requireRole(
  role: UserRole,
  code?: string,
  message?: string,
): (request: { readonly user: SiteUser | null }) => void {
  return ({ user }) => {
    if (!hasRole(user, role)) refuseUser(user, code, message);
  };
}

export function toItemLinks(
  links: Readonly<Record<string, string | ItemLink | readonly ItemLink[]>>,
): ItemLinks & JsonObject {
  const entries = Object.entries(links).map(([relation, targets]) => [
    relation,
    [targets].flat().map((target) => (typeof target === 'string' ? { href: target } : target)),
  ]);
  // JSON.stringify() drops undefined attributes.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

/** `rest_convert_error_to_response()` */
export function errorResponse(error: SiteError): RestResponse {
  return respondWith(error.status, toErrorBody(error));
}

export function toSiteError({ status, code, message, data }: InvalidRequest): SiteError {
  return restError(status, code, message, data);
}

function toErrorBody({ status, code, message, data }: SiteError): JsonObject {
  return { code, message, data: { status, ...data } };
}

/** `WP_REST_Server::envelope_response()` */
export function wrapInEnvelope({ body, status, headers }: RestResponse, embedded: Json = body): JsonObject {
  return { body: embedded, status, headers: headers.size === 0 ? [] : Object.fromEntries(headers) };
}

/** The form without rewrite rules: `index.php?rest_route=`. */
export function restUrl(
  base: string,
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const more = writePhpQuery(Object.entries(query));
  const path = encodeQueryValue(encodeByteString(route));
  return `${base}/index.php?rest_route=${path}${more === '' ? '' : `&${more}`}`;
}

export function rootLinkHeader(base: string): string {
  return `<${restUrl(base, '/')}>; rel="https://api.w.org/"`;
}

export function createPaginationHeaders(
  { total, page, perPage }: Pagination,
  query: ReadonlyMap<string, Json>,
  url: string,
): readonly (readonly [string, string])[] {
  const pages = Math.ceil(total / perPage);
  const linkTo = (number: number, relation: string): string => {
    const parameters = new Map([...query].filter(([name]) => name !== 'rest_route'));
    parameters.set('page', number);
    return `<${url}${url.includes('?') ? '&' : '?'}${writePhpQuery(parameters)}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [linkTo(Math.min(page - 1, pages), 'prev')] : []),
    ...(page < pages ? [linkTo(page + 1, 'next')] : []),
  ];
  return [
    ['X-WP-Total', String(total)],
    ['X-WP-TotalPages', String(pages)],
    ...(links.length === 0 ? [] : [['Link', links.join(', ')] as const]),
  ];
}

/** `WP_REST_Server::serve_request()` */
export const COMMON_HEADERS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
} as const;

/** `wp_get_nocache_headers()` */
const NO_CACHE_HEADERS = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

/** @param requestMethod before overrides */
export function writeResponse(
  { status, headers: responseHeaders, body }: RestResponse,
  request: RestRequest,
  requestMethod: string,
): Response {
  const headers = new Headers({
    'Content-Type': 'application/json; charset=UTF-8',
    Link: rootLinkHeader(request.base),
    ...COMMON_HEADERS,
  });
  setCorsHeaders(headers, request.headers.get('origin'), requestMethod === 'GET' && request.user === null);
  // The pagination links replace the link to the REST API.
  for (const [name, value] of responseHeaders) headers.set(name, toHeaderValue(value));
  if (request.user !== null) {
    for (const [name, value] of Object.entries(NO_CACHE_HEADERS)) headers.set(name, value);
  }
  const isHead = request.method === 'HEAD' || requestMethod === 'HEAD';
  const isEmpty = isHead || status === 204 || body === null;
  return new Response(isEmpty ? null : JSON.stringify(body), { status, headers });
}

/** `rest_send_cors_headers()` */
function setCorsHeaders(headers: Headers, origin: string | null, isAnonymousRead: boolean): void {
  if (origin !== null && origin !== '') {
    headers.set('Access-Control-Allow-Origin', toHeaderValue(origin));
    headers.set('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    headers.set('Access-Control-Allow-Credentials', 'true');
    headers.set('Vary', 'Origin');
  } else if (isAnonymousRead) headers.set('Vary', 'Origin');
}

function toHeaderValue(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/[^\t\x20-\x7e]/g, '');
}
