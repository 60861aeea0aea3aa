import { Agent, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNewGateway, startNodeGateway } from '../support/gateway.ts';
import { type Answer, createMovableClock, runAnswering, sendRaw } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

/**
 * What is asked for everyone, as a foreign visitor, and what reaches the site as its client sent it. The site of each test decides by what
 * it gets, as plugins do.
 */

type Fields = Readonly<Record<string, string>>;
type Site = (request: StubRequest, count: number, response: ServerResponse) => Answer | undefined;

const VISITOR: Fields = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'accept-language': 'de-DE',
  referer: 'https://example.com/from',
  'x-forwarded-for': '198.51.100.7',
};
/** As nginx sees the client with `set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For`. */
const addressOf = ({ headers }: StubRequest): string =>
  String(headers['x-forwarded-for'] ?? '127.0.0.1').split(', ')[0] ?? '';

async function start(
  site: Site,
  settings: Partial<SiteOptions> = {},
  options: Partial<GatewayOptions> = {},
  startGateway = startNodeGateway,
) {
  const agent = new Agent({ keepAlive: true });
  closeAfterTest(async () => agent.destroy());
  const received: StubRequest[] = [];
  const { count, origin, request } = await runAnswering(
    (sent, at, response) => {
      received.push(sent);
      return site(sent, at, response);
    },
    settings,
    { trust: ['127.0.0.1'], admin: { token: 'token' }, ...options },
    startGateway,
  );
  const read = async (path: string, headers: Fields = {}) => {
    const response = await sendRaw(origin, path, { agent, headers: { ...VISITOR, ...headers } });
    const status = String(response.headers['cache-status'] ?? '').replace(/^waygate; /, '');
    return { ...response, cacheStatus: status };
  };
  /** Body or `Location`, and the cookie. */
  const get = async (path: string, headers: Fields = {}): Promise<string> => {
    const { body, headers: fields, status } = await read(path, headers);
    return [status, fields.location ?? body, ...(fields['set-cookie'] ?? [])].join(' ');
  };
  const administer = (path: string, body?: object): Promise<Response> => {
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
    return request(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  };
  return { administer, count, get, origin, read, received };
}

/** The same with a gateway that knows of no address. */
const startNew: typeof start = (site, settings = {}, options = {}) =>
  start(site, settings, options, startNewGateway);

/** What a gateway that knows of no address gets for requests one after another: {@link Site} by what each client sends. */
describe('the first request for an address reaches the site once, as its client sent it:', () => {
  const sent = { ...VISITOR, 'x-forwarded-for': '198.51.100.7, 127.0.0.1' };
  const isForeign = (request: StubRequest): boolean => addressOf(request) !== '198.51.100.7';
  /** A link that is used up by the first request. */
  const once = (first: Answer): Site => {
    const used = new Set<string>();
    return ({ url }) => {
      if (used.has(url)) return { status: 410, body: 'used' };
      used.add(url);
      return first;
    };
  };
  const login = {
    location: '/wp-admin/',
    'set-cookie': 'wordpress_logged_in_1=ann',
    'cache-control': 'no-store',
  };

  test.each<[what: string, path: string, site: Site, status: number]>([
    [
      'a login by a link (wp-cli/wp-cli-login-command)',
      '/abcd1234/key',
      once({ status: 302, headers: login }),
      302,
    ],
    [
      'a download that is logged',
      '/download/7/',
      () => ({ headers: { 'content-type': 'application/zip' }, body: 'file' }),
      200,
    ],
  ])('%s', async (_, path, site, status) => {
    const { read, received } = await startNew(site);
    expect((await read(path)).status).toBe(status);
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject(sent);
  });

  test('a prefetch and a part, too, so that a site can refuse them (canvasxai/sketch#408)', async () => {
    const { read, received } = await startNew(() => ({ body: 'a' }));
    await read('/a/', { 'sec-purpose': 'prefetch;prerender' });
    await read('/b/', { range: 'bytes=0-0', 'if-none-match': '"1"' });
    expect(received.map(({ headers }) => headers)).toMatchObject([
      { ...sent, 'sec-purpose': 'prefetch;prerender' },
      { ...sent, range: 'bytes=0-0', 'if-none-match': '"1"' },
    ]);
  });

  test('a part says why it is not stored, and is not counted as a response that cannot be', async () => {
    const headers = { 'content-range': 'bytes 0-0/2', 'cache-control': 'max-age=60' };
    const { administer, read } = await startNew(() => ({ status: 206, headers, body: 'a' }));
    const { cacheStatus } = await read('/a/', { range: 'bytes=0-0' });
    expect(cacheStatus).toBe('fwd=request; detail="request range"');
    expect(await (await administer('/-/metrics')).text()).not.toMatch(
      /exclusions_total\{.*"response"\} [1-9]/,
    );
  });

  test('a program that looks with HEAD does not use up what GET would (omega8cc/boa#1402)', async () => {
    const { origin, received } = await startNew(once({ status: 302, headers: login }));
    for (const method of ['HEAD', 'GET'])
      await sendRaw(origin, '/abcd1234/key', { method, headers: VISITOR });
    expect(received.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  test.each<[what: string, choose: (request: StubRequest) => unknown]>([
    ['language', ({ headers }) => headers['accept-language']],
    ['device (wp_is_mobile)', ({ headers }) => headers['user-agent']],
    ['address', addressOf],
  ])(
    'a page that prints the %s without `Vary`, and without `pages` each later one, too',
    async (_, choose) => {
      const { count, read } = await startNew((request) => ({ body: String(choose(request)) }), { cache: {} });
      const other = { 'accept-language': 'fr', 'user-agent': 'Mobile', referer: 'https://b.example.com/' };
      for (const [at, fields] of [{}, { ...other, 'x-forwarded-for': '198.51.100.8' }, {}].entries()) {
        const own = { headers: { ...VISITOR, ...fields } } as Partial<StubRequest> as StubRequest;
        expect((await read('/a/', fields)).body).toBe(String(choose(own)));
        expect(count()).toBe(at + 1);
      }
    },
  );

  test('a response that could be everyone’s makes the second one asked for everyone, and the third a hit', async () => {
    const { read, received } = await startNew((_, at) => ({ body: String(at) }));
    const statuses = [
      'fwd=uri-miss; detail="first request"',
      'fwd=uri-miss; stored',
      expect.stringMatching(/^hit/),
    ];
    for (const status of statuses) expect((await read('/a/')).cacheStatus).toEqual(status);
    expect(received.map(isForeign)).toEqual([false, true]);
  });

  test.each([
    [{ 'set-cookie': 'a=1' }, 'set-cookie'],
    [{ 'content-type': 'text/plain' }, 'no-freshness'],
    [{ 'cache-control': 'no-cache', etag: '"1"' }, 'no-cache'],
  ])('one with %j makes nothing asked for everyone, and its cause is named', async (headers, detail) => {
    const { read, received } = await startNew(() => ({ headers, body: 'a' }));
    for (const _ of [1, 2, 3]) expect((await read('/a/')).cacheStatus).toBe(`fwd=bypass; detail=${detail}`);
    expect(received.map(isForeign)).toEqual([false, false, false]);
  });

  test('missing pages count for the client that asks for them', async () => {
    const { read, received } = await startNew(() => ({ status: 404, body: 'none' }));
    const paths = Array.from({ length: 8 }, (_, at) => `/none-${at % 4}/`);
    for (const path of paths) await read(path);
    expect(received).toHaveLength(8);
    expect(received.some(isForeign)).toBe(false);
  }, 30_000);

  test('a missing page is shared if the site states a lifetime', async () => {
    const headers = { 'cache-control': 'max-age=60' };
    const { read } = await startNew(() => ({ status: 404, headers, body: 'none' }));
    for (const _ of [1, 2]) await read('/none/');
    expect((await read('/none/')).cacheStatus).toMatch(/^hit/);
  });

  test('ten refusals in five seconds switch off nothing but their own addresses', async () => {
    const { count, read } = await startNew(({ url }) =>
      /^\/admin|settings/.test(url) ? { status: 401, body: '{}' } : { body: '[]' },
    );
    for (let at = 0; at < 10; at += 1) {
      await read('/admin', { origin: `http://${at}.example.com` });
      await read(`/wp-json/wp/v2/settings?z=${at}`);
    }
    const before = count();
    for (const path of ['/b/', '/wp-json/wp/v2/posts']) {
      for (const _ of [1, 2]) await read(path);
      expect((await read(path)).cacheStatus).toMatch(/^hit/);
    }
    expect(count() - before).toBe(4);
  }, 30_000);

  test('who comes meanwhile waits for its head, and joins one request for everyone', async () => {
    const held: (() => void)[] = [];
    const { count, read } = await startNew(({ url }, at, response) => {
      if (at > 1 || url !== '/a/') return { body: String(at) };
      held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('own'));
      return undefined;
    });
    const first = read('/a/');
    await waitUntil(() => held.length === 1);
    const others = [1, 2, 3, 4].map(() => read('/a/'));
    // They have arrived once a later request has been answered.
    await read('/b/');
    held[0]?.();
    expect((await first).body).toBe('own');
    expect(new Set((await Promise.all(others)).map(({ body }) => body))).toEqual(new Set(['3']));
    expect(count()).toBe(3);
  });

  test('who comes meanwhile does not get the failure of what another client sent', async () => {
    const held: (() => void)[] = [];
    const { read } = await startNew(({ headers, url }, _, response) => {
      if (url !== '/a/' || !String(headers['accept-language']).includes('union')) return { body: 'a' };
      held.push(() => response.destroy());
      return undefined;
    });
    const hostile = read('/a/', { 'accept-language': "' union select" });
    await waitUntil(() => held.length === 1);
    const others = [1, 2, 3].map(() => read('/a/'));
    await read('/b/');
    held[0]?.();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const destroy of held.slice(1)) destroy();
    expect((await hostile).status).toBe(502);
  });

  test('who comes meanwhile is passed at once if it is for its client, and later ones do not wait', async () => {
    const held: (() => void)[] = [];
    const { read } = await startNew(({ url }, at, response) => {
      if (url === '/b/') return { body: 'b' };
      held.push(() =>
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `a=${at}` }).end(),
      );
      return undefined;
    });
    const all = [read('/a/')];
    await waitUntil(() => held.length === 1);
    all.push(read('/a/'), read('/a/'));
    await read('/b/');
    expect(held).toHaveLength(1);
    held[0]?.();
    await waitUntil(() => held.length === 3);
    all.push(read('/a/'));
    await waitUntil(() => held.length === 4);
    for (const respond of held.slice(1)) respond();
    const cookies = (await Promise.all(all)).map(({ headers }) => String(headers['set-cookie']));
    expect(new Set(cookies).size).toBe(4);
  });
});

