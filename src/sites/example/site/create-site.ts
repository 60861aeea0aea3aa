import { Hono } from 'hono';
import { auth } from 'hono/utils/basic-auth';
import type { Json } from '../../../base/json.ts';
import { EMPTY_REQUEST, type RestRequest, type RestResponse } from '../../rest-server/declarations.ts';
import { representResponse } from '../../rest-server/representation.ts';
import {
  authenticate,
  EMPTY_BODY,
  parseRequestBody,
  parseRequestTarget,
  readClientBase,
  readRequestBytes,
  resolveMethod,
} from '../../rest-server/request.ts';
import { errorResponse, writeResponse } from '../../rest-server/responses.ts';
import { RestServer } from '../../rest-server/server.ts';
import type { ExampleSiteOptions, SiteDefinition } from './definition.ts';
import { servePage } from './pages.ts';
import type { DemoUser } from './users.ts';

/** The clock of a site, by default the system's. */
export interface SiteClock {
  now(): Date;
  /** `null` returns to the system time. */
  set(time: Date | null): void;
}

function createSiteClock(): SiteClock {
  let stoppedAt: Date | null = null;
  return {
    now: () => new Date(stoppedAt ?? Date.now()),
    set(time) {
      stoppedAt = time;
    },
  };
}

/** A Hono app: serve its `fetch`, or call `request()`. */
export type ExampleSite = Hono & {
  readonly users: readonly DemoUser[];
  readonly clock: SiteClock;
  /** Recreates the data from the seed and returns to the system time. */
  reset(): void;
};

export type InspectableSite<State> = ExampleSite & {
  /** Current data; `reset()` replaces it. */
  state(): State;
};

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Creates a site with the routes that every WordPress site has: indexes and batch.
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
  const { seed = 1, onError = () => undefined } = options;
  const clock = createSiteClock();
  let state = definition.createState(seed);
  const server = new RestServer<State>({
    identity: definition,
    declarations: definition.declarations,
    state: () => state,
    now: () => clock.now(),
    onError,
  });

  async function handleRequest(request: Request): Promise<Response> {
    const { headers, method: requestMethod } = request;
    const url = new URL(request.url);
    const base = options.base?.replace(/\/+$/, '') ?? readClientBase(headers) ?? url.origin;
    const { route, query } = parseRequestTarget(url);
    const method = resolveMethod(requestMethod, query, headers);
    const bytes = await readRequestBytes(request, MAX_BODY_BYTES);
    const body =
      'kind' in bytes
        ? EMPTY_BODY
        : await parseRequestBody(bytes, headers.get('content-type'), { requestMethod, method });
    if (route === null) {
      return servePage(definition, url, { base, state, now: clock.now(), headers, form: body.form });
    }
    const user = authenticate(auth(request), definition.users);
    const restRequest: RestRequest = {
      ...{ ...EMPTY_REQUEST, ...body, method, route, query, headers, base },
      user: user === null || 'kind' in user ? null : user,
    };
    const respond = async (): Promise<RestResponse> => {
      if ('kind' in bytes) return errorResponse(bytes);
      return user !== null && 'kind' in user ? errorResponse(user) : server.dispatch(restRequest);
    };
    const represented = await representResponse(await respond(), query, (href) =>
      fetchInternally(server, restRequest, href),
    );
    return writeResponse(represented, restRequest, requestMethod);
  }

  const app = new Hono();
  app.all('*', (context) => handleRequest(context.req.raw));
  return Object.assign(app, {
    users: definition.users,
    clock,
    state: () => state,
    reset() {
      state = definition.createState(seed);
      clock.set(null);
    },
  });
}

/** Fetches a link to the site's own REST API for the user of the outer request, as an embed. */
async function fetchInternally<State>(
  server: RestServer<State>,
  { base, user }: RestRequest,
  href: string,
): Promise<Json | null> {
  const target = href.startsWith(`${base}/`)
    ? parseRequestTarget(new URL(href.slice(base.length), base))
    : undefined;
  if (target === undefined || target.route === null) return null;
  const query = new Map([...target.query].filter(([name]) => name !== 'rest_route'));
  if (!query.has('context')) query.set('context', 'embed');
  return (await server.dispatch({ ...EMPTY_REQUEST, base, user, route: target.route, query })).body;
}
