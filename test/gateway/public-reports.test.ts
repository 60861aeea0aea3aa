import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { type Answer, networks, startGateway } from '../support/gateway.ts';
import { PLAIN, type RawResponse, runServer, sendRaw } from '../support/run.ts';
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
const has = (headers: object) => ({ headers: expect.objectContaining(headers) });
const lacks = (name: string) => ({ headers: expect.not.objectContaining({ [name]: expect.anything() }) });
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' };
const activity: Site = ({ headers }) =>
  /activity\+json|ld\+json|application\/json/.test(headers.accept ?? '')
    ? { headers: { 'content-type': 'application/activity+json' }, body: '{"type":"Person"}' }
    : page('Ann');
const ANN = { cookie: 'wordpress_logged_in_1=ann' };
const EDITOR = { cookie: 'wordpress_logged_in_1=editor' };
const at = (host: string): Fields => ({ host });
const nameOf = ({ headers }: StubRequest): string => headers.cookie ?? 'nobody';
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
    'a redirect to https that is stored does not meet who came by https (mattiasgeniar/varnish-4.0-configuration-templates#36)',
    {},
    ({ headers, url }) =>
      headers['x-forwarded-proto'] === 'https' ? page('secure') : { status: 301, headers: { location: url } },
    ...['http', 'https', 'http', 'https'].map((proto): Row[3] => [
      ['/about/', { 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.1' }],
      { status: proto === 'http' ? 301 : 200 },
    ]),
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
    { ...NETWORK, cache: { ...PAGES, purgers: networks('127.0.0.0/8') } },
    (_, visit) => page(String(visit)),
    [['/about/', at('shop.example.org')], '1'],
    [['/about/', at('shop.example.org')], 'hit 1'],
    [['PURGE /about/', at('shop.example.org')], { status: 200 }],
    [['/about/', at('shop.example.org')], '2'],
  ],
];

/** A purge finds a page under another spelling of its address, and with a query. */
const PURGES = [
  ['Automattic/wp-super-cache#1081', '/category/%d2%b1lytau/', '/category/%D2%B1lytau/'],
  ['wp-media/wp-rocket#5852', '/%CE%B3/', '/%ce%b3/'],
  ['BoldGrid/w3-total-cache#34', '/post/', '/post/?amp'],
  ['Automattic/wp-super-cache#1105', '/post/', '/post/?a=b&c=d'],
].map(
  ([report, purged = '', path = '']): Row => [
    `a purge of ${purged} finds ${path} (${report})`,
    { cache: { ...PAGES, queries: ['amp', 'a', 'c'], purgers: networks('127.0.0.0/8') } },
    (_, visit) => page(String(visit)),
    [path, '1'],
    [path, 'hit 1'],
    [`PURGE ${purged}`, { status: 200 }],
    [path, '2'],
  ],
);

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
];

const rows = [...REPORTS, ...NETWORKS, ...PURGES, ...CONTRADICTED].map(
  ([sentence, settings, site, ...exchanges]) => ({ sentence, settings, site, exchanges }),
);
test.each(rows)('$sentence', async ({ exchanges, settings, site }) => {
  const { origin } = await startGateway({ ...settings, gateway: { trust: networks('127.0.0.1') } }, site);
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

test('a connection that one client has authenticated serves no other (haproxy/haproxy#581)', async () => {
  const known = new WeakSet<object>();
  const site = await runServer((request, response) => {
    if (request.headers.authorization?.startsWith('NTLM ') === true) known.add(request.socket);
    const isKnown = known.has(request.socket);
    response.writeHead(isKnown ? 200 : 401, isKnown ? {} : { 'www-authenticate': 'NTLM' });
    response.end(isKnown ? 'Ann' : 'nobody');
  });
  const gateway = await startGateway({ url: site.origin, ...PLAIN });
  const read = async (init: RequestInit): Promise<string> => (await gateway.request('/', init)).text();
  expect(await read({ headers: { authorization: 'NTLM TlRMTVNTUAAD' } })).toBe('Ann');
  const others = Array.from({ length: 4 }, () => read({ method: 'POST', body: 'a=1' }));
  expect(await Promise.all(others)).toEqual(['nobody', 'nobody', 'nobody', 'nobody']);
});

test('a site that listens on one address of localhost is reached (chimurai/http-proxy-middleware#705)', async () => {
  for (const { address: host } of await lookup('localhost', { all: true })) {
    const site = await runServer((_, response) => void response.end(host), { host });
    const gateway = await startGateway({ url: `http://localhost:${site.port}`, ...PLAIN });
    expect(await (await gateway.request('/')).text()).toBe(host);
  }
});

test('an event of a stream arrives before the next is sent (lucaslorentz/caddy-docker-proxy#197)', async () => {
  let next: (() => void) | undefined;
  const { request } = await startGateway({}, (_, _count, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    next = () => response.end('data: 2\n\n');
    return undefined;
  });
  const response = await request('/events/', { headers: { 'accept-encoding': 'gzip, br' } });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toBe('data: 1\n\n');
  next?.();
  expect(await read()).toBe('data: 2\n\n');
});
