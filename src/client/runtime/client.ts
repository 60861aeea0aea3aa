import { ApiError, createNetworkError, isTimeout, readResult } from './error.ts';
import type {
  CallOptions,
  ClientAuth,
  ClientCall,
  ClientEnvironment,
  ClientHeaders,
  ClientOptions,
  FetchInit,
  RawClient,
  RawResult,
  UploadFile,
  UploadProgress,
} from './types.ts';

/** Creates a client without the types of a site. */
export function createRawClient(
  options: ClientOptions,
  environment: Partial<ClientEnvironment> = {},
): RawClient {
  const { slashes, commas, ...clock } = {
    ...{ slashes: {}, commas: {}, random: Math.random, now: Date.now, sleep },
    ...environment,
  };
  const toUrl = createUrlBuilder(options.baseUrl);
  const exchange = createExchange(options, toUrl('', '').origin);
  const pathOf = (template: string, { path }: Pick<CallOptions, 'path'>) =>
    buildPath(template, path, Object.hasOwn(slashes, template) ? slashes[template] : []);
  const queryOf = (template: string, { query }: Pick<CallOptions, 'query'>) =>
    buildQuery(query, Object.hasOwn(commas, template) ? commas[template] : []);

  async function call(method: string, template: string, given: CallOptions = {}): Promise<RawResult> {
    const own = withExtra(method, given);
    const signal = combineSignals(options.signal, own.signal);
    const url = toUrl(pathOf(template, own), queryOf(template, own));
    const send = exchange({ method, path: template }, url, own, signal);
    const retries = isSafe(method) ? (own.retries ?? options.retries ?? 0) : 0;
    let outcome = await send();
    for (let attempt = 0; attempt < retries && !signal?.aborted; attempt++) {
      const delay = retryDelay(outcome.response, attempt, clock);
      if (delay === undefined) break;
      await outcome.response?.body?.cancel().catch(() => undefined);
      try {
        await clock.sleep(delay, signal);
      } catch (failure) {
        outcome = { failure };
        break;
      }
      outcome = await send();
    }
    const result = await readOutcome(outcome, method, signal);
    if (result.error !== undefined && (own.throw ?? options.throw)) {
      throw new ApiError(result.error, result.response);
    }
    return result;
  }

  const bind = (method: string) => (path: string, own?: CallOptions) => call(method, path, own);
  return {
    GET: bind('GET'),
    POST: bind('POST'),
    PUT: bind('PUT'),
    PATCH: bind('PATCH'),
    DELETE: bind('DELETE'),
    HEAD: bind('HEAD'),
    OPTIONS: bind('OPTIONS'),
    request: call,
    route(path, own = {}) {
      const query = queryOf(path, own);
      return pathOf(path, own) + (query === '' ? '' : `?${query}`);
    },
  };
}

/**
 * Reads the response of a call, or the error of its absence.
 *
 * @throws the reason of the signal, if it aborted the call: the program itself did that, so that it is no error to show. A
 * signal with a timeout is an exception
 */
async function readOutcome(
  outcome: ExchangeOutcome,
  method: string,
  signal: AbortSignal | undefined,
): Promise<RawResult> {
  let { failure } = outcome;
  if (outcome.response !== undefined) {
    try {
      return await readResult(outcome.response, method);
    } catch (error) {
      failure = error;
    }
  }
  if (signal?.aborted && !isTimeout(signal.reason)) throw failure;
  return { error: createNetworkError(failure), response: undefined };
}

function combineSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** A response, or the reason for its absence. */
type ExchangeOutcome =
  | { readonly response: Response; readonly failure?: undefined }
  | { readonly response?: undefined; readonly failure: unknown };

/**
 * Sends the request of a call: hooks, credentials, transport, hooks. A request whose nonce has expired is sent again once.
 *
 * @param origin of the site: other origins, which a hook may choose, get no credentials
 * @returns a function that prepares a call. It returns the function that sends the request, which can be called repeatedly
 */
