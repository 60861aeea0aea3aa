import { lookup } from 'node:dns/promises';
import { request as sendRequest } from 'node:http';
import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import {
  type Answer,
  PLAIN,
  type RawResponse,
  runAnswering,
  runGateway,
  runServer,
  sendRaw,
} from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';

/**
 * Public reports about proxies and page caches in front of WordPress, PHP, members' areas, networks and shops. The site of each row
 * behaves as its report says, and the row states what its visitors must get.
 */

type Site = (request: StubRequest, visit: number) => Answer;
type Fields = Readonly<Record<string, string>>;
/** Path, after a method that is neither `GET` nor `POST`, header fields, and a body. */
type Ask = string | readonly [path: string, headers: Fields, body?: string];
/** The text or `Location`, after `hit` if it was stored, or more. */
type Outcome = string | Partial<Record<keyof RawResponse, unknown>>;
type Row = readonly [
  sentence: string,
  settings: Partial<SiteOptions>,
  site: Site,
  ...exchanges: (readonly [Ask, Outcome])[],
];

const page = (text: string | undefined, headers: Answer['headers'] = {}): Answer => ({
  headers,
  body: `<!DOCTYPE html><html><body><p>${text ?? ''}</p></body></html>`,
});
const has = (headers: object, others = {}) => ({ headers: expect.objectContaining(headers), ...others });
const lacks = (name: string) => ({ headers: expect.not.objectContaining({ [name]: expect.anything() }) });
/** The first request for an address can be its client's only. */
const thrice = (path: string, headers: Fields, outcome: string): (readonly [Ask, Outcome])[] =>
  [{}, {}, outcome].map((each) => [[path, headers], each]);

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' };
const activity: Site = ({ headers }) =>
  /activity\+json|ld\+json|application\/json/.test(headers.accept ?? '')
    ? { headers: { 'content-type': 'application/activity+json' }, body: '{"type":"Person"}' }
    : page('Ann');
