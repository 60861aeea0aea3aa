import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startGateway } from '../support/gateway.ts';
import { createRoutesIndex } from '../support/index-routes.ts';
import { runServer } from '../support/run.ts';

/**
 * How a site arranges its addresses: the configured base of its pages and files, the root of its REST interface, and what it calls
 * `home` and `url`. None follows from another.
 *
 * In texts, `SITE` is the origin at which the site listens, `OTHER` that of another server, and `GATE` the URL of the gateway.
 */
interface Arrangement {
  /** With the public report that describes it. */
  readonly name: string;
  /** `home` and `url` of the index. @default SITE */
  readonly states?: readonly [home: string, url: string];
  /** The root index that each page links to. @default SITE/wp-json/ */
  readonly root?: string;
  /** Paths of pages, files and scripts. Everything else is 404. `rest_route` is read there too. @default PAGES */
  readonly has?: readonly string[];
  /** Paths of root indexes; with `OTHER`, at that server. @default /wp-json */
  readonly rest?: readonly string[];
  /** `Location` by path and query. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Settings of the site at the gateway; `at` is the path of its `url`. */
  readonly settings?: Partial<SiteOptions> & { readonly at?: string };
  readonly publicUrl?: string;
  /** What the gateway responds with: the status, and the path at the site or `Location`. */
  readonly responds: Readonly<Record<string, string>>;
  /** Server of the root index in the document. @default /wp-json */
  readonly server?: string;
}

const POSTS = '/wp/v2/posts';
const PUBLIC = 'https://www.example.com';
const FILES = ['/wp-content/a.css', '/wp-login.php', '/index.php'];
/** Two languages in folders. Files and scripts have none. */
const LANGUAGES = ['/', '/en/', '/de/', '/en/about/', ...FILES];
const PAGES = ['/', '/about/', ...FILES];