function createExchange(
  options: ClientOptions,
  origin: string,
): (
  call: Omit<ClientCall, 'request'>,
  url: URL,
  own: CallOptions,
  signal: AbortSignal | undefined,
) => () => Promise<ExchangeOutcome> {
  const { middleware = [], fetch: send = (request, init) => fetch(request, init) } = options;
  const reversed = [...middleware].reverse();
  const { credentials, authenticate, shouldRepeat } = createAuthenticator(options.auth);

  return (call, url, own, signal) => {
    const content = createContent(own);
    // `fetch` of Next.js reads its options from the second parameter.
    const extra = own.init ? mergeInit(options.init, own.init) : options.init;
    const init: RequestInit = {
      ...extra,
      method: call.method,
      headers: mergeHeaders(content?.type, options.headers, own.headers),
      // `fetch` would turn a redirected POST into a GET.
      redirect: isSafe(call.method) ? 'follow' : 'manual',
      ...(content === undefined ? {} : ({ body: content.body, duplex: 'half' } as RequestInit)),
      ...(signal === undefined ? {} : { signal }),
      // Some platforms without cookies reject the option.
      ...(credentials !== undefined && 'credentials' in Request.prototype ? { credentials } : {}),
    };

    async function attempt(isRepeated: boolean): Promise<ExchangeOutcome> {
      const original = new Request(url, init);
      let request = original;
      for (const { onRequest } of middleware) request = (await onRequest?.({ ...call, request })) ?? request;
      const isTrusted = new URL(request.url).origin === origin;
      if (isTrusted) request = await authenticate(request);
      let response: Response | undefined;
      let failure: unknown;
      try {
        const { onUploadProgress } = own;
        const known = request === original && content?.body instanceof Blob ? content.body : undefined;
        response =
          onUploadProgress === undefined || request.body === null
            ? await send(request, extra)
            : await sendWithProgress(request, known, onUploadProgress, send);
      } catch (error) {
        failure = error;
        for (const { onError } of reversed) {
          const result = await onError?.({ ...call, request, error: failure });
          if (result instanceof Response) {
            response = result;
            break;
          }
          failure = result ?? failure;
        }
      }
      if (response === undefined) return { failure };
      for (const { onResponse } of reversed)
        response = (await onResponse?.({ ...call, request, response })) ?? response;
      const isStale = isTrusted && !isRepeated && (await shouldRepeat?.(request, response));
      return isStale ? attempt(true) : { response };
    }

    return reversed.reduce(
      (next, hooks) => () => hooks.around?.(call, next) ?? next(),
      () => attempt(false),
    );
  };
}

/** Tags of a call are added to the lifetime that the client states. */
function mergeInit(common: FetchInit | undefined, own: FetchInit): FetchInit {
  return { ...common, ...own, ...(own.next && { next: { ...common?.next, ...own.next } }) };
}

function mergeHeaders(type: string | undefined, ...lists: readonly (ClientHeaders | undefined)[]): Headers {
  const merged = new Headers({ Accept: 'application/json, */*;q=0.1' });
  if (type !== undefined) merged.set('Content-Type', type);
  for (const list of lists) {
    new Headers(list as Record<string, string> | undefined).forEach((value, name) => {
      merged.set(name, value);
    });
  }
  return merged;
}

/** Characters that `encodeURIComponent` encodes although a path may contain them (RFC 3986 §3.3). */
const PATH_CHARACTERS = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/**
 * Fills a path template. WordPress does not decode paths, so only characters that a path cannot contain are encoded.
 *
 * @param slashes names of the parameters whose values may contain `/`
 * @throws {TypeError} if a value is missing or empty, or if the path has a segment `.` or `..`, which would lead elsewhere
 */
export function buildPath(
  template: string,
  values: Readonly<Record<string, unknown>> = {},
  slashes: readonly string[] = [],
): string {
  const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = String((Object.hasOwn(values, name) ? values[name] : undefined) ?? '');
    if (value === '') throw new TypeError(`path parameter "${name}" of ${template} is missing`);
    const encoded = encodeURIComponent(value).replace(PATH_CHARACTERS, decodeURIComponent);
    return slashes.includes(name) ? encoded.replaceAll('%2F', '/') : encoded;
  });
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new TypeError(`path parameters of ${template} must not be "." or ".."`);
  }
  return path;
}

/**
 * Creates the query of a request in PHP's grammar.
 *
 * @param commas names of the parameters whose lists are a text with commas
 */
export function buildQuery(
  values: Readonly<Record<string, unknown>> = {},
  commas: readonly string[] = [],
): string {
  const sent = Object.entries(values).filter(
    ([name, value]) =>
      // Of WordPress's own parameters (`_embed`) the mere presence means true.
      !(name.startsWith('_') && value === false) &&
      // An empty list is no condition. WordPress refuses it where a parameter takes a list or an object.
      !(Array.isArray(value) && value.length === 0),
  );
  const joined = sent.map(([name, value]): [string, unknown] =>
    commas.includes(name) && Array.isArray(value)
      ? [name, value.filter((item) => item !== undefined && item !== null).join()]
      : [name, value],
  );
  return new URLSearchParams([...phpVariables(joined)]).toString();
}

/**
 * Serialises values for PHP's query and form grammar: `a[0]=1&a[k]=2`. `null`, `undefined` and empty objects are left
 * out. An empty list is an empty string, which WordPress reads as the empty list.
 */
