import { describe, expect, test } from 'vitest';
import { type DiscoverOptions, discover } from '../../../src/generator/discovery/index.ts';
import type { DiscoveredSite } from '../../../src/generator/discovery/site.ts';
import { runStubSite } from '../../support/run.ts';
import {
  createWordPressError,
  readRecordedIndex,
  type StubRequest,
  type StubResponse,
  type StubSite,
  type StubSiteOptions,
} from '../../support/stub-site.ts';

const start = (options: StubSiteOptions = {}): Promise<StubSite> =>
  runStubSite({ index: readRecordedIndex, ...options });

/** A small index that states its own addresses, like WordPress. */
const small = (home = 'http://127.0.0.1', root = `${home}/wp-json/`): Record<string, unknown> => ({
  name: 'Small',
  home,
  url: home,
  namespaces: ['wp/v2'],
  routes: {
    '/': {
      namespace: '',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: {} }],
      _links: { self: [{ href: root }] },
    },
    '/wp/v2/posts': { namespace: 'wp/v2', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
  },
});

const rules = ({ diagnostics }: DiscoveredSite): string[] =>
  diagnostics.map(({ rule }) => rule).filter((rule) => rule !== 'no-schemas');
const foundBy = ({ diagnostics }: DiscoveredSite): string =>
  diagnostics.find(({ rule }) => rule === 'found-by')?.message ?? '';

describe('WordPress 7.1', () => {
  test('is read with its response schemas, in two requests and one for each resource', async () => {
    const site = await start({ helpIndex: readRecordedIndex('help') });
    const discovered = await discover(site.url);
    expect(discovered.index.routes).toHaveLength(133);
    expect(discovered.index.routes.filter(({ schema }) => schema !== undefined)).toHaveLength(112);
    expect(discovered.address).toEqual({
      aliases: ['http://127.0.0.1:8081/'],
      base: site.url,
      root: site.rootUrl,
      spelling: 'pretty',
      prefix: 'wp-json',
    });
    expect(rules(discovered)).toEqual(['found-by']);
    const [asked, read] = [true, false].map((isAsked) =>
      site.requests.filter(({ method }) => (method === 'OPTIONS') === isAsked).map(({ url }) => url),
    );
    expect(read).toEqual(['/', '/wp-json/?context=help']);
    expect(asked?.slice(0, 3)).toEqual(['posts', 'pages', 'media'].map((name) => `/wp-json/wp/v2/${name}`));
    expect(asked).toHaveLength(18);
  });
});

