import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { type Answer, networks, startGateway } from '../support/gateway.ts';
import { PLAIN, sendRaw } from '../support/run.ts';
import { documentOf } from '../support/stub-site.ts';

const endpoint = { methods: ['GET'], args: {} };
const route = { namespace: 'wc/v3', methods: ['GET'], endpoints: [endpoint] };
const INDEX = {
  name: 'A site',
  url: 'https://site.example.com',
  home: 'https://site.example.com',
  namespaces: ['wc/v3'],
  authentication: [],
  routes: {
    '/': { namespace: '', methods: ['GET'], endpoints: [endpoint] },
    '/wc/v3/items': route,
    '/wc/v3/admin-access/(?P<nonce>[\\w]+)': route,
    '/wc/v3/invitations/(?P<inviteToken>[\\w]+)': route,
    '/wc/v3/books/(?P<id>[\\d]+)': route,
  },
};
const DOCUMENT = documentOf(INDEX);
const SHOP = { document: DOCUMENT, passthrough: false };
type Fields = Readonly<Record<string, string>>;
const ITEMS = '/wc/v3/items';

test.each([
  ['/wc/v3/admin-access/3f2b', 'nonce'],
  ['/wc/v3/invitations/3f2b', 'inviteToken'],
])('a credential in the path is never replayed: %s', async (path, parameter) => {
  const cache = { rules: [{ match: '/*', ttl: 600 }] };
  const { read } = await startGateway({ ...SHOP, cache }, (_, count) => ({ body: count }));
  for (const body of ['1', '2'])
    expect(await read(path)).toEqual([body, `fwd=bypass; detail="path parameter ${parameter}"`]);
});

test.each(
  `X-WC-Store-API-Nonce X-CSRF-Token X-Auth-Token Cart-Hash X-Session Authorization X-Guest X-Visitor-Id
  X-Basket-Id X-Key X-License-Key X-Identity X-Ticket X-One-Time-Code X-Invite-Code X-Signature
  X-Remember-Me`.split(/\s+/),
)('a response with %s is never stored', async (name) => {
  const { read } = await startGateway(SHOP, (_, count) => ({
    headers: { [name]: `${count}`, 'cache-control': 'public, s-maxage=60' },
    body: count,
  }));
  // The first request asks for everyone.
  const detail = expect.stringContaining(`header ${name.toLowerCase()}`);
  for (const body of ['2', '3']) expect(await read(ITEMS)).toEqual([body, detail]);
});

test.each([
  ['/wc/v3/books/1', 'X-A'],
  ...['Surrogate-Key', 'X-Cache-Key', 'X-Keyword-Count', 'X-Powered-By', 'X-Country-Code'].map((name) => [
    ITEMS,
    name,
  ]),
])('a response of %s with %s is stored', async (path = '', name = '') => {
  const { read } = await startGateway(SHOP, () => ({ headers: { [name]: 'a' }, body: {} }));
  await read(path);
  expect((await read(path))[1]).toMatch(/^hit/);
});

test('a response with a nonce in its body is not stored, counted, and logged once per route', async () => {
  const { lines, read, readMetrics } = await startGateway(SHOP, (_, count) => ({
    body: { settings: { restNonce: `${count}` } },
  }));
  for (const count of [1, 2, 3]) expect((await read(ITEMS))[0]).toBe(`{"settings":{"restNonce":"${count}"}}`);
  expect(lines.filter((fields) => 'token' in fields)).toMatchObject([
    { route: ITEMS, token: 'restNonce: "1"}}…', site: 'default' },
  ]);
  expect(await readMetrics()).toContain(
    'waygate_cache_exclusions_total{site="default",reason="nonce in body"} 1',
  );
});