function* phpVariables(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Generator<[string, string], void, undefined> {
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') {
      // PHP writes booleans as 1 and 0. Casts of plugins read the string "false" as true.
      yield [name, String(typeof value === 'boolean' ? Number(value) : value)];
    } else if (value instanceof Date) {
      yield [name, toDateTime(value)];
    } else {
      // A list with gaps would be an object to WordPress.
      const items = Array.isArray(value)
        ? value.filter((item) => item !== undefined && item !== null)
        : value;
      const members = Object.entries(items);
      if (members.length === 0 && Array.isArray(value)) yield [name, ''];
      yield* phpVariables(members.map(([key, item]) => [`${name}[${key}]`, item]));
    }
  }
}

/** Returns a function that creates the URL of a path and query below a REST root, in the root's spelling. */
export function createUrlBuilder(baseUrl: string): (path: string, query: string) => URL {
  const { location } = globalThis as { location?: { href: string } };
  const base = new URL(baseUrl, location?.href);
  base.hash = '';
  const root = base.searchParams.get('rest_route');
  const prefix = withoutTrailingSlash(root ?? base.pathname);
  return (path, query) => {
    const url = new URL(base);
    if (root === null) url.pathname = prefix + path;
    // PHP decodes the query once, so that the site sees the path as it would in a pretty URL.
    else url.searchParams.set('rest_route', prefix + path);
    if (query !== '') url.search += (url.search === '' ? '' : '&') + query;
    return url;
  };
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A request body that can be sent repeatedly, and its media type if the platform does not set it. */
interface RequestContent {
  readonly body: Blob | ArrayBuffer | ArrayBufferView | FormData | URLSearchParams | ReadableStream | string;
  readonly type?: string;
}

/** Creates the body of a call; `undefined` if the call has none. */
function createContent({ body, bodyType, file }: CallOptions): RequestContent | undefined {
  if (file !== undefined) return createMultipart(fieldsOf(body), file);
  if (body === undefined) return undefined;
  if (isContent(body)) return { body };
  if (bodyType === 'form') return { body: new URLSearchParams([...phpVariables(fieldsOf(body))]) };
  return { body: JSON.stringify(body, replaceDate), type: 'application/json' };
}

function replaceDate(this: unknown, key: string, value: unknown): unknown {
  // `JSON.stringify` has called `toJSON` of a date already.
  const stated = (this as Readonly<Record<string, unknown>>)[key];
  return stated instanceof Date ? toDateTime(stated) : value;
}

/** Writes a time to the second. WooCommerce ignores the zone of a time with milliseconds (`WC_Data::set_date_prop()`). */
function toDateTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns options with the arguments of `extra` in the query or the body. */
export function withExtra(method: string, { extra, ...own }: CallOptions): CallOptions {
  if (extra === undefined) return own;
  return isSafe(method) || method === 'DELETE' || isContent(own.body)
    ? { ...own, query: { ...own.query, ...extra } }
    : { ...own, body: { ...(own.body as object | undefined), ...extra } };
}

function fieldsOf(body: unknown): [name: string, value: unknown][] {
  return Object.entries((body ?? {}) as object);
}

/** Whether a body is sent as it is. */
function isContent(body: unknown): body is RequestContent['body'] {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream
  );
}

/**
 * Creates a `multipart/form-data` body (RFC 7578). Unlike a `FormData` it has a length before it is sent, can be sent again,
 * and a quote in a file name is no `%22`, which PHP would not decode.
 */
function createMultipart(fields: readonly [string, unknown][], file: UploadFile): RequestContent {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const boundary = `form-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const head = (parameters: string) => `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n`;
  const content = file instanceof Blob ? file : file.content;
  const type = (file.type ?? '').replace(/[\r\n]/g, '') || 'application/octet-stream';
  const body = new Blob([
    ...[...phpVariables(fields)].map(([name, value]) => `${head(`name=${quote(name)}`)}\r\n${value}\r\n`),
    `${head(`name="file"; filename=${quote(file.name)}`)}Content-Type: ${type}\r\n\r\n`,
    content as Blob | ArrayBuffer,
    `\r\n--${boundary}--\r\n`,
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** A quoted string. PHP and Fetch escape quotes and backslashes in it differently, so other characters replace them. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "'").replace(/[\\\r\n]/g, '_')}"`;
}

/** Adds credentials to requests. */
interface Authenticator {
  /** Whether the platform sends cookies; `undefined`: its default. */
  readonly credentials?: 'include' | 'omit';
  authenticate(request: Request): Request | Promise<Request>;
  /** Reads a response. Returns whether the request should be sent again, because its nonce has been replaced. */
  shouldRepeat?(request: Request, response: Response): Promise<boolean>;
}

