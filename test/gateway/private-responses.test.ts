import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayOptions, type SiteOptions } from '../../src/gateway/index.ts';
import type { Log } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { type StubRequest, type StubResponse, type StubSite, startStubSite } from '../support/stub-site.ts';

const endpoint = { methods: ['GET'], args: {} };
const route = { namespace: 'ext/v1', methods: ['GET'], endpoints: [endpoint] };
const INDEX = {
  name: 'A site',
  url: 'https://site.example.com',
  home: 'https://site.example.com',
  namespaces: ['ext/v1'],
  authentication: [],
  routes: {
    '/': { namespace: '', methods: ['GET'], endpoints: [endpoint] },
    '/ext/v1/items': route,
    '/ext/v1/admin-access/(?P<nonce>[\\w]+)': route,
    '/ext/v1/invitations/(?P<inviteToken>[\\w]+)': route,
    '/ext/v1/books/(?P<id>[\\d]+)': route,
  },
};

async function startSite(respond: (request: StubRequest) => StubResponse): Promise<StubSite> {
  const site = await startStubSite({ index: INDEX, respond });
  closeAfterTest(site.close);
  return site;
}

async function startGatewayFor(
  site: StubSite,
  start: (options: GatewayOptions) => Promise<RunningGateway>,
  { log, ...options }: Partial<SiteOptions> & { readonly log?: Log } = {},
): Promise<RunningGateway> {
  const gateway = await start({
    sites: [{ url: site.url, ...options }],
    cache: 'memory',
    admin: { token: 'token' },
    ...(log === undefined ? {} : { log }),
  });
  closeAfterTest(gateway.stop);
  return gateway;
}