describe('the root index is found', () => {
  const cases: [
    string,
    StubSiteOptions,
    given: string,
    by: RegExp,
    /** Base, root, spelling and prefix. */
    address: string,
  ][] = [
    [
      'from the front page, by its Link header',
      {},
      '/',
      /Link header of .*\/\. Address/,
      '/ /wp-json/ pretty wp-json',
    ],
    [
      'from a page below the home URL',
      { folder: '/blog/' },
      '/blog/2025/11/hello/?p=1#top',
      /Link header/,
      '/blog/ /blog/wp-json/ pretty wp-json',
    ],
    [
      'behind a proxy that adds a folder',
      { folder: '/outside/', prefix: 'wp-json', index: small('http://inside.example') },
      '/outside/',
      /Link header/,
      '/outside/ /outside/wp-json/ pretty wp-json',
    ],
    [
      'under PATHINFO permalinks',
      {
        folder: '/blog/',
        prefix: 'index.php/wp-json',
        index: small('http://x.example/blog', 'http://x.example/blog/index.php/wp-json/'),
      },
      '/blog/',
      /Link header/,
      '/blog/ /blog/index.php/wp-json/ pretty wp-json',
    ],
    [
      'by the link element of the page',
      {
        linkHeader: false,
        prefix: 'hidden',
        pageHtml: `<html><link rel='stylesheet' href="x"><link href='/hidden/?x=1&#038;y' rel="https://api.w.org/" /></html>`,
      },
      '/',
      /link element/,
      '/ /hidden/ pretty hidden',
    ],
    [
      'at /wp-json/ without any link',
      { linkHeader: false, folder: '/blog/' },
      '/blog/a/b/',
      /guessed address .*\/blog\/.*\/blog\/wp-json\/\.$/,
      '/blog/ /blog/wp-json/ pretty wp-json',
    ],
    [
      'at /index.php?rest_route=/ without any link',
      { linkHeader: false, prefix: null },
      '/hello.html',
      /guessed address .*\/index\.php\?rest_route=\//,
      '/ /index.php?rest_route=/ plain wp-json',
    ],
    [
      'from the address of a resource',
      { linkHeader: false },
      '/wp-json/wp/v2/posts/1?_embed',
      /address given/,
      '/ /wp-json/ pretty wp-json',
    ],
  ];
  test.each(cases)('%s', async (_, options, given, by, address) => {
    const site = await start({ index: small(), ...options });
    const discovered = await discover(site.origin + given);
    expect(foundBy(discovered)).toMatch(by);
    const { base, prefix, root, spelling } = discovered.address;
    expect([base, root, spelling, prefix].join(' ').replaceAll(site.origin, '')).toBe(address);
    expect(discovered.index.routes).not.toHaveLength(0);
  });

  test.each([
    [
      'both elsewhere',
      { home: 'https://example.com/', url: 'https://admin.example.com/wp' },
      ['https://example.com/', 'https://admin.example.com/wp/'],
    ],
    [
      'a WordPress in a folder below its front page',
      { home: 'https://example.com/', url: 'https://example.com/wp' },
      ['https://example.com/'],
    ],
    ['no addresses at all', { home: 7, url: 'javascript:alert(1)' }, undefined],
  ])('with the other addresses that the site states: %s', async (_, stated, aliases) => {
    const site = await start({ index: Object.assign(small(), { home: undefined, url: undefined }, stated) });
    expect((await discover(site.url)).address.aliases).toEqual(aliases);
  });

  test('at the origin of the page, when the page links to another one', async () => {
    const site = await start({
      index: small(),
      linkHeader: '<http://elsewhere.invalid/wp-json/>; rel="https://api.w.org/"',
    });
    const discovered = await discover(site.url);
    expect(discovered.address.root).toBe(`${site.origin}/wp-json/`);
    expect(rules(discovered)).toEqual(['link-elsewhere', 'found-by']);
  });

  test('at the linked origin, when only that one has the REST interface', async () => {
    const cms = await start({ index: small(), folder: '/cms/' });
    const front = await start({
      index: small(),
      prefix: null,
      folder: '/front/',
      linkHeader: `<${cms.rootUrl}>; rel="https://api.w.org/"`,
    });
    const discovered = await discover(front.url, { auth: { user: 'u', password: 'p' } });
    expect(discovered.address.root).toBe(cms.rootUrl);
    expect(rules(discovered)).toEqual(['link-elsewhere', 'credentials-withheld', 'found-by']);
    expect(cms.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    expect(front.requests.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
  });
});

describe('a site whose root index is closed', () => {
  const namespaceIndex = (namespace: string): object => ({
    namespace,
    routes: { [`/${namespace}/things`]: { namespace, endpoints: [{ methods: ['GET'], args: {} }] } },
  });
  const closed = createWordPressError(401, 'rest_not_logged_in', 'You are not logged in.');
  /** A site with the indexes of some namespaces; requests for all others get a refusal. */
  const startClosed = (open: readonly string[], refusal: StubResponse, prefix: string | null = 'wp-json') =>
    start({
      prefix,
      intercept: ({ route }, response) => {
        if (route === undefined) return false;
        const namespace = route.slice(1);
        const { status = 200, body } = open.includes(namespace)
          ? { body: namespaceIndex(namespace) }
          : refusal;
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
        return true;
      },
    });

  test.each<[string, readonly string[], readonly string[], string, (string | null)?, StubResponse?]>([
    ['the settings name', ['wp/v2', 'acme/v1'], ['wp/v2', 'acme/v1'], '/'],
    ['the address is in', ['acme/v1'], [], '/wp-json/acme/v1/'],
    ['the settings name, without permalinks', ['wp/v2'], ['wp/v2', 'gone/v1'], '/', null],
    ['a firewall closes', ['wp/v2'], ['wp/v2'], '/', 'wp-json', { status: 403, body: 'Forbidden' }],
  ])(
    'is read by the open namespaces that %s',
    async (_, open, namespaces, given, prefix, refusal = closed) => {
      const site = await startClosed(open, refusal, prefix);
      const discovered = await discover(site.origin + given, { namespaces });
      expect(discovered.index.namespaces).toEqual(open);
      expect(discovered.index.routes.map(({ pattern }) => pattern)).toEqual(
        open.map((name) => `/${name}/things`),
      );
      expect(discovered.address).toMatchObject({ base: site.url, root: site.rootUrl, prefix: 'wp-json' });
      expect(rules(discovered)).toContain('namespaces-only');
    },
  );

  test.each([[['wc/v3']], [[]]])(
    'is not read if namespaces are closed too, or none is named: %j',
    async (namespaces) => {
      const site = await startClosed(['wp/v2'], closed);
      await expect(discover(site.url, { namespaces })).rejects.toMatchObject({ reason: 'unauthorized' });
    },
  );
});

describe('credentials', () => {
  const secrets: DiscoverOptions = {
    auth: { user: 'jörg', password: 'a b:c d' },
    headers: { Cookie: 'session=1', 'X-Api-Key': 'k', 'Accept-Language': 'de' },
  };

  test('are sent with every request to the given origin, in UTF-8', async () => {
    const site = await start({ index: small() });
    await discover(site.url, secrets);
    for (const { headers } of site.requests) {
      const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
      expect([scheme, Buffer.from(token, 'base64').toString('utf8')]).toEqual(['Basic', 'jörg:a b:c d']);
      expect(headers).toMatchObject({ cookie: 'session=1', 'x-api-key': 'k', 'accept-language': 'de' });
    }
  });

  test('in the address are used and never shown', async () => {
    const site = await start({ index: small() });
    const observed: string[] = [];
    const address = site.url.replace('://', '://us%C3%A9r:s3cr%3At@');
    const discovered = await discover(address, {
      onProgress: (progress) => observed.push(JSON.stringify(progress)),
      fetch: (input, init) => {
        observed.push(String(input));
        return fetch(input, init);
      },
    });
    const [, token = ''] = (site.requests[0]?.headers.authorization ?? '').split(' ');
    expect(Buffer.from(token, 'base64').toString('utf8')).toBe('usér:s3cr:t');
    expect(rules(discovered)).toEqual(['credentials-in-url', 'found-by']);
    expect(JSON.stringify([discovered, observed])).not.toMatch(/s3cr|us%C3|usér/);
  });

  test('that a site ignores are reported', async () => {
    const isIn = (headers: StubRequest['headers']): boolean =>
      headers.authorization === `Basic ${btoa('u:right')}`;
    const site = await start({
      respond: ({ headers }) =>
        isIn(headers)
          ? { body: { id: 1 } }
          : createWordPressError(401, 'rest_not_logged_in', 'You are not logged in.'),
    });
    const right = await discover(site.url, { auth: { user: 'u', password: 'right' } });
    expect(rules(right)).toEqual(['found-by']);
    const wrong = await discover(site.url, { auth: { user: 'u', password: 'wrong' } });
    expect(rules(wrong)).toEqual(['found-by', 'credentials-unused']);
  });

  test('are kept in a redirect within the origin', async () => {
    const site = await start({
      index: small(),
      folder: '/blog/',
      intercept: ({ url }, response) =>
        url === '/' && Boolean(response.writeHead(301, { Location: 'blog/' }).end()),
    });
    await discover(`${site.origin}/`, secrets);
    expect(site.requests.every(({ headers }) => headers['x-api-key'] === 'k')).toBe(true);
  });

  test('are removed in a redirect to another origin, which is reported', async () => {
    const target = await start({ index: small() });
    const site = await start({
      intercept: ({ url }, response) =>
        Boolean(response.writeHead(302, { Location: target.origin + url }).end()),
    });
    const discovered = await discover(site.url, secrets);
    expect(discovered.address.base).toBe(target.url);
    for (const { headers } of target.requests) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('x-api-key');
      expect(headers['accept-language']).toBe('de');
    }
    expect(rules(discovered)).toEqual(['redirect-elsewhere', 'credentials-withheld', 'found-by']);
    expect(discovered.diagnostics[0]?.message).toContain(`${site.origin} → ${target.origin}`);
  });

  test('are not sent again when a redirect returns to the first origin', async () => {
    const home = await start({ index: small() });
    const away = await start({
      intercept: (_, response) =>
        Boolean(response.writeHead(302, { Location: `${home.origin}/wp-json/?back` }).end()),
    });
    const site = await start({
      index: small(),
      intercept: ({ url }, response) =>
        url === '/wp-json/?context=help' && Boolean(response.writeHead(302, { Location: away.origin }).end()),
    });
    await discover(`${site.origin}/wp-json/`, { ...secrets, options: false });
    expect(home.requests.map(({ headers }) => headers.cookie)).toEqual([undefined]);
  });

  test.each([
    ['a header that HTTP does not allow', { headers: { 'X-Key': 'top\nsecret' } }],
    ['a header name that HTTP does not allow', { headers: { 'X Key': 'topsecret' } }],
    ['a user with a colon', { auth: { user: 'a:topsecret', password: 'b' } }],
    ['an invalid limit', { maxBytes: Number.NaN }],
  ])('and options that are invalid are rejected without showing their values: %s', async (_, options) => {
    const failure = await discover('http://127.0.0.1:1/', options).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'ConfigurationError', exitCode: 2 });
    expect(String(failure)).not.toMatch(/secret/);
  });
});

