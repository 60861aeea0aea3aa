import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/ports.ts';
import { MemoryStore } from '../../src/gateway/cache/stores/memory-store.ts';
import { startGateway, type TestOptions } from '../support/gateway.ts';
import { runServer, runStubSite } from '../support/run.ts';
import { EDITOR, type StubRequest } from '../support/stub-site.ts';

type Closed = (response: ServerResponse) => unknown;

const send =
  (status: number, body: string, type = 'application/json'): Closed =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

const page = '<!DOCTYPE html><html><head><title>A page</title></head><body></body></html>';

/** How sites close their index: plugins, web servers, firewalls. The rest of the site works. */
const CLOSED = {
  '401 of a plugin': send(401, '{"code":"rest_cannot_access","message":"No.","data":{"status":401}}'),
  '404 of a web server': send(404, page, 'text/html'),
  'a page': send(200, page, 'text/html'),
  'a server error': send(500, 'Internal Server Error', 'text/plain'),
  'an empty response': send(200, ''),
};
const isIndex = ({ method, route }: StubRequest): boolean => route === '/' && method === 'GET';

/** Starts a gateway, with `passthrough`, before a site whose index is closed until `open`. Its pages and routes are fresh for a while. */
async function start(answer: Closed, options: TestOptions = {}) {
  const fresh = { 'cache-control': 'public, max-age=600' };
  let closed: Closed | null = answer;
  const site = await runStubSite({
    intercept(request, response) {
      if (isIndex(request) && closed !== null) closed(response);
      else if (request.route === undefined)
        response.writeHead(200, { 'content-type': 'text/html', ...fresh }).end(page);
      else return false;
      return true;
    },
    respond: ({ method, url }) => ({ headers: fresh, body: { method, url } }),
  });
  const running = await startGateway({ document: undefined, cache: {}, ...options, url: site.origin });
  const countReceived = (path: string): number => site.requests.filter(({ url }) => url === path).length;
  const open = (): void => {
    closed = null;
  };
  const close = (): void => {
    closed = answer;
  };
  return { ...running, url: site.origin, close, countReceived, open };
}

test.each(Object.entries(CLOSED))('a site whose index is closed is served: %s', async (_, answer) => {
  const { countReceived, read, request } = await start(answer);
  const routes = ['/wp-json/wp/v2/posts?a=%62', '/?a=1&rest_route=/wp/v2/posts'];
  for (const path of ['/readme.html', '/a/page/?s=1', ...routes]) {
    for (const _time of [1, 2]) expect((await read(path))[1]).toBe('fwd=bypass; detail="no document"');
    // In the spelling of the client, and not from the store.
    expect([path, countReceived(path)]).toEqual([path, 2]);
  }
  const invalid = await request('/wp-json/wp/v2/posts?per_page=none', { method: 'POST', body: '{' });
  expect(await invalid.json()).toEqual({ method: 'POST', url: '/wp-json/wp/v2/posts?per_page=none' });
});

describe('while the index is closed', () => {
  test.each(['/-/openapi.json', '/-/docs', '/-/docs/wp/v2'])(
    '%s says that it is not there yet',
    async (path) => {
      const { request } = await start(CLOSED['a page']);
      const response = await request(path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({ code: 'gateway_not_ready' });
    },
  );

  test('a form cannot name a route in place of its page', async () => {
    const { countReceived, request } = await start(CLOSED['a page']);
    const post = async (fields: Record<string, string>) =>
      (await request('/contact/?a=1', { method: 'POST', body: new URLSearchParams(fields) })).status;
    // WordPress prefers the form to the path.
    expect(await post({ rest_route: '/wp/v2/posts' })).toBe(400);
    expect(await post({ a: '1' })).toBe(200);
    expect(countReceived('/contact/?a=1')).toBe(1);
  });

  test('a cookie does not reach a stored page, whatever the rules say', async () => {
    const cache = { rules: [{ match: ['/*'], ttl: 600 }] };
    const { countReceived, read } = await start(CLOSED['404 of a web server'], { cache });
    await read('/cart/', { cookie: 'session=of-one' });
    await read('/cart/');
    expect(countReceived('/cart/')).toBe(2);
  });

  test('discovery is retried, and the document takes effect as a whole', async () => {
    const { gateway, open, read, request } = await start(CLOSED['401 of a plugin']);
    const ready = async () => (await request('/-/ready')).json();
    const message = expect.stringMatching(/needs credentials/);
    const details = [{ state: 'no-document', message }];
    expect(await ready()).toEqual({ status: 'ready', details });
    open();
    await gateway.rediscover();
    expect(await ready()).toEqual({ status: 'ready' });
    expect((await request('/-/openapi.json')).status).toBe(200);
    expect((await read('/wp-json/wp/v2/types'))[1]).toContain('stored');
    expect((await read('/wp-json/wp/v2/types'))[1]).toContain('hit');
  });
});

test('a write that is forwarded without a document purges the site from a shared store', async () => {
  const gateway = { cache: new MemoryStore({ clock: systemClock }) };
  const first = await start(CLOSED['a page'], { gateway });
  first.open();
  await first.gateway.rediscover();
  const path = '/wp-json/wp/v2/types';
  await first.read(path);
  expect((await first.read(path))[1]).toContain('hit');
  first.close();
  const other = await startGateway({ document: undefined, cache: {}, url: first.url, gateway });
  await other.read('/readme.html');
  expect((await first.read(path))[1]).toContain('hit');
  // The site would answer that it has no such route: without a document nothing is known of it.
  const headers = { authorization: EDITOR.authorization };
  await (await other.request('/wp-json/unrelated/v1/things/7', { method: 'POST', headers })).text();
  expect((await first.read(path))[1]).not.toContain('hit');
});

test('the URL of a root index leads to the pages of its site', async () => {
  const requested: (string | undefined)[] = [];
  const site = await runServer((request, response) => {
    requested.push(request.url);
    response.writeHead(request.url?.includes('wp-json') === true ? 401 : 200).end();
  });
  const { request } = await startGateway({ document: undefined, url: `${site.origin}/blog/wp-json/` });
  expect((await request('/a-page/')).status).toBe(200);
  await request('/wp-json/wp/v2/posts');
  expect(requested).toEqual(expect.arrayContaining(['/blog/a-page/', '/blog/wp-json/wp/v2/posts']));
});
