import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWordPress, type WordPress } from '../../scripts/wordpress/start.mjs';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { sendRaw } from '../support/run.ts';

/**
 * Members of `$_SERVER` that differ: those of the connection, and the fields that a proxy adds or that belong to one connection. All others
 * are those of a direct request.
 */
const OWN_MEMBERS =
  /^(?:REMOTE_PORT|REQUEST_TIME(?:_FLOAT)?|UNIQUE_ID|HTTP_(?:CONNECTION|KEEP_ALIVE|VIA|FORWARDED|X_FORWARDED_\w+|X_REAL_IP|X_REQUEST_ID|TRACEPARENT))$/;

/** What a request that the store may share is sent with: nothing of one client. */
const CLIENT_MEMBERS = /^HTTP_(?:ACCEPT\w*|USER_AGENT|SEC_\w+|CACHE_CONTROL|PRAGMA|X_SEEN)$/;

/** A request to a page or a file. `FormData` gets another boundary each time, so multipart bodies are texts. */
type PageRow = readonly [why: string, path: string, init?: RequestInit];

const form = (body: string, type = 'application/x-www-form-urlencoded'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
});
const multipart = (...parts: readonly (readonly [disposition: string, value: string])[]): RequestInit =>
  form(
    `${parts.map(([disposition, value]) => `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`).join('')}--X--\r\n`,
    'multipart/form-data; boundary=X',
  );

/** Requests whose address PHP must see as the client sent it. A name of a report says where another proxy or plugin failed on it. */
const PAGE_REQUESTS: readonly PageRow[] = [
  ['a read', '/about/?b=1&a=2'],
  ['HEAD', '/about/', { method: 'HEAD' }],
  ['DELETE', '/about/?a', { method: 'DELETE' }],
  ['PUT with text', '/about/', { method: 'PUT', body: 'text' }],
  ['PATCH with a form', '/about/', { ...form('rest_route=/wp/v2/posts'), method: 'PATCH' }],
  ['a login form of WooCommerce', '/my-account/', form('username=x&password=x&login=1')],
  ['a form with a query', '/?wc-ajax=add_to_cart', form('product_id=1')],
  ['a form with an empty query', '/about/?', form('a=1')],
  ['an empty form', '/about/', form('')],
  ['a form to the front page', '/', form('a=1&a=2&b[]=3&b[c]=4')],
  ['double slashes', '//about//x/', form('a=1')],
  ['a form of many fields', '/about/', form('a=1&'.repeat(1500))],
  ['a form of 300 KiB', '/about/', form(`a=${'x'.repeat(300 * 1024)}&b=1`)],
  ['a value that names a route', '/about/', form('url=/?rest_route=/wp/v2&xrest_route=1&rest_route_x=2')],
  ['a field of another case', '/about/', form('REST_ROUTE=/wp/v2/posts')],
  ['a multipart form', '/contact/', multipart(['name="a"', '1'], ['name="b[]"', 'é'])],
  [
    'a multipart form with a file',
    '/contact/',
    multipart(['name="rest_route"; filename="a.txt"', 'text'], ['name="a"', '1']),
  ],
  [
    'a multipart form of 300 KiB',
    '/contact/',
    multipart(['name="f"; filename="a.bin"', 'x\r\n'.repeat(100 * 1024)]),
  ],
  ['a multipart form without a boundary', '/contact/', form('a', 'multipart/form-data')],
  ['JSON', '/about/', form('{"rest_route":"/wp/v2/posts"}', 'application/json')],
  ['XML-RPC', '/xmlrpc.php', form('<methodCall/>', 'text/xml')],
  ['a login', '/wp-login.php', form('log=a&pwd=b')],
  // crowdsecurity/hub#861
  ['PATH_INFO behind a script', '/wp-login.php/', form('log=a&pwd=b')],
  // aamplugin/advanced-access-manager#506
  [
    'an encoded address in a form',
    '/wp-login.php',
    form('log=a&redirect_to=https%3A%2F%2Fexample.com%2F%3Fb%3D1'),
  ],
  // WordPress/wordpress-develop#7235, kevinvess/wp-force-login#12, mvied/wordpress-https#37
  ['a query that login plugins copy', '/wp-login.php?redirect_to=%2Fabout%2F%3Fa%3D1&reauth=1', form('a=1')],
  // fastly/WordPress-Plugin#74, Automattic/wp-super-cache#1046
  ['the password of a post', '/wp-login.php?action=postpass', form('post_password=secret')],
  // woocommerce/woocommerce#16337
  ['a link that removes from a cart', '/cart/?remove_item=0123456789abcdef&_wpnonce=0123456789'],
  ['a file', '/wp-includes/css/buttons.css?ver=6.4'],
  ['a form to an administration page', '/wp-admin/admin-ajax.php?a=1', form('action=heartbeat')],
];

