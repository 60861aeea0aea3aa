import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Answer, networks, type Responder, startGateway } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { sendRaw } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

/**
 * What is asked for everyone, as a foreign visitor, and what reaches the site as its client sent it. The site of each test decides by what
 * it gets, as plugins do.
 */

type Fields = Readonly<Record<string, string>>;

const ANN: Fields = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'accept-language': 'de-DE',
  referer: 'https://example.com/from',
  'x-forwarded-for': '198.51.100.7',
};
const FROM_ANN = { ...ANN, 'x-forwarded-for': '198.51.100.7, 127.0.0.1' };
const BOB: Fields = {
  'accept-language': 'fr',
  'user-agent': 'Mobile',
  referer: 'https://b.example.com/',
  'x-forwarded-for': '198.51.100.8',
};
const trust = networks('127.0.0.1');
const TRUSTED = { gateway: { trust } };
/** A gateway that knows of no address. */
const NEW = { ...TRUSTED, isNew: true };
const HIT = expect.stringMatching(/^hit/);
const BYPASSED = (detail: string): string => `fwd=bypass; detail=${detail}`;

/** As nginx sees the client with `set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For`. */
const addressOf = ({ headers }: StubRequest): string =>
  String(headers['x-forwarded-for'] ?? '127.0.0.1').split(', ')[0] ?? '';
const isForeign = (request: StubRequest): boolean =>
  /^(?:192\.0\.2|203\.0\.113)\.\d+$/.test(addressOf(request));