describe('response schemas', () => {
  const helpIndex = readRecordedIndex('help');

  test.each<[string, StubSiteOptions, DiscoverOptions]>([
    ['refuses the context', { helpIndex: null }, {}],
    ['sends an index above the size limit', {}, { maxBytes: 150_000 }],
    [
      'fails with a fatal error',
      {
        intercept: ({ url }, response) =>
          /help/.test(url) && Boolean(response.writeHead(500).end('Fatal error: x')),
      },
      {},
    ],
    ['does not respond in time', { intercept: ({ url }) => /help/.test(url) }, { timeout: 3_000 }],
  ])('fall back to the plain index, with one diagnostic, when the site %s', async (_, options, limits) => {
    const site = await start({ helpIndex, ...options });
    const discovered = await discover(site.url, limits);
    expect(discovered.index.routes).toHaveLength(133);
    expect(rules(discovered).sort()).toEqual(['found-by', 'help-refused']);
    expect(discovered.diagnostics.map(({ rule }) => rule)).not.toContain('no-schemas');
  });
});

describe('the options of a discovery', () => {
  test('abort the discovery by a signal', async () => {
    const site = await start({ intercept: () => true });
    const reason = new Error('enough');
    const controller = new AbortController();
    const discovery = discover(site.url, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(discovery).rejects.toBe(reason);
    await expect(discover(site.url, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('a public site that leads to a private address', () => {
  const WAYS: readonly (readonly [string, (to: string) => Response])[] = [
    ['redirects', (to) => new Response('', { status: 302, headers: { location: to } })],
    ['links', (to) => new Response('', { headers: { link: `<${to}>; rel="https://api.w.org/"` } })],
  ];
  const discoverFrom = async (site: string, respond: () => Response): Promise<readonly string[]> => {
    const requested: string[] = [];
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      requested.push(new URL(String(input)).host);
      return respond();
    };
    await expect(discover(site, { fetch })).rejects.toMatchObject({ name: 'DiscoveryError' });
    return requested;
  };

  describe.each(WAYS)('%s', (_, respond) => {
    test.each([
      ...['127.0.0.1:9200', '0x7f.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254'],
      ...['[::1]', '[::ffff:127.0.0.1]', '[fd00::1]', '[fe80::1]', 'localhost', 'redis:6379', 'db.internal.'],
    ])('to %s: nothing is requested there', async (host) => {
      const requested = await discoverFrom('http://shop.example.com/', () =>
        respond(`http://${host}/wp-json/`),
      );
      expect(new Set(requested)).toEqual(new Set(['shop.example.com']));
    });

    test.each([
      ['http://shop.example.com/', 'www.example.com'],
      ['http://shop.example.com/', '203.0.113.5'],
      ['http://shop.example.com/', '[2001:db8::1]'],
      ['http://127.0.0.1/', '10.0.0.2'],
    ])('%s may lead to %s', async (site, host) => {
      expect(await discoverFrom(site, () => respond(`http://${host}/wp-json/`))).toContain(host);
    });
  });
});
