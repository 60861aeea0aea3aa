import { Hono } from 'hono';
import { batchRoute } from './batch.ts';
import type { SiteClock } from './clock.ts';
import { createSiteClock } from './clock.ts';
import type { ExampleSiteOptions, SiteDefinition } from './definition.ts';
import type { ServerContext } from './dispatch.ts';
import { createRequestHandler } from './handle-request.ts';
import { createNamespaceIndexAdder, createRootIndexRoute } from './index-routes.ts';
import { oembedNamespace } from './oembed.ts';
import { createSeededRandom } from './random.ts';
import { createRouteRegistry } from './route-registry.ts';
import type { DemoUser } from './users.ts';

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
