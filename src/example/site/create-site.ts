import { Hono } from 'hono';
import type { Json } from '../../json.ts';
import { createInternalRequest, type RestRequest } from '../../rest-server/declarations.ts';
import { batchRoute, dispatch, type ServerContext } from '../../rest-server/dispatch.ts';
import { embedLinks, parseEmbed } from '../../rest-server/representation.ts';
import {
  authenticate,
  isRouteMismatch,
  parseRequestBody,
  parseRequestTarget,
  type RequestTarget,
  readRequestBytes,
  resolveMethod,
  resolveRoute,
} from '../../rest-server/request.ts';
import {
  createCallbackErrorResponse,
  errorResponse,
  type RestResponse,
  type WriteContext,
  wrapInEnvelope,
  writeResponse,
} from '../../rest-server/responses.ts';
import {
  createNamespaceIndexAdder,
  createRootIndexRoute,
  createRouteRegistry,
} from '../../rest-server/routes.ts';
import type { ExampleSiteOptions, SiteDefinition } from './definition.ts';
import { oembedNamespace } from './oembed.ts';
import { servePage } from './pages.ts';
import { createSeededRandom } from './random.ts';
import type { DemoUser } from './users.ts';

/** The clock of a site. It follows the system time until it is set. */
export interface SiteClock {
  now(): Date;
  /** Stops the clock at a time. `null` returns it to the system time. */
  set(time: Date | null): void;
  /** Moves a running or stopped clock forward. */
  advance(milliseconds: number): void;
}

/** Creates a clock that follows `systemClock` until it is set. */
function createSiteClock(systemClock: () => number = Date.now): SiteClock {
  let stoppedAt: number | null = null;
  let offset = 0;
  return {
    now: () => new Date(stoppedAt ?? systemClock() + offset),
    set(time) {
      stoppedAt = time === null ? null : time.getTime();
      offset = 0;
    },
    advance(milliseconds) {
      if (stoppedAt === null) offset += milliseconds;
      else stoppedAt += milliseconds;
    },
  };
}

interface HandlerOptions {
  /** The delay of each REST response, in milliseconds. */
  readonly latency: number;
  /** The size limit of a request body, in bytes. */
  readonly bodyLimit: number;
  /** The URL of the site in links; `undefined` uses the origin of the request. */
  readonly base: string | undefined;
}

/** Creates the request handler of a site: REST routes, pages and files. */
function createRequestHandler<State>(
  definition: SiteDefinition<State>,
  context: ServerContext<State>,
  { latency, bodyLimit, base: fixedBase }: HandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const base = fixedBase ?? url.origin;
    const target = parseRequestTarget(url);
    const requestMethod = request.method;
    const method = resolveMethod(requestMethod, target.query, request.headers);
    const bytes = await readRequestBytes(request, bodyLimit);
    const parsedBody =
      'kind' in bytes
        ? null
        : await parseRequestBody(bytes, request.headers.get('content-type'), { requestMethod, method });
    const form = requestMethod === 'POST' && parsedBody !== null ? parsedBody.form : new Map<string, Json>();
    if (isRouteMismatch(target, form)) return mismatchResponse();
    const route = resolveRoute(target, form);
    if (route === null)
      return servePage(definition, url, { base, state: context.state(), now: context.now() });

    const authentication = authenticate(request.headers.get('authorization'), definition.users);
    const restRequest: RestRequest = {
      method,
      route,
      query: target.query,
      form: new Map(),
      json: new Map(),
      body: null,
      files: [],
      ...parsedBody,
      headers: request.headers,
      user: authentication.ok ? authentication.user : null,
      base,
    };
    const jsonp = parseJsonpCallback(target);
    const writeContext: WriteContext = {
      request: restRequest,
      requestMethod,
      isMethodOverridden: method !== requestMethod && !target.query.has('_method'),
      jsonp: jsonp ?? undefined,
    };
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    if (jsonp === null) return createCallbackErrorResponse(base);
    if ('kind' in bytes) return writeResponse(errorResponse(bytes), writeContext);
    const response = authentication.ok
      ? await dispatch(context, restRequest)
      : errorResponse(authentication.error);
    return writeResponse(await applyEmbedAndEnvelope(context, restRequest, response), writeContext);
  };
}

