import {
  ApiError,
  combineSignals,
  createNetworkError,
  isRedirect,
  isTimeout,
  limitTime,
  readResult,
  type TimeLimit,
} from './error.ts';
import type {
  Authenticator,
  CallOptions,
  ClientAuth,
  ClientCall,
  ClientEnvironment,
  ClientHeaders,
  ClientOptions,
  RawClient,
  RawResult,
  UploadBody,
  UploadFile,
} from './options-and-results.ts';

export function createRawClient(
  options: ClientOptions,
  { slashes, commas }: Partial<ClientEnvironment> = {},
): RawClient {
  // A module that a server and a browser load has no page on the server, where it sends nothing.
  const toUrl = (route: string) => createUrlBuilder(options.baseUrl)(route);
  const exchange = createExchange(options, toUrl);

  function route(template: string, { path, query }: Pick<CallOptions, 'path' | 'query'> = {}): string {
    const search = buildQuery(query, template, commas);
    return buildPath(template, path, slashes) + (search && `?${search}`);
  }

  async function call(method: string, template: string, given: CallOptions = {}): Promise<RawResult> {
    const own = withExtra(method, given);
    const [signal, release] = combineSignals(options.signal, own.signal);
    try {
      const send = exchange({ method, path: template, signal, options: own }, toUrl(route(template, own)));
      const retries = method === 'GET' ? (own.retries ?? options.retries) : undefined;
      const result = await (retries?.(send, signal) ?? send());
      const { error, response } = result;
      if (error && (own.throw ?? options.throw)) throw new ApiError(error, response);
      return result;
    } finally {
      release?.();
    }
  }

  const bind = (method: string) => (path: string, own?: CallOptions) => call(method, path, own);
  return {
    GET: bind('GET'),
    POST: bind('POST'),
    PUT: bind('PUT'),
    PATCH: bind('PATCH'),
    DELETE: bind('DELETE'),
    request: call,
    settings: () => options,
    route,
  };
}

/**
 * Result of an attempt without a complete response. Throws if the program aborted it, except by a timeout, or
 * its own `fetch` is wrong.
 */
function failWith(cause: unknown, { method, signal }: Omit<ClientCall, 'request'>, url: string): RawResult {
  const isMistake = /Headers\.|Cannot read|Failed to (ex|get)/.test(`${cause}`);
  if (isMistake || (signal?.aborted && !isTimeout(cause))) throw cause;
  return { error: createNetworkError(cause, method, url), response: undefined };
}

/**
 * Whether the platform followed the redirect of a write, usually as `GET`. React Native always does. It shows only
 * the last URL, with another spelling of host and path.
 */
