import { type HttpHandler, HttpResponse, http } from 'msw';
import { PATTERNS } from './operations.ts';
import type { RequestData, RequestError, RequestMethod, RequestPath } from './typed.ts';

/** What responds as the site would: `createMock(document)` of waygate, or another server. */
export interface MockServer {
  fetch(request: Request): Response | Promise<Response>;
}

/** A value with some of its members. The mock supplies the others. */
export type Override<Value> = Value extends readonly (infer Item)[]
  ? readonly Override<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Override<Value[Key]> }
    : Value;

/** A request for which a reply is created. */
export interface MockedRequest<Data> {
  readonly request: Request;
  /** The values of the path template. */
  readonly params: Readonly<Record<string, string>>;
  /** Returns what the mock responds. */
  mocked(): Promise<Data>;
}

/** The data of a response, or a function that creates it, or a response of its own. */
export type Reply<Data> =
  | Override<Data>
  | ((request: MockedRequest<Data>) => Override<Data> | Response | Promise<Override<Data> | Response>);

type Replier = (request: MockedRequest<never>) => unknown;

/** An error of the site. */
export interface MockedError<Code extends string> {
  readonly code: Code;
  readonly message?: string;
  /** @default 400 */
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Handlers of the site for `setupServer` and `setupWorker`. */
export interface SiteHandlers {
  /** The mock responds to each request below the REST root. */
  readonly handlers: readonly HttpHandler[];
  /** A handler of one operation. Members that the reply leaves out are those of the mock, in each item of a list too. */
  on<Method extends RequestMethod, Path extends RequestPath<Method>>(
    method: Method,
    path: Path,
    reply: Reply<RequestData<Method, Path>>,
  ): HttpHandler;
  /** A handler of one operation that responds with an error. */
  fail<Method extends RequestMethod, Path extends RequestPath<Method>>(
    method: Method,
    path: Path,
    error: MockedError<RequestError<Method, Path>['code']>,
  ): HttpHandler;
}

/**
 * Creates handlers of the site for Mock Service Worker.
 *
 * @param baseUrl the REST root that the client has, with its host: `http://localhost/wp-json`
 * @param mock what responds: `createMock(document)` of waygate keeps what is created, changed and deleted
 */
export function createHandlers(baseUrl: string, mock: MockServer): SiteHandlers {
  const root = baseUrl.replace(/\/+$/, '');

  /** @param pattern matches the rest of the URL after the REST root, without the query */
  function handle(
    method: 'all' | Lowercase<RequestMethod>,
    pattern: string,
    respond: (request: Request, values: readonly string[]) => Promise<Response>,
  ): HttpHandler {
    const url = new RegExp(`^${escapeText(root)}${pattern}$`, 'u');
    return http[method](url, ({ request }) => {
      const [, ...values] = url.exec(request.url.replace(/[?#].*/, '')) ?? [];
      return respond(request, values.map(decodeURIComponent));
    });
  }

  return {
    handlers: [handle('all', '(?:/.*)?', async (request) => mock.fetch(request.clone()))],
    on(method, path, reply) {
      const [pattern, names] = toPattern(path);
      return handle(lower(method), pattern, async (request, values) => {
        const params = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
        const response = await mock.fetch(request.clone());
        const data: unknown = response.ok
          ? await response
              .clone()
              .json()
              .catch(() => null)
          : null;
        const given: unknown =
          typeof reply === 'function'
            ? await (reply as Replier)({ request, params, mocked: async () => data as never })
            : reply;
        if (given instanceof Response) return given;
        const merged = merge(data, given);
        // Totals of the mock would contradict a list of another length.
        const headers: Record<string, string> = Array.isArray(merged)
          ? { 'X-WP-Total': `${merged.length}`, 'X-WP-TotalPages': '1' }
          : {};
        return HttpResponse.json(merged as never, { status: response.ok ? response.status : 200, headers });
      });
    },
    fail(method, path, { code, message = code, status = 400, data }) {
      const body = { code, message, data: { ...data, status } };
      return handle(lower(method), toPattern(path)[0], async () => HttpResponse.json(body, { status }));
    },
  };
}

function lower(method: RequestMethod): Lowercase<RequestMethod> {
  return method.toLowerCase() as Lowercase<RequestMethod>;
}

function escapeText(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** A pattern of the paths of a template, and the names of its groups. */
function toPattern(template: string): readonly [pattern: string, names: readonly string[]] {
  const parts = template.split(/\{([^{}]*)\}/);
  const pattern = parts.map((part, at) => (at % 2 === 0 ? escapeText(part) : '([^/]+)')).join('');
  return [PATTERNS[template] ?? pattern, parts.filter((_, at) => at % 2 === 1)];
}

/** The value of the mock with the members of another. Items of a list that the mock does not have are like its first. */
function merge(mocked: unknown, given: unknown): unknown {
  if (Array.isArray(given)) {
    const items: readonly unknown[] = Array.isArray(mocked) ? mocked : [];
    return given.map((item, at) => merge(items[at] ?? items[0], item));
  }
  if (!isRecord(given) || !isRecord(mocked)) return given;
  const members = Object.entries(given).map(([name, value]) => [name, merge(mocked[name], value)]);
  return { ...mocked, ...Object.fromEntries(members) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
