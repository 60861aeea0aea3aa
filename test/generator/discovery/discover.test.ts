import { describe, expect, test } from 'vitest';
import { type DiscoverOptions, discover } from '../../../src/generator/discovery/index.ts';
import type { DiscoveredSite } from '../../../src/generator/discovery/site.ts';
import { createRoutesIndex } from '../../support/index-routes.ts';
import { runStubSite } from '../../support/run.ts';
import {
  createWordPressError,
  readRecordedIndex,
  type StubResponse,
  type StubSite,
  type StubSiteOptions,
} from '../../support/stub-site.ts';

const start = (options: StubSiteOptions = {}): Promise<StubSite> =>
  runStubSite({ index: readRecordedIndex, ...options });

/** A small index that states its own addresses, like WordPress. */
function small(home = 'http://127.0.0.1', root = `${home}/wp-json/`): object {
  const { routes, ...index } = Object(createRoutesIndex({ '/wp/v2/posts': 'GET' }));
  const self = { ...routes['/'], _links: { self: [{ href: root }] } };
  return { ...index, home, url: home, routes: { ...routes, '/': self } };
}

type Intercept = NonNullable<StubSiteOptions['intercept']>;
/** Answers one target, or all, with a redirect. */
const redirecting =
  (to: (url: string) => string, from?: string): Intercept =>
  ({ url }, response) =>
    (from === undefined || url === from) && Boolean(response.writeHead(302, { Location: to(url) }).end());

const rules = ({ diagnostics }: DiscoveredSite): string[] =>
  diagnostics.map(({ rule }) => rule).filter((rule) => rule !== 'no-schemas');

describe('WordPress 7.1', () => {
  test('is read with its response schemas, in two requests and one for each resource', async () => {
    const site = await start({ helpIndex: readRecordedIndex('help') });
    const discovered = await discover(site.url);
    expect(discovered.index.routes).toHaveLength(133);
    expect(discovered.index.routes.filter(({ schema }) => schema !== undefined)).toHaveLength(112);
    const address = { base: site.url, root: site.rootUrl, spelling: 'pretty', prefix: 'wp-json' };
    expect(discovered.address).toEqual({ ...address, aliases: ['http://127.0.0.1:8081/'] });
    expect(rules(discovered)).toEqual(['found-by']);
    const sent = site.requests.map(({ method, url }) => `${method} ${url}`);
    expect(sent.slice(0, 2)).toEqual(['GET /', 'GET /wp-json/?context=help']);
    const resources = ['posts', 'pages', 'media'].map((name) => `OPTIONS /wp-json/wp/v2/${name}`);
    expect(sent.slice(2, 5)).toEqual(resources);
    expect(sent).toHaveLength(20);
  });
});

