import type { Hono } from 'hono';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, jsonMembers } from '../../../src/base/json.ts';
import { type ReconcileReport, reconcile } from '../../../src/generator/reconcile/index.ts';
import { boardSite, contentSite, DEMO_USERS } from '../../../src/sites/example/index.ts';

const SITE_URL = 'https://site.example.com/';

// The indexes state no schemas, as the seeds show the sites.
describe.each([
  ['content', contentSite],
  ['boards', boardSite],
])('a copy of %s, whose index has no schemas', (_, createSite) => {
  let report: ReconcileReport;
  beforeAll(async () => {
    const site = createSite();
    const [user] = DEMO_USERS;
    ({ report } = await reconcile(SITE_URL, {
      auth: { user: user?.login ?? '', password: user?.password ?? '' },
      fetch: (input, init) => fetchWithoutSchemas(site, new Request(input, init)),
      maxRequests: 1000,
    }));
  }, 60_000);

  test('has described responses of every read operation of which an item is found', () => {
    const silent = report.untyped.filter(({ method }) => method === 'GET');
    expect(silent.filter(({ reason }) => !/^(?:no-item-known|4\d\d)$/.test(reason))).toEqual([]);
    expect(silent.length).toBeLessThanOrEqual(6);
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(responses).toBeGreaterThan(50);
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    expect(report.remaining).toEqual([]);
  });
});

/** Responds as the site does, but for the schemas of its index. */
async function fetchWithoutSchemas(site: Pick<Hono, 'fetch'>, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const response = await site.fetch(request);
  const isIndex = /rest_route=(?:%2F|\/)(?:&|$)/.test(search) || /^\/wp-json\/?$/.test(pathname);
  if (!isIndex || request.method !== 'GET' || !response.ok) return response;
  const index: unknown = await response.json();
  if (!isJsonObject(index)) return Response.json(index, { headers: response.headers });
  const routes = jsonMembers(index['routes']).map(([pattern, route]) => {
    const { schema: _, ...rest } = Object(route);
    return [pattern, rest];
  });
  return Response.json({ ...index, routes: Object.fromEntries(routes) }, { headers: response.headers });
}