const COOKIES = Array.from({ length: 20 }, (_, at) => `c${at}=${'x'.repeat(1000)}; Path=/`);
const ANN = { cookie: 'wordpress_logged_in_1=ann' };
const EDITOR = { cookie: 'wordpress_logged_in_1=editor' };
const at = (host: string): Fields => ({ host });
const of = (cookie: string): Fields => ({ cookie });
const nameOf = ({ headers }: StubRequest): string => headers.cookie ?? 'nobody';
const cookieOf = ({ headers }: StubRequest, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? '';
const shows =
  (name: string, preset: string): Site =>
  (request) =>
    page(cookieOf(request, name) || preset);
const PAGES = { pages: 60 } as const;
const NETWORK = {
  hosts: ['example.com', '*.example.com', 'shop.example.org'],
  publicUrl: 'http://example.com',
} as const;

const REPORTS: readonly Row[] = [
  [
    'a client of ActivityPub gets JSON of a page that is stored as HTML (wp-media/wp-rocket#7394)',
    {},
    activity,
    [['/author/ann/', BROWSER], 'Ann'],
    [['/author/ann/', { accept: 'application/activity+json' }], '{"type":"Person"}'],
    [['/author/ann/', BROWSER], 'hit Ann'],
  ],
  [
    'a redirect with 20 kB of cookies after a login is relayed, one field each (WordPress/two-factor#378, engintron/engintron#668, stoplightio/prism#2676)',
    {},
    () => ({ status: 302, headers: { location: '/wp-admin/', 'set-cookie': COOKIES } }),
    [
      ['/wp-login.php', {}, 'log=ann'],
      has({ location: '/wp-admin/', 'set-cookie': COOKIES }, { status: 302 }),
    ],
  ],
  [
    'an export that calls UTF-8 a content coding is relayed as it is (arshidkv12/contact-form-cfdb7#35)',
    {},
    () => ({ headers: { 'content-type': 'text/csv', 'content-encoding': 'UTF-8' }, body: 'name,message' }),
    [['/export/', { 'accept-encoding': 'gzip, br' }], 'name,message'],
    [['/export/', { 'accept-encoding': 'gzip, br' }], 'name,message'],
  ],
  [
    'PROPFIND reaches the site with its depth (sabre-io/Baikal#433)',
    {},
    ({ headers, method }) => ({ status: 207, body: `${method} ${headers['depth']}` }),
    [
      ['PROPFIND /cal.php/principals/ann/', { depth: '1' }, '<propfind/>'],
      { status: 207, body: 'PROPFIND 1' },
    ],
  ],
  [
    'a response that clears the data of one browser is not given to others (w3c/webappsec-clear-site-data#26)',
    {},
    (_, visit) => page('x', visit <= 2 ? { 'clear-site-data': '"cookies"' } : {}),
    ['/bye/', has({ 'clear-site-data': '"cookies"' })],
    ['/bye/', lacks('clear-site-data')],
  ],
  [
    'each origin gets its own CORS field of a stored route (WP-API/WP-API#2661)',
    {},
    ({ headers: { origin } }) => ({
      headers: origin === undefined ? {} : { 'access-control-allow-origin': origin },
      body: '[]',
    }),
    ['/wp-json/wp/v2/posts', lacks('access-control-allow-origin')],
    ...['https://a.example.com', 'https://b.example.com'].map((origin): Row[3] => [
      ['/wp-json/wp/v2/posts', { origin }],
      has({ 'access-control-allow-origin': origin }),
    ]),
  ],
  [
    'an account page below the name of a stylesheet is not stored for others (OWASP/ASVS#1560)',
    {},
    ({ headers }) => page(headers.cookie === undefined ? 'nobody' : 'Ann'),
    [['/my-account/orders/x.css', ANN], 'Ann'],
    ['/my-account/orders/x.css', 'nobody'],
    [['/wp-content/..%2fmy-account/x.css', ANN], {}],
    ['/wp-content/..%2fmy-account/x.css', { body: expect.not.stringContaining('Ann') }],
  ],
];

const MEMBERS: readonly Row[] = [
  [
    'a Markdown copy that a member asked for is not the visitors’ (ProgressPlanner/markdown-alternate#27)',
    {},
    (request) => page(nameOf(request), { 'content-type': 'text/markdown' }),
    [['/lesson.md', ANN], ANN.cookie],
    ['/lesson.md', 'nobody'],
    [['/lesson.md', ANN], ANN.cookie],
  ],
  [
    'a post with a password opens for those who have it, and other posts stay stored (tlovett1/simple-cache#72)',
    {},
    ({ headers, url }) => page(url === '/secret/' && headers.cookie ? 'text' : 'form'),
    ['/secret/', 'form'],
    ['/secret/', 'hit form'],
    [['/secret/', { cookie: 'wp-postpass_1=a' }], 'text'],
    ['/secret/', 'hit form'],
  ],
  [
    'a download that the web server sends in place of PHP stays one client’s (awesomemotive/easy-digital-downloads#6322)',
    {},
    (_, visit) => ({ headers: { 'content-type': 'application/zip' }, body: `file ${visit}` }),
    ['/?eddfile=5%3A1%3A0&ttl=9&file=0&token=a', 'file 1'],
    ['/?eddfile=5%3A1%3A0&ttl=9&file=0&token=a', 'file 2'],
  ],
];

const NETWORKS: readonly Row[] = [
  [
    'a redirect that takes the port off a host is not stored for those without it (spinupwp/wordpress-nginx#30)',
    NETWORK,
    ({ headers }) =>
      headers.host === 'a.example.com:80'
        ? { status: 301, headers: { location: 'http://a.example.com/' } }
        : page('home'),
    [['/home/', at('a.example.com:80')], 'http://a.example.com/'],
    [['/home/', at('a.example.com')], 'home'],
    [['/home/', at('a.example.com')], 'hit home'],
  ],
  [
    'a site without trailing slashes redirects once, whatever campaign led there (wp-media/wp-rocket#5207)',
    {},
    ({ url }) =>
      /^\/sub\/(?:$|\?)/.test(url) ? { status: 301, headers: { location: '/sub' } } : page('sub'),
    ['/sub/?utm_source=a', '/sub?utm_source=a'],
    ['/sub?utm_source=a', 'sub'],
    ['/sub/', 'hit /sub'],
    ['/sub?utm_source=b', 'hit sub'],
  ],
  [
    'an editor at the host of the administration sees the change at the others (rtCamp/nginx-helper#83)',
    NETWORK,
    (_, visit) => page(String(visit)),
    [['/about/', at('shop.example.org')], '1'],
    [['/about/', at('shop.example.org')], 'hit 1'],
    [['/wp-admin/post.php', { ...at('example.com'), ...EDITOR }, 'action=editpost'], '2'],
    [['/about/', at('shop.example.org')], '3'],
  ],
  [
    'a purge of a page at a domain of its own finds it (BoldGrid/w3-total-cache#200, wp-media/wp-rocket#1519)',
    { ...NETWORK, cache: { ...PAGES, purgers: ['127.0.0.0/8'] } },
    (_, visit) => page(String(visit)),
    [['/about/', at('shop.example.org')], '1'],
    [['/about/', at('shop.example.org')], 'hit 1'],
    [['PURGE /about/', at('shop.example.org')], { status: 200 }],
    [['/about/', at('shop.example.org')], '2'],
  ],
];

/** Shops with WP Rocket, LiteSpeed Cache, Cloudflare, or a plugin for currencies or languages. */
const SHOPS: readonly Row[] = [
  [
    'prices by country are right if a rule names the field of the country (woocommerce/woocommerce#7939, wp-media/wp-rocket#5983)',
    { cache: { ...PAGES, rules: [{ match: '/product/*', ttl: 60, keyHeaders: ['CF-IPCountry'] }] } },
    ({ headers }) => page(String(headers['cf-ipcountry'])),
    ...['DE', 'US', 'DE'].map((country, which): Row[3] => [
      ['/product/a/', { 'cf-ipcountry': country }],
      which === 2 ? 'hit DE' : country,
    ]),
  ],
  [
    'prices of WooPayments are stored by currency (Automattic/woocommerce-payments#8534)',
    {},
    shows('wcpay_currency', 'USD'),
    ...thrice('/product/a/', {}, 'hit USD'),
    ...thrice('/product/a/', of('wcpay_currency=EUR'), 'hit EUR'),
    ...thrice('/product/a/', of('_ga=1; wcpay_currency=USD'), 'hit USD'),
  ],
  [
    'taxes by a country that a script sets later are right from then on (wp-media/wp-rocket#4749)',
    {},
    (request) =>
      page(['US', 'CA'].includes(cookieOf(request, 'aelia_customer_country')) ? 'without VAT' : 'with VAT'),
    ...thrice('/product/a/', {}, 'hit with VAT'),
    ...thrice('/product/a/', of('aelia_customer_country=US'), 'hit without VAT'),
    ...thrice('/product/a/', of('aelia_customer_country=DE'), 'hit with VAT'),
  ],
  [
    'an address in a checkout is its customer’s, though no cookie is set (woocommerce/woocommerce-gateway-stripe#2392)',
    {},
    (request) => page(cookieOf(request, 'wp_woocommerce_session_1') || 'nobody'),
    ...thrice('/kasse/', of('wp_woocommerce_session_1=ann'), 'ann'),
    ...thrice('/kasse/', {}, 'hit nobody'),
    ...thrice('/kasse/', of('wp_woocommerce_session_1=bob'), 'bob'),
  ],
  [
    'a mini cart is never somebody else’s (woocommerce/woocommerce#30329)',
    {},
    (request) =>
      page(`${cookieOf(request, 'woocommerce_items_in_cart') || 0} items`, {
        'cache-control': 's-maxage=604800, max-age=60',
      }),
    ...thrice('/shop/', of('woocommerce_items_in_cart=3; woocommerce_cart_hash=a'), '3 items'),
    ...thrice('/shop/', {}, 'hit 0 items'),
    ...thrice('/shop/', of('woocommerce_items_in_cart=3; woocommerce_cart_hash=a'), '3 items'),
  ],
  [
    'products that a visitor has seen are that visitor’s (wp-media/wp-rocket#5069)',
    {},
    shows('woocommerce_recently_viewed', 'none'),
    ...thrice('/shop/', of('woocommerce_recently_viewed=5%7C7'), '5%7C7'),
    ...thrice('/shop/', {}, 'hit none'),
  ],
];

/** What an operator can say against what is built in. */
const CONTRADICTED: readonly Row[] = [
  [
    'a folder of a network is not stored if a rule says so, nor are its scripts (keycdn/cache-enabler#343, wp-media/wp-rocket#5831)',
    { cache: { ...PAGES, rules: [{ match: '/support/*', store: false }] } },
    (request, visit) => page(`${visit} ${nameOf(request)}`),
    ['/support/', '1 nobody'],
    ['/support/', '2 nobody'],
    [['/support/wp-content/plugins/x/mine.js', ANN], `3 ${ANN.cookie}`],
    [['/support/wp-content/plugins/x/mine.js', ANN], `4 ${ANN.cookie}`],
    ['/home/', '5 nobody'],
    ['/home/', 'hit 5 nobody'],
  ],
  [
    'a parameter of a campaign can select the page (BoldGrid/w3-total-cache#674)',
    { cache: { ...PAGES, ignoreParameters: ['!utm_*'], queries: ['utm_campaign'] } },
    ({ url }) => page(url),
    ['/home/?utm_campaign=spring', '/home/?utm_campaign=spring'],
    ['/home/', '/home/'],
    ['/home/?utm_campaign=spring', 'hit /home/?utm_campaign=spring'],
  ],
  [
    'a field that a theme sends with each read can be taken off the credentials (woocommerce/woocommerce#25437)',
    { cache: { ...PAGES, harmlessHeaders: ['X-WP-Nonce'] } },
    (request) => ({ body: JSON.stringify([nameOf(request), request.headers['x-wp-nonce']]) }),
    [['/wp-json/wp/v2/posts', { 'x-wp-nonce': 'a' }], '["nobody",null]'],
    [['/wp-json/wp/v2/posts', { 'x-wp-nonce': 'b' }], 'hit ["nobody",null]'],
    [['/wp-json/wp/v2/posts', { ...ANN, 'x-wp-nonce': 'b' }], JSON.stringify([ANN.cookie, 'b'])],
    [['/wp-json/wp/v2/posts', { nonce: 'a' }], '["nobody",null]'],
  ],
];

const rows = [...REPORTS, ...MEMBERS, ...NETWORKS, ...SHOPS, ...CONTRADICTED].map(
  ([sentence, settings, site, ...exchanges]) => ({ sentence, settings, site, exchanges }),
);
test.each(rows)('$sentence', async ({ exchanges, settings, site }) => {
  const { origin } = await runAnswering(site, settings, { trust: ['127.0.0.1'] });
  for (const [ask, expected] of exchanges) {
    const [target, headers = {}, body] = typeof ask === 'string' ? [ask] : ask;
    const [path = '', method = body === undefined ? 'GET' : 'POST'] = target.split(' ').reverse();
    const response = await sendRaw(origin, path, { method, headers, ...(body !== undefined && { body }) });
    const isHit = /; hit/.test(String(response.headers['cache-status']));
    const text = response.headers.location ?? response.body.replace(/<[^>]*>/g, '');
    if (typeof expected === 'string') expect(isHit ? `hit ${text}` : text, target).toBe(expected);
    else expect(response, target).toMatchObject(expected);
  }
});

/** Starts a gateway without a store in front of a plain server. */
async function runPlain(...server: Parameters<typeof runServer>) {
  const { origin } = await runServer(...server);
  return runGateway({ url: origin, ...PLAIN }, {});
}

test('a connection that one client has authenticated serves no other (haproxy/haproxy#581)', async () => {
  const known = new WeakSet<object>();
  const site = await runServer((request, response) => {
    if (request.headers.authorization?.startsWith('NTLM ') === true) known.add(request.socket);
    const isKnown = known.has(request.socket);
    response.writeHead(isKnown ? 200 : 401, isKnown ? {} : { 'www-authenticate': 'NTLM' });
    response.end(isKnown ? 'Ann' : 'nobody');
  });
  const gateway = await runGateway({ url: site.origin, ...PLAIN }, {});
  const read = async (init: RequestInit): Promise<string> => (await gateway.request('/', init)).text();
  expect(await read({ headers: { authorization: 'NTLM TlRMTVNTUAAD' } })).toBe('Ann');
  const others = Array.from({ length: 4 }, () => read({ method: 'POST', body: 'a=1' }));
  expect(await Promise.all(others)).toEqual(['nobody', 'nobody', 'nobody', 'nobody']);
});

test('a site that listens on one address of localhost is reached (chimurai/http-proxy-middleware#705)', async () => {
  for (const { address: host } of await lookup('localhost', { all: true })) {
    const site = await runServer((_, response) => void response.end(host), { host });
    const gateway = await runGateway({ url: `http://localhost:${site.port}`, ...PLAIN }, {});
    expect(await (await gateway.request('/')).text()).toBe(host);
  }
});

test('curl is told to go on with a large form (traefik/traefik#2899)', async () => {
  const gateway = await runPlain((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => (length += chunk.length));
    request.on('end', () => response.end(String(length)));
  });
  const body = await new Promise((resolve, reject) => {
    const headers = { expect: '100-continue', 'content-length': '5000' };
    const init = { method: 'PUT', path: '/dav/a.jpg', headers };
    const outgoing = sendRequest(gateway.origin, init, (incoming) =>
      incoming.on('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    outgoing.on('continue', () => outgoing.end('x'.repeat(5000))).on('error', reject);
  });
  expect(body).toBe('5000');
});

test('an event of a stream arrives before the next is sent (lucaslorentz/caddy-docker-proxy#197)', async () => {
  let next: (() => void) | undefined;
  const gateway = await runAnswering((_, _count, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    next = () => response.end('data: 2\n\n');
    return undefined;
  });
  const response = await gateway.request('/events/', { headers: { 'accept-encoding': 'gzip, br' } });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toBe('data: 1\n\n');
  next?.();
  expect(await read()).toBe('data: 2\n\n');
});

test.each([
  ['Automattic/wp-super-cache#1081', '/category/%d2%b1lytau/', '/category/%D2%B1lytau/'],
  ['wp-media/wp-rocket#5852', '/%CE%B3/', '/%ce%b3/'],
  ['BoldGrid/w3-total-cache#34', '/post/', '/post/?amp'],
  ['Automattic/wp-super-cache#1105', '/post/', '/post/?a=b&c=d'],
])(
  'a purge finds a page under another spelling of its address, and with a query (%s)',
  async (_, purged, path) => {
    const queries = ['amp', 'a', 'c'];
    const cache: SiteOptions['cache'] = { pages: 60, queries, purgers: ['127.0.0.0/8'] };
    const gateway = await runAnswering((_, visit) => page(String(visit)), { cache });
    const read = async () => (await gateway.request(path)).text();
    expect([await read(), await read()]).toEqual([
      expect.stringContaining('>1<'),
      expect.stringContaining('>1<'),
    ]);
    expect((await gateway.request(purged, { method: 'PURGE' })).status).toBe(200);
    expect(await read()).toContain('>2<');
  },
);

test('a redirect to https that is stored does not meet who came by https (mattiasgeniar/varnish-4.0-configuration-templates#36)', async () => {
  const gateway = await runAnswering(
    ({ headers, url: path }) =>
      headers['x-forwarded-proto'] === 'https'
        ? page('secure')
        : { status: 301, headers: { location: `https://${headers.host}${path}` } },
    {},
    { trust: ['127.0.0.0/8'] },
  );
  const seen: number[] = [];
  for (const proto of ['http', 'https', 'http', 'https']) {
    const headers = { 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.1' };
    seen.push((await gateway.request('/about/', { headers })).status);
  }
  expect(seen).toEqual([301, 200, 301, 200]);
});