function wasFollowed({ redirect, url }: Request, response: Response): boolean {
  // Without permalinks the query has the route.
  const place = (text: string) =>
    text
      .replace(/\?(?!.*rest_route=).*|#.*|%\w\w|[^!-&(-~]|:(80|443)\b/g, '')
      .replace(/^(\w+:\/\/[^/]*)\/$/, '$1');
  const isElsewhere = () => place(url).toLowerCase() !== place(response.url).toLowerCase();
  return redirect !== 'follow' && !!response.url && (response.redirected ?? isElsewhere());
}

/**
 * Creates a function that prepares a call and returns one that sends it, repeatedly if needed.
 *
 * @param toUrl gives the site's URLs; other origins, which a hook can choose, get no credentials
 */
function createExchange(
  options: ClientOptions,
  toUrl: (route: string) => string,
): (call: Omit<ClientCall, 'request'>, url: string) => () => Promise<RawResult> {
  const { middleware = [], fetch: send = (request, init) => fetch(request, init) } = options;
  const reversed = [...middleware].reverse();
  const auth = createAuthenticator(options.auth);

  return (call, url) => {
    const { options: own } = call;
    const content = createContent(own);
    // `fetch` of Next.js reads its options from the second parameter.
    const cached = own.init?.next && { next: { ...options.init?.next, ...own.init.next } };
    const extra = { ...options.init, ...own.init, ...cached };
    const init: RequestInit = {
      ...extra,
      method: call.method,
      headers: mergeHeaders(content?.type, options.headers, own.headers),
      // `fetch` would turn a redirected POST into a GET; browsers hide redirects.
      redirect: call.method === 'GET' && (globalThis as { location?: object }).location ? 'follow' : 'manual',
      // A stream needs `duplex`.
      ...({ body: content?.body ?? null, duplex: 'half' } as RequestInit),
      // Some platforms without cookies reject the option.
      ...(auth.credentials && 'credentials' in new Request(url) ? { credentials: auth.credentials } : {}),
    };

    /** Follows redirects of reads. `fetch` would send all but two fields to another origin too. */
    async function follow(request: Request, left = 20): Promise<Response> {
      const response = await send(request, extra);
      if (request.method !== 'GET')
        return wasFollowed(request, response)
          ? new Response(null, { status: 302, headers: { location: response.url } })
          : response;
      const location = isRedirect(response) && response.headers.get('location');
      const target = location && left ? new URL(location, request.url) : undefined;
      // Some platforms fetch files too.
      if (!target?.protocol.startsWith('http')) return response;
      await response.body?.cancel();
      const headers = originOf(target.href) === originOf(request.url) ? request.headers : mergeHeaders();
      return follow(new Request(target, { ...init, headers, signal: request.signal }), left - 1);
    }

    async function attempt(limit: TimeLimit, isRepeated = false): Promise<RawResult> {
      // `fetch` of React Native doesn't throw the reason.
      const fail = (error: unknown) => failWith(limit.reason() ?? error, call, url);
      let request = new Request(url, { ...init, signal: limit.signal ?? null });
      for (const hooks of middleware) request = (await hooks.onRequest?.({ ...call, request })) ?? request;
      const isTrusted = originOf(request.url) === originOf(toUrl(''));
      if (isTrusted) request = (await auth.authenticate?.(request)) ?? request;
      let response: Response;
      try {
        response = await follow(request);
      } catch (error) {
        return fail(error);
      }
      for (const hooks of reversed)
        response = (await hooks.onResponse?.({ ...call, request, response })) ?? response;
      const isStale = isTrusted && !isRepeated && (await auth.shouldRepeat?.(request, response));
      if (isStale && !isStream(content?.body)) return attempt(limit, true);
      if (response.bodyUsed) throw new TypeError('onResponse must read response.clone()');
      return readResult(response).catch(fail);
    }

    return reversed.reduce(
      (next, hooks) => () => hooks.around?.(call, next) ?? next(),
      () => limitTime(call.signal, own.timeout ?? options.timeout, attempt),
    );
  };
}

function mergeHeaders(type?: string, ...lists: readonly (ClientHeaders | undefined)[]): Headers {
  const merged = new Headers({ Accept: 'application/json, */*;q=0.1' });
  if (type) merged.set('Content-Type', type);
  for (const list of lists) {
    new Headers(list as Record<string, string> | undefined).forEach((value, name) => {
      merged.set(name, value);
    });
  }
  return merged;
}

/** Characters that `encodeURIComponent` needlessly encodes (RFC 3986 §3.3). */
const PATH_CHARACTERS = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** WordPress doesn't decode paths, so only characters that a path can't contain are encoded. */
export function encodePathValue(value: string, mayContainSlashes: boolean): string {
  const encoded = encodeURIComponent(value).replace(PATH_CHARACTERS, decodeURIComponent);
  return mayContainSlashes ? encoded.replaceAll('%2F', '/') : encoded;
}

/**
 * @param slashes parameters whose values can contain `/`
 * @throws {TypeError} if a value is missing or empty, or a segment is `.` or `..`
 */
export function buildPath(
  template: string,
  values: Readonly<Record<string, unknown>> = {},
  slashes: readonly string[] = [],
): string {
  const path = template.replace(/\{([^{}]*)\}/g, (_, name: string, at: number) => {
    const value = String((Object.hasOwn(values, name) ? values[name] : undefined) ?? '');
    if (!value) throw new TypeError(`path parameter "${name}" of ${template} is missing`);
    const marks = [template.slice(0, at), `${template} ${name}`];
    return encodePathValue(
      value,
      marks.some((mark) => slashes.includes(mark)),
    );
  });
  if (/\/\.\.?(?![^/])/.test(path))
    throw new TypeError(`path parameters of ${template} must not be "." or ".."`);
  return path;
}

/** Creates a query in PHP's grammar. @param commas parameters whose lists are a text with commas */
export function buildQuery(
  values: Readonly<Record<string, unknown>> = {},
  template = '',
  commas: readonly string[] = [],
): string {
  const sent = Object.entries(values).flatMap(([name, given]): [string, unknown][] => {
    const value = name === '_fields' ? firstMembers(given) : given;
    // For `_embed` and the like, presence means true.
    if (value === false && name.startsWith('_')) return [];
    if (!Array.isArray(value)) return [[name, value]];
    // An empty list isn't a condition, but WordPress refuses it for a list or an object.
    if (!value.length) return [];
    return [[name, commas.includes(`${template} ${name}`) ? value.filter(isPresent).join() : value]];
  });
  return encodeFields([...phpVariables(sent)].filter(isTextField));
}

/** `URLSearchParams` of React Native takes no list before version 0.80. */
function encodeFields(fields: readonly (readonly [string, string])[]): string {
  return fields.map((field) => field.map(encodeText).join('=')).join('&');
}

function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%20/g, '+');
}

