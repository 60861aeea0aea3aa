import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import type { JsonObject } from '../../src/json.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { ASSETS } from '../console/support/console-client.ts';
import { createTestDocs } from '../support/rendered-docs.ts';
import { startStubSite } from '../support/stub-site.ts';

const index = (routes: JsonObject, namespace = 'shop/v1'): JsonObject => {
  return { name: 'Changing', namespaces: [namespace], routes };
};
const route = (args: JsonObject, namespace = 'shop/v1'): JsonObject => {
  return { namespace, methods: ['GET'], endpoints: [{ methods: ['GET'], args }] };
};
const HTML = 'text/html; charset=utf-8';
const ORDER = { type: 'string', enum: ['asc', 'desc'] };

describe('the change log of a document', () => {
  let gateway: Gateway;
  let stop: () => Promise<void>;
  let content = index({});
  let now = Date.parse('2026-11-21T08:00:00Z');

  beforeAll(async () => {
    const site = await startStubSite({
      intercept: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
        return true;
      },
    });
    stop = site.close;
    content = index({
      '/shop/v1/carts': route({ order: ORDER }),
      '/shop/v1/orders': route({ link: { type: 'string', default: `${site.url}/a` } }),
    });
    gateway = createGateway({
      sites: [{ url: site.url, name: 'shop' }],
      clock: { now: () => now, after: () => () => {} },
      docs: () => ASSETS,
    });
    await gateway.rediscover();
    now += 60_000;
    content = index({
      '/shop/v1/carts': route({ order: { type: 'string', enum: ['asc'] } }),
      '/shop/v1/<b>&evil': route({}),
    });
    await gateway.rediscover();
    now += 60_000;
    // Nothing changes in what the document contains.
    await gateway.rediscover();
  });
  afterAll(async () => {
    await gateway.stop();
    await stop();
  });
  const get = async (path: string): Promise<Response> =>
    gateway.request(`http://gateway.example.com/shop${path}`);

  test('lists versions with what came, went and changed, the latest first', async () => {
    const { versions } = await (await get('/docs/changes.json')).json();
    expect(versions).toHaveLength(2);
    const [latest, first] = versions;
    expect(latest).toMatchObject({
      seenAt: '2026-11-21T08:01:00.000Z',
      operations: 2,
      changes: { added: 1, removed: 1 },
    });
    expect(latest.changes.breaking).toBeGreaterThan(1);
    expect(latest.changes.listed).toContainEqual(
      expect.objectContaining({
        severity: 'breaking',
        operations: ['GET /shop/v1/carts'],
        subject: 'query parameter "order"',
        text: 'the value "desc" was removed',
      }),
    );
    expect(first).toMatchObject({ seenAt: '2026-11-21T08:00:00.000Z', operations: 2, changes: null });
  });

  test('is a page, which nothing in a name of the site can change', async () => {
    const response = await get('/docs/changes');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, HTML]);
    const page = await response.text();
    for (const part of [
      '2026-11-21 08:01:00 UTC',
      '2 operations; 1 added, 1 removed. ',
      'the value &quot;desc&quot; was removed',
      '<a href="../docs/shop/v1/carts#list-carts"><code>GET /shop/v1/carts</code></a>',
      '<code>GET /shop/v1/orders</code> was removed',
      'href="../docs/changes.md"',
    ]) {
      expect(page).toContain(part);
    }
    expect(page).not.toContain('<b>&');
    expect(page).not.toContain('aria-current="page">Overview');
  });

  test('contains no address of the site', async () => {
    for (const path of ['/docs/changes', '/docs/changes.md', '/docs/changes.json']) {
      expect(await (await get(path)).text()).not.toContain('127.0.0.1');
    }
  });
});

test('a namespace that is called "changes" has a page at another address', async () => {
  const changes = index({ '/changes/items': route({}, 'changes') }, 'changes');
  const site = await discover('https://example.com/', { fetch: async () => Response.json(changes) });
  const render = createTestDocs(toOpenApi(site).document);
  expect((await render('/changes'))?.text).toContain('Operations, parameters and schemas that were added');
  expect((await render(''))?.text).toContain('docs/changes-2');
  expect((await render('/changes-2'))?.text).toContain('items');
});