/** Paths that are the same at the site and at the gateway. */
const unchanged = (...paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(paths.map((path) => [path, `200 ${path}`]));

/** Settings for a site that knows its public name, on another port. */
const BEHIND = { settings: { upstream: { host: 'www.example.com' } }, publicUrl: PUBLIC };

const ARRANGEMENTS: readonly Arrangement[] = [
  {
    name: 'directories of languages in the REST root (TranslatePress: plausible/wordpress#269)',
    root: '/en/wp-json/',
    has: LANGUAGES,
    rest: ['/en/wp-json'],
    responds: {
      ...unchanged(...LANGUAGES, `/en/wp-json${POSTS}`, `/?rest_route=${POSTS}`),
      // qtranslate/qtranslate-xt#1375
      ...unchanged(`/en/?rest_route=${POSTS}`),
      // The short spelling is a page of a whole site.
      [POSTS]: `404 ${POSTS}`,
      '/wp-json/': '404 /wp-json/',
    },
    server: '/en/wp-json',
  },
  {
    name: 'a front page that redirects to its language, and home with the language (Polylang)',
    states: ['SITE/en', 'SITE/en'],
    has: LANGUAGES.slice(1),
    redirects: { '/': 'SITE/en/', '/de': '/de/' },
    responds: {
      ...unchanged(...LANGUAGES.slice(1), `/wp-json${POSTS}`, `/index.php?rest_route=${POSTS}`),
      '/': '302 GATE/en/',
      '/de': '302 /de/',
    },
  },
  {
    name: 'a public name, with the language in home and in the REST root',
    states: [`${PUBLIC}/en`, `${PUBLIC}/en`],
    root: `${PUBLIC}/en/wp-json/`,
    has: LANGUAGES,
    rest: ['/en/wp-json'],
    redirects: { '/old': `${PUBLIC}/de/` },
    responds: { ...unchanged(...LANGUAGES), '/old': '302 GATE/de/' },
    server: '/en/wp-json',
  },
  {
    name: 'a public name, with the language in home only',
    states: [`${PUBLIC}/en`, PUBLIC],
    root: `${PUBLIC}/wp-json/`,
    has: LANGUAGES,
    redirects: { '/old': `${PUBLIC}/en/about/` },
    responds: { ...unchanged(...LANGUAGES), '/old': '302 GATE/en/about/' },
  },
  {
    name: 'languages in the query (WPML: bologer/anycomment.io#110)',
    states: ['SITE/?lang=de', 'SITE'],
    root: 'SITE/wp-json/?lang=de',
    redirects: { '/old/?lang=de': 'SITE/about/?lang=de' },
    responds: {
      ...unchanged('/?lang=de', '/about/?lang=en', ...FILES, `/wp-json${POSTS}?lang=de`),
      '/old/?lang=de': '302 GATE/about/?lang=de',
    },
  },
  {
    name: 'WordPress in a folder, its front page at the root (roots/bedrock: moon0326/wp-openapi#25)',
    states: ['SITE', 'SITE/wp'],
    has: ['/', '/about/', '/wp/wp-login.php', '/wp/wp-content/a.css', '/index.php'],
    rest: ['/wp-json', '/index.php/wp-json'],
    redirects: { '/login': 'SITE/wp/wp-login.php', '/wp/wp-admin': 'SITE/wp/wp-admin/' },
    responds: {
      ...unchanged('/', '/about/', '/wp/wp-login.php', '/wp/wp-content/a.css', `/wp-json${POSTS}`),
      ...unchanged(`/index.php/wp-json${POSTS}`, `/?rest_route=${POSTS}`),
      '/login': '302 GATE/wp/wp-login.php',
      '/wp/wp-admin': '302 GATE/wp/wp-admin/',
    },
  },
  {
    name: 'a REST root beside the folder of the pages (WordPress/gutenberg#1761)',
    states: ['SITE/blog', 'SITE'],
    has: ['/blog/', '/blog/about/', '/blog/wp-login.php', '/blog/wp-content/a.css', '/', '/index.php'],
    redirects: { '/blog/old': 'SITE/blog/about/' },
    settings: { at: '/blog' },
    responds: {
      '/': '200 /blog/',
      '/about/': '200 /blog/about/',
      '/wp-login.php': '200 /blog/wp-login.php',
      '/wp-content/a.css': '200 /blog/wp-content/a.css',
      '/old': '302 GATE/about/',
      ...unchanged(`/wp-json${POSTS}`),
      [`/?rest_route=${POSTS}`]: `200 /wp-json${POSTS}`,
    },
  },
  {
    name: 'a REST interface at another host (WordPress/gutenberg#15208)',
    states: ['SITE', 'OTHER'],
    root: 'OTHER/cms/wp-json/',
    rest: ['OTHER/cms/wp-json'],
    redirects: { '/old': 'SITE/about/', '/api': `OTHER/cms/wp-json${POSTS}` },
    responds: {
      ...unchanged(...PAGES),
      '/old': '302 GATE/about/',
      '/api': `302 GATE/wp-json${POSTS}`,
      [`/wp-json${POSTS}`]: `200 other:/cms/wp-json${POSTS}`,
    },
  },
  {
    name: 'a site of a network in folders',
    states: ['SITE/two', 'SITE/two'],
    root: 'SITE/two/wp-json/',
    has: ['/', '/two/', '/two/about/', '/two/wp-login.php', '/two/wp-content/a.css', '/two/index.php'],
    rest: ['/wp-json', '/two/wp-json', '/two/index.php/wp-json'],
    redirects: { '/two/old': 'SITE/two/about/', '/two/main': 'SITE/' },
    settings: { at: '/two/' },
    responds: {
      '/': '200 /two/',
      '/about/': '200 /two/about/',
      '/wp-login.php': '200 /two/wp-login.php',
      '/wp-content/a.css': '200 /two/wp-content/a.css',
      '/old': '302 GATE/about/',
      '/main': '302 SITE/',
      [`/wp-json${POSTS}`]: `200 /two/wp-json${POSTS}`,
      [`/index.php/wp-json${POSTS}`]: `200 /two/index.php/wp-json${POSTS}`,
      [`/?rest_route=${POSTS}`]: `200 /two/?rest_route=${POSTS}`,
    },
  },
  {
    name: 'a renamed prefix (EvanHerman/wp-rest-api-controller#8)',
    root: 'SITE/api/',
    rest: ['/api'],
    responds: {
      ...unchanged(...PAGES, `/api${POSTS}`, `/?rest_route=${POSTS}`),
      [`/wp-json${POSTS}`]: `404 /wp-json${POSTS}`,
    },
    server: '/api',
  },
  {
    name: 'PATHINFO permalinks',
    root: 'SITE/index.php/wp-json/',
    has: [...PAGES, '/index.php/about/'],
    rest: ['/index.php/wp-json'],
    responds: {
      ...unchanged(...PAGES, '/index.php/about/', `/index.php/wp-json${POSTS}`, `/?rest_route=${POSTS}`),
      [`/wp-json${POSTS}`]: `404 /wp-json${POSTS}`,
    },
    server: '/index.php/wp-json',
  },
  {
    name: 'plain permalinks',
    root: 'SITE/index.php?rest_route=/',
    rest: [],
    responds: {
      ...unchanged(...PAGES, '/?p=1', `/?rest_route=${POSTS}`, `/index.php?rest_route=${POSTS}`),
      [`/wp-json${POSTS}?b=1`]: `404 /wp-json${POSTS}?b=1`,
    },
    server: '/index.php?rest_route=',
  },
  {
    name: 'a port in the URL of the site, and none in home (roots/bedrock#334)',
    states: ['http://127.0.0.1', 'http://127.0.0.1'],
    root: 'http://127.0.0.1/wp-json/',
    // redirect_canonical() joins the host of the request and the port of home.
    redirects: { '/old': 'http://127.0.0.1/about/' },
    responds: { ...unchanged(...PAGES, `/wp-json${POSTS}`), '/old': '302 GATE/about/' },
  },
  {
    ...BEHIND,
    name: 'a public name, and the port of the site in home',
    has: ['/about/', ...FILES],
    redirects: { '/': 'http://www.example.com:PORT/', '/old': 'SITE/about/' },
    responds: {
      ...unchanged('/about/', ...FILES, `/wp-json${POSTS}`),
      '/': '302 GATE/',
      '/old': '302 GATE/about/',
    },
  },
  {
    ...BEHIND,
    name: 'https in front of an http site that writes its own port into redirects (dokku-community/dokku-wordpress#18, kubernetes/ingress-nginx#5997, bitnami/charts#2111, kalabox/kalabox#1612)',
    states: [PUBLIC, PUBLIC],
    root: `${PUBLIC}/wp-json/`,
    redirects: {
      '/wp-admin': 'http://www.example.com:8080/wp-admin/',
      '/wp-admin?a=1': 'http://www.example.com:8080/wp-admin/?a=1',
      // Another service of the host.
      '/mail': 'http://www.example.com:8080/webmail/',
      '/older': 'http://www.example.com/about/',
      '/oldest': 'http://www.example.com:PORT/about/',
      '/login': 'SITE/wp-login.php',
    },
    responds: {
      ...unchanged(...PAGES),
      '/wp-admin': '302 GATE/wp-admin/',
      '/wp-admin?a=1': '302 GATE/wp-admin/?a=1',
      '/mail': '302 http://www.example.com:8080/webmail/',
      '/older': '302 GATE/about/',
      '/oldest': '302 GATE/about/',
      '/login': '302 GATE/wp-login.php',
    },
  },
  {
    name: 'a site that redirects to its public name (hestiacp/hestiacp#2110)',
    states: [PUBLIC, PUBLIC],
    root: `${PUBLIC}/wp-json/`,
    redirects: { '/a/?b=1': `${PUBLIC}/a/?b=1`, '/old': `${PUBLIC}/about/` },
    responds: {
      ...unchanged(...PAGES),
      // At the gateway it would lead to itself.
      '/a/?b=1': `302 ${PUBLIC}/a/?b=1`,
      '/old': '302 GATE/about/',
    },
  },
  {
    name: 'a proxy that takes away the folder of the site (docker-library/wordpress#475)',
    states: [`${PUBLIC}/blog`, `${PUBLIC}/blog`],
    root: `${PUBLIC}/blog/wp-json/`,
    redirects: { '/old': `${PUBLIC}/blog/about/` },
    responds: { ...unchanged(...PAGES, `/wp-json${POSTS}`), '/old': '302 GATE/about/' },
  },
  {
    name: 'a proxy that renames the folder of the site',
    states: [`${PUBLIC}/blog`, `${PUBLIC}/blog`],
    root: `${PUBLIC}/blog/wp-json/`,
    has: ['/wp/', '/wp/about/'],
    rest: ['/wp/wp-json'],
    redirects: { '/wp/old': `${PUBLIC}/blog/about/` },
    settings: { at: '/wp' },
    responds: { '/about/': '200 /wp/about/', '/old': '302 GATE/about/' },
  },
  {
    name: 'a public name, and WordPress beside the folder of the pages',
    states: [`${PUBLIC}/blog`, PUBLIC],
    root: `${PUBLIC}/wp-json/`,
    has: ['/blog/', '/blog/about/'],
    redirects: { '/blog/old': `${PUBLIC}/blog/about/`, '/blog/login': `${PUBLIC}/wp-login.php` },
    settings: { at: '/blog' },
    // The folder is all that the gateway has.
    responds: { '/old': '302 GATE/about/', '/login': `302 ${PUBLIC}/wp-login.php` },
  },
];

const INDEX = createRoutesIndex({ [POSTS]: 'GET' });

test.each(ARRANGEMENTS)('what the gateway responds with for a site with $name', async (arrangement) => {
  const { has = PAGES, publicUrl, redirects = {}, responds, rest = ['/wp-json'] } = arrangement;
  const {
    root = 'SITE/wp-json/',
    server = '/wp-json',
    settings = {},
    states = ['SITE', 'SITE'],
  } = arrangement;
  const origins = { SITE: '', OTHER: '', GATE: publicUrl ?? '', PORT: '' };
  const fill = (text: string): string =>
    text.replace(/SITE|OTHER|GATE|PORT/g, (name) => Reflect.get(origins, name));
  const respond = (at: 'SITE' | 'OTHER') => (incoming: IncomingMessage, response: ServerResponse) => {
    const { url = '' } = incoming;
    const { pathname, searchParams } = new URL(url, origins.SITE);
    const below = rest
      .filter((path) => path.startsWith('OTHER') === (at === 'OTHER'))
      .map((path) => path.replace('OTHER', ''))
      .find((path) => pathname === path || pathname.startsWith(`${path}/`));
    const isHere = at === 'SITE' && has.includes(pathname);
    const route =
      below === undefined ? isHere && searchParams.get('rest_route') : pathname.slice(below.length);
    const location = at === 'SITE' ? redirects[url] : undefined;
    response.setHeader('Link', `<${fill(root)}>; rel="https://api.w.org/"`);
    response.setHeader('X-Path', at === 'SITE' ? url : `other:${url}`);
    response.setHeader('Content-Type', typeof route === 'string' ? 'application/json' : 'text/html');
    const index = { ...INDEX, home: fill(states[0]), url: fill(states[1]) };
    if (location !== undefined) response.writeHead(302, { Location: fill(location) }).end();
    else if (typeof route === 'string') response.end(JSON.stringify(/^\/?$/.test(route) ? index : []));
    else response.writeHead(isHere ? 200 : 404).end('a page');
  };
  const [site, other] = [await runServer(respond('SITE')), await runServer(respond('OTHER'))];
  Object.assign(origins, { SITE: site.origin, OTHER: other.origin, PORT: site.port });
  const { at = '', ...options } = settings;
  const gateway = { cache: 'off', ...(publicUrl && { publicUrl }) } as const;
  const url = site.origin + at;
  const { origin, request } = await startGateway({
    document: undefined,
    cache: {},
    ...options,
    url,
    gateway,
  });
  origins.GATE = publicUrl ?? origin;

  for (const [path, expected] of Object.entries(responds)) {
    const { headers, status } = await request(path);
    const got = `${status} ${headers.get('location') ?? headers.get('x-path') ?? 'gateway'}`;
    expect(`${path}: ${got}`).toBe(`${path}: ${fill(expected)}`);
  }
  const document = await (await request('/-/openapi.json')).json();
  expect(document.servers[0].url).toBe(server);
  expect(JSON.stringify(document)).not.toContain('127.0.0.1');
});

test.each([
  ['localhost', [expect.stringContaining('it gets the credentials of clients')]],
  ['127.0.0.1', []],
])('a REST root that a page announces at %s is a warning if it is another host', async (host, expected) => {
  const other = await runServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(INDEX));
  });
  const { origin: url } = await runServer((_, response) => {
    response.setHeader('Link', `<http://${host}:${other.port}/cms/wp-json/>; rel="https://api.w.org/"`);
    response.writeHead(404).end();
  });
  const { request, warnings } = await startGateway({ document: undefined, passthrough: false, url });
  expect((await request('/openapi.json')).status).toBe(200);
  expect(warnings).toEqual(expected);
});
