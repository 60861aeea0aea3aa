import type { Json, JsonObject } from '../../src/base/json.ts';
import { readIndex } from '../../src/generator/discovery/read-index.ts';
import type { DiscoveredSite, SiteAddress } from '../../src/generator/discovery/site.ts';
import { type GeneratedDocument, toOpenApi } from '../../src/generator/openapi/index.ts';

export const PRETTY_ADDRESS: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** Endpoints of a route: methods only, or arguments by methods: `{ 'GET': {…args} , 'POST, PUT': {…args} }`. */
export type StubEndpoints = string | { readonly [methods: string]: JsonObject };

/** Creates a discovered site with the given routes, by reading a root index with them. */
export function createDiscoveredSite(
  routes: { readonly [pattern: string]: StubEndpoints },
  overrides: {
    readonly schemas?: JsonObject;
    readonly index?: JsonObject;
    readonly address?: SiteAddress;
  } = {},
): DiscoveredSite {
  const entries = Object.entries(routes).map(([pattern, endpoints]): [string, Json] => [
    pattern,
    {
      namespace: /^\/([\w.-]+\/v\d+)/.exec(pattern)?.[1] ?? '',
      endpoints: Object.entries(typeof endpoints === 'string' ? { [endpoints]: {} } : endpoints).map(
        ([methods, args]) => ({ methods: methods.replace(/#.*/, '').split(', '), args }),
      ),
      ...(overrides.schemas?.[pattern] === undefined ? {} : { schema: overrides.schemas[pattern] }),
    },
  ]);
  const raw = { name: 'A site', routes: Object.fromEntries(entries), ...overrides.index };
  return { address: overrides.address ?? PRETTY_ADDRESS, ...readIndex(raw) };
}

/** The document of the given routes, with its report. */
export const generateFor = (...site: Parameters<typeof createDiscoveredSite>): GeneratedDocument =>
  toOpenApi(createDiscoveredSite(...site));

/** The document of a root index, with its report. */
export const generateFrom = (index: unknown): GeneratedDocument =>
  toOpenApi({ address: PRETTY_ADDRESS, ...readIndex(index) });