describe('the client of a response that is not everyone’s gets the response to its own request', () => {
  test('a redirect by language, without one a cookie: Polylang', async () => {
    const { get } = await start(({ headers }) =>
      String(headers['accept-language']).startsWith('de')
        ? { status: 302, headers: { location: '/de/', vary: 'Accept-Language' } }
        : { headers: { 'set-cookie': 'pll_language=en' }, body: 'English' },
    );
    for (const _ of [1, 2]) expect(await get('/a/')).toBe('302 /de/');
    expect(await get('/a/', { 'accept-language': 'fr' })).toBe('200 English pll_language=en');
  });

  test('a page that does not exist is in the language of each client, and stored once it is published', async () => {
    let isPublished = false;
    const { count, get, read } = await start(({ headers }) => {
      const body = String(headers['accept-language']).startsWith('de') ? 'de' : 'en';
      const cacheControl = 'no-cache, must-revalidate, max-age=0';
      return isPublished
        ? { body: 'new' }
        : { status: 404, headers: { 'cache-control': cacheControl }, body };
    });
    for (const _ of [1, 2]) expect(await get('/none/')).toBe('404 de');
    expect(count()).toBe(4);
    isPublished = true;
    for (const _ of [1, 2]) expect(await get('/none/')).toBe('200 new');
    expect((await read('/none/')).cacheStatus).toMatch(/^hit/);
  });

  test('a redirect with a cookie: with or without its parameters, as the site has decided', async () => {
    const { get } = await start(({ url }) => ({
      status: url.startsWith('/go/') || url.includes('gclid') ? 302 : 200,
      headers: { location: url.startsWith('/go/') ? '/landing/' : '/a/', 'set-cookie': 'a=1' },
    }));
    for (const _ of [1, 2]) {
      expect(await get('/go/x?utm_source=n')).toBe('302 /landing/ a=1');
      expect(await get('/a/?gclid=1')).toBe('302 /a/ a=1');
    }
  });

  test.each<[detail: string, Answer]>([
    ['set-cookie', { headers: { 'set-cookie': 'a=1' } }],
    ['"status 302"', { status: 302, headers: { location: '/x' } }],
    ['"status 401"', { status: 401 }],
  ])(
    '%s passes the address for ten minutes, which no purge ends, and then it is unknown',
    async (detail, answer) => {
      const clock = createMovableClock();
      let isPersonal = false;
      const { administer, count, read } = await startNew(
        () => (isPersonal ? answer : { body: 'a', headers: { date: new Date(clock.now()).toUTCString() } }),
        {},
        { clock },
      );
      await read('/a/');
      isPersonal = true;
      expect((await read('/a/')).cacheStatus).toBe(`fwd=uri-miss; detail=${detail}`);
      expect(count()).toBe(3);
      for (const _ of [1, 2]) {
        clock.move(290);
        expect((await administer('/-/purge', { url: '/a/' })).ok).toBe(true);
        expect((await read('/a/')).cacheStatus).toBe(
          `fwd=bypass; detail="hit-for-pass, ${detail.replaceAll('"', '')}"`,
        );
      }
      clock.move(21);
      isPersonal = false;
      // A refusal says nothing of the address.
      const isKnown = detail.includes('status 4');
      expect((await read('/a/')).cacheStatus).toBe(
        isKnown ? 'fwd=uri-miss; stored' : 'fwd=uri-miss; detail="first request"',
      );
      expect(count()).toBe(6);
      await read('/a/');
      expect((await read('/a/')).cacheStatus).toMatch(/^hit/);
    },
  );
});