/** Creates the authenticator of a client. */
function createAuthenticator(auth: ClientAuth | undefined): Authenticator {
  if (auth === undefined) return { authenticate: (request) => request };
  if (typeof auth === 'function')
    return { authenticate: async (request) => (await auth(request)) ?? request };
  if ('nonce' in auth) return createNonceAuthenticator(auth);
  const bytes = new TextEncoder().encode(`${auth.username}:${auth.password}`);
  const authorization = `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  return {
    credentials: 'omit',
    authenticate(request) {
      request.headers.set('Authorization', authorization);
      return request;
    },
  };
}

function createNonceAuthenticator({
  nonce,
  refreshNonce,
}: {
  readonly nonce: string;
  readonly refreshNonce?: (() => Promise<string>) | undefined;
}): Authenticator {
  let current = nonce;
  let refresh: Promise<void> | undefined;
  return {
    credentials: 'include',
    authenticate(request) {
      request.headers.set('X-WP-Nonce', current);
      return request;
    },
    async shouldRepeat(request, response) {
      current = response.headers.get('x-wp-nonce') ?? current;
      if (refreshNonce === undefined || response.status !== 403) return false;
      const body = (await response
        .clone()
        .json()
        .catch(() => null)) as { readonly code?: unknown } | null;
      if (body?.code !== 'rest_cookie_invalid_nonce') return false;
      // Another call may have replaced the nonce in the meantime.
      if (request.headers.get('X-WP-Nonce') === current) {
        refresh ??= refreshNonce()
          .then((next) => {
            current = next;
          })
          .finally(() => {
            refresh = undefined;
          });
        await refresh;
      }
      return true;
    },
  };
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Delay before the first repetition, in milliseconds. It doubles each time. */
const FIRST_DELAY = 500;
/** The client does not wait longer, in milliseconds. */
const MAX_DELAY = 60_000;

/** Whether a request with the method changes nothing, so that it may be repeated and redirected. */
function isSafe(method: string): boolean {
  return SAFE_METHODS.includes(method);
}

/**
 * Returns how long to wait before a request is repeated, in milliseconds; `undefined` if it should not be repeated.
 *
 * @param response `undefined` after a network failure
 * @param attempt number of earlier repetitions
 */
export function retryDelay(
  response: Response | undefined,
  attempt: number,
  { random, now }: Pick<ClientEnvironment, 'random' | 'now'>,
): number | undefined {
  if (response !== undefined && !RETRIED_STATUSES.includes(response.status)) return undefined;
  const stated = response?.headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - now();
  if (wait > MAX_DELAY) return undefined;
  return Number.isNaN(wait) ? random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** attempt) : Math.max(0, wait);
}

/** Waits; rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as unknown);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The part of `XMLHttpRequest` that is used. Only browsers have it, so that the name may be unknown to the compiler. */
interface ProgressRequest {
  readonly upload: { onprogress: ((event: UploadProgress) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly response: ArrayBuffer | null;
  responseType: string;
  withCredentials: boolean;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Bytes between two reports of a stream. */
const CHUNK_SIZE = 65_536;

/**
 * Sends a request and reports how much of its body was sent: by `XMLHttpRequest` in browsers, which send no streams over
 * HTTP/1.1, otherwise by `fetch` with a stream that counts.
 *
 * @param content the body of the request, if it is known, so that it need not be read
 */
async function sendWithProgress(
  request: Request,
  content: Blob | undefined,
  onProgress: (progress: UploadProgress) => void,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => ProgressRequest };
  const body = content ?? (await request.blob());
  if (XMLHttpRequest !== undefined) return sendByXhr(new XMLHttpRequest(), request, body, onProgress);
  const total = body.size;
  let loaded = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await body.slice(loaded, loaded + CHUNK_SIZE).arrayBuffer();
        if (chunk.byteLength === 0) return controller.close();
        controller.enqueue(new Uint8Array(chunk));
        loaded += chunk.byteLength;
        onProgress({ loaded, total });
      },
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(request.headers);
  // PHP servers may refuse a body of unknown length. Browsers ignore the field.
  headers.set('Content-Length', String(total));
  return send(new Request(request, { headers, body: stream, duplex: 'half' } as RequestInit));
}

function sendByXhr(
  xhr: ProgressRequest,
  request: Request,
  body: Blob,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const abort = () => xhr.abort();
    const settle = (action: () => void) => () => {
      signal.removeEventListener('abort', abort);
      action();
    };
    xhr.open(request.method, request.url);
    request.headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    xhr.withCredentials = request.credentials === 'include';
    xhr.responseType = 'arraybuffer';
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    xhr.onload = settle(() => resolve(toResponse(xhr)));
    xhr.onerror = settle(() => reject(new TypeError('The network request failed.')));
    xhr.onabort = settle(() => reject(signal.reason as unknown));
    if (signal.aborted) {
      reject(signal.reason as unknown);
      return;
    }
    signal.addEventListener('abort', abort);
    xhr.send(body);
  });
}

function toResponse(xhr: ProgressRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // A response with one of these statuses must not have a body, not even an empty one.
  const body = [204, 205, 304].includes(xhr.status) ? null : xhr.response;
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers });
}
