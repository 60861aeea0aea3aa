import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/ports.ts';
import { MemoryStore } from '../../src/gateway/cache/stores/memory-store.ts';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { cacheStatusOf, runGateway, runServer, runStubSite } from '../support/run.ts';
import { EDITOR, type StubRequest, type StubSite } from '../support/stub-site.ts';

type Closed = (response: ServerResponse) => unknown;

const send =
  (status: number, body: string, type = 'application/json'): Closed =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

const page = '<!DOCTYPE html><html><head><title>A page</title></head><body></body></html>';

/** How sites close their index: plugins, web servers, firewalls. The rest of the site works. */
const CLOSED: Readonly<Record<string, Closed>> = {
  '401 of a plugin': send(401, '{"code":"rest_cannot_access","message":"No.","data":{"status":401}}'),
  '404 of a web server': send(404, page, 'text/html'),
  'a page': send(200, page, 'text/html'),
  'a server error': send(500, 'Internal Server Error', 'text/plain'),
  'an empty response': send(200, ''),
};

interface ClosableSite extends StubSite {
  /** How the index responds; `null` as it should. */
  answer: Closed | null;
}

/** Starts a site whose index can be closed. Its pages and routes have explicit freshness. */
async function startClosableSite(answer: Closed | null): Promise<ClosableSite> {
  const fresh = { 'cache-control': 'public, max-age=600' };
  const isIndex = ({ method, route }: StubRequest): boolean => route === '/' && method === 'GET';
  const site: StubSite = await runStubSite({
    intercept(request, response) {
      if (isIndex(request) && closable.answer !== null) {
        closable.answer(response);
        return true;
      }
      if (request.route !== undefined) return false;
      response.writeHead(200, { 'content-type': 'text/html', ...fresh }).end(page);
      return true;
    },
    respond: ({ method, url }) => ({ headers: fresh, body: { method, url } }),
  });
  const closable: ClosableSite = { ...site, answer };
  return closable;
}

const start = (
  site: Partial<SiteOptions> & { readonly url: string },
  options: Partial<GatewayOptions> = {},
) => runGateway({ passthrough: true, ...site }, { cache: 'memory', ...options });

const received = (site: StubSite, path: string): number =>
  site.requests.filter(({ url }) => url === path).length;

describe('with passthrough, a site whose index is closed is served:', () => {
  test.each(Object.entries(CLOSED))('%s', async (_, answer) => {
    const site = await startClosableSite(answer);
    const { request } = await start({ url: site.origin });
    for (const path of [
      '/readme.html',
      '/a/page/?s=1',
      '/wp-json/wp/v2/posts?a=%62',
      '/?a=1&rest_route=/wp/v2/posts',
    ]) {
      for (const _time of [1, 2]) {
        const response = await request(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(cacheStatusOf(response)).toBe('fwd=bypass; detail="no document"');
        await response.text();
      }
      // In the spelling of the client, and not from the store.
      expect([path, received(site, path)]).toEqual([path, 2]);
    }
    const invalid = await request('/wp-json/wp/v2/posts?per_page=none', { method: 'POST', body: '{' });
    expect(await invalid.json()).toEqual({ method: 'POST', url: '/wp-json/wp/v2/posts?per_page=none' });
  });
});

describe('while the index is closed', () => {
  test('documents and documentation say that they are not there yet', async () => {
    const site = await startClosableSite(CLOSED['a page'] ?? null);
    const { request } = await start({ url: site.origin });
    for (const path of ['/-/openapi.json', '/-/docs', '/-/docs/wp/v2']) {
      const response = await request(path);
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(await response.json()).toMatchObject({ code: 'gateway_not_ready' });
    }
  });

  test('a form cannot name a route in place of its page', async () => {
    const site = await startClosableSite(CLOSED['a page'] ?? null);
    const { request } = await start({ url: site.origin });
    const form = { method: 'POST', body: new URLSearchParams({ rest_route: '/wp/v2/posts' }) };
    // WordPress prefers the form to the path.
    expect((await request('/contact/?a=1', form)).status).toBe(400);
    const other = { method: 'POST', body: new URLSearchParams({ a: '1' }) };
    expect((await request('/contact/?a=1', other)).status).toBe(200);
    expect(received(site, '/contact/?a=1')).toBe(1);
  });

  test('a cookie does not reach a stored page, whatever the rules say', async () => {
    const site = await startClosableSite(CLOSED['404 of a web server'] ?? null);
    const rules = [{ match: ['/*'], ttl: 600 }];
    const { request } = await start({ url: site.origin, cache: { rules } });
    await (await request('/cart/', { headers: { cookie: 'session=of-one' } })).text();
    await (await request('/cart/')).text();
    expect(received(site, '/cart/')).toBe(2);
  });

  test('discovery is retried, and the document takes effect as a whole', async () => {
    const site = await startClosableSite(CLOSED['401 of a plugin'] ?? null);
    const { gateway, request } = await start({ url: site.origin });
    const ready = async () => [(await request('/-/ready')).status, await (await request('/-/ready')).json()];
    const state = {
      site: 'default',
      state: 'no-document',
      message: expect.stringMatching(/needs credentials/),
    };
    expect(await ready()).toEqual([200, { status: 'ready', details: [state] }]);
    site.answer = null;
    await gateway.rediscover();
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    expect((await request('/-/openapi.json')).status).toBe(200);
    const statuses: string[] = [];
    for (const _time of [1, 2]) {
      const response = await request('/wp-json/wp/v2/types');
      await response.text();
      statuses.push(cacheStatusOf(response));
    }
    expect(statuses).toEqual([expect.stringContaining('stored'), expect.stringContaining('hit')]);
  });
});

test('a write that is forwarded without a document purges the site from a shared store', async () => {
  const site = await startClosableSite(null);
  const store = new MemoryStore({ clock: systemClock });
  const { request: read } = await start({ url: site.origin }, { cache: store });
  const path = '/wp-json/wp/v2/types';
  const get = async (): Promise<string> => {
    const response = await read(path);
    await response.text();
    return cacheStatusOf(response);
  };
  await get();
  expect(await get()).toContain('hit');
  site.answer = CLOSED['a page'] ?? null;
  const { request } = await start({ url: site.origin }, { cache: store });
  await (await request('/readme.html')).text();
  expect(await get()).toContain('hit');
  // The site would answer that it has no such route: without a document nothing is known of it.
  const headers = { authorization: EDITOR.authorization };
  await (await request('/wp-json/unrelated/v1/things/7', { method: 'POST', headers })).text();
  expect(await get()).not.toContain('hit');
});

test('the URL of a root index leads to the pages of its site', async () => {
  const requested: string[] = [];
  const site = await runServer((request, response) => {
    requested.push(request.url ?? '');
    response.writeHead(request.url?.includes('wp-json') === true ? 401 : 200).end();
  });
  const { request } = await start({ url: `${site.origin}/blog/wp-json/` });
  expect((await request('/a-page/')).status).toBe(200);
  await request('/wp-json/wp/v2/posts');
  expect(requested).toEqual(expect.arrayContaining(['/blog/a-page/', '/blog/wp-json/wp/v2/posts']));
});