/** `URL` of React Native has a `href`, and nothing else before version 0.80. */
export function originOf(url: string): string | undefined {
  return /^\w+:\/\/[^/?#]*/.exec(new URL(url).href)?.[0];
}

/** Many controllers leave out nested members, such as `title.rendered` in `_fields`. */
function firstMembers(names: unknown): unknown {
  if (Array.isArray(names)) return names.map(firstMembers);
  return typeof names === 'string' ? names.replace(/\.[^\s,]+/g, '') : names;
}

/**
 * Serialises values for PHP: `a[0]=1&a[k]=2`. An empty list is an empty string, which WordPress reads as a
 * list.
 */
function* phpVariables(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Generator<FormField, void, undefined> {
  for (const [name, value] of entries) {
    if (!isPresent(value)) continue;
    if (typeof value !== 'object') {
      // Casts of PHP plugins read the string "false" as true.
      yield [name, String(typeof value === 'boolean' ? Number(value) : value)];
    } else if (value instanceof Date) {
      yield [name, toDateTime(value)];
    } else if (isContent(value)) {
      yield [name, value as Blob];
    } else {
      // A list with gaps would be an object to WordPress.
      const items = Array.isArray(value) ? value.filter(isPresent) : value;
      const members = Object.entries(items);
      if (members.length === 0 && Array.isArray(value)) yield [name, ''];
      yield* phpVariables(members.map(([key, item]) => [`${name}[${key}]`, item]));
    }
  }
}

/**
 * Joins texts, because React Native's `URL` can't be changed.
 *
 * @throws {TypeError} if the root is not an HTTP URL, or contains credentials, which `fetch` refuses
 */
export function createUrlBuilder(baseUrl: string): (route: string) => string {
  const { location } = globalThis as { location?: { href: string } };
  // `URL` takes `localhost:80` for a scheme, and a page takes any text for a path.
  const isRelative = /^[/.?]/.test(baseUrl);
  if (isRelative ? !location : !/^https?:\/\/(?![^/]*@)./.test(baseUrl))
    throw new TypeError(
      `${isRelative ? `${baseUrl} is for browsers: on a server ` : ''}baseUrl must be an http(s) URL without a password`,
    );
  const { href } = new URL(baseUrl, location?.href);
  // React Native adds a slash, also behind a query.
  const [address = '', ...rest] = (href === `${baseUrl}/` ? baseUrl : href).replace(/#.*/, '').split('?');
  const declared = rest.join('?').split('&').filter(Boolean);
  const root = declared.find((field) => field.startsWith(ROOT));
  const prefix = root ? decodeURIComponent(root.slice(ROOT.length)) : address;
  return (route) => {
    const [path = '', query] = route.split('?');
    const full = prefix.replace(/\/$/, '') + path;
    // PHP decodes the query once, so the site sees the path of a pretty URL.
    const fields = declared.map((field) => (field === root ? ROOT + encodeText(full) : field));
    const search = [...fields, query].filter(Boolean).join('&');
    return (root ? address : full) + (search && `?${search}`);
  };
}

const ROOT = 'rest_route=';

const OCTETS = 'application/octet-stream';

type FormField = [name: string, value: string | Blob | UploadFile];

function isPresent(value: unknown): value is NonNullable<unknown> {
  return value !== undefined && value !== null;
}

function isTextField(field: FormField): field is [string, string] {
  return typeof field[1] === 'string';
}

/** All but a stream can be sent repeatedly. */
interface RequestContent {
  readonly body: UploadBody | URLSearchParams | string;
  readonly type?: string;
}

function createContent({ body, bodyType, file }: ClientCall['options']): RequestContent | undefined {
  if (!file && body === undefined) return undefined;
  if (!file && isContent(body)) return { body };
  const fields = [...phpVariables(Object.entries((body ?? {}) as object))];
  // Android refuses a file of the device without a type.
  if (file) fields.push(['file', 'uri' in file ? { ...file, type: file.type || OCTETS } : file]);
  if (!fields.every(isTextField)) return file && 'uri' in file ? createForm(fields) : createMultipart(fields);
  if (bodyType === 'form')
    return { body: encodeFields(fields), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  return { body: JSON.stringify(body, replaceDate), type: 'application/json' };
}

/** React Native reads the file when it sends the form. */
function createForm(fields: readonly FormField[]): RequestContent {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value as string);
  return { body };
}

/** Not every platform has the class of streams. */
function isStream(body: unknown): boolean {
  return typeof (body as { readonly getReader?: unknown } | null | undefined)?.getReader === 'function';
}

function replaceDate(this: unknown, key: string, value: unknown): unknown {
  // `JSON.stringify` has called `toJSON` of a date already.
  const declared = (this as Readonly<Record<string, unknown>>)[key];
  return declared instanceof Date ? toDateTime(declared) : value;
}

/** WooCommerce ignores the zone of a time with milliseconds (`WC_Data::set_date_prop()`). */
function toDateTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function withExtra(method: string, { extra, ...own }: CallOptions): CallOptions {
  if (!extra) return own;
  return method === 'GET' || method === 'DELETE' || isContent(own.body)
    ? { ...own, query: { ...own.query, ...extra } }
    : { ...own, body: { ...(own.body as object | undefined), ...extra } };
}

function isContent(body: unknown): body is RequestContent['body'] {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    isStream(body) ||
    [ArrayBuffer, Blob, FormData, URLSearchParams].some((type) => body instanceof type)
  );
}

/**
 * Creates a `multipart/form-data` body (RFC 7578) with a length, repeatable, and without `%22` for quotes,
 * which PHP doesn't decode.
 */
function createMultipart(fields: readonly FormField[]): RequestContent {
  const random =
    globalThis.crypto?.getRandomValues(new Uint8Array(16)).join('') ?? `${Math.random()}`.slice(2);
  const boundary = `form-${random}`;
  const parts = fields.flatMap(([name, value]): (string | Blob | ArrayBuffer)[] => {
    const {
      content = value,
      type,
      name: filename = 'blob',
    } = value as Partial<Extract<UploadFile, { content: unknown }>>;
    const mediaType = (type || (content as Blob).type || OCTETS).replace(/[\r\n]/g, '');
    return [
      `--${boundary}\r\nContent-Disposition: form-data; name=${quote(name)}`,
      typeof value === 'string' ? '' : `; filename=${quote(filename)}\r\nContent-Type: ${mediaType}`,
      '\r\n\r\n',
      content as Blob,
      '\r\n',
    ];
  });
  const body = new Blob([...parts, `--${boundary}--\r\n`]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** PHP and Fetch escape quotes and backslashes differently. */
function quote(text: string): string {
  const plain = text.replaceAll('"', "'").replace(/[\\\r\n]/g, '_');
  return `"${plain}"`;
}

function createAuthenticator(auth: ClientAuth | Partial<Authenticator> = {}): Partial<Authenticator> {
  if (typeof auth === 'function') return { authenticate: auth };
  if (!('username' in auth)) return auth;
  const bytes = new TextEncoder().encode(`${auth.username}:${auth.password}`);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  return {
    credentials: 'omit',
    authenticate(request) {
      request.headers.set('Authorization', authorization);
    },
  };
}
