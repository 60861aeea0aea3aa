import { describe, expect, test } from 'vitest';
import type { Log } from '../../src/base/ports.ts';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import {
  type Answer,
  cacheStatusOf,
  PLAIN,
  readCached,
  runAnswering,
  runGateway,
  runServer,
  runStubSite,
  sendRaw,
} from '../support/run.ts';
import { documentOf, type StubRequest, type StubResponse } from '../support/stub-site.ts';

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
type Fields = Readonly<Record<string, string>>;
const ITEMS = '/wc/v3/items';
const HTML = { 'content-type': 'text/html; charset=UTF-8' };

describe('behind a gateway', () => {
  async function startSite(
    respond: (request: StubRequest, count: number) => StubResponse,
    site: Partial<SiteOptions> = {},
    options: Partial<GatewayOptions> = {},
  ) {
    let count = 0;
    const { url } = await runStubSite({
      respond(request) {
        count += 1;
        return respond(request, count);
      },
    });
    const all = { cache: 'memory', admin: { token: 'token' }, ...options } as const;
    return runGateway({ url, document: DOCUMENT, ...site }, all);
  }
  const startPages = (answer: (request: StubRequest, count: number) => Answer | undefined, site = {}) =>
    runAnswering(answer, site, {});

  test.each([
    ['/wc/v3/admin-access/3f2b', 'nonce'],
    ['/wc/v3/invitations/3f2b', 'inviteToken'],
  ])('a credential in the path is never replayed: %s', async (path, parameter) => {
    const { request } = await startSite(
      (_, count) => (count === 1 ? { body: { user: 'admin' } } : { status: 410, body: { code: 'used' } }),
      { cache: { rules: [{ match: '/*', ttl: 600 }] } },
    );
    const first = await request(path);
    expect([first.status, cacheStatusOf(first)]).toEqual([
      200,
      `fwd=bypass; detail="path parameter ${parameter}"`,
    ]);
    expect((await request(path)).status).toBe(410);
  });

  test.each(
    `X-WC-Store-API-Nonce X-CSRF-Token X-Auth-Token Cart-Hash X-Session Authorization X-Guest X-Visitor-Id
    X-Basket-Id X-Key X-License-Key X-Identity X-Ticket X-One-Time-Code X-Invite-Code X-Signature
    X-Remember-Me`.split(/\s+/),
  )('a response with %s is never stored', async (name) => {
    const { request } = await startSite((_, count) => ({
      headers: { [name]: `${count}`, 'cache-control': 'public, s-maxage=60' },
      body: {},
    }));
    // The first request asks for everyone.
    for (const value of ['2', '3']) {
      const response = await request(ITEMS);
      await response.text();
      expect(response.headers.get(name)).toBe(value);
      expect(cacheStatusOf(response)).toContain(`header ${name.toLowerCase()}`);
    }
  });

  test.each([
    ['/wc/v3/books/1', 'X-A'],
    ...['Surrogate-Key', 'X-Cache-Key', 'X-Keyword-Count', 'X-Powered-By', 'X-Country-Code'].map((name) => [
      ITEMS,
      name,
    ]),
  ])('a response of %s with %s is stored', async (path = '', name = '') => {
    const { request } = await startSite(() => ({ headers: { [name]: 'a' }, body: {} }));
    await (await request(path)).text();
    expect(cacheStatusOf(await request(path))).toMatch(/^hit/);
  });

  test('a response with a nonce in its body is not stored, counted, and logged once per route', async () => {
    const warnings: object[] = [];
    const log: Log = { info() {}, error() {}, warn: (fields) => void warnings.push(fields) };
    const { request } = await startSite(
      (_, count) => ({ body: { settings: { restNonce: `${count}` } } }),
      {},
      { log },
    );
    for (const restNonce of ['1', '2', '3'])
      expect(await (await request(ITEMS)).json()).toEqual({ settings: { restNonce } });
    expect(warnings.filter((fields) => 'member' in fields)).toMatchObject([
      { route: ITEMS, member: 'restNonce' },
    ]);
    const metrics = await request('/-/metrics', { headers: { authorization: 'Bearer token' } });
    expect(await metrics.text()).toContain(
      'waygate_cache_exclusions_total{site="default",reason="nonce in body"} 1',
    );
  });

  const field = (name: string) => (value: string) =>
    `<form><input type="hidden" name="${name}" value="${value}"></form>`;
  const json = (value: string): string => `{"restNonce":"${value}"}`;
  const cookie = { 'set-cookie': 'sid=1', 'cache-control': 'public, max-age=60' };
  test.each<[what: string, path: string, status: number, headers: Fields, (value: string) => string]>([
    ['a 500 with a token in a form', '/page/', 500, {}, field('_token')],
    ['a 500 of a route with a nonce', '/wp-json/wc/v3/items', 500, {}, json],
    ['a 500 with a cookie (unjs/ocache#61)', '/page/', 500, { 'set-cookie': 'sid=1' }, String],
    [
      'a page with a cookie (darkweak/souin#805, woocommerce/woocommerce#21944)',
      ...(['/page/', 200, cookie, String] as const),
    ],
    [
      'a private page (caddyserver/cache-handler#82)',
      ...(['/page/', 200, { 'cache-control': 'no-cache, no-store' }, String] as const),
    ],
    ['a page with a token in a form', '/page/', 200, {}, field('_token')],
  ])('clients that wait for each other do not share %s', async (_, path, status, headers, write) => {
    const { request } = await startSlow((count) => ({ status, headers, body: write(`value-${count}`) }));
    const bodies = await Promise.all([1, 2, 3, 4].map(async () => (await request(path)).text()));
    expect(new Set(bodies.map((body) => /value-\d/.exec(body)?.[0])).size).toBe(4);
  });

  /** Starts a site whose bodies come some time after their heads. */
  const startSlow = (answer: (count: number) => Required<Answer>) =>
    runAnswering(
      ({ route: isRoute }, count, response) => {
        const { body, headers, status } = answer(count);
        const type = isRoute === undefined ? HTML : { 'content-type': 'application/json' };
        response.writeHead(status, { ...type, ...headers }).flushHeaders();
        setTimeout(() => response.end(body), 50);
        return undefined;
      },
      {},
      {},
    );

  test('clients that wait for each other share an error that is for nobody', async () => {
    const { count, request } = await startSlow(() => ({ status: 500, headers: {}, body: '<p>An error</p>' }));
    await Promise.all([1, 2, 3, 4].map(async () => (await request('/page/')).text()));
    expect(count()).toBe(1);
  });

  test.each([401, 403, 451])(
    'a page that answers %i to the gateway is requested as its client',
    async (status) => {
      const { request } = await startPages(({ headers }) =>
        /^(?:192\.0\.2|203\.0\.113)\./.test(String(headers['x-forwarded-for']))
          ? { status, body: 'no' }
          : { body: 'for the office' },
      );
      const detail = `status ${status}`;
      for (const why of [
        `fwd=uri-miss; detail="${detail}"`,
        `fwd=bypass; detail="hit-for-pass, ${detail}"`,
      ]) {
        expect(await readCached(await request('/page/'))).toEqual(['for the office', why]);
      }
    },
  );

  describe('a plain origin', () => {
    const startPlain = async (headers: Fields, cache: NonNullable<SiteOptions['cache']> = {}) => {
      const site = await runServer((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(request.headers));
      });
      const { request } = await runGateway({ url: site.origin, ...PLAIN, cache }, { cache: 'memory' });
      return async (sent: Fields = {}) =>
        readCached(await request('/', { headers: { 'cache-control': 'max-age=9999', ...sent } }));
    };
    const GUESSED = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    const STATED = { 'cache-control': 'max-age=60' };

    test.each([
      ['Cookie', 'session=secret', GUESSED],
      ['Cookie', 'session=secret', STATED],
      ['Authorization', 'Bearer secret', STATED],
      ['Client-Cert', 'secret', STATED],
      ['X-Tenant', 'secret', STATED],
      ['X-Made-Up', 'secret', GUESSED],
    ])('%s: %s makes the request private if the site states %j', async (name, value, stated) => {
      const read = await startPlain(stated);
      expect((await read({ [name]: value }))[0]).toContain('secret');
      expect((await read())[0]).not.toContain('secret');
      expect((await read({ [name]: value }))[0]).toContain('secret');
    });

    test.each([
      { 'cache-control': 'public, max-age=60' },
      { 'cache-control': 's-maxage=60' },
      { 'cache-control': 'must-revalidate, max-age=60' },
      { 'cdn-cache-control': 'max-age=60' },
    ])('with %j a response to a request with a cookie is shared', async (stated: Fields) => {
      const read = await startPlain(stated);
      await read({ cookie: 'session=1' });
      expect((await read())[0]).toContain('session=1');
    });

    test('harmless cookies are not forwarded, and the response is shared', async () => {
      const read = await startPlain(STATED, { harmlessCookies: ['theme'] });
      expect((await read({ cookie: '_ga=1; theme=dark' }))[0]).not.toContain('theme');
      expect((await read({ cookie: '_ga=2' }))[1]).toMatch(/^hit/);
    });
  });
});

