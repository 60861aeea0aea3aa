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
 * Public reports about proxies and caches in front of WordPress or PHP. Each row does at the gateway what the report says that visitors
 * and the site did, and states what is right.
 */
type Row = readonly [
  sentence: string,
  site: (request: StubRequest, visit: number) => Answer,
  /** Requests, one after the other, and what each must get: a text is a body. */
  ...exchanges: (readonly [Ask, string | Partial<Record<keyof RawResponse, unknown>>])[],
];
type Ask = string | (Parameters<typeof sendRaw>[2] & { readonly path: string });

const html = (text: string): string => `<!DOCTYPE html><html><body><p>${text}</p></body></html>`;
const has = (headers: object, others = {}) => ({ headers: expect.objectContaining(headers), ...others });
const lacks = (name: string) => ({ headers: expect.not.objectContaining({ [name]: expect.anything() }) });
const ask = (path: string, headers: Record<string, string>): Ask => ({ path, headers });
const post = (path: string, body: string, headers = {}): Ask => ({ path, method: 'POST', body, headers });

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' };
const activity = ({ headers }: StubRequest): Answer =>
  /activity\+json|ld\+json|application\/json/.test(headers.accept ?? '')
    ? { headers: { 'content-type': 'application/activity+json' }, body: '{"type":"Person"}' }
    : { body: html('Ann') };
const nobodyOrAnn = ({ headers }: StubRequest): Answer => ({
  body: html(headers.cookie === undefined ? 'nobody' : 'Ann'),
});
const COOKIES = Array.from({ length: 20 }, (_, at) => `c${at}=${'x'.repeat(1000)}; Path=/`);
const ANN = { cookie: 'wordpress_logged_in_1=ann' };

const ROWS: readonly Row[] = [
  [
    'a client of ActivityPub gets JSON of a page that is stored as HTML (wp-media/wp-rocket#7394)',
    activity,
    [ask('/author/ann/', BROWSER), html('Ann')],
    [ask('/author/ann/', { accept: 'application/activity+json' }), '{"type":"Person"}'],
    [ask('/author/ann/', BROWSER), html('Ann')],
  ],
  [
    'a redirect with 20 kB of cookies after a login is relayed, one field each (WordPress/two-factor#378, engintron/engintron#668, stoplightio/prism#2676)',
    () => ({ status: 302, headers: { location: '/wp-admin/', 'set-cookie': COOKIES } }),
    [
      post('/wp-login.php', 'log=ann'),
      has({ location: '/wp-admin/', 'set-cookie': COOKIES }, { status: 302 }),
    ],
  ],
  [
    'an export that calls UTF-8 a content coding is relayed as it is (arshidkv12/contact-form-cfdb7#35)',
    () => ({ headers: { 'content-type': 'text/csv', 'content-encoding': 'UTF-8' }, body: 'name,message' }),
    [ask('/export/', { 'accept-encoding': 'gzip, br' }), 'name,message'],
    [ask('/export/', { 'accept-encoding': 'gzip, br' }), 'name,message'],
  ],
  [
    'PROPFIND reaches the site with its depth (sabre-io/Baikal#433)',
    ({ headers, method }) => ({ status: 207, body: `${method} ${headers['depth']}` }),
    [
      { path: '/cal.php/principals/ann/', method: 'PROPFIND', headers: { depth: '1' }, body: '<propfind/>' },
      { status: 207, body: 'PROPFIND 1' },
    ],
  ],
  [
    'a response that clears the data of one browser is not given to others (w3c/webappsec-clear-site-data#26)',
    (_, visit) => ({ headers: visit <= 2 ? { 'clear-site-data': '"cookies"' } : {}, body: html('x') }),
    ['/bye/', has({ 'clear-site-data': '"cookies"' })],
    ['/bye/', lacks('clear-site-data')],
  ],
  [
    'each origin gets its own CORS field of a stored route (WP-API/WP-API#2661)',
    ({ headers: { origin } }) => ({
      headers: origin === undefined ? {} : { 'access-control-allow-origin': origin },
      body: '[]',
    }),
    ['/wp-json/wp/v2/posts', lacks('access-control-allow-origin')],
    ...['https://a.example.com', 'https://b.example.com'].map(
      (origin) =>
        [ask('/wp-json/wp/v2/posts', { origin }), has({ 'access-control-allow-origin': origin })] as const,
    ),
  ],
  [
    'an account page below the name of a stylesheet is not stored for others (OWASP/ASVS#1560)',
    nobodyOrAnn,
    [ask('/my-account/orders/x.css', ANN), html('Ann')],
    ['/my-account/orders/x.css', html('nobody')],
    [ask('/wp-content/..%2fmy-account/x.css', ANN), {}],
    ['/wp-content/..%2fmy-account/x.css', { body: expect.not.stringContaining('Ann') }],
  ],
];

const rows = ROWS.map(([sentence, site, ...exchanges]) => ({ sentence, site, exchanges }));
test.each(rows)('$sentence', async ({ exchanges, site }) => {
  const { origin } = await runAnswering(site);
  for (const [request, expected] of exchanges) {
    const { path, ...init } = typeof request === 'string' ? { path: request } : request;
    const wanted = typeof expected === 'string' ? { body: expected } : expected;
    expect(await sendRaw(origin, path, init), path).toMatchObject(wanted);
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
  const gateway = await runAnswering(
    (_, _count, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      next = () => response.end('data: 2\n\n');
      return undefined;
    },
    { rewriteBodies: true },
  );
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
    const gateway = await runAnswering((_, visit) => ({ body: html(String(visit)) }), { cache });
    const read = async () => (await gateway.request(path)).text();
    expect([await read(), await read()]).toEqual([html('1'), html('1')]);
    expect((await gateway.request(purged, { method: 'PURGE' })).status).toBe(200);
    expect(await read()).toBe(html('2'));
  },
);

test('a redirect to https that is stored does not meet who came by https (mattiasgeniar/varnish-4.0-configuration-templates#36)', async () => {
  const gateway = await runAnswering(
    ({ headers, url: path }) =>
      headers['x-forwarded-proto'] === 'https'
        ? { body: html('secure') }
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
