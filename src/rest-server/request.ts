import { readAll } from '../http/web-streams.ts';
import { addSlashes, encodeByteString } from '../php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../php/query.ts';
import { isPhpEmpty, normalizeRoute } from '../php/request.ts';
import { acceptsForm, type BodyParameters, planBody } from '../validation/request/parameters.ts';
import { isEmail } from '../validation/wordpress/keywords.ts';
import {
  NO_VALUES,
  type RequestValues,
  type RestRequest,
  type SiteError,
  type SiteUser,
  type UploadedFile,
} from './declarations.ts';
import { restError, toSiteError } from './responses.ts';

/** The parts of a request URL that select a route. */
export interface RequestTarget {
  /** The path without percent-decoding. */
  readonly path: string;
  readonly query: RequestValues;
  /** The `rest_route` of the query; `null` if it is absent. */
  readonly queryRoute: string | null;
}

const REST_PREFIX = '/wp-json';

export function parseRequestTarget(url: URL): RequestTarget {
  const variables = parsePhpQuery(encodeByteString(url.search.slice(1)));
  const given = variables.get('rest_route');
  return {
    path: url.pathname,
    query: phpArrayToJsonMembers(variables),
    queryRoute: typeof given === 'string' ? given : null,
  };
}

/**
 * Resolves the route path of a request as a byte string; `null` if the request is for a page of the site. The
 * `rest_route` of the form precedes that of the query, which precedes the path (WP::parse_request). The path is not
 * percent-decoded.
 */
export function resolveRoute({ path, queryRoute }: RequestTarget, form: RequestValues): string | null {
  const formRoute = form.get('rest_route');
  const explicitRoute = typeof formRoute === 'string' ? encodeByteString(formRoute) : queryRoute;
  if (explicitRoute !== null) {
    // wp_magic_quotes() adds backslashes to the quotes in a route.
    return isPhpEmpty(explicitRoute) ? null : normalizeRoute(addSlashes(explicitRoute));
  }
  if (path === REST_PREFIX || path.startsWith(`${REST_PREFIX}/`)) {
    return normalizeRoute(addSlashes(path.slice(REST_PREFIX.length)));
  }
  return null;
}

/** `wp_die( 'A variable mismatch has been detected.' )` */
export function isRouteMismatch({ queryRoute }: RequestTarget, form: RequestValues): boolean {
  const formRoute = form.get('rest_route');
  if (queryRoute === null || formRoute === undefined) return false;
  return formRoute !== phpArrayToJsonMembers(new Map([['r', queryRoute]])).get('r');
}

/** The method that runs: the `_method` query parameter, else `X-HTTP-Method-Override`, else the request method. */
export function resolveMethod(requestMethod: string, query: RequestValues, headers: Headers): string {
  const parameter = query.get('_method');
  const override = typeof parameter === 'string' ? parameter : headers.get('x-http-method-override');
  return (override ?? requestMethod).toUpperCase();
}

/** The body of a request with the values and files that it contains. */
type ParsedBody = Pick<RestRequest, 'body' | 'form' | 'json' | 'files'>;

const EMPTY_BODY: ParsedBody = { body: null, form: NO_VALUES, json: NO_VALUES, files: [] };

/** Reads all bytes of a request, or returns a 413 error if there are more than `limit`. */
export async function readRequestBytes(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | SiteError> {
  const tooLarge = restError(
    413,
    'rest_content_too_large',
    `The body is larger than the ${limit} bytes that this site takes.`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge;
  if (request.body === null) return new Uint8Array();
  const bytes = await readAll(request.body, limit);
  return bytes === null ? tooLarge : new Uint8Array(bytes);
}

/**
 * Parses a body as PHP and WordPress do, and the files of a form.
 *
 * @param options the HTTP method, and the method after overrides
 */
export async function parseRequestBody(
  bytes: Uint8Array,
  contentType: string | null,
  { requestMethod, method }: { readonly requestMethod: string; readonly method: string },
): Promise<ParsedBody> {
  if (bytes.length === 0) return EMPTY_BODY;
  // A form can name the route even if the method that runs accepts no form.
  const plan = planBody(
    { requestMethod, method: acceptsForm(method) ? method : requestMethod, contentType },
    bytes.length,
  );
  if (plan.kind === 'ignored') return { ...EMPTY_BODY, body: bytes };
  if (plan.kind === 'buffered') return toParsedBody(plan.parse(bytes), { body: bytes, files: [] });
  const reader = plan.createReader();
  reader.write(bytes);
  // PHP consumes the body of a form, so the raw body is empty.
  return toParsedBody(reader.end(), { body: null, files: await parseFormFiles(bytes, contentType ?? '') });
}

function toParsedBody(values: BodyParameters, rest: Pick<ParsedBody, 'body' | 'files'>): ParsedBody {
  if (values.kind === 'invalid') return { ...EMPTY_BODY, ...rest, json: toSiteError(values) };
  // Values beyond PHP's input limits are dropped.
  return { ...rest, json: values.json, form: values.form };
}

async function parseFormFiles(bytes: Uint8Array, contentType: string): Promise<readonly UploadedFile[]> {
  let parts: FormData;
  try {
    parts = await new Response(bytes.slice().buffer, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return [];
  }
  const files: UploadedFile[] = [];
  for (const [field, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const type = part.type === '' ? 'application/octet-stream' : part.type;
    files.push({ field, name: part.name, type, bytes: new Uint8Array(await part.arrayBuffer()) });
  }
  return files;
}

/** Checks an application password (wp_authenticate_application_password). */
export function authenticate(
  credentials: { readonly username: string; readonly password: string } | undefined,
  users: readonly (SiteUser & { readonly passwords: readonly string[] })[],
): SiteUser | SiteError | null {
  if (credentials === undefined) return null;
  const { password, username } = credentials;
  const account = users.find(({ login, email }) => [login, email].includes(username.toLowerCase()));
  if (account === undefined) {
    const [code, message] = isEmail(username) ? UNKNOWN_USER_ERRORS.email : UNKNOWN_USER_ERRORS.login;
    return restError(401, code, message);
  }
  const { passwords, ...user } = account;
  if (!passwords.some((each) => normalizePassword(each) === normalizePassword(password))) {
    const message = 'The provided password is an invalid application password.';
    return restError(401, 'incorrect_password', message);
  }
  return user;
}

const UNKNOWN_USER_ERRORS = {
  login: [
    'invalid_username',
    '<strong>Error:</strong> Unknown username. Check again or try your email address.',
  ],
  email: [
    'invalid_email',
    '<strong>Error:</strong> Unknown email address. Check again or try your username.',
  ],
} as const;

/** WordPress shows application passwords in groups, so only letters and digits count. */
function normalizePassword(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}
