import { Hono } from 'hono';
import { batchRoute } from './batch.ts';
import { createClock } from './clock.ts';
import type { SiteClock, SiteDefinition, SiteOptions } from './definition.ts';
import type { Ground } from './dispatch.ts';
import { oembedNamespace } from './oembed.ts';
import { createRandom } from './random.ts';
import { createRegistry } from './registry.ts';
import { createServer } from './serve.ts';
import { namespaceIndex, rootIndex } from './server-routes.ts';
import type { DemoUser } from './users.ts';

/** A running example site: a Hono app, to be served or asked with `request()`. */
export type Site<State> = Hono & {
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
export function createSite<State>(definition: SiteDefinition<State>, options: SiteOptions = {}): Site<State> {
  const { seed = 1 } = options;
  const clock = createClock();
  const makeState = (): State => definition.createState({ seed, random: createRandom(seed) });
  let state = makeState();

  const withIndex = namespaceIndex(definition, () => ground.registry);
  const declarations = [oembedNamespace(definition), ...definition.declarations].map(withIndex);
  const server = [rootIndex(definition, () => ground.registry), batchRoute<State>(() => ground)];
  const ground: Ground<State> = {
    registry: createRegistry(definition.namespaces, server, declarations),
    state: () => state,
    now: () => clock.now(),
    onFault: options.onFault ?? (() => undefined),
  };

  const serve = createServer(definition, ground, {
    latency: options.latency ?? 0,
    bodyLimit: options.bodyLimit ?? 64 * MEBIBYTE,
    base: options.base?.replace(/\/+$/, ''),
  });
  const app = new Hono();
  app.all('*', (context) => serve(context.req.raw));
  return Object.assign(app, {
    users: definition.users,
    clock,
    state: () => state,
    reset() {
      state = makeState();
      clock.set(null);
    },
  });
}
