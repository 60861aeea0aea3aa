import { Hono } from 'hono';
import { batchRoute } from './batch.ts';
import { createSiteClock } from './clock.ts';
import type { ExampleSiteOptions, SiteClock, SiteDefinition } from './definition.ts';
import type { ServerContext } from './dispatch.ts';
import { oembedNamespace } from './oembed.ts';
import { createSeededRandom } from './random.ts';
import { createRouteRegistry } from './route-registry.ts';
import { createRequestHandler } from './handle-request.ts';
import { createNamespaceIndexAdder, createRootIndexRoute } from './index-routes.ts';
import type { DemoUser } from './users.ts';

/** A running example site: a Hono app, to be served or asked with `request()`. */
export type RunningSite<State> = Hono & {
  readonly users: readonly DemoUser[];
  readonly clock: SiteClock;
  /** What the site holds now. */
  state(): State;
  /** Makes the state anew, from the same seed, and lets the clock run as the computer's. */
  reset(): void;
};

const MEBIBYTE = 1024 * 1024;

/**
 * A small server of WordPress's kind from declarations: its index, namespaces, batch and oEmbed routes are made here.
 *
 * ```ts
 * const site = createSite(definition, { seed: 7 });
 * const index = await site.request('/index.php?rest_route=/');
 * ```
 */
export function createSite<State>(
  definition: SiteDefinition<State>,
  options: ExampleSiteOptions = {},
): RunningSite<State> {
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