test('bypasses are counted by reason', async () => {
  const { url } = await runStubSite({ respond: () => ({ body: {} }) });
  const { request } = await runGateway(
    { url, document: DOCUMENT },
    { cache: 'memory', admin: { token: 'token' } },
  );
  const send = async (path: string, headers: Fields): Promise<void> => {
    await (await request(path, { headers })).text();
  };
  await send(ITEMS, { 'x-org-id': '1' });
  await send(ITEMS, { 'x-made-up': '1' });
  await send(ITEMS, { cookie: 'basket="1' });
  await send(ITEMS, { authorization: 'Bearer a' });
  await send('/wc/v3/items?api_token=1', {});
  const metrics = await request('/-/metrics', { headers: { authorization: 'Bearer token' } });
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('waygate_cache_exclusions_total{'))
    .map((line) => line.replace('waygate_cache_exclusions_total{site="default",', '{'));
  expect(lines.sort()).toEqual([
    '{reason="cookie"} 1',
    '{reason="credentials"} 1',
    '{reason="header"} 2',
    '{reason="parameter"} 1',
  ]);
});

describe('the host that a request names', () => {
  /** Starts a gateway before an echoing site. @returns a function that sends a request with any `Host` */
  const startEchoing = async (options: Partial<GatewayOptions>) => {
    const { url } = await runStubSite({ respond: ({ headers }) => ({ body: headers }) });
    const { origin } = await runGateway({ url, document: DOCUMENT }, { cache: 'memory', ...options });
    return (host: string, headers: Fields = {}) => sendRaw(origin, ITEMS, { headers: { ...headers, host } });
  };

  test.each([[[]], [['127.0.0.0/8']]])(
    'does not reach the site with publicUrl, trusted proxies: %j',
    async (trust) => {
      const send = await startEchoing({ publicUrl: 'https://www.example.com/api', trust });
      const attack = {
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'ftp',
        'x-forwarded-prefix': '/evil',
      };
      const { body } = await send('evil.test:81', attack);
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

  test('is part of the key without publicUrl', async () => {
    const send = await startEchoing({});
    expect((await send('evil.test')).body).toContain('evil.test');
    expect((await send('www.example.com')).body).not.toContain('evil.test');
  });
});