describe('clients that wait for each other', () => {
  /** Starts a site whose bodies come some time after their heads. */
  const startSlow = (write: (count: number) => string, status: number, headers: Fields = {}) =>
    startGateway({}, ({ route }, count, response) => {
      const type = route === undefined ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers }).flushHeaders();
      setTimeout(() => response.end(write(count)), 50);
      return undefined;
    });
  const field = (count: number): string =>
    `<form><input type="hidden" name="_token" value="Zm9vYmFyYmF6${count}"></form>`;
  const json = (count: number): string => `{"restNonce":"${count}"}`;
  const cookie = { 'set-cookie': 'sid=1', 'cache-control': 'public, max-age=60' };

  test.each<[what: string, path: string, (count: number) => string, status: number, headers?: Fields]>([
    ['a 500 with a token in a form', '/page/', field, 500],
    ['a 500 of a route with a nonce', '/wp-json/wc/v3/items', json, 500],
    ['a 500 with a cookie (unjs/ocache#61)', '/page/', String, 500, { 'set-cookie': 'sid=1' }],
    ['a cookie (darkweak/souin#805, woocommerce/woocommerce#21944)', '/page/', String, 200, cookie],
    ['a private page (caddyserver/cache-handler#82)', '/page/', String, 200, { 'cache-control': 'no-store' }],
    ['a page with a token in a form', '/page/', field, 200],
  ])('do not share %s', async (_, path, ...answer) => {
    const { read } = await startSlow(...answer);
    const bodies = await Promise.all([1, 2, 3, 4].map(() => read(path)));
    expect(new Set(bodies.map(([body]) => body)).size).toBe(4);
  });

  test('share an error that is for nobody', async () => {
    const { read, received } = await startSlow(() => '<p>An error</p>', 500);
    await Promise.all([1, 2, 3, 4].map(() => read('/page/')));
    expect(received).toHaveLength(1);
  });
});

describe('a plain origin', () => {
  /** Starts an origin that answers with the fields of the request. */
  const startPlain = (headers: Fields, cache: NonNullable<SiteOptions['cache']> = {}) =>
    startGateway({ ...PLAIN, cache }, (sent): Answer => ({ headers, body: sent.headers }));
  const GUESSED = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT', 'content-type': 'application/json' };
  const STATED = { 'cache-control': 'max-age=60' };

  test.each([
    ['Cookie', 'session=secret', GUESSED],
    ['Cookie', 'session=secret', STATED],
    ['Authorization', 'Bearer secret', STATED],
    ['Client-Cert', 'secret', STATED],
    ['X-Tenant', 'secret', STATED],
    ['X-Made-Up', 'secret', GUESSED],
  ])('%s: %s makes the request private if the site states %j', async (name, value, stated) => {
    const { read } = await startPlain(stated);
    for (const headers of [{ [name]: value }, {}, { [name]: value }] as Fields[])
      expect((await read('/', headers))[0].includes('secret')).toBe(name in headers);
  });

  test.each<Fields>([
    { 'cache-control': 'public, max-age=60' },
    { 'cache-control': 's-maxage=60' },
    { 'cache-control': 'must-revalidate, max-age=60' },
    { 'cdn-cache-control': 'max-age=60' },
  ])('with %j a response to a request with a cookie is shared', async (stated) => {
    const { read } = await startPlain(stated);
    await read('/', { cookie: 'session=1' });
    expect((await read('/'))[0]).toContain('session=1');
  });

  test('harmless cookies are not forwarded, and the response is shared', async () => {
    const { read } = await startPlain(STATED, { harmlessCookies: ['theme'] });
    expect((await read('/', { cookie: '_ga=1; theme=dark' }))[0]).not.toContain('theme');
    expect((await read('/', { cookie: '_ga=2' }))[1]).toMatch(/^hit/);
  });
});

test('bypasses are counted by reason', async () => {
  const { read, readMetrics } = await startGateway(SHOP, () => ({ body: {} }));
  await read(ITEMS, { 'x-org-id': '1' });
  await read(ITEMS, { 'x-made-up': '1' });
  await read(ITEMS, { cookie: 'basket="1' });
  await read(ITEMS, { authorization: 'Bearer a' });
  await read(`${ITEMS}?api_token=1`);
  const counts = (await readMetrics()).matchAll(
    /^waygate_cache_exclusions_total\{site="default",reason="(.*)"\} (.*)$/gm,
  );
  const byReason = Object.fromEntries(Array.from(counts, ([, reason, count]) => [reason, count]));
  expect(byReason).toEqual({ cookie: '1', credentials: '1', header: '2', parameter: '1' });
});

test.each<[string[]]>([[[]], [['127.0.0.0/8']]])(
  'the host that a request names does not reach the site with publicUrl, trusted proxies: %j',
  async (trust) => {
    const gateway = { publicUrl: 'https://www.example.com/api', trust: networks(...trust) };
    const { origin } = await startGateway({ ...SHOP, gateway }, ({ headers }) => ({ body: headers }));
    const attack = {
      host: 'evil.test:81',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'ftp',
      'x-forwarded-prefix': '/evil',
    };
    const { body } = await sendRaw(origin, ITEMS, { headers: attack });
    expect(JSON.parse(body)).toMatchObject({
      'x-forwarded-host': 'www.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
      'x-forwarded-prefix': '/api',
      forwarded: expect.stringMatching(
        /^for=(?:192\.0\.2|203\.0\.113)\.\d+;host="www\.example\.com";proto=https$/,
      ),
    });
    expect(body).not.toContain('evil');
  },
);
