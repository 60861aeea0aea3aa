import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/base/json.ts';
import { readIndex } from '../../src/generator/discovery/read-index.ts';
import { toOpenApi } from '../../src/generator/openapi/index.ts';
import { startServer } from './server.ts';
import { shared } from './shared.ts';

/** Reads the root index recorded from WordPress 7.1 (133 routes, 208 endpoints); `help` also contains schemas. */
export function readRecordedIndex(kind: 'plain' | 'help' = 'plain'): Record<string, unknown> {
  const name = kind === 'help' ? 'wordpress-7.1-index-help' : 'wordpress-7.1-index';
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** Routes of {@link readSmallIndex}: of WordPress, of its batches, and of another namespace. */
const SMALL = /^\/(?:batch\/v1|oembed\/1\.0.*|wp\/v2(?:\/(?:posts|types)\b.*)?)?$/;

/** Reads a few routes of the recorded index: a gateway in front of them starts ten times as fast. */
export const readSmallIndex: () => Record<string, unknown> = shared(() => {
  const index = readRecordedIndex();
  const routes = Object.entries(Object(index['routes'])).filter(([route]) => SMALL.test(route));
  return { ...index, routes: Object.fromEntries(routes) };
});

/** The document of a root index, for a site at any address: a gateway that has it starts without discovery. */
export function documentOf(rawIndex: object): JsonObject {
  const { index, diagnostics } = readIndex(rawIndex);
  const address = { base: './', root: './wp-json/', spelling: 'pretty', prefix: 'wp-json' } as const;
  return toOpenApi({ address, index, diagnostics }).document;
}

/** The document of {@link readSmallIndex}. */
export const createSmallDocument: () => JsonObject = shared(() => documentOf(readSmallIndex()));

/** What the only editor of a stub site sends. */
export const EDITOR = {
  cookie: 'wordpress_logged_in_1=editor',
  authorization: 'Basic ZWRpdG9yOnBhc3M=',
} as const;

/** Cookie of somebody who is logged in and may not edit. */
export const MEMBER = 'wordpress_logged_in_1=member';

/** By cookie: `wp_create_nonce('wp_rest')`. */
const NONCES: Readonly<Record<string, string>> = { [EDITOR.cookie]: '0123456789', [MEMBER]: '9876543210' };

/** Options of a stub site. */
export interface StubSiteOptions {
  /** The root index: a value, or a function that is called for each request. @default {@link readSmallIndex} */
  readonly index?: unknown | (() => unknown);
  /** The root index with `context=help`; `null` responds with status 400. @default the value of `index` */
  readonly helpIndex?: unknown;
  /** Path of the front page. @default '/' */
  readonly folder?: string;
  /** Path segment of pretty REST URLs below the folder; `null` for plain permalinks. @default 'wp-json' */
  readonly prefix?: string | null;
  /** Whether every response links to the root index in a `Link` field; a string replaces the field's value. @default true */
  readonly linkHeader?: boolean | string;
  /** HTML of every page. @default a small page */
  readonly pageHtml?: string;
  /** Called first for each request. Returns true if it has responded. */
  readonly intercept?: (request: StubRequest, response: ServerResponse) => boolean | undefined;
  /**
   * Creates the response of a route other than `/`; `undefined` responds with WordPress's `rest_no_route`. `OPTIONS`
   * requests are responded to from `help`.
   */
  readonly respond?: (request: StubRequest) => StubResponse | undefined;
}

/** A request that a stub site received. */
export interface StubRequest {
  readonly method: string;
  /** Path and query, unchanged. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** REST route, in whichever spelling the URL has; `undefined` for other URLs. */
  readonly route: string | undefined;
  readonly query: URLSearchParams;
}

/** A response that a stub site sends as JSON. */
export interface StubResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A running stub site. */
export interface StubSite {
  readonly origin: string;
  /** URL of the front page. */
  readonly url: string;
  /** URL of the root index, as the site links to it. */
  readonly rootUrl: string;
  /** All requests so far. */
  readonly requests: readonly StubRequest[];
  readonly close: () => Promise<void>;
}

/**
 * Starts a site on the loopback interface with a root index in three spellings. For discovery it behaves like WordPress.
 * The options make it deviate.
 */
export async function startStubSite(options: StubSiteOptions = {}): Promise<StubSite> {
  const { folder = '/', prefix = 'wp-json', linkHeader = true } = options;
  const requests: StubRequest[] = [];
  const rootPath = prefix === null ? `${folder}index.php?rest_route=/` : `${folder}${prefix}/`;
  const { close, origin } = await startServer((incoming, response) => {
    const request = parseStubRequest(incoming, folder, prefix);
    requests.push(request);
    if (answerUser(request, response, folder)) return;
    if (options.intercept?.(request, response) === true) return;
    const root = `http://${incoming.headers.host}${rootPath}`;
    if (linkHeader !== false) {
      response.setHeader(
        'Link',
        typeof linkHeader === 'string' ? linkHeader : `<${root}>; rel="https://api.w.org/"`,
      );
    }
    if (request.route === undefined) return sendPage(request, response, options);
    sendJson(response, createApiResponse(request, request.route, options));
  });
  return { origin, url: origin + folder, rootUrl: origin + rootPath, requests, close };
}

/** Responds with the nonce of somebody who is logged in, and with what only editors can read by the REST API. */
function answerUser(
  { headers, method, query, route, url }: StubRequest,
  response: ServerResponse,
  folder: string,
): boolean {
  const [, nonce] = Object.entries(NONCES).find(([each]) => headers.cookie?.includes(each) === true) ?? [];
  const isForEditors = route === '/wp/v2/types' && query.get('context') === 'edit';
  const isOfNonce = url === `${folder}wp-admin/admin-ajax.php?action=rest-nonce`;
  if (method !== 'GET' || !(isForEditors || isOfNonce)) return false;
  if (isOfNonce) response.writeHead(nonce === undefined ? 400 : 200).end(nonce ?? '0');
  else if (
    headers.authorization === EDITOR.authorization ||
    (nonce === NONCES[EDITOR.cookie] && headers['x-wp-nonce'] === nonce)
  )
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  else response.writeHead(401).end('{"code":"rest_cannot_view"}');
  return true;
}

export function createWordPressError(status: number, code: string, message: string): StubResponse {
  return { status, body: { code, message, data: { status } } };
}

function parseStubRequest(incoming: IncomingMessage, folder: string, prefix: string | null): StubRequest {
  const { method = 'GET', url = '/', headers } = incoming;
  const [path = '', search = ''] = url.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  return { method, url, headers, query, route: parseRoute(path, query, folder, prefix) };
}

/** Returns the route of a request. WordPress accepts `rest_route` on any path; the pretty path is rewritten to it. */
function parseRoute(
  path: string,
  query: URLSearchParams,
  folder: string,
  prefix: string | null,
): string | undefined {
  if (!path.startsWith(folder)) return undefined;
  const plainRoute = query.get('rest_route');
  const below = `${folder}${prefix}`;
  const isPretty = prefix !== null && (path === below || path.startsWith(`${below}/`));
  const route = plainRoute || (isPretty ? path.slice(below.length) : undefined);
  return route === undefined ? undefined : `/${route.replace(/^\/|[/\\]+$/g, '')}`;
}

function sendPage(
  request: StubRequest,
  response: ServerResponse,
  { folder = '/', pageHtml }: StubSiteOptions,
): void {
  const isHere = request.url.startsWith(folder) && !/wp-json|\.php/.test(request.url);
  response.writeHead(isHere ? 200 : 404, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(
    pageHtml ?? `<!DOCTYPE html><html><head><title>${isHere ? 'A site' : 'Not found'}</title></head></html>`,
  );
}

function createApiResponse(request: StubRequest, route: string, options: StubSiteOptions): StubResponse {
  const { index = readSmallIndex } = options;
  const plainIndex = (): unknown => (typeof index === 'function' ? index() : index);
  const describedIndex = (): unknown => (options.helpIndex === undefined ? plainIndex() : options.helpIndex);
  if (request.method === 'OPTIONS') return { body: describeRoute(route, describedIndex()) };
  if (route === '/') {
    if (request.query.get('context') !== 'help') return { body: plainIndex() };
    if (options.helpIndex !== null) return { body: describedIndex() };
    return createWordPressError(400, 'rest_invalid_param', 'Invalid parameter(s): context');
  }
  return (
    options.respond?.(request) ??
    createWordPressError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  );
}

/** Describes the first route that matches, like `rest_handle_options_request`. */
function describeRoute(route: string, index: unknown): unknown {
  const routes = Object.entries((index as { routes?: Record<string, unknown> }).routes ?? {});
  return (
    routes.find(([pattern]) => new RegExp(`^${pattern.replaceAll('(?P<', '(?<')}$`, 'i').test(route))?.[1] ??
    []
  );
}

function sendJson(response: ServerResponse, { status = 200, headers = {}, body }: StubResponse): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
}
