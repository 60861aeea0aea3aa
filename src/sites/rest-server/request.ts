import { BodyBuffer } from '../../base/http/body.ts';
import { READABLE_HOST } from '../../base/http/fields.ts';
import {
  addSlashes,
  encodeByteString,
  isPhpEmpty,
  normalizeRoute,
  parsePhpQuery,
  phpArrayToJsonMembers,
  VariableRegistry,
} from '../../base/php/request.ts';
import { type BodyParameters, planBody } from '../../generator/validation/request/validator.ts';
import {
  NO_VALUES,
  type RequestValues,
  type RestRequest,
  type SiteError,
  type SiteUser,
  type UploadedFile,
} from './declarations.ts';
import { restError, toSiteError } from './responses.ts';

const REST_PREFIX = '/wp-json';

/**
 * Reads the query, and the route as a byte string from `rest_route` or the undecoded path. `route` is `null`
 * for a page.
 *
 * @param prefix path of the interface
 */
export function parseRequestTarget(
  { pathname, search }: URL,
  prefix: string = REST_PREFIX,
): { readonly route: string | null; readonly query: RequestValues } {
  const variables = parsePhpQuery(encodeByteString(search.slice(1)));
  const query = phpArrayToJsonMembers(variables);
  const declared = variables.get('rest_route');
  const isBelowPrefix = pathname === prefix || pathname.startsWith(`${prefix}/`);
  const found =
    typeof declared === 'string' ? declared : isBelowPrefix ? pathname.slice(prefix.length) : null;
  if (found === null || (found === declared && isPhpEmpty(found))) return { route: null, query };
  // wp_magic_quotes()
  return { route: normalizeRoute(addSlashes(found)), query };
}

/** `_method`, else `X-HTTP-Method-Override`, else the request method. */
export function resolveMethod(requestMethod: string, query: RequestValues, headers: Headers): string {
  const parameter = query.get('_method');
  const override = typeof parameter === 'string' ? parameter : headers.get('x-http-method-override');
  return (override ?? requestMethod).toUpperCase();
}

type ParsedBody = Pick<RestRequest, 'body' | 'form' | 'json' | 'files'>;

/** The address that a client of the gateway uses, as the gateway forwards it: `https://example.com/shop`. */
export function readClientBase(headers: Headers): string | undefined {
  const host = headers.get('x-forwarded-host') ?? '';
  const protocol = headers.get('x-forwarded-proto') ?? 'http';
  const prefix = headers.get('x-forwarded-prefix') ?? '';
  const isReadable = READABLE_HOST.test(host) && /^https?$/.test(protocol) && PREFIX.test(prefix);
  const base = `${protocol}://${host}${prefix}`;
  return isReadable && URL.canParse(base) ? base : undefined;
}

const PREFIX = /^(?:\/[\w.~!$&'()*+,;=:@%/-]*)?$/;

export const EMPTY_BODY: ParsedBody = { body: null, form: NO_VALUES, json: NO_VALUES, files: [] };

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
  const collected = new BodyBuffer(limit);
  for await (const chunk of request.body) if (!collected.add(chunk)) return tooLarge;
  return new Uint8Array(collected.bytes());
}

/**
 * Parses a body as PHP and WordPress do.
 *
 * @param options the HTTP method, and the method after overrides
 */
export async function parseRequestBody(
  bytes: Uint8Array,
  contentType: string | null,
  { requestMethod, method }: { readonly requestMethod: string; readonly method: string },
): Promise<ParsedBody> {
  if (bytes.length === 0) return EMPTY_BODY;
  const plan = planBody({ requestMethod, method, contentType });
  if (plan.kind === 'ignored') return { ...EMPTY_BODY, body: bytes };
  if (plan.kind === 'buffered') return toParsedBody(plan.parse(bytes), { body: bytes, files: [] });
  return parseForm(bytes, contentType ?? '');
}

function toParsedBody(values: BodyParameters, rest: Pick<ParsedBody, 'body' | 'files'>): ParsedBody {
  if (values.kind === 'invalid') return { ...EMPTY_BODY, ...rest, json: toSiteError(values) };
  return { ...rest, json: values.json, form: values.form };
}

/** PHP consumes a multipart form, so the raw body is empty. */
async function parseForm(bytes: Uint8Array, contentType: string): Promise<ParsedBody> {
  let parts: FormData;
  try {
    parts = await new Response(bytes.slice().buffer, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return EMPTY_BODY;
  }
  const variables = new VariableRegistry();
  const files: UploadedFile[] = [];
  for (const [field, part] of parts.entries()) {
    if (typeof part === 'string') {
      variables.register(encodeByteString(field), encodeByteString(part));
      continue;
    }
    const type = part.type === '' ? 'application/octet-stream' : part.type;
    files.push({ field, name: part.name, type, bytes: new Uint8Array(await part.arrayBuffer()) });
  }
  return { ...EMPTY_BODY, form: phpArrayToJsonMembers(variables.values), files };
}

/** `wp_authenticate_application_password()` */
export function authenticate(
  credentials: { readonly username: string; readonly password: string } | undefined,
  users: readonly (SiteUser & { readonly password: string })[],
): SiteUser | SiteError | null {
  if (credentials === undefined) return null;
  const { password, username } = credentials;
  const account = users.find(({ login, email }) => [login, email].includes(username.toLowerCase()));
  if (account === undefined) {
    const message = '<strong>Error:</strong> Unknown username. Check again or try your email address.';
    return restError(401, 'invalid_username', message);
  }
  const { password: expected, ...user } = account;
  if (normalizePassword(password) !== normalizePassword(expected)) {
    const message = 'The provided password is an invalid application password.';
    return restError(401, 'incorrect_password', message);
  }
  return user;
}

/** WordPress shows application passwords in groups. */
function normalizePassword(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}
