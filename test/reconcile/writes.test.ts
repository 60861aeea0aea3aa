import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ReconcileResult, reconcile } from '../../src/reconcile/index.ts';
import { type StubResponse, type StubSite, startStubSite } from '../support/stub-site.ts';

const route = (pattern: string, ...methods: readonly string[]): [string, object] => {
  const args = {
    title: { type: 'string', required: true },
    cafe_id: { type: 'integer' },
    seats: { type: 'string', readonly: true },
  };
  const endpoints = methods.map((method) => ({
    methods: [method],
    args: method === 'POST' || method === 'PUT' ? args : {},
  }));
  return [pattern, { namespace: pattern.split('/').slice(1, 3).join('/'), methods, endpoints }];
};

const INDEX = {
  name: 'A site with a plugin',
  namespaces: ['wp/v2', 'tables/v1'],
  routes: Object.fromEntries([
    route('/tables/v1/tables', 'GET', 'POST'),
    route('/tables/v1/tables/(?P<id>\\d+)', 'GET', 'PUT', 'DELETE'),
    route('/tables/v1/tables/(?P<id>\\d+)/close', 'POST', 'DELETE'),
    route('/tables/v1/broken', 'POST', 'DELETE'),
    route('/tables/v1/members/(?P<member_id>\\d+)', 'DELETE'),
    route('/tables/v1/members', 'GET'),
    route('/wp/v2/settings/extra', 'POST'),
  ]),
};

const OLD = { id: 7, cafe_id: 31, title: 'The old one' };
const NEW = { id: 8, cafe_id: 31, title: 'A new one', seats: 4 };

/** What the plugin sends, by method and path. */
const RESPONSES: Readonly<Record<string, StubResponse>> = {
  'GET /tables/v1/tables': { body: [OLD] },
  'GET /tables/v1/tables/7': { body: OLD },
  'GET /tables/v1/members': { body: [{ member_id: 1, name: 'Rosalind' }] },
  'POST /tables/v1/tables': { status: 201, body: { data: NEW } },
  'PUT /tables/v1/tables/8': { body: { updated: true, message: 'Rosalind sits here' } },
  'POST /tables/v1/tables/8/close': { body: { closed: 1 } },
  'DELETE /tables/v1/tables/8/close': { status: 501, body: { code: 'rest_trash_not_supported' } },
  'DELETE /tables/v1/tables/8': { body: { gone: true } },
  'POST /tables/v1/broken': { status: 500, body: { code: 'internal_server_error' } },
};

let site: StubSite;
beforeEach(async () => {
  site = await startStubSite({
    index: INDEX,
    respond: ({ method, route: path }) => RESPONSES[`${method} ${path}`],
  });
});
afterEach(() => site.close());

const sent = (): readonly string[] =>
  site.requests.flatMap(({ method, route: path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

function schemaOf({ overlay }: ReconcileResult, target: string): unknown {
  const action = overlay.actions.find((each) => each['target'] === target);
  return JSON.stringify(action?.['update']);
}

describe('reconcile with writes', () => {
  test('creates items, changes and deletes those only, and leaves a route after its first 500', async () => {
    await reconcile(site.url, { writes: true });
    expect(sent()).toEqual([
      'POST /tables/v1/tables',
      'POST /tables/v1/broken',
      'PUT /tables/v1/tables/8',
      'POST /tables/v1/tables/8/close',
      'DELETE /tables/v1/tables/8/close',
      'DELETE /tables/v1/tables/8',
    ]);
  });

  test('describes their responses, without values of them', async () => {
    const result = await reconcile(site.url, { writes: true });
    expect(result.report.namespaces).toMatchObject([
      {
        namespace: 'tables/v1',
        operations: 11,
        before: 0,
        sample: 7,
        convention: 0,
        more: { '--sample': 1 },
      },
      { namespace: 'wp/v2', operations: 1, before: 0, sample: 0, more: { '--writes': 1 } },
    ]);
    expect(schemaOf(result, "$.paths['/tables/v1/tables/{id}'].put.responses")).toContain('"updated"');
    expect(schemaOf(result, "$.paths['/tables/v1/tables/{id}'].delete.responses")).toContain('"gone"');
    expect(JSON.stringify(result.overlay)).not.toMatch(/Rosalind|old one|new one/);
    expect(result.report.untyped.map(({ method, path, reason }) => `${method} ${path} ${reason}`)).toEqual([
      'DELETE /tables/v1/tables/{id}/close 501',
      'POST /tables/v1/broken 500',
      'DELETE /tables/v1/broken 500',
      'DELETE /tables/v1/members/{member_id} no-item-known',
      'POST /wp/v2/settings/extra not-seen',
    ]);
  });

  test('sends what the user gives first', async () => {
    const lines: string[] = [];
    await reconcile(site.url, {
      writes: true,
      samples: ['PUT /tables/v1/tables/7?soft=1 {"title":"T"}', 'GET /tables/v1/tables/7?full=1'],
      fetch: (url, init) => {
        lines.push(`${init?.method} ${new URL(String(url)).pathname.slice(8)} ${init?.body ?? ''}`);
        return fetch(url, init);
      },
    });
    expect(lines).toContain('PUT /tables/v1/tables/7 {"title":"T"}');
    expect(site.requests.map(({ url }) => url)).toContain('/wp-json/tables/v1/tables/7?full=1');
    await expect(reconcile(site.url, { samples: ['PUT /x {'] })).rejects.toThrow('--sample PUT /x {');
  });

  test('writes settings of WordPress only if an option names them', async () => {
    await reconcile(site.url, { writes: true, include: ['/wp/v2/settings/extra'] });
    expect(sent()).toContain('POST /wp/v2/settings/extra');
  });

  test('counts its requests', async () => {
    await reconcile(site.url, { writes: true, maxRequests: 5 });
    expect(site.requests.length).toBeLessThan(9);
  });

  test('reads only without the option', async () => {
    await reconcile(site.url);
    expect(sent()).toEqual([]);
  });
});
