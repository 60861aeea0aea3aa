import { boardSite, contentSite, type ExampleSite } from '../../src/example/index.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../src/json.ts';

export const SITE_URL = 'https://site.example.com/';

/** The example sites, by name. */
export const EXAMPLE_SITES: { readonly content: typeof contentSite; readonly boards: typeof boardSite } = {
  content: contentSite,
  boards: boardSite,
};

/** An example site, and a `fetch` that reaches it without a network. */
export interface FetchedSite {
  readonly site: ExampleSite;
  readonly fetch: typeof globalThis.fetch;
  /** Method, path and query of all requests so far. */
  readonly requests: string[];
  /** Credentials of an administrator. */
  readonly auth: { readonly user: string; readonly password: string };
}

/** @param hasSchemas whether the index and `OPTIONS` state response schemas; the sites of the seeds state none */
export function fetchExampleSite(name: keyof typeof EXAMPLE_SITES, hasSchemas: boolean): FetchedSite {
  const site = EXAMPLE_SITES[name]({ base: SITE_URL });
  const requests: string[] = [];
  const [user] = site.users;
  return {
    site,
    requests,
    auth: { user: user?.login ?? '', password: user?.password ?? '' },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return hasSchemas ? site.fetch(request) : fetchWithoutSchemas(site, request);
    },
  };
}

/** Responds as the site does, but for the schemas of its index. */
async function fetchWithoutSchemas(site: Pick<ExampleSite, 'fetch'>, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const response = await site.fetch(request);
  const isIndex = /rest_route=(?:%2F|\/)(?:&|$)/.test(search) || /^\/wp-json\/?$/.test(pathname);
  if (!isIndex || request.method !== 'GET' || !response.ok) return response;
  const body: unknown = await response.json();
  return Response.json(isJsonObject(body) ? withoutSchemas(body) : body, { headers: response.headers });
}

function withoutSchemas(index: JsonObject): Json {
  const routes = jsonMembers(index['routes']).map(([pattern, route]): [string, Json] => {
    if (!isJsonObject(route)) return [pattern, route];
    const { schema: _, ...rest } = route;
    return [pattern, rest];
  });
  return { ...index, routes: Object.fromEntries(routes) };
}