test.each([403])(
  'a spelling of an address that a firewall refuses with %i passes nobody who asks in another spelling',
  async (status) => {
    const { administer, read, received } = await start(({ headers, url }) =>
      url.includes('page=1&per') && headers.referer === undefined ? { status } : { body: '[]' },
    );
    const [plain, refused] = ['per_page=5&page=1', 'page=1&per_page=5'].map(
      (query) => `/wp-json/wp/v2/posts?${query}`,
    );
    for (const _ of [1, 2]) await read(plain ?? '');
    await administer('/-/purge', { tags: ['/wp/v2/posts'] });
    received.length = 0;
    for (const _ of [1, 2]) expect((await read(refused ?? '')).status).toBe(200);
    // The second request in this spelling is passed at once.
    expect(received).toHaveLength(3);
    expect((await read(plain ?? '')).cacheStatus).toMatch(/stored|^hit/);
    expect((await read(plain ?? '')).cacheStatus).toMatch(/^hit/);
  },
);

describe('a foreign visitor', () => {
  const NETWORK = /^(?:192\.0\.2|203\.0\.113)\.\d+$/;

  test('has one address of RFC 5737 in every field, and no User-Agent that filters know', async () => {
    const { read, received } = await start(() => ({ body: 'a' }));
    await read('/a/', {
      'cf-connecting-ip': '198.51.100.7',
      'x-real-ip': '198.51.100.7',
      'true-client-ip': '198.51.100.9',
    });
    const fields = received[0]?.headers ?? {};
    const address = String(fields['x-forwarded-for']);
    expect(address).toMatch(NETWORK);
    for (const name of ['x-real-ip', 'cf-connecting-ip', 'true-client-ip'])
      expect(fields[name]).toBe(address);
    expect(fields['forwarded']).toContain(`for=${address};`);
    expect(fields['user-agent']).toMatch(/^Mozilla\/5\.0 \((?!compatible)/);
    expect(fields['user-agent']).not.toMatch(/waygate|bot|spider|crawl/i);
  });

  test('is not the gateway’s machine: allow 127.0.0.1', async () => {
    const allowed = ['127.0.0.1', '198.51.100.9'];
    const intern: Site = (request) =>
      allowed.includes(addressOf(request))
        ? { headers: { 'cache-control': 'max-age=60' }, body: 'internal' }
        : { status: 403, body: 'denied' };
    const { get } = await start(intern);
    expect(await get('/intern/')).toBe('403 denied');
    expect(await get('/intern/', { 'x-forwarded-for': '198.51.100.9' })).toBe('200 internal');
    expect(await get('/intern/')).toBe('403 denied');
  });

  test.each([403])('who gets %i does not replace a stored page', async (status) => {
    const clock = createMovableClock();
    let isRefused = false;
    const site: Site = (request) =>
      isRefused && NETWORK.test(addressOf(request))
        ? { status, body: 'refused' }
        : { headers: { 'cache-control': 'max-age=1, stale-if-error=9999' }, body: 'page' };
    const { get, read } = await start(site, {}, { clock });
    expect(await get('/a/')).toBe('200 page');
    isRefused = true;
    clock.move(5);
    expect(await get('/a/')).toBe('200 page');
    isRefused = false;
    clock.move(601);
    expect((await read('/a/')).cacheStatus).toContain('fwd=stale');
  });

  test('is asked without CF-Connecting-IP once Cloudflare has answered, which refuses it (cloudflare/cloudflare-docs#8066)', async () => {
    const { get, received } = await start(({ headers }) => ({
      status: headers['cf-connecting-ip'] === undefined ? 200 : 403,
      headers: { 'cf-ray': '230b030023ae2822' },
      body: 'page',
    }));
    expect(await get('/a/')).toBe('200 page');
    expect(await get('/b/')).toBe('200 page');
    expect(received).toHaveLength(3);
  });
});

describe('an address of which nothing is known', () => {
  test('of a page is not stored', async () => {
    const { count, read } = await startNew((_, at) => ({ body: String(at) }));
    for (const body of ['1', '2', '3'])
      expect(await read('/?pay-notify=gopay&id=7')).toMatchObject({
        body,
        cacheStatus: 'fwd=bypass; detail="query pay-notify"',
      });
    expect(count()).toBe(3);
  });

  test('of a route is not stored', async () => {
    const { read } = await startNew((_, at) => ({ body: `{"captcha":{"captcha-1":"/${at}.png"}}` }));
    const path = '/wp-json/contact-form-7/v1/contact-forms/3/refill';
    const first = await read(path);
    expect(first.cacheStatus).toBe('fwd=bypass; detail="namespace contact-form-7/v1"');
    expect((await read(path)).body).not.toBe(first.body);
  });

  test.each(['/?acme=1', '/wp-json/acme/v1/list', '/acme.php'])(
    '%s is asked for everyone and stored once the site has stated a lifetime',
    async (path) => {
      for (const control of ['s-maxage=60', 'max-age=60']) {
        const { read, received } = await startNew(() => ({
          headers: { 'cache-control': control },
          body: '{}',
        }));
        for (const _ of [1, 2]) expect((await read(path)).cacheStatus).toContain('fwd=uri-miss');
        expect(received.map(({ headers }) => headers.referer)).toEqual([VISITOR['referer'], undefined]);
        expect((await read(path)).cacheStatus).toMatch(/^hit/);
      }
    },
  );

  test('of a plugin’s namespace is remembered among many that state a lifetime', async () => {
    const headers = { 'cache-control': 'public, max-age=3600' };
    const { read } = await startNew(() => ({ headers, body: '{}' }));
    const paths = Array.from({ length: 20 }, (_, at) => `/wp-json/acme/v1/items/${at}`);
    for (const _ of [1, 2]) for (const path of paths) await read(path);
    for (const path of paths) expect((await read(path)).cacheStatus).toMatch(/^hit/);
  });

  test('is asked for everyone if a rule or `queries` says so', async () => {
    const cache = { pages: 60, queries: ['sort'], rules: [{ match: '/acme/v1/*', ttl: 30 }] };
    const { read } = await start(() => ({ body: '{}' }), { cache });
    for (const path of ['/a/?sort=1', '/wp-json/acme/v1/list']) {
      await read(path);
      expect((await read(path)).cacheStatus).toMatch(/^hit/);
    }
  });

  test.each(['/a/?s=b', '/a/?orderby=price&min_price=3&filter_color=red', '/wp-json/wp/v2/posts?x=1'])(
    'is none with what WordPress and WooCommerce define: %s',
    async (path) => {
      const { read } = await start(() => ({ body: '[]' }));
      await read(path);
      expect((await read(path)).cacheStatus).toMatch(/^hit|fwd=uri-miss/);
    },
  );
});

describe('cookies', () => {
  const banner: Site = ({ headers }) => ({ body: String(headers.cookie ?? 'banner') });

  test('in several lines are read as in one (RFC 9113 §8.2.3)', async () => {
    const { origin } = await start(banner);
    const send = (cookies: readonly string[]) =>
      sendRaw(origin, '/a/', {
        headers: ['Host', 'example.com', ...cookies.flatMap((each) => ['Cookie', each])],
      });
    const inLines = await send(['_ga=1', 'viewed_cookie_policy=yes']);
    expect(inLines.body).toBe('viewed_cookie_policy=yes');
    const inOne = await send(['_ga=1; viewed_cookie_policy=yes']);
    expect(inOne.headers['cache-status']).toMatch(/^waygate; hit/);
    expect((await send([])).body).toBe('banner');
  });

  test.each(['/wp-admin/css/common.min.css?ver=1', '/wp-content/plugins/x/y.css'])(
    'do not change a file of WordPress, a theme or a plugin: %s',
    async (path) => {
      const headers = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT', 'content-type': 'text/css' };
      const { read } = await start(({ headers: { cookie = 'none' } }) => ({ headers, body: cookie }));
      const cookie = 'wordpress_logged_in_1=ann; wp-settings-1=a';
      for (const sent of [{ cookie }, {}]) expect((await read(path, sent)).body).toBe('none');
      expect((await read(path, { cookie })).cacheStatus).toMatch(/^hit/);
    },
  );

  test.each(['/wp-content/uploads/2024/a.jpg', '/wp-content/plugins/x/y.php/a.css', '/wp-admin/a.css'])(
    'can change any other: %s',
    async (path) => {
      const { read } = await start(({ headers: { cookie = 'none' } }) => ({ body: cookie }));
      expect((await read(path, { cookie: 'wordpress_logged_in_1=ann' })).body).toBe(
        'wordpress_logged_in_1=ann',
      );
    },
  );
});

test.each<[setting: object, path: string, headers: Fields, detail: string]>([
  [{ harmlessCookies: ['!_ga'] }, '/a/', { cookie: '_ga=1' }, 'cookie'],
  [{ keyCookies: ['!viewed_cookie_policy'] }, '/a/', { cookie: 'viewed_cookie_policy=yes' }, 'cookie'],
  [{ ignoreParameters: ['!gclid'] }, '/a/?gclid=1', {}, '"query gclid"'],
  [{ ignoreParameters: ['!utm_source'] }, '/a/?utm_medium=a&utm_source=b', {}, '"query utm_source"'],
  [{ queries: ['!orderby'] }, '/a/?orderby=price', {}, '"query orderby"'],
  [{ harmlessHeaders: ['!save-data'] }, '/a/', { 'save-data': 'on' }, '"header save-data"'],
])('%j takes a name off a built-in list', async (setting, path, headers, detail) => {
  const { read } = await startNew(({ url }) => ({ body: url }), { cache: { pages: 60, ...setting } });
  for (const _ of [1, 2])
    expect((await read(path, headers)).cacheStatus).toBe(`fwd=bypass; detail=${detail}`);
});

test('a name of a credential can be taken off, too', async () => {
  const { read } = await start(() => ({ body: 'a' }), {
    cache: { pages: 60, queries: ['size_code'], credentialParameters: ['!size_code'] },
  });
  await read('/a/?size_code=4');
  expect((await read('/a/?size_code=4')).cacheStatus).toMatch(/^hit/);
});

test('a credential in the key of a rule stays one for other addresses', async () => {
  const cache = { pages: 60, rules: [{ match: '/b/*', keyHeaders: ['Authorization'] }] };
  const { read } = await start(({ headers }) => ({ body: headers.authorization ?? '' }), { cache });
  for (const authorization of ['Basic a', 'Basic b'])
    expect((await read('/a/', { authorization })).body).toBe(authorization);
});

test('a permanent redirect without a lifetime is confirmed soon', async () => {
  const clock = createMovableClock();
  const { count, read } = await start(
    (_, at) => ({ status: 301, headers: { location: `/${at}/` } }),
    {},
    { clock },
  );
  await read('/a/');
  clock.move(10);
  expect((await read('/a/')).headers.location).toBe('/2/');
  expect(count()).toBe(2);
});