/** Parses `_jsonp`: `undefined` if it is absent, `null` if it is not a function name (wp_check_jsonp_callback). */
function parseJsonpCallback({ query }: RequestTarget): string | undefined | null {
  const name = query.get('_jsonp');
  if (name === undefined || name === '') return undefined;
  return typeof name === 'string' && /^[\w.]+$/.test(name) ? name : null;
}

/** Applies `_embed` and `_envelope`. WordPress reads them from the query only. */
async function applyEmbedAndEnvelope<State>(
  context: ServerContext<State>,
  restRequest: RestRequest,
  response: RestResponse,
): Promise<RestResponse> {
  const { query } = restRequest;
  const embedParam = query.get('_embed');
  const body =
    embedParam === undefined || response.raw !== undefined
      ? response.body
      : await embedLinks(response.body, parseEmbed(embedParam), (href) =>
          fetchInternally(context, restRequest, href),
        );
  if (!query.has('_envelope')) return { ...response, body };
  return { status: 200, headers: new Map(), body: wrapInEnvelope(response, body) };
}

/** Fetches a link to the site's own REST API for the user of the outer request, in the context `embed`. */
async function fetchInternally<State>(
  context: ServerContext<State>,
  outer: RestRequest,
  href: string,
): Promise<Json | null> {
  if (!href.startsWith(`${outer.base}/`)) return null;
  const target = parseRequestTarget(new URL(href));
  const route = resolveRoute(target, new Map());
  if (route === null) return null;
  const query = new Map([...target.query].filter(([name]) => name !== 'rest_route'));
  if (!query.has('context')) query.set('context', 'embed');
  const response = await dispatch(context, createInternalRequest(outer, { method: 'GET', route, query }));
  return response.body;
}

function mismatchResponse(): Response {
  return new Response('A variable mismatch has been detected.\n', {
    status: 400,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
  });
}

/** An example site: a Hono app. Serve its `fetch`, or call `request()`. */
export type ExampleSite = Hono & {
  readonly users: readonly DemoUser[];
  readonly clock: SiteClock;
  /** Creates the data again from the same seed and returns the clock to the system time. */
  reset(): void;
};

/** An example site with access to its data. */
export type InspectableSite<State> = ExampleSite & {
  /** The current data. `reset()` replaces it. */
  state(): State;
};

const MEBIBYTE = 1024 * 1024;

/**
 * Creates a site from its definition and adds the routes that every WordPress site has: the indexes of the root and of
 * the namespaces, batch and oEmbed.
 *
 * ```ts
 * const site = createSite(definition, { seed: 7 });
 * const index = await site.request('/index.php?rest_route=/');
 * ```
 */
export function createSite<State>(
  definition: SiteDefinition<State>,
  options: ExampleSiteOptions = {},
): InspectableSite<State> {
  const { seed = 1 } = options;
  const clock = createSiteClock();
  const createState = (): State => definition.createState({ seed, random: createSeededRandom(seed) });
  let state = createState();

  const addNamespaceIndex = createNamespaceIndexAdder(definition, () => context.registry);
  const declarations = [oembedNamespace(definition), ...definition.declarations].map(addNamespaceIndex);
  const serverRoutes = [
    createRootIndexRoute(definition, () => context.registry),
    batchRoute<State>(() => context),
  ];
  const context: ServerContext<State> = {
    registry: createRouteRegistry(definition.namespaces, serverRoutes, declarations),
    state: () => state,
    now: () => clock.now(),
    onError: options.onError ?? (() => undefined),
  };

  const handleRequest = createRequestHandler(definition, context, {
    latency: options.latency ?? 0,
    bodyLimit: options.bodyLimit ?? 64 * MEBIBYTE,
    base: options.base?.replace(/\/+$/, ''),
  });
  const app = new Hono();
  app.all('*', (context) => handleRequest(context.req.raw));
  return Object.assign(app, {
    users: definition.users,
    clock,
    state: () => state,
    reset() {
      state = createState();
      clock.set(null);
    },
  });
}
