import { readIndex } from '../../src/discovery/read-index.ts';
import type { DiscoveredSite, SiteAddress } from '../../src/discovery/site.ts';
import type { Json, JsonObject } from '../../src/json.ts';

export const PRETTY: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** Endpoints of a route: methods only, or arguments by methods: `{ 'GET': {…args} , 'POST, PUT': {…args} }`. */
export type StubEndpoints = string | { readonly [methods: string]: JsonObject };

/** Creates a discovered site with the given routes, by reading a root index with them. */
export function createSite(
  routes: { readonly [pattern: string]: StubEndpoints },
  more: { readonly schemas?: JsonObject; readonly index?: JsonObject; readonly address?: SiteAddress } = {},
): DiscoveredSite {
  const entries = Object.entries(routes).map(([pattern, endpoints]): [string, Json] => [
    pattern,
    {
      namespace: /^\/([\w.-]+\/v\d+)/.exec(pattern)?.[1] ?? '',
      endpoints: Object.entries(typeof endpoints === 'string' ? { [endpoints]: {} } : endpoints).map(
        ([methods, args]) => ({ methods: methods.replace(/#.*/, '').split(', '), args }),
      ),
      ...(more.schemas?.[pattern] === undefined ? {} : { schema: more.schemas[pattern] }),
    },
  ]);
  const raw = { name: 'A site', routes: Object.fromEntries(entries), ...more.index };
  return { address: more.address ?? PRETTY, ...readIndex(raw) };
}
