import { Hono } from 'hono';
import { auth } from 'hono/utils/basic-auth';
import type { Json } from '../../json.ts';
import { EMPTY_REQUEST, type RestRequest } from '../../rest-server/declarations.ts';
import { representResponse } from '../../rest-server/representation.ts';
import {
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
  type WriteContext,
  writeResponse,
} from '../../rest-server/responses.ts';
import { RestServer } from '../../rest-server/server.ts';
import { Accounts, AUTHORIZATION_PATH, serveAuthorizationPage } from './authorization-page.ts';
import type { ExampleSiteOptions, SiteDefinition } from './definition.ts';
import { oembedNamespace } from './oembed.ts';
import { findPage, writePage } from './pages.ts';
import { SeededRandom } from './random.ts';
import type { DemoUser } from './users.ts';

/** The clock of a site. It follows the system time until it is set. */
export interface SiteClock {
  now(): Date;
  /** Stops the clock at a time. `null` returns it to the system time. */
  set(time: Date | null): void;
  /** Moves a running or stopped clock forward. */
  advance(milliseconds: number): void;
}

function createSiteClock(): SiteClock {
  let stoppedAt: number | null = null;
  let offset = 0;
  return {
    now: () => new Date(stoppedAt ?? Date.now() + offset),
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

interface SiteHandler<State> {
  readonly definition: SiteDefinition<State>;
  readonly server: RestServer<State>;
  readonly state: () => State;
  readonly now: () => Date;
  readonly accounts: () => Accounts;
  readonly options: ExampleSiteOptions;
}

/** Handles a request for a REST route, a page or a file. */
async function handleRequest<State>(site: SiteHandler<State>, request: Request): Promise<Response> {
  const { definition, server, options } = site;
  const { latency = 0, bodyLimit = 64 * MEBIBYTE } = options;
  const url = new URL(request.url);
  const base = options.base?.replace(/\/+$/, '') ?? url.origin;
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
  const user = site.accounts().authenticate(auth(request));
  const refusal = user !== null && 'kind' in user ? user : undefined;
  const restRequest: RestRequest = {
    ...EMPTY_REQUEST,
    ...parsedBody,
    method,
    route: route ?? '/',
    query: target.query,
    headers: request.headers,
    user: user !== null && 'kind' in user ? null : user,
    base,
  };
  if (route === null) {
    const { headers } = request;
    const authorization = {
      siteName: definition.name,
      base,
      headers,
      query: url.searchParams,
      form: requestMethod === 'POST' ? form : null,
      accounts: site.accounts(),
      users: definition.users,
    };
    const page =
      url.pathname === AUTHORIZATION_PATH
        ? serveAuthorizationPage(authorization)
        : findPage(definition, url, { base, state: site.state(), now: site.now(), headers });
    return writePage(page, base);
  }
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
  const response = refusal === undefined ? await server.dispatch(restRequest) : errorResponse(refusal);
  const represented = await representResponse(response, target.query, (href) =>
    fetchInternally(server, restRequest, href),
  );
  return writeResponse(represented, writeContext);
}

/** Parses `_jsonp`: `undefined` if it is absent, `null` if it is not a function name (wp_check_jsonp_callback). */
function parseJsonpCallback({ query }: RequestTarget): string | undefined | null {
  const name = query.get('_jsonp');
  if (name === undefined || name === '') return undefined;
  return typeof name === 'string' && /^[\w.]+$/.test(name) ? name : null;
}

/** Fetches a link to the site's own REST API for the user of the outer request, in the context `embed`. */
async function fetchInternally<State>(
  server: RestServer<State>,
  outer: RestRequest,
  href: string,
): Promise<Json | null> {
  if (!href.startsWith(`${outer.base}/`)) return null;
  const target = parseRequestTarget(new URL(href));
  const route = resolveRoute(target, new Map());
  if (route === null) return null;
  const query = new Map([...target.query].filter(([name]) => name !== 'rest_route'));
  if (!query.has('context')) query.set('context', 'embed');
  const { base, user } = outer;
  return (await server.dispatch({ ...EMPTY_REQUEST, base, user, route, query })).body;
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
  const createState = (): State => definition.createState({ seed, random: new SeededRandom(seed) });
  let state = createState();
  const createAccounts = (): Accounts => new Accounts(definition.users, new SeededRandom(seed));
  let accounts = createAccounts();

  const now = (): Date => clock.now();
  const server = new RestServer<State>({
    identity: definition,
    declarations: [oembedNamespace(definition), ...definition.declarations],
    state: () => state,
    now,
    onError: options.onError ?? (() => undefined),
  });
  const handler: SiteHandler<State> = {
    definition,
    server,
    state: () => state,
    now,
    accounts: () => accounts,
    options,
  };
  const app = new Hono();
  app.all('*', (context) => handleRequest(handler, context.req.raw));
  return Object.assign(app, {
    users: definition.users,
    clock,
    state: () => state,
    reset() {
      state = createState();
      accounts = createAccounts();
      clock.set(null);
    },
  });
}
