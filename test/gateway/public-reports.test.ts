import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { type StubRequest, startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

/**
 * Public reports about proxies and caches in front of WordPress or PHP. Each row does at the gateway what the report says that visitors
 * and the site did, and states what is right. `report` names the thread.
 */

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

type Ask =
  | string
  | {
      readonly path: string;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string | string[]>>;
      readonly body?: string;
    };

interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Row {
  readonly report: string;
  readonly sentence: string;
  /** The site's answer. @param visit number of requests for pages so far, this one included */
  readonly site: (request: StubRequest, visit: number) => Answer;
  /** Requests, one after the other, and what each must get. */
  readonly exchanges: readonly (readonly [Ask, Partial<Received> | Record<string, unknown>])[];
  /** Targets that the site must have received in all. */
  readonly targets?: readonly string[];
  readonly options?: Record<string, unknown>;
}

const HIT = expect.stringMatching(/; hit/);
const html = (text: string): string => `<!DOCTYPE html><html><body><p>${text}</p></body></html>`;
const as = (cacheStatus: unknown, others = {}): Record<string, unknown> => ({
  headers: expect.objectContaining({ 'cache-status': cacheStatus, ...others }),
});

const accept = (accept: string): Record<string, string> => ({ accept });
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const activity = ({ headers }: StubRequest): Answer =>
  /activity\+json|ld\+json|application\/json/.test(headers.accept ?? '')
    ? { headers: { 'content-type': 'application/activity+json' }, body: '{"type":"Person"}' }
    : { body: html('Ann') };

const ROWS: readonly Row[] = [
  {
    report: 'wp-media/wp-rocket#7394',
    sentence: 'a client of ActivityPub gets JSON of a page that is stored as HTML',
    site: activity,
    exchanges: [
      [{ path: '/author/ann/', headers: accept(BROWSER) }, { body: html('Ann') }],
      [{ path: '/author/ann/', headers: accept('application/activity+json') }, { body: '{"type":"Person"}' }],
      [{ path: '/author/ann/', headers: accept(BROWSER) }, { body: html('Ann') }],
    ],
  },
  {
    report: 'kovshenin/surge#36',
    sentence: 'a browser gets HTML of a page that a client of ActivityPub has asked for first',
    site: activity,
    exchanges: [
      [
        {
          path: '/author/ann/',
          headers: accept('application/ld+json; profile="https://www.w3.org/ns/activitystreams"'),
        },
        { body: '{"type":"Person"}' },
      ],
      [{ path: '/author/ann/', headers: accept(BROWSER) }, { body: html('Ann') }],
    ],
  },
  {
    report: 'Automattic/batcache#104',
    sentence: 'a page that is asked for as JSON is not given to a browser',
    site: activity,
    exchanges: [
      [{ path: '/statuses/1/', headers: accept('application/json') }, { body: '{"type":"Person"}' }],
      [{ path: '/statuses/1/', headers: accept(BROWSER) }, { body: html('Ann') }],
    ],
  },
  {
    report: 'bunkerity/bunkerweb#2361',
    sentence: 'the Upgrade field of an Apache that knows HTTP/2 reaches no browser',
    site: () => ({ headers: { upgrade: 'h2,h2c', connection: 'Upgrade' }, body: html('x') }),
    exchanges: [
      ['/a/', { status: 200, headers: expect.not.objectContaining({ upgrade: expect.anything() }) }],
    ],
  },
  {
    report: 'golang/go#30359',
    sentence: 'Alt-Svc of the site does not lead browsers around the gateway',
    site: () => ({ headers: { 'alt-svc': 'h3=":8443"; ma=86400' }, body: html('x') }),
    exchanges: [['/a/', { headers: expect.not.objectContaining({ 'alt-svc': expect.anything() }) }]],
  },
  {
    report: 'fastify/fastify-http-proxy#343',
    sentence: 'a field with é is relayed',
    site: () => ({ headers: { 'x-greeting': '\xe9eek' }, body: html('x') }),
    exchanges: [
      ['/a/', { status: 200, headers: expect.objectContaining({ 'x-greeting': '\xe9eek' }) }],
      ['/a/', { status: 200, headers: expect.objectContaining({ 'x-greeting': '\xe9eek' }) }],
    ],
  },
  {
    report: 'matomo-org/matomo#17209',
    sentence: 'a download whose name has raw UTF-8 keeps its bytes',
    site: () => ({
      headers: {
        'content-type': 'text/csv',
        'content-disposition': Buffer.from('attachment; filename="2020 – 2021.csv"').toString('latin1'),
      },
      body: 'a,b',
    }),
    exchanges: [
      [
        '/export/',
        {
          status: 200,
          headers: expect.objectContaining({
            'content-disposition': Buffer.from('attachment; filename="2020 – 2021.csv"').toString('latin1'),
          }),
        },
      ],
    ],
  },
  {
    report: 'WordPress/two-factor#378',
    sentence: 'a redirect with 20 kB of fields after a login is relayed',
    site: () => ({
      status: 302,
      headers: {
        location: '/wp-admin/',
        'set-cookie': Array.from({ length: 20 }, (_, at) => `c${at}=${'x'.repeat(1000)}; Path=/`),
      },
    }),
    exchanges: [[{ path: '/wp-login.php', method: 'POST', body: 'log=ann' }, { status: 302 }]],
  },
  {
    report: 'arshidkv12/contact-form-cfdb7#35',
    sentence: 'an export that calls UTF-8 a content coding is relayed as it is',
    site: () => ({
      headers: { 'content-type': 'text/csv', 'content-encoding': 'UTF-8' },
      body: 'name,message',
    }),
    exchanges: [
      [
        { path: '/export/', headers: { 'accept-encoding': 'gzip, br' } },
        { status: 200, body: 'name,message' },
      ],
      [
        { path: '/export/', headers: { 'accept-encoding': 'gzip, br' } },
        { status: 200, body: 'name,message' },
      ],
    ],
  },
  {
    report: 'sabre-io/Baikal#433',
    sentence: 'PROPFIND reaches the site with its body and depth',
    site: ({ method, headers }) => ({
      status: 207,
      headers: { 'content-type': 'application/xml' },
      body: `${method} ${headers['depth']}`,
    }),
    exchanges: [
      [
        {
          path: '/cal.php/principals/ann/',
          method: 'PROPFIND',
          headers: { depth: '1' },
          body: '<propfind/>',
        },
        { status: 207, body: 'PROPFIND 1' },
      ],
    ],
  },
  {
    report: 'Automattic/jetpack#15837',
    sentence: 'what a script gets of a page is not what a browser gets',
    site: ({ headers }) => ({
      body: headers['x-requested-with'] === undefined ? html('page') : html('fragment'),
    }),
    exchanges: [
      [{ path: '/p/', headers: { 'x-requested-with': 'XMLHttpRequest' } }, { body: html('fragment') }],
      ['/p/', { body: html('page') }],
      [{ path: '/p/', headers: { 'x-requested-with': 'XMLHttpRequest' } }, { body: html('fragment') }],
    ],
  },
  {
    report: 'w3c/webappsec-clear-site-data#26',
    sentence: 'a response that clears the data of one browser is not given to others',
    site: (_, visit) => ({
      headers: visit === 1 ? { 'clear-site-data': '"cookies"' } : {},
      body: html(String(visit)),
    }),
    exchanges: [
      ['/bye/', { headers: expect.objectContaining({ 'clear-site-data': '"cookies"' }) }],
      ['/bye/', { headers: expect.not.objectContaining({ 'clear-site-data': expect.anything() }) }],
    ],
  },
  {
    report: 'lesterchan/wp-postviews#34',
    sentence: 'each count of a view by GET reaches the site',
    site: (_, visit) => ({ headers: { 'content-type': 'text/html' }, body: String(visit) }),
    exchanges: [
      ['/wp-admin/admin-ajax.php?action=postviews&postviews_id=5', { body: '1' }],
      ['/wp-admin/admin-ajax.php?action=postviews&postviews_id=5', { body: '2' }],
    ],
  },
  {
    report: 'caddyserver/caddy#1927',
    sentence: 'an encoded slash is not decoded',
    site: ({ url }) => ({ body: html(url) }),
    exchanges: [
      ['/api/permissions/%2F/guest', { body: html('/api/permissions/%2F/guest') }],
      ['/api/permissions///guest', { body: html('/api/permissions///guest') }],
    ],
  },
  {
    report: 'louketo/louketo-proxy#591',
    sentence: 'encoded slashes, colons and commas of an image server stay as they are',
    site: ({ url }) => ({ body: html(url) }),
    exchanges: [
      [
        '/iiif/2/depot:ST%2F0001%2F1.jpg/full/1000,/0/default.png',
        { body: html('/iiif/2/depot:ST%2F0001%2F1.jpg/full/1000,/0/default.png') },
      ],
    ],
  },
  {
    report: 'wp-media/wp-rocket#42',
    sentence: 'parameters of a campaign do not hide another parameter',
    site: ({ url }) => ({ body: html(url) }),
    exchanges: [
      ['/s/?utm_source=a&utm_medium=b&utm_campaign=c', { body: html('/s/') }],
      ['/s/?utm_source=a&utm_medium=b&utm_campaign=c&color=red', { body: html('/s/?color=red') }],
    ],
  },
  {
    report: 'johngodley/redirection#2358',
    sentence: 'parameters of a campaign survive a stored redirect',
    site: () => ({ status: 301, headers: { location: '/workshop' } }),
    exchanges: [
      [
        '/skills?utm_source=a',
        { status: 301, headers: expect.objectContaining({ location: '/workshop?utm_source=a' }) },
      ],
      [
        '/skills?utm_source=b',
        { status: 301, headers: expect.objectContaining({ location: '/workshop?utm_source=b' }) },
      ],
    ],
  },
  {
    report: 'stoplightio/prism#2676',
    sentence: 'two cookies stay two fields',
    site: () => ({
      headers: { 'set-cookie': ['user=a; Path=/', 'b=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT'] },
    }),
    exchanges: [
      [
        '/a/',
        {
          headers: expect.objectContaining({
            'set-cookie': ['user=a; Path=/', 'b=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT'],
          }),
        },
      ],
    ],
  },
  {
    report: 'WP-API/WP-API#2661',
    sentence: 'each origin gets its own CORS field of a stored route',
    site: ({ headers }) => ({
      headers: {
        'content-type': 'application/json',
        ...(headers.origin === undefined ? {} : { 'access-control-allow-origin': headers.origin }),
      },
      body: '[]',
    }),
    exchanges: [
      [
        '/wp-json/wp/v2/posts',
        { headers: expect.not.objectContaining({ 'access-control-allow-origin': expect.anything() }) },
      ],
      [
        { path: '/wp-json/wp/v2/posts', headers: { origin: 'https://a.example.com' } },
        { headers: expect.objectContaining({ 'access-control-allow-origin': 'https://a.example.com' }) },
      ],
      [
        { path: '/wp-json/wp/v2/posts', headers: { origin: 'https://b.example.com' } },
        { headers: expect.objectContaining({ 'access-control-allow-origin': 'https://b.example.com' }) },
      ],
    ],
  },
  {
    report: 'tempesta-tech/tempesta#416',
    sentence: 'a GET after a HEAD has its body, and a HEAD after it has none',
    site: () => ({ body: html('x') }),
    exchanges: [
      [
        { path: '/a/', method: 'HEAD' },
        { status: 200, body: '' },
      ],
      ['/a/', { body: html('x') }],
      [
        { path: '/a/', method: 'HEAD' },
        { status: 200, body: '' },
      ],
      ['/a/', { body: html('x') }],
    ],
  },
  {
    report: 'fabiocicerchia/go-proxy-cache#265',
    sentence: 'a part of a video is never given as the whole',
    site: ({ headers }) =>
      headers.range === undefined
        ? { headers: { 'content-type': 'video/mp4', 'cache-control': 'max-age=60' }, body: '0123456789' }
        : {
            status: 206,
            headers: {
              'content-type': 'video/mp4',
              'cache-control': 'max-age=60',
              'content-range': 'bytes 0-3/10',
            },
            body: '0123',
          },
    exchanges: [
      [
        { path: '/wp-content/v.mp4', headers: { range: 'bytes=0-3' } },
        { status: 206, body: '0123' },
      ],
      ['/wp-content/v.mp4', { status: 200, body: '0123456789' }],
      [
        { path: '/wp-content/v.mp4', headers: { range: 'bytes=0-3' } },
        { status: 206, body: '0123' },
      ],
    ],
  },
  {
    report: 'Unleash/unleash-proxy#82',
    sentence: 'a 304 keeps the CORS fields of the 200',
    site: () => ({
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*', etag: '"1"' },
      body: '[]',
    }),
    exchanges: [
      ['/wp-json/wp/v2/posts', { status: 200 }],
      [
        { path: '/wp-json/wp/v2/posts', headers: { 'if-none-match': '"1"' } },
        { status: 304, headers: expect.objectContaining({ 'access-control-allow-origin': '*' }) },
      ],
    ],
  },
  {
    report: 'OWASP/ASVS#1560',
    sentence: 'an account page below the name of a stylesheet is not stored for others',
    site: ({ headers }) => ({ body: html(headers.cookie === undefined ? 'nobody' : 'Ann') }),
    exchanges: [
      [
        { path: '/my-account/orders/x.css', headers: { cookie: 'wordpress_logged_in_1=ann' } },
        { body: html('Ann') },
      ],
      ['/my-account/orders/x.css', { body: html('nobody') }],
      [{ path: '/wp-content/..%2fmy-account/x.css', headers: { cookie: 'wordpress_logged_in_1=ann' } }, {}],
      ['/wp-content/..%2fmy-account/x.css', { body: expect.not.stringContaining('Ann') }],
    ],
  },
  {
    report: 'cachethq/cachet#4236',
    sentence: 'a client cannot name the host in links of a page for others',
    site: ({ headers }) => ({ status: 404, body: html(String(headers['x-forwarded-host'])) }),
    exchanges: [
      [
        { path: '/nosuch/', headers: { 'x-forwarded-host': 'evil.example.org' } },
        { status: 404, body: expect.not.stringContaining('evil') },
      ],
      ['/nosuch/', { status: 404, body: expect.not.stringContaining('evil') }],
    ],
  },
  {
    report: 'woocommerce/woocommerce#21944',
    sentence: 'a session that the front page sets is for one visitor',
    site: (_, visit) => ({
      headers: { 'set-cookie': `wp_woocommerce_session_1=${visit}` },
      body: html('shop'),
    }),
    exchanges: [
      ['/shop/', { headers: expect.objectContaining({ 'set-cookie': ['wp_woocommerce_session_1=1'] }) }],
      ['/shop/', { headers: expect.objectContaining({ 'set-cookie': ['wp_woocommerce_session_1=2'] }) }],
    ],
  },
  {
    report: 'mindstellar/shopclass#519',
    sentence: 'a login whose cookie has an unknown name gets its own page',
    site: ({ headers }) => ({ body: html(headers.cookie === undefined ? 'nobody' : 'Ann') }),
    exchanges: [
      ['/p/', { body: html('nobody') }],
      [{ path: '/p/', headers: { cookie: 'd41d8cd98f00b204e9800998ecf8427e=1' } }, { body: html('Ann') }],
      ['/p/', { body: html('nobody'), ...as(HIT) }],
    ],
  },
  {
    report: 'chimurai/http-proxy-middleware#639',
    sentence: 'an empty JSON object reaches the site whole',
    site: ({ headers }) => ({ body: String(headers['content-length']) }),
    exchanges: [
      [
        { path: '/hook/', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
        { status: 200, body: '2' },
      ],
    ],
  },
  {
    report: 'vippsas/vipps-woocommerce#98',
    sentence: 'a redirect to the payment of one order is not given to the next customer',
    site: (_, visit) => ({ status: 302, headers: { location: `https://pay.example.com/?order=${visit}` } }),
    exchanges: [
      ['/payment/', { headers: expect.objectContaining({ location: 'https://pay.example.com/?order=1' }) }],
      ['/payment/', { headers: expect.objectContaining({ location: 'https://pay.example.com/?order=2' }) }],
    ],
  },
  {
    report: 'litespeedtech/lscache_wp#789',
    sentence: 'the page that waits for a payment is asked for each time',
    site: (_, visit) => ({ body: html(visit === 1 ? 'waiting' : 'paid') }),
    exchanges: [
      ['/checkout/?key=wc_order_0a1b2c&order-pay=7596', { body: html('waiting') }],
      ['/checkout/?key=wc_order_0a1b2c&order-pay=7596', { body: html('paid') }],
    ],
  },
  {
    report: 'andrewlock/NetEscapades.AspNetCore.SecurityHeaders#117',
    sentence: 'the nonce of a policy is used once',
    site: (_, visit) => ({
      headers: { 'content-security-policy': `script-src 'nonce-${visit}'` },
      body: `<script nonce="${visit}">1</script>`,
    }),
    exchanges: [
      ['/a/', { body: '<script nonce="1">1</script>' }],
      ['/a/', { body: '<script nonce="2">1</script>' }],
    ],
  },
  {
    report: 'metafizzy/infinite-scroll#791',
    sentence: 'a request with a token of its own in a field is answered by the site',
    site: ({ headers }) => ({ body: html(String(headers['token'] ?? 'nobody')) }),
    exchanges: [
      [{ path: '/page/2/', headers: { token: '33vs' } }, { body: html('33vs') }],
      ['/page/2/', { body: html('nobody') }],
    ],
  },
  {
    report: 'engintron/engintron#668',
    sentence: 'the cookies of a login reach the browser, one field each',
    site: () => ({
      status: 302,
      headers: {
        location: '/wp-admin/',
        'set-cookie': [
          'wordpress_sec_1=a; Path=/wp-admin; HttpOnly',
          'wordpress_logged_in_1=a; Path=/; HttpOnly',
        ],
        'cache-control': 'no-cache, must-revalidate, max-age=0',
      },
    }),
    exchanges: [
      [
        { path: '/wp-login.php', method: 'POST', body: 'log=ann&pwd=x' },
        {
          status: 302,
          headers: expect.objectContaining({
            location: '/wp-admin/',
            'set-cookie': [
              'wordpress_sec_1=a; Path=/wp-admin; HttpOnly',
              'wordpress_logged_in_1=a; Path=/; HttpOnly',
            ],
          }),
        },
      ],
    ],
  },
];

describe('a public report:', () => {
  test.each(ROWS)('$sentence ($report)', async ({ site, exchanges, options = {} }) => {
    const send = await start(site, options);
    for (const [ask, expected] of exchanges) {
      const { path, ...rest } = typeof ask === 'string' ? { path: ask } : ask;
      expect(await send(path, rest), path).toMatchObject(expected);
    }
  });
});

async function start(
  answer: Row['site'],
  options: Record<string, unknown>,
): Promise<(path: string, ask?: Omit<Exclude<Ask, string>, 'path'>) => Promise<Received>> {
  let visits = 0;
  const site = await startStubSite({
    intercept(request: StubRequest, response: ServerResponse) {
      const isIndex = request.route === '/' || (request.url === '/' && visits === 0);
      if (isIndex) return false;
      visits += 1;
      const { status = 200, headers = {}, body = '' } = answer(request, visits);
      response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8', ...headers });
      response.end(body);
      return true;
    },
  });
  closeAfterTest(site.close);
  const gateway = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, cache: { pages: 60 }, ...options }],
    cache: 'memory',
  });
  closeAfterTest(gateway.stop);
  return (path, { body, headers = {}, method = 'GET' } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = sendRequest(
        gateway.origin,
        { path, method, headers, maxHeaderSize: 128 * 1024 },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

describe('on the wire, a public report:', () => {
  test.each([
    ['the Node server', 'Ann'],
    // `fetch` shares its connections, so the site hears of no such credentials.
    ['the portable app', 'nobody'],
  ])(
    'a connection that one client has authenticated serves no other, by %s (haproxy/haproxy#581)',
    async (adapter, first) => {
      const known = new WeakSet<object>();
      const site = await startServer((request, response) => {
        if (request.headers.authorization?.startsWith('NTLM ') === true) known.add(request.socket);
        const isKnown = known.has(request.socket);
        response.writeHead(isKnown ? 200 : 401, isKnown ? {} : { 'www-authenticate': 'NTLM' });
        response.end(isKnown ? 'Ann' : 'nobody');
      });
      closeAfterTest(site.close);
      const gateway = await ADAPTERS[adapter]?.({
        sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
      });
      if (gateway === undefined) throw new Error(`no adapter is called ${adapter}`);
      closeAfterTest(gateway.stop);
      const read = async (init: RequestInit): Promise<string> => (await gateway.request('/', init)).text();
      expect(await read({ headers: { authorization: 'NTLM TlRMTVNTUAAD' } })).toBe(first);
      const others = await Promise.all(
        Array.from({ length: 4 }, () => read({ method: 'POST', body: 'a=1' })),
      );
      expect(others).toEqual(['nobody', 'nobody', 'nobody', 'nobody']);
    },
  );

  test('a site that listens on one address of localhost is reached (chimurai/http-proxy-middleware#705)', async () => {
    for (const { address: host } of await lookup('localhost', { all: true })) {
      const site = await startServer((_, response) => void response.end(host), { host });
      closeAfterTest(site.close);
      const gateway = await startNodeGateway({
        sites: [{ url: `http://localhost:${site.port}`, discovery: 'off', passthrough: true }],
      });
      closeAfterTest(gateway.stop);
      expect(await (await gateway.request('/')).text()).toBe(host);
    }
  });

  test('a site that closes idle connections costs no request, and no POST twice (caddyserver/caddy#6452)', async () => {
    let posts = 0;
    const server = createServer((request, response) => {
      if (request.method === 'POST') posts += 1;
      request.resume().on('end', () => response.end('ok'));
    });
    server.keepAliveTimeout = 1;
    const site = await startServer(server);
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    });
    closeAfterTest(gateway.stop);
    const statuses: number[] = [];
    for (let at = 0; at < 40; at += 1) {
      const init = at % 2 === 0 ? { method: 'POST', body: 'a=1' } : {};
      const response = await gateway.request('/', init);
      await response.text();
      statuses.push(response.status);
      await new Promise((resolve) => setTimeout(resolve, at));
    }
    expect([...new Set(statuses)]).toEqual([200]);
    expect(posts).toBe(20);
  });

  test('an upload that the site refuses early gets the refusal, not a reset (chimurai/http-proxy-middleware#265)', async () => {
    const site = await startServer((request, response) => {
      request.once('data', () => response.writeHead(413).end('too large'));
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    });
    closeAfterTest(gateway.stop);
    const response = await gateway.request('/upload', {
      method: 'POST',
      body: Buffer.alloc(8 * 1024 * 1024),
    });
    expect([response.status, await response.text()]).toEqual([413, 'too large']);
  });

  test('curl is told to go on with a large form (traefik/traefik#2899)', async () => {
    const site = await startServer((request, response) => {
      let length = 0;
      request
        .on('data', (chunk: Buffer) => (length += chunk.length))
        .on('end', () => response.end(String(length)));
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    });
    closeAfterTest(gateway.stop);
    const body = await new Promise((resolve, reject) => {
      const outgoing = sendRequest(
        gateway.origin,
        { method: 'PUT', path: '/dav/a.jpg', headers: { expect: '100-continue', 'content-length': '5000' } },
        (incoming) => incoming.on('data', (chunk: Buffer) => resolve(chunk.toString())),
      );
      outgoing.on('continue', () => outgoing.end('x'.repeat(5000))).on('error', reject);
    });
    expect(body).toBe('5000');
  });

  test('an event of a stream arrives before the next is sent (lucaslorentz/caddy-docker-proxy#197)', async () => {
    let next: (() => void) | undefined;
    const site = await startStubSite({
      intercept(request, response) {
        if (!request.url.startsWith('/events')) return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
        next = () => response.end('data: 2\n\n');
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.url, passthrough: true, rewriteBodies: true, cache: { pages: 60 } }],
      cache: 'memory',
    });
    closeAfterTest(gateway.stop);
    const response = await gateway.request('/events/', { headers: { 'accept-encoding': 'gzip, br' } });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 1\n\n');
    next?.();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: 2\n\n');
  });

  test('the others get the response when the client that came first leaves (bucketeer-io/bucketeer#2552)', async () => {
    let respond: (() => void) | undefined;
    let visits = 0;
    const site = await startStubSite({
      intercept(request, response) {
        if (request.url !== '/slow/') return false;
        visits += 1;
        respond = () => response.writeHead(200, { 'content-type': 'text/html' }).end(html('x'));
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.url, passthrough: true, cache: { pages: 60 } }],
      cache: 'memory',
    });
    closeAfterTest(gateway.stop);
    const leaving = new AbortController();
    const first = gateway.request('/slow/', { signal: leaving.signal }).catch(() => 'left');
    await waitUntil(() => respond !== undefined);
    const second = gateway.request('/slow/');
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaving.abort();
    expect(await first).toBe('left');
    await new Promise((resolve) => setTimeout(resolve, 100));
    respond?.();
    expect(await (await second).text()).toBe(html('x'));
    expect(visits).toBe(1);
    expect((await gateway.request('/slow/')).headers.get('cache-status')).toMatch(/; hit/);
  });

  test('a response that never comes does not make its address useless (darkweak/souin#849)', async () => {
    let visits = 0;
    const site = await startStubSite({
      intercept(request, response) {
        if (request.url !== '/stalled/') return false;
        visits += 1;
        if (visits > 1) response.writeHead(200, { 'content-type': 'text/html' }).end(html('x'));
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [
        {
          url: site.url,
          passthrough: true,
          cache: { pages: 60 },
          timeouts: { connect: 500, headers: 500, body: 500 },
        },
      ],
      cache: 'memory',
    });
    closeAfterTest(gateway.stop);
    const first = await Promise.all([gateway.request('/stalled/'), gateway.request('/stalled/')]);
    expect(first.map(({ status }) => status)).toEqual([504, 504]);
    expect(await (await gateway.request('/stalled/')).text()).toBe(html('x'));
  });

  test.each([
    ['Automattic/wp-super-cache#1081', '/category/%d2%b1lytau/', '/category/%D2%B1lytau/'],
    ['SatelliteWP/rocket-nginx#147', '/%E0%B8%81/', '/%e0%b8%81/'],
    ['wp-media/wp-rocket#5852', '/%CE%B3/', '/%ce%b3/'],
    ['BoldGrid/w3-total-cache#34', '/post/', '/post/?amp'],
    ['Automattic/wp-super-cache#1105', '/post/', '/post/?a=b&c=d'],
  ])(
    'a purge finds a page under another spelling of its address, and with a query (%s)',
    async (_, purged, read) => {
      let visits = 0;
      const site = await startStubSite({
        intercept(request, response) {
          if (request.route !== undefined || request.url === '/') return false;
          visits += 1;
          response.writeHead(200, { 'content-type': 'text/html' }).end(html(String(visits)));
          return true;
        },
      });
      closeAfterTest(site.close);
      const gateway = await startNodeGateway({
        sites: [
          {
            url: site.url,
            passthrough: true,
            cache: { pages: 60, tags: 'site', purge: { networks: ['127.0.0.0/8'] } },
          },
        ],
        cache: 'memory',
      });
      closeAfterTest(gateway.stop);
      await (await gateway.request(read)).text();
      expect(await (await gateway.request(read)).text()).toBe(html('1'));
      expect((await gateway.request(purged, { method: 'PURGE' })).status).toBe(200);
      expect(await (await gateway.request(read)).text()).toBe(html('2'));
    },
  );

  test('a redirect to https that is stored does not meet who came by https (mattiasgeniar/varnish-4.0-configuration-templates#36)', async () => {
    const site = await startStubSite({
      intercept(request, response) {
        if (request.route !== undefined || request.url === '/') return false;
        if (request.headers['x-forwarded-proto'] === 'https')
          response.writeHead(200, { 'content-type': 'text/html' }).end(html('secure'));
        else response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end();
        return true;
      },
    });
    closeAfterTest(site.close);
    const gateway = await startNodeGateway({
      sites: [{ url: site.url, passthrough: true, cache: { pages: 60 } }],
      cache: 'memory',
      trust: ['127.0.0.0/8'],
    });
    closeAfterTest(gateway.stop);
    const ask = async (proto: string): Promise<number> =>
      (
        await gateway.request('/about/', {
          headers: { 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.1' },
        })
      ).status;
    expect([await ask('http'), await ask('https'), await ask('http'), await ask('https')]).toEqual([
      301, 200, 301, 200,
    ]);
  });
});