describe('the first request for an address reaches the site once, as its client sent it:', () => {
  const LOGIN: Answer = {
    status: 302,
    headers: { location: '/', 'set-cookie': 'wordpress_logged_in_1=ann', 'cache-control': 'no-store' },
  };
  test.each<[what: string, answer: Answer, fields?: Fields]>([
    ['a login by a link (wp-cli/wp-cli-login-command)', LOGIN],
    ['a download that is logged', { headers: { 'content-type': 'application/zip' } }],
    ['a prefetch (canvasxai/sketch#408)', { body: 'a' }, { 'sec-purpose': 'prefetch;prerender' }],
    ['a part', { body: 'a' }, { range: 'bytes=0-0', 'if-none-match': '"1"' }],
  ])('%s', async (_, answer, fields = {}) => {
    const { read, received } = await startGateway(NEW, () => answer);
    await read('/key', { ...ANN, ...fields });
    expect(received.map(({ headers }) => headers)).toMatchObject([{ ...FROM_ANN, ...fields }]);
  });

  test('a program that looks with HEAD does not use up what GET would (omega8cc/boa#1402)', async () => {
    const { received, request } = await startGateway(NEW, () => LOGIN);
    for (const method of ['HEAD', 'GET']) await request('/key', { method, headers: ANN });
    expect(received.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  test('a part says why it is not stored, and is not counted as a response that cannot be', async () => {
    const headers = { 'content-range': 'bytes 0-0/2', 'cache-control': 'max-age=60' };
    const { read, readMetrics } = await startGateway(NEW, () => ({ status: 206, headers, body: 'a' }));
    const part = await read('/a/', { ...ANN, range: 'bytes=0-0' });
    expect(part[1]).toBe('fwd=request; detail="request range"');
    expect(await readMetrics()).not.toMatch(/exclusions_total\{.*"response"\} [1-9]/);
  });

  test.each<[what: string, choose: (request: StubRequest) => unknown]>([
    ['language', ({ headers }) => headers['accept-language']],
    ['device (wp_is_mobile)', ({ headers }) => headers['user-agent']],
    ['address', addressOf],
  ])('without `pages`, each request of a page that prints the %s without `Vary`', async (_, choose) => {
    const respond: Responder = (request) => ({ body: String(choose(request)) });
    const { read, received } = await startGateway({ ...NEW, cache: {} }, respond);
    for (const headers of [ANN, BOB, ANN]) {
      const [body] = await read('/a/', headers);
      expect(body).toBe(String(choose({ headers } as StubRequest)));
    }
    expect(received).toHaveLength(3);
  });

  test('if it could be everyone’s, the second one is asked for everyone, and the third a hit', async () => {
    const { read, received } = await startGateway(NEW, (_, at) => ({ body: String(at) }));
    expect(await read('/a/', ANN)).toEqual(['1', 'fwd=uri-miss; detail="first request"']);
    expect(await read('/a/', ANN)).toEqual(['2', 'fwd=uri-miss; stored']);
    expect(await read('/a/', ANN)).toEqual(['2', HIT]);
    expect(received.map(isForeign)).toEqual([false, true]);
  });

  test.each<[answer: Answer, detail: string]>([
    [{ headers: { 'set-cookie': 'a=1' } }, 'set-cookie'],
    [{ headers: { 'content-type': 'text/plain' } }, 'no-freshness'],
    [{ headers: { 'cache-control': 'no-cache', etag: '"1"' } }, 'no-cache'],
    [{ status: 404 }, '"status 404"'],
  ])('one with %j makes nothing asked for everyone, and its cause is named', async (answer, detail) => {
    const { read, received } = await startGateway(NEW, () => answer);
    for (const _ of [1, 2, 3]) expect((await read('/a/', ANN))[1]).toBe(BYPASSED(detail));
    expect(received.map(isForeign)).toEqual([false, false, false]);
  });

  test('a missing page is shared if the site states a lifetime', async () => {
    const answer = { status: 404, headers: { 'cache-control': 'max-age=60' }, body: 'none' };
    const { read } = await startGateway(NEW, () => answer);
    for (const _ of [1, 2]) await read('/none/', ANN);
    expect(await read('/none/', ANN)).toEqual(['none', HIT]);
  });

  /** A site that answers `/b/`, and holds what comes for `/a/` until the test answers it. */
  const startHolding = async (isHeld: (request: StubRequest, count: number) => boolean = () => true) => {
    const held: ServerResponse[] = [];
    const { read, request } = await startGateway(NEW, (asked, count, response) => {
      if (asked.url !== '/a/' || !isHeld(asked, count)) return { body: String(count) };
      held.push(response.setHeader('content-type', 'text/html'));
      return undefined;
    });
    return { held, read, request };
  };

  test('who comes meanwhile waits for its head, and joins one request for everyone', async () => {
    const { held, read } = await startHolding((_, count) => count === 1);
    const first = read('/a/', ANN);
    await waitUntil(() => held.length === 1);
    const others = [1, 2, 3, 4].map(() => read('/a/', ANN));
    // They have arrived once a later request has been answered.
    expect(await read('/b/')).toContain('2');
    held[0]?.end('own');
    expect((await first)[0]).toBe('own');
    expect(new Set((await Promise.all(others)).map(([body]) => body))).toEqual(new Set(['3']));
  });

  test('who comes meanwhile does not get the failure of what another client sent', async () => {
    const { held, read, request } = await startHolding(
      ({ headers }) => headers['accept-language'] === 'union',
    );
    const hostile = request('/a/', { headers: { ...ANN, 'accept-language': 'union' } });
    await waitUntil(() => held.length === 1);
    const others = [1, 2, 3].map(() => request('/a/', { headers: ANN }));
    await read('/b/');
    held[0]?.destroy();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const response of held.slice(1)) response.destroy();
    expect((await hostile).status).toBe(502);
  });

  test('who comes meanwhile is passed at once if it is for its client, and later ones do not wait', async () => {
    const { held, read, request } = await startHolding();
    const get = async () => (await request('/a/', { headers: ANN })).headers.get('set-cookie');
    const all = [get()];
    await waitUntil(() => held.length === 1);
    all.push(get(), get());
    await read('/b/');
    expect(held).toHaveLength(1);
    held[0]?.setHeader('set-cookie', 'a=0').end();
    await waitUntil(() => held.length === 3);
    all.push(get());
    await waitUntil(() => held.length === 4);
    for (const [at, response] of held.entries())
      if (at > 0) response.setHeader('set-cookie', `a=${at}`).end();
    expect(new Set(await Promise.all(all)).size).toBe(4);
  });
});

describe('the client of a response that is not everyone’s gets the response to its own request', () => {
  test('a redirect by language, without one a cookie: Polylang', async () => {
    const { request } = await startGateway(TRUSTED, ({ headers }) =>
      String(headers['accept-language']).startsWith('de')
        ? { status: 302, headers: { location: '/de/', vary: 'Accept-Language' } }
        : { headers: { 'set-cookie': 'pll_language=en' } },
    );
    for (const _ of [1, 2])
      expect((await request('/a/', { headers: ANN })).headers.get('location')).toBe('/de/');
    const { headers } = await request('/a/', { headers: BOB });
    expect(headers.get('set-cookie')).toBe('pll_language=en');
  });

  test.each([
    ['/go/x?utm_source=n', '/landing/'],
    ['/a/?gclid=1', '/a/'],
  ])(
    'a redirect with a cookie from %s: with or without its parameters, as the site has decided',
    async (path, location) => {
      const { request } = await startGateway(TRUSTED, ({ url }) => ({
        status: url === '/a/' ? 200 : 302,
        headers: { location, 'set-cookie': 'a=1' },
      }));
      for (const _ of [1, 2]) {
        const { headers, status } = await request(path, { headers: ANN });
        expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([302, location, 'a=1']);
      }
    },
  );

  test.each<[detail: string, Answer, afterwards: string, isAll?: boolean]>([
    ['set-cookie', { headers: { 'set-cookie': 'a=1' } }, 'detail="first request"'],
    ['no-store', { headers: { 'cache-control': 'no-store' } }, 'detail="first request"', true],
    ['"status 302"', { status: 302, headers: { location: '/x' } }, 'detail="first request"'],
    // A refusal says nothing of the address.
    ['"status 401"', { status: 401 }, 'stored'],
    ['"status 451"', { status: 451 }, 'stored'],
    ['"status 451"', { status: 451 }, 'stored', true],
  ])('%s passes the address for ten minutes, or until a purge of everything', async (...row) => {
    const [detail, answer, afterwards, isAll = false] = row;
    const clock = new GatewayClock();
    let isPersonal = false;
    const { administer, read, received } = await startGateway(
      { isNew: true, gateway: { trust, clock } },
      () => (isPersonal ? answer : { body: 'a', headers: { date: new Date(clock.now()).toUTCString() } }),
    );
    await read('/a/', ANN);
    isPersonal = true;
    expect((await read('/a/', ANN))[1]).toBe(`fwd=uri-miss; detail=${detail}`);
    expect(received).toHaveLength(3);
    for (const _ of [1, 2]) {
      clock.pass(290_000);
      expect((await administer('/-/purge', { url: '/a/' })).ok).toBe(true);
      expect((await read('/a/', ANN))[1]).toBe(BYPASSED(`"hit-for-pass, ${detail.replaceAll('"', '')}"`));
    }
    if (isAll) expect((await administer('/-/purge', { all: true })).ok).toBe(true);
    else clock.pass(21_000);
    isPersonal = false;
    expect((await read('/a/', ANN))[1]).toBe(`fwd=uri-miss; ${afterwards}`);
    await read('/a/', ANN);
    expect((await read('/a/', ANN))[1]).toEqual(HIT);
  });
});

describe('a foreign visitor', () => {
  test('has one address of RFC 5737 in every field, and no User-Agent that filters know', async () => {
    const { read, received } = await startGateway(TRUSTED, () => ({ body: 'a' }));
    const own = '198.51.100.7';
    await read('/a/', {
      ...ANN,
      'cf-connecting-ip': own,
      'x-real-ip': own,
      'true-client-ip': '198.51.100.9',
    });
    const address = received.map(addressOf)[0];
    expect(received.map(isForeign)).toEqual([true]);
    expect(received[0]?.headers).toMatchObject({
      ...{ 'x-real-ip': address, 'cf-connecting-ip': address, 'true-client-ip': address },
      forwarded: expect.stringContaining(`for=${address};`),
      'user-agent': expect.stringMatching(
        /^Mozilla\/5\.0 \((?!compatible)(?!.*(?:waygate|bot|spider|crawl))/i,
      ),
    });
  });

  test('is not the gateway’s machine: allow 127.0.0.1', async () => {
    const { read } = await startGateway(TRUSTED, (request) =>
      ['127.0.0.1', '198.51.100.9'].includes(addressOf(request))
        ? { headers: { 'cache-control': 'max-age=60' }, body: 'internal' }
        : { status: 403, body: 'denied' },
    );
    expect(await read('/intern/', ANN)).toContain('denied');
    expect(await read('/intern/', { 'x-forwarded-for': '198.51.100.9' })).toContain('internal');
    expect(await read('/intern/', ANN)).toContain('denied');
  });

  test('who gets 403 does not replace a stored page', async () => {
    const clock = new GatewayClock();
    let isRefused = false;
    const { read } = await startGateway({ gateway: { trust, clock } }, (request) =>
      isRefused && isForeign(request)
        ? { status: 403, body: 'refused' }
        : { headers: { 'cache-control': 'max-age=1, stale-if-error=9999' }, body: 'page' },
    );
    await read('/a/', ANN);
    isRefused = true;
    clock.pass(5_000);
    expect(await read('/a/', ANN)).toContain('page');
    isRefused = false;
    clock.pass(601_000);
    expect((await read('/a/', ANN))[1]).toContain('fwd=stale');
  });

  test('gets one file for all languages: a 304 that names another field stores nothing under a client’s language', async () => {
    const clock = new GatewayClock();
    const modified = new Date(clock.now() - 864e5 * 30).toUTCString();
    let isSplit = false;
    const { read } = await startGateway({ gateway: { trust, clock } }, ({ headers }) => ({
      status: isSplit && headers['if-none-match'] === '"1"' ? 304 : 200,
      headers: {
        ...{ date: new Date(clock.now()).toUTCString(), 'last-modified': modified, etag: '"1"' },
        ...{ 'cache-control': 'max-age=10', 'content-type': 'text/css' },
        ...(isSplit ? { vary: 'Accept-Language' } : {}),
      },
      body: headers['accept-language'] ?? 'none',
    }));
    for (const _ of [1, 2]) expect((await read('/a.css', ANN))[0]).toBe('none');
    isSplit = true;
    clock.pass(20_000);
    expect(await read('/a.css', ANN)).toEqual(['none', expect.stringContaining('fwd=stale; fwd-status=304')]);
    expect((await read('/a.css', ANN))[0]).toBe('de-DE');
  });

  test('is asked without CF-Connecting-IP once Cloudflare has answered, which refuses it (cloudflare/cloudflare-docs#8066)', async () => {
    const { read, received } = await startGateway(TRUSTED, ({ headers }) => ({
      status: headers['cf-connecting-ip'] === undefined ? 200 : 403,
      headers: { 'cf-ray': '230b030023ae2822' },
      body: 'page',
    }));
    for (const path of ['/a/', '/b/']) expect((await read(path, ANN))[0]).toBe('page');
    expect(received).toHaveLength(3);
  });
});

describe('an address of which nothing is known', () => {
  test.each([
    ['/?pay-notify=gopay&id=7', 'query pay-notify'],
    ['/wp-json/contact-form-7/v1/contact-forms/3/refill', 'namespace contact-form-7/v1'],
  ])('is not stored: %s', async (path, cause) => {
    const { read } = await startGateway(NEW, (_, at) => ({ body: String(at) }));
    for (const body of ['1', '2', '3']) expect(await read(path, ANN)).toEqual([body, BYPASSED(`"${cause}"`)]);
  });

  test.each(['/?acme=1', '/wp-json/acme/v1/list', '/acme.php'])(
    '%s is asked for everyone and stored once the site has stated a lifetime',
    async (path) => {
      for (const control of ['s-maxage=60', 'max-age=60']) {
        const { read, received } = await startGateway(NEW, () => ({
          headers: { 'cache-control': control },
          body: '{}',
        }));
        for (const _ of [1, 2]) expect((await read(path, ANN))[1]).toContain('fwd=uri-miss');
        expect(received.map(({ headers }) => headers.referer)).toEqual([ANN['referer'], undefined]);
        expect((await read(path, ANN))[1]).toEqual(HIT);
      }
    },
  );

  test.each<[path: string, cache?: object]>([
    ['/a/?sort=1', { queries: ['sort'] }],
    ['/wp-json/acme/v1/list', { rules: [{ match: '/acme/v1/*', ttl: 30 }] }],
    ['/a/?s=b'],
    ['/a/?orderby=price&min_price=3&filter_color=red'],
    ['/wp-json/wp/v2/posts?x=1'],
  ])('is none that a setting names, or WordPress and WooCommerce define: %s with %j', async (path, cache) => {
    const { read } = await startGateway({ cache: { pages: 60, ...cache } }, () => ({ body: '[]' }));
    await read(path, ANN);
    expect((await read(path, ANN))[1]).toEqual(HIT);
  });
});

describe('cookies', () => {
  test('in several lines are read as in one (RFC 9113 §8.2.3)', async () => {
    const { origin } = await startGateway({}, ({ headers }) => ({ body: headers.cookie ?? 'banner' }));
    const send = (...cookies: readonly string[]) =>
      sendRaw(origin, '/a/', {
        headers: ['Host', 'example.com', ...cookies.flatMap((each) => ['Cookie', each])],
      });
    expect((await send('_ga=1', 'viewed_cookie_policy=yes')).body).toBe('viewed_cookie_policy=yes');
    const inOne = await send('_ga=1; viewed_cookie_policy=yes');
    expect(inOne.headers['cache-status']).toMatch(/^waygate; hit/);
    expect((await send()).body).toBe('banner');
  });

  test.each([
    ['do not change', '/wp-admin/css/common.min.css?ver=1', 'none'],
    ['do not change', '/wp-content/plugins/x/y.css', 'none'],
    ['can change', '/wp-content/uploads/2024/a.jpg', 'wordpress_logged_in_1=ann'],
    ['can change', '/wp-content/plugins/x/y.php/a.css', 'wordpress_logged_in_1=ann'],
    ['can change', '/wp-admin/a.css', 'wordpress_logged_in_1=ann'],
  ])('%s a file of WordPress, a theme or a plugin only: %s', async (_, path, body) => {
    const headers = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT', 'content-type': 'text/css' };
    const { read } = await startGateway({}, ({ headers: { cookie = 'none' } }) => ({
      headers,
      body: cookie,
    }));
    const cookie = 'wordpress_logged_in_1=ann';
    expect(await read(path, { cookie })).toContain(body);
    expect(await read(path)).toContain('none');
    expect(await read(path, { cookie })).toEqual([body, body === 'none' ? HIT : BYPASSED('cookie')]);
  });
});

test.each<[setting: object, path: string, headers: Fields, detail: string]>([
  [{ harmlessCookies: ['!_ga'] }, '/a/', { cookie: '_ga=1' }, 'cookie'],
  [{ keyCookies: ['!viewed_cookie_policy'] }, '/a/', { cookie: 'viewed_cookie_policy=yes' }, 'cookie'],
  [{ ignoreParameters: ['!gclid'] }, '/a/?gclid=1', {}, '"query gclid"'],
  [{ ignoreParameters: ['!utm_source'] }, '/a/?utm_medium=a&utm_source=b', {}, '"query utm_source"'],
  [{ queries: ['!orderby'] }, '/a/?orderby=price', {}, '"query orderby"'],
  [{ harmlessHeaders: ['!save-data'] }, '/a/', { 'save-data': 'on' }, '"header save-data"'],
])('%j takes a name off a built-in list', async (setting, path, headers, detail) => {
  const { read } = await startGateway({ isNew: true, cache: { pages: 60, ...setting } }, () => ({
    body: 'a',
  }));
  for (const _ of [1, 2]) expect((await read(path, headers))[1]).toBe(BYPASSED(detail));
});

test.each<[cache: object, path: string, headers: Fields]>([
  [{ queries: ['size_code'], credentialParameters: ['!size_code'] }, '/a/?size_code=4', {}],
  // A theme can send it with each read (woocommerce/woocommerce#25437).
  [{ harmlessHeaders: ['X-WP-Nonce'] }, '/wp-json/wp/v2/posts', { 'x-wp-nonce': 'a' }],
])('%j takes a name off the credentials', async (cache, path, headers) => {
  const { read } = await startGateway({ cache: { pages: 60, ...cache } }, () => ({ body: '[]' }));
  await read(path, headers);
  expect((await read(path, headers))[1]).toEqual(HIT);
});

test('a credential in the key of a rule stays one for other addresses', async () => {
  const cache = { pages: 60, rules: [{ match: '/b/*', keyHeaders: ['Authorization'] }] };
  const { read } = await startGateway({ cache }, ({ headers }) => ({ body: headers.authorization ?? '' }));
  for (const authorization of ['Basic a', 'Basic b'])
    expect((await read('/a/', { authorization }))[0]).toBe(authorization);
});

test('a permanent redirect without a lifetime is confirmed soon', async () => {
  const clock = new GatewayClock();
  const { request } = await startGateway({ gateway: { clock } }, (_, at) => ({
    status: 301,
    headers: { location: `/${at}/` },
  }));
  await request('/a/');
  clock.pass(10_000);
  expect((await request('/a/')).headers.get('location')).toBe('/2/');
});
