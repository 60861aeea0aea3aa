import { describe, expect, test } from 'vitest';
import { recordedDocument } from '../generator/types/documents.ts';
import { startOnce } from '../support/close-after-test.ts';
import { networks, perMinute, startGateway } from '../support/gateway.ts';
import { cacheStatusOf, PLAIN, runServer } from '../support/run.ts';

const APP = 'https://app.example.com';
const OTHER = 'https://other.example.com';

/** The CORS fields of a response, without the common part of their names. */
const corsOf = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith('access-control-'))
      .map(([name, value]) => [name.slice(15), value]),
  );

const ALLOWED = {
  'allow-origin': APP,
  'allow-credentials': 'true',
  'expose-headers':
    'X-WP-Total, X-WP-TotalPages, Link, X-WP-Nonce, Nonce, X-WC-Store-API-Nonce, Cart-Token, Retry-After',
};

describe('behind a gateway, with cors', () => {
  /** A site that allows each origin everything, as WordPress does, by the mounts `/site` with `cors`, and `/plain`. */
  const start = startOnce(async () => {
    const received: string[] = [];
    const { origin: url } = await runServer(({ headers: { origin = '' }, method, url: asked }, outgoing) => {
      received.push(`${method} ${asked}${origin === '' ? '' : ` of ${origin}`}`);
      outgoing.writeHead(200, {
        'Content-Type': 'application/json',
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Headers': 'Authorization',
        'Cache-Control': 'max-age=60',
        ...(asked?.includes('/shared') ? {} : { 'Cart-Token': 'a' }),
        Vary: 'Origin',
      });
      outgoing.end('[]');
    });
    const site = {
      ...{ name: 'site', url, ...PLAIN },
      document: JSON.parse(JSON.stringify(recordedDocument()).replaceAll('https://example.com', url)),
      validation: { mode: 'strict' },
      limits: { rules: [{ match: '/limited', client: perMinute(1) }] },
      cors: { origins: [APP, 'http://localhost:5173'], credentials: true },
    } as const;
    const denied = { ...site, name: 'denied', access: { deny: networks('127.0.0.0/8') } };
    const sites = [site, denied, { name: 'plain', url, ...PLAIN }];
    const { request } = await startGateway({ gateway: { sites } });
    const get = (path: string, origin?: string, { headers = {}, ...init }: RequestInit = {}) =>
      request(path, { ...init, headers: { ...headers, ...(origin && { Origin: origin }) } });
    return { get, received };
  });

  test.each<[string, string | undefined, object]>([
    ['an allowed origin may read', APP, ALLOWED],
    ['another one gets nothing', OTHER, {}],
    ['the origin null gets nothing', 'null', {}],
    ['a request without origin gets nothing', undefined, {}],
  ])('%s, from the site and from the store', async (_, origin, expected) => {
    const { get } = await start();
    const read = '/site/wp-json/wp/v2/types';
    for (const path of [read, read, '/site/page', '/site/openapi.json', '/site/docs']) {
      const response = await get(path, origin);
      expect([path, response.status, corsOf(response)]).toEqual([path, 200, expected]);
      expect(response.headers.get('vary')?.toLowerCase()).toContain('origin');
    }
  });

  test.each<[string, string, object]>([
    ['allowed', APP, ALLOWED],
    ['other', OTHER, {}],
  ])('errors of the gateway have the fields of an %s origin', async (_, origin, expected) => {
    const { get } = await start();
    const invalid = await get('/site/wp-json/wp/v2/posts?per_page=x', origin);
    expect([invalid.status, corsOf(invalid)]).toEqual([400, expected]);
    await get('/site/limited', origin);
    const limited = await get('/site/limited', origin);
    expect([limited.status, corsOf(limited)]).toEqual([429, expected]);
    const denied = await get('/denied/page', origin);
    expect([denied.status, corsOf(denied)]).toEqual([403, expected]);
    const asked = { 'Access-Control-Request-Method': 'PUT' };
    expect((await get('/denied/page', origin, { method: 'OPTIONS', headers: asked })).status).toBe(204);
  });

  test('one stored response serves all origins, which neither it nor the site knows', async () => {
    const { get, received } = await start();
    received.length = 0;
    for (const path of ['/wp-json/wp/v2/types/shared', '/shared']) {
      const seen: string[] = [];
      for (const origin of [APP, 'http://localhost:5173', OTHER, undefined, APP]) {
        const response = await get(`/site${path}`, origin);
        seen.push(cacheStatusOf(response).split(';')[0] ?? '');
        expect(corsOf(response)['allow-origin']).toBe(origin === OTHER ? undefined : origin);
        await response.arrayBuffer();
      }
      expect(seen).toEqual(['fwd=uri-miss', 'hit', 'hit', 'hit', 'hit']);
    }
    expect(received).toEqual(['GET /wp-json/wp/v2/types/shared', 'GET /shared']);
  });

  test.each(['_jsonp=call', '%5Fjsonp=call', '.jsonp=call', '_jsonp[]=call', 'page=1;_jsonp=call'])(
    'no page reads a response as a script that it runs (JSONP): %s',
    async (query) => {
      const { get, received } = await start();
      received.length = 0;
      for (const path of ['/wp-json/wp/v2/types', '/page']) {
        const response = await get(`/site${path}?${query}`);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'rest_callback_disabled' });
      }
      expect(received).toEqual([]);
      expect((await get(`/plain/page?${query}`)).status).toBe(200);
    },
  );

  test('preflight requests are not sent to the site, and allow fields to an allowed origin only', async () => {
    const { get, received } = await start();
    received.length = 0;
    const path = '/site/wp-json/wc/store/v1/cart/add-item';
    const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'cart-token' };
    const allowed = await get(path, APP, { method: 'OPTIONS', headers: asked });
    expect([allowed.status, corsOf(allowed)]).toEqual([
      204,
      {
        'allow-origin': APP,
        'allow-credentials': 'true',
        'allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
        'allow-headers': 'cart-token',
        'max-age': '600',
      },
    ]);
    const refused = await get(path, OTHER, { method: 'OPTIONS', headers: asked });
    expect([refused.status, corsOf(refused), await refused.text()]).toEqual([204, {}, '']);
    expect(received).toEqual([]);
    // Without the field it is no preflight request.
    await get('/site/page', APP, { method: 'OPTIONS' });
    expect(received).toEqual([`OPTIONS /page of ${APP}`]);
  });

  test('a site without the option keeps its own fields, and the operations of the gateway have none', async () => {
    const { get } = await start();
    expect(corsOf(await get('/plain/page', OTHER))).toMatchObject({ 'allow-origin': OTHER });
    expect(corsOf(await get('/-/health', APP))).toEqual({});
  });

  test('the site sees the origin of requests that are not stored', async () => {
    const { get, received } = await start();
    received.length = 0;
    await get('/site/wp-json/wp/v2/types/shared', APP, { headers: { Authorization: 'Basic YTpi' } });
    await get('/site/wp-json/wp/v2/posts', APP, { method: 'POST' });
    // The write revalidates stored responses in the background.
    expect(received.slice(0, 2)).toEqual([
      `GET /wp-json/wp/v2/types/shared of ${APP}`,
      `POST /wp-json/wp/v2/posts of ${APP}`,
    ]);
  });
});

test('every origin may be allowed, without credentials', async () => {
  const headers = { 'access-control-allow-credentials': 'true' };
  const { request } = await startGateway({ cors: { origins: ['*'] } }, () => ({ headers, body: 'a' }));
  const response = await request('/page', { headers: { Origin: OTHER } });
  expect(corsOf(response)).toMatchObject({ 'allow-origin': '*' });
  expect(corsOf(response)).not.toHaveProperty('allow-credentials');
});