const statusOf = (response: Response): string => response.headers.get('cache-status') ?? '';

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  test.each([
    ['/ext/v1/admin-access/3f2b', 'nonce'],
    ['/ext/v1/invitations/3f2b', 'inviteToken'],
  ])('a credential in the path is never replayed: %s', async (path, parameter) => {
    let count = 0;
    const site = await startSite(() => {
      count += 1;
      return count === 1 ? { body: { user: 'admin' } } : { status: 410, body: { code: 'used' } };
    });
    const gateway = await startGatewayFor(site, start, { cache: { rules: [{ match: '/*', ttl: 600 }] } });
    const first = await gateway.request(path);
    expect([first.status, statusOf(first)]).toEqual([
      200,
      `waygate; fwd=bypass; detail="path parameter ${parameter}"`,
    ]);
    expect((await gateway.request(path)).status).toBe(410);
  });

  const PRIVATE_FIELDS = `
    X-WC-Store-API-Nonce X-CSRF-Token X-Auth-Token Cart-Hash X-Session Authorization X-Guest X-Visitor-Id
    X-Basket-Id X-Key X-License-Key X-Identity X-Ticket X-One-Time-Code X-Invite-Code X-Signature
    X-Remember-Me`;
  test.each(PRIVATE_FIELDS.trim().split(/\s+/))('a response with %s is never stored', async (name) => {
    let count = 0;
    const site = await startSite(() => {
      count += 1;
      return { headers: { [name]: `${count}`, 'cache-control': 'public, s-maxage=60' }, body: {} };
    });
    const gateway = await startGatewayFor(site, start);
    for (const value of ['1', '2']) {
      const response = await gateway.request('/ext/v1/items');
      await response.text();
      expect(response.headers.get(name)).toBe(value);
      expect(statusOf(response)).toContain(`header ${name.toLowerCase()}`);
    }
  });

  test.each<readonly [string, string, string]>([
    ['with another parameter in its path', '/ext/v1/books/1', 'X-A'],
    ...['Surrogate-Key', 'X-Cache-Key', 'X-Keyword-Count', 'X-Powered-By', 'X-Country-Code'].map(
      (name) => [`with ${name}`, '/ext/v1/items', name] as const,
    ),
  ])('a response %s is stored', async (_, path, name) => {
    const site = await startSite(() => ({ headers: { [name]: 'a' }, body: {} }));
    const gateway = await startGatewayFor(site, start);
    await (await gateway.request(path)).text();
    expect(statusOf(await gateway.request(path))).toMatch(/^waygate; hit/);
  });

  test('a response with a nonce in its body is not stored, counted, and logged once per route', async () => {
    const warnings: object[] = [];
    const ignore = (): void => undefined;
    const log: Log = {
      info: ignore,
      error: ignore,
      warn: (fields) => void warnings.push(fields),
    };
    let count = 0;
    const site = await startSite(() => {
      count += 1;
      return { body: { settings: { restNonce: `${count}` } } };
    });
    const gateway = await startGatewayFor(site, start, { log });
    const bodies: string[] = [];
    for (let request = 0; request < 3; request++) {
      bodies.push(await (await gateway.request('/ext/v1/items')).text());
    }
    expect(bodies).toEqual(['1', '2', '3'].map((restNonce) => JSON.stringify({ settings: { restNonce } })));
    expect(warnings.filter((fields) => 'member' in fields)).toMatchObject([
      { route: '/ext/v1/items', member: 'restNonce' },
    ]);
    const metrics = await gateway.request('/-/metrics', { headers: { authorization: 'Bearer token' } });
    expect(await metrics.text()).toContain(
      'waygate_cache_exclusions_total{site="default",reason="nonce in body",name="restNonce"} 3',
    );
  });

  test('a field that Vary names reaches the site once the site has named it', async () => {
    const site = await startSite(({ headers }) => ({
      headers: { vary: 'Accept-Language' },
      body: { language: headers['accept-language'] ?? 'default' },
    }));
    const gateway = await startGatewayFor(site, start);
    const read = async (language: string): Promise<readonly [string, boolean]> => {
      const response = await gateway.request('/ext/v1/items', { headers: { 'accept-language': language } });
      return [
        ((await response.json()) as { language: string }).language,
        statusOf(response).startsWith('waygate; hit'),
      ];
    };
    expect(await read('de')).toEqual(['de', false]);
    expect(await read('fr')).toEqual(['fr', false]);
    expect(await read('de')).toEqual(['de', true]);
    expect(await read('fr')).toEqual(['fr', true]);
  });

  test('a page that cannot be stored is requested with all fields of its client, after the first time', async () => {
    const site = await startStubSite({
      index: INDEX,
      intercept(request, response) {
        if (request.route !== undefined || !request.url.startsWith('/page')) return false;
        const isStorable = request.url.startsWith('/page/storable');
        response.writeHead(200, isStorable ? { 'cache-control': 'max-age=60' } : {});
        response.end(String(request.headers['accept-language']));
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startGatewayFor(site, start, { passthrough: true });
    const read = async (path: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
      const response = await gateway.request(path, { headers: { 'accept-language': 'de', ...headers } });
      return [await response.text(), statusOf(response)];
    };
    expect((await read('/page/storable'))[0]).not.toBe('de');
    expect((await read('/page/storable'))[1]).toMatch(/^waygate; hit/);
    expect((await read('/page/other', { 'cache-control': 'no-store' }))[0]).not.toBe('de');
    expect((await read('/page/other'))[0]).not.toBe('de');
    expect(await read('/page/other')).toEqual(['de', 'waygate; fwd=bypass; detail=hit-for-pass']);
  });

  const HTML = { 'content-type': 'text/html; charset=UTF-8' };
  const field = (name: string) => (value: string) =>
    `<form><input type="hidden" name="${name}" value="${value}"></form>`;
  const script = (value: string): string => `<script>var a={"csrfToken":"${value}"}</script>`;
  test.each<
    [what: string, path: string, status: number, headers: Record<string, string>, (value: string) => string]
  >([
    ['a 500 with a token in a form (O4)', '/page/', 500, HTML, field('_token')],
    [
      'a 503 with a token in a form (O4)',
      '/page/',
      503,
      { ...HTML, 'retry-after': '60' },
      field('csrf_token'),
    ],
    ['a 502 with a token in a script', '/page/', 502, HTML, script],
    ['a 504 with a session in a field', '/page/', 504, HTML, field('session_id')],
    [
      'a 500 of a route with a nonce',
      '/wp-json/ext/v1/items',
      500,
      {},
      (value) => `{"restNonce":"${value}"}`,
    ],
    ['a 500 with a cookie (unjs/ocache#61)', '/page/', 500, { ...HTML, 'set-cookie': 'sid=1' }, String],
    [
      'a page with a cookie (darkweak/souin#805)',
      '/page/',
      200,
      { ...HTML, 'set-cookie': 'sid=1', 'cache-control': 'public, max-age=60' },
      String,
    ],
    [
      'a private page (caddyserver/cache-handler#82)',
      '/page/',
      200,
      { ...HTML, 'cache-control': 'no-cache, no-store' },
      String,
    ],
    ['a 404 with a token in a form', '/page/', 404, HTML, field('_token')],
    ['a page with a token in a form', '/page/', 200, HTML, field('_token')],
  ])('clients that wait for each other do not share %s', async (_, path, status, headers, write) => {
    let count = 0;
    const site = await startStubSite({
      index: INDEX,
      intercept({ route, url }, response) {
        if (route === undefined ? !url.startsWith('/page') : route === '/') return false;
        count += 1;
        const body = write(`value-${count}`);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        setTimeout(() => response.end(body), 50);
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startGatewayFor(site, start, { passthrough: true, cache: { pages: 60 } });
    const bodies = await Promise.all([1, 2, 3, 4].map(async () => (await gateway.request(path)).text()));
    expect(new Set(bodies.map((body) => /value-\d/.exec(body)?.[0])).size).toBe(4);
  });

  test('clients that wait for each other share an error that is for nobody', async () => {
    const site = await startStubSite({
      index: INDEX,
      intercept({ url }, response) {
        if (!url.startsWith('/page')) return false;
        setTimeout(() => response.writeHead(500, HTML).end('<p>An error</p>'), 50);
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startGatewayFor(site, start, { passthrough: true, cache: { pages: 60 } });
    await Promise.all([1, 2, 3, 4].map(async () => (await gateway.request('/page/')).text()));
    expect(site.requests.filter(({ url }) => url === '/page/')).toHaveLength(1);
  });

  test.each([401, 403, 451])(
    'a page that answers %i to the gateway is requested as its client',
    async (status) => {
      const site = await startStubSite({
        index: INDEX,
        intercept({ headers, url }, response) {
          if (!url.startsWith('/page')) return false;
          const isKnown = headers['x-forwarded-for'] !== undefined;
          response.writeHead(isKnown ? 200 : status, HTML).end(isKnown ? 'for the office' : 'no');
          return true;
        },
      });
      closeAfterTest(site.close);
      const gateway = await startGatewayFor(site, start, { passthrough: true, cache: { pages: 60 } });
      for (let time = 0; time < 2; time += 1) {
        const response = await gateway.request('/page/');
        expect([await response.text(), statusOf(response)]).toEqual([
          'for the office',
          'waygate; fwd=bypass; detail=hit-for-pass',
        ]);
      }
    },
  );

  describe('a plain origin', () => {
    const startPlain = async (
      headers: Readonly<Record<string, string>>,
      cache: SiteOptions['cache'] = {},
    ): Promise<RunningGateway> => {
      const site = await startStubSite({
        linkHeader: false,
        intercept(request, response) {
          response.writeHead(200, { 'content-type': 'application/json', ...headers });
          response.end(JSON.stringify(request.headers));
          return true;
        },
      });
      closeAfterTest(site.close);
      return startGatewayFor(site, start, { discovery: 'off', passthrough: true, cache });
    };
    const GUESSED = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    const read = async (gateway: RunningGateway, headers: Record<string, string> = {}): Promise<string> =>
      (await gateway.request('/', { headers: { 'cache-control': 'max-age=9999', ...headers } })).text();

    test.each([
      ['Cookie', 'session=secret', GUESSED],
      ['Cookie', 'session=secret', { 'cache-control': 'max-age=60' }],
      ['Authorization', 'Bearer secret', { 'cache-control': 'max-age=60' }],
      ['Client-Cert', 'secret', { 'cache-control': 'max-age=60' }],
      ['X-Tenant', 'secret', { 'cache-control': 'max-age=60' }],
      ['X-Api-Key', 'secret', { 'cache-control': 'max-age=60' }],
      ['X-Made-Up', 'secret', GUESSED],
    ])('%s: %s makes the request private if the site states %j', async (name, value, stated) => {
      const gateway = await startPlain(stated);
      expect(await read(gateway, { [name]: value })).toContain('secret');
      expect(await read(gateway)).not.toContain('secret');
    });

    test.each([
      ['public', { 'cache-control': 'public, max-age=60' }],
      ['s-maxage', { 'cache-control': 's-maxage=60' }],
      ['must-revalidate', { 'cache-control': 'must-revalidate, max-age=60' }],
      ['a targeted field', { 'cdn-cache-control': 'max-age=60' }],
    ])('with %s a response to a request with a cookie is shared', async (_, stated) => {
      const gateway = await startPlain(stated);
      await read(gateway, { cookie: 'session=1' });
      expect(await read(gateway)).toContain('session=1');
    });

    test('a request with a cookie does not get the response of others without permission', async () => {
      const gateway = await startPlain({ 'cache-control': 'max-age=60' });
      await read(gateway);
      expect(await read(gateway, { cookie: 'session=mine' })).toContain('mine');
    });

    test('harmless cookies are not forwarded, and the response is shared', async () => {
      const gateway = await startPlain({ 'cache-control': 'max-age=60' }, { harmlessCookies: ['theme'] });
      expect(await read(gateway, { cookie: '_ga=1; theme=dark' })).not.toContain('theme');
      const response = await gateway.request('/', { headers: { cookie: '_ga=2' } });
      expect(statusOf(response)).toMatch(/^waygate; hit/);
    });

    test('a response with a nonce is never stored', async () => {
      const gateway = await startPlain({ 'cache-control': 'public, max-age=60', 'x-csrf-token': 'a' });
      await read(gateway);
      expect(statusOf(await gateway.request('/'))).not.toMatch(/^waygate; hit/);
    });
  });
});

test('bypasses are counted by name, for a limited number of names', async () => {
  const site = await startSite(() => ({ body: {} }));
  const gateway = await startGatewayFor(site, startNodeGateway);
  const send = async (path: string, headers: Record<string, string>): Promise<void> => {
    await (await gateway.request(path, { headers })).text();
  };
  for (let client = 0; client < 20; client++) {
    await send('/ext/v1/items', { [client % 2 === 0 ? 'X-Org-Id' : 'x-org-id']: String(client) });
  }
  await send('/ext/v1/items', { cookie: 'basket="1' });
  await send('/ext/v1/items', { authorization: 'Bearer a' });
  await send('/ext/v1/items?api_token=1', {});
  for (let name = 0; name < 250; name++) await send('/ext/v1/items', { [`x-made-up-${name}`]: '1' });
  const metrics = await gateway.request('/-/metrics', { headers: { authorization: 'Bearer token' } });
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('waygate_cache_exclusions_total{'))
    .map((line) => line.replace('waygate_cache_exclusions_total{site="default",', '{'));
  // 50 names of header fields and the rest of them, and one name of each other reason.
  expect(lines).toHaveLength(54);
  expect(lines).toEqual(
    expect.arrayContaining([
      '{reason="header",name="x-org-id"} 20',
      '{reason="cookie",name="basket"} 1',
      '{reason="credentials",name="authorization"} 1',
      '{reason="parameter",name="api_token"} 1',
    ]),
  );
  const ofHeaders = lines.filter((line) => line.startsWith('{reason="header"'));
  expect(ofHeaders.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(270);
});

describe('the host that a request names', () => {
  /** Sends a request with any `Host`. */
  const requestAs = (
    url: string,
    host: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly type: string; readonly body: string }> =>
    new Promise((resolve, reject) => {
      const clientRequest = httpRequest(url, { headers: { ...headers, host }, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, type: String(response.headers['content-type']), body }),
        );
      });
      clientRequest.on('error', reject).end();
    });

  const startEchoingGateway = async (options: Partial<GatewayOptions>): Promise<string> => {
    const site = await startSite(({ headers }) => ({ body: headers }));
    const gateway = await startNodeGateway({ sites: [{ url: site.url }], cache: 'memory', ...options });
    closeAfterTest(gateway.stop);
    return gateway.origin;
  };

  test.each([[[]], [['127.0.0.0/8']]])(
    'does not reach the site with publicUrl, trusted proxies: %j',
    async (trust) => {
      const url = await startEchoingGateway({ publicUrl: 'https://www.example.com/api', trust });
      const attack = {
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'ftp',
        'x-forwarded-prefix': '/evil',
      };
      const { body } = await requestAs(`${url}/ext/v1/items`, 'evil.test:81', attack);
      expect(JSON.parse(body)).toMatchObject({
        'x-forwarded-host': 'www.example.com',
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '443',
        'x-forwarded-prefix': '/api',
        forwarded: 'for=unknown;host="www.example.com";proto=https',
      });
      expect(body).not.toContain('evil');
    },
  );

  test('is part of the key without publicUrl', async () => {
    const url = await startEchoingGateway({});
    expect((await requestAs(`${url}/ext/v1/items`, 'evil.test')).body).toContain('evil.test');
    expect((await requestAs(`${url}/ext/v1/items`, 'www.example.com')).body).not.toContain('evil.test');
  });

  test.each([
    ['www.example.com', 200],
    ['WWW.EXAMPLE.COM:8080', 200],
    ['www.example.com.', 200],
    ['a.b.example.org', 200],
    ['api.example.net:8443', 200],
    ['public.example.com', 200],
    ['example.org', 421],
    ['evilexample.org', 421],
    ['api.example.net', 421],
    ['api.example.net:80', 421],
    ['127.0.0.1', 421],
    ['evil.test', 421],
  ])('%s gets %i from a list of hosts', async (host, status) => {
    const url = await startEchoingGateway({
      publicUrl: 'https://public.example.com',
      hosts: ['www.example.com', '*.example.org', 'api.example.net:8443'],
    });
    const response = await requestAs(`${url}/ext/v1/items`, host);
    expect(response.status).toBe(status);
    if (status !== 421) return;
    expect(response.type).toBe('application/problem+json');
    expect(JSON.parse(response.body)).toMatchObject({ status: 421, code: 'gateway_misdirected' });
    expect((await requestAs(`${url}/openapi.json`, host)).status).toBe(421);
    expect((await requestAs(`${url}/-/ready`, host)).status).toBe(200);
  });

  test('is that of a trusted proxy', async () => {
    const url = await startEchoingGateway({ hosts: ['www.example.com'], trust: ['127.0.0.0/8'] });
    const forwarded = { 'x-forwarded-host': 'www.example.com' };
    expect((await requestAs(`${url}/ext/v1/items`, 'internal', forwarded)).status).toBe(200);
    expect((await requestAs(`${url}/ext/v1/items`, 'internal')).status).toBe(421);
  });

  test.each(['', 'http://example.com', 'a b', '*', '*.', 'exa*mple.com'])(
    '"%s" is refused in the list',
    (host) => {
      expect(() => createGateway({ sites: [{ url: 'http://127.0.0.1:1' }], hosts: [host] })).toThrow(
        'hosts: ',
      );
    },
  );
});