describe('the root index is found', () => {
  const BARE = { linkHeader: false };
  const INSIDE = { folder: '/outside/', prefix: 'wp-json', index: small('http://inside.example') };
  const PATHINFO = {
    ...{ folder: '/blog/', prefix: 'index.php/wp-json' },
    index: small('http://x.example/blog', 'http://x.example/blog/index.php/wp-json/'),
  };
  const LINKED = {
    ...{ ...BARE, prefix: 'hidden' },
    pageHtml: `<html><link rel='stylesheet' href="x"><link href='/hidden/?x=1&#038;y' rel="https://api.w.org/" /></html>`,
  };
  /** The page that is given, how the index is found, its base and its root. */
  test.each<[string, StubSiteOptions, given: string, by: RegExp, base: string, root: string]>([
    ['from the front page, by its Link header', {}, '/', /Link header of .*\/\. Address/, '/', '/wp-json/'],
    [
      'from a page',
      { folder: '/blog/' },
      '/blog/2025/hello/?p=1#top',
      /Link header/,
      '/blog/',
      '/blog/wp-json/',
    ],
    [
      'behind a proxy that adds a folder',
      INSIDE,
      '/outside/',
      /Link header/,
      '/outside/',
      '/outside/wp-json/',
    ],
    ['under PATHINFO permalinks', PATHINFO, '/blog/', /Link header/, '/blog/', '/blog/index.php/wp-json/'],
    ['by the link element of the page', LINKED, '/', /link element/, '/', '/hidden/'],
    [
      'at /wp-json/',
      { ...BARE, folder: '/blog/' },
      '/blog/a/b/',
      /guessed .*\/blog\/wp-json\/\.$/,
      '/blog/',
      '/blog/wp-json/',
    ],
    ['at rest_route', { ...BARE, prefix: null }, '/a.html', /guessed .*=\//, '/', '/index.php?rest_route=/'],
    [
      'from the address of a resource',
      BARE,
      '/wp-json/wp/v2/posts/1?_embed',
      /address given/,
      '/',
      '/wp-json/',
    ],
  ])('%s', async (_, options, given, by, base, root) => {
    const site = await start({ index: small(), ...options });
    const { address, diagnostics, index } = await discover(site.origin + given);
    expect(diagnostics.find(({ rule }) => rule === 'found-by')?.message).toMatch(by);
    const prefix = options === LINKED ? 'hidden' : 'wp-json';
    const spelling = root.includes('?') ? 'plain' : 'pretty';
    const expected = { base: site.origin + base, root: site.origin + root, spelling, prefix };
    expect(address).toMatchObject(expected);
    expect(index.routes).not.toHaveLength(0);
  });

  const HOME = 'https://example.com/';
  test.each([
    ['both elsewhere', HOME, 'https://admin.example.com/wp', [HOME, 'https://admin.example.com/wp/']],
    ['a WordPress in a folder below its front page', HOME, `${HOME}wp`, [HOME]],
    ['no addresses at all', 7, 'javascript:alert(1)', undefined],
  ])('with the other addresses that the site states: %s', async (_, home, url, aliases) => {
    const site = await start({ index: { ...small(), home, url } });
    expect((await discover(site.url)).address.aliases).toEqual(aliases);
  });

  test('at the origin of the page, when the page links to another one', async () => {
    const linkHeader = '<http://elsewhere.invalid/wp-json/>; rel="https://api.w.org/"';
    const site = await start({ index: small(), linkHeader });
    const discovered = await discover(site.url);
    expect(discovered.address.root).toBe(`${site.origin}/wp-json/`);
    expect(rules(discovered)).toEqual(['link-elsewhere', 'found-by']);
  });

  test('at the linked origin, when only that one has the REST interface', async () => {
    const cms = await start({ index: small(), folder: '/cms/' });
    const linkHeader = `<${cms.rootUrl}>; rel="https://api.w.org/"`;
    const front = await start({ index: small(), prefix: null, folder: '/front/', linkHeader });
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

  test('are kept in a redirect within the origin', async () => {
    const intercept = redirecting(() => 'blog/', '/');
    const site = await start({ index: small(), folder: '/blog/', intercept });
    await discover(`${site.origin}/`, secrets);
    expect(site.requests.every(({ headers }) => headers['x-api-key'] === 'k')).toBe(true);
  });

  test('are removed in a redirect to another origin, which is reported', async () => {
    const target = await start({ index: small() });
    const site = await start({ intercept: redirecting((url) => target.origin + url) });
    const discovered = await discover(site.url, secrets);
    expect(discovered.address.base).toBe(target.url);
    for (const { headers } of target.requests) {
      const sent = ['authorization', 'cookie', 'x-api-key', 'accept-language'].map((name) => headers[name]);
      expect(sent).toEqual([undefined, undefined, undefined, 'de']);
    }
    expect(rules(discovered)).toEqual(['redirect-elsewhere', 'credentials-withheld', 'found-by']);
    expect(discovered.diagnostics[0]?.message).toContain(`${site.origin} → ${target.origin}`);
  });

  test('are not sent again when a redirect returns to the first origin', async () => {
    const home = await start({ index: small() });
    const away = await start({ intercept: redirecting(() => `${home.origin}/wp-json/?back`) });
    const intercept = redirecting(() => away.origin, '/wp-json/?context=help');
    const site = await start({ index: small(), intercept });
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
  const failing: Intercept = ({ url }, response) =>
    /help/.test(url) && Boolean(response.writeHead(500).end('Fatal error: x'));
  test.each<[string, StubSiteOptions, DiscoverOptions]>([
    ['refuses the context', { helpIndex: null }, {}],
    ['sends an index above the size limit', {}, { maxBytes: 150_000 }],
    ['fails with a fatal error', { intercept: failing }, {}],
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
  /** @returns the hosts that are requested */
  async function discoverFrom(site: string, respond: () => Response): Promise<ReadonlySet<string>> {
    const requested = new Set<string>();
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      requested.add(new URL(String(input)).host);
      return respond();
    };
    await expect(discover(site, { fetch })).rejects.toMatchObject({ name: 'DiscoveryError' });
    return requested;
  }

  describe.each(WAYS)('%s', (_, respond) => {
    test.each([
      ...['127.0.0.1:9200', '0x7f.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254'],
      ...['[::1]', '[::ffff:127.0.0.1]', '[fd00::1]', '[fe80::1]', 'localhost', 'redis:6379', 'db.internal.'],
    ])('to %s: nothing is requested there', async (host) => {
      const respondWith = () => respond(`http://${host}/wp-json/`);
      expect([...(await discoverFrom('http://shop.example.com/', respondWith))]).toEqual([
        'shop.example.com',
      ]);
    });

    test.each([
      ['http://shop.example.com/', 'www.example.com'],
      ['http://shop.example.com/', '203.0.113.5'],
      ['http://shop.example.com/', '[2001:db8::1]'],
      ['http://127.0.0.1/', '10.0.0.2'],
    ])('%s may lead to %s', async (site, host) => {
      expect(await discoverFrom(site, () => respond(`http://${host}/wp-json/`))).toContainEqual(host);
    });
  });
});