describe.each(['nginx', 'apache'] as const)('a real site at %s', (webServer) => {
  let wordpress: WordPress;
  let running: RunningGateway;
  beforeAll(async () => {
    const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));
    wordpress = await startWordPress({ webServer, muPlugins });
    running = await startNodeGateway({
      sites: [{ url: wordpress.url, passthrough: true, cache: { pages: 60, harmlessHeaders: ['x-seen'] } }],
    });
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    await wordpress?.stop();
  });

  const site = (): string => wordpress.url.replace(/\/$/, '');
  const send = (origin: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(origin + path, { redirect: 'manual', ...init });

  it.each(PAGE_REQUESTS.map(([why, path, init = {}]) => [why, path, init] as const))(
    'PHP sees the same request as directly: %s',
    async (_why, path, init) => {
      const see = async (origin: string): Promise<unknown> => {
        const headers = new Headers(init.headers);
        // A request with an unknown field is forwarded as it is.
        headers.set('X-Seen', '1');
        headers.set('X-Unknown', '1');
        const response = await send(origin, path, { ...init, headers });
        const text = await response.text();
        if (response.headers.get('x-seen') === null || text === '') return [response.status, text.length];
        const seen: unknown = JSON.parse(text);
        if (!isJsonObject(seen) || !isJsonObject(seen['server'])) throw new Error(text);
        return { ...seen, server: withoutMembers(seen['server'], OWN_MEMBERS) };
      };
      expect(await see(running.origin)).toEqual(await see(site()));
    },
  );

  it('does so for a read that may be shared, but for what belongs to one client', async () => {
    const see = async (origin: string): Promise<JsonObject> => {
      const headers = { host: new URL(site()).host, 'x-seen': '1' };
      const { body } = await sendRaw(origin, '/about/?b=1&a=2', { headers });
      const seen: unknown = JSON.parse(body);
      if (!isJsonObject(seen) || !isJsonObject(seen['server'])) throw new Error(body);
      const server = withoutMembers(seen['server'], OWN_MEMBERS);
      return { ...seen, server: withoutMembers(server, CLIENT_MEMBERS) };
    };
    expect(await see(running.origin)).toEqual(await see(site()));
  });

  it.each([
    ['rest_route=/wp/v2/posts', 'application/x-www-form-urlencoded'],
    ['rest.route=/wp/v2/posts', 'application/x-www-form-urlencoded'],
    [`${'a=1&'.repeat(900)}rest+route=/wp/v2/posts`, 'Application/x-www-form-urlencoded, a'],
    [`a=${'x'.repeat(300 * 1024)}&rest_route=/wp/v2/posts`, 'application/x-www-form-urlencoded'],
    [
      "--X\r\nContent-Disposition: form-data; name='rest_route'\r\n\r\n/wp/v2/posts\r\n--X--\r\n",
      'multipart/form-data; charset=utf-8; boundary=X',
    ],
  ])('a form runs no route that the gateway took for a page: %.60s', async (body, type) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    // Directly it does: WordPress answers with JSON.
    expect((await send(site(), '/about/', init)).headers.get('content-type')).toContain('application/json');
    expect((await send(running.origin, '/about/', init)).status).toBe(400);
  });
});

function withoutMembers(server: JsonObject, names: RegExp): JsonObject {
  return Object.fromEntries(Object.entries(server).filter(([name]) => !names.test(name)));
}
