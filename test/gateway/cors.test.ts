import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryTransport } from '../../src/create-mock.ts';
import { recordedDocument } from '../generator/types/documents.ts';
import { createSettledGateway, type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { cacheStatusOf, PLAIN } from '../support/run.ts';
import { startServer } from '../support/server.ts';

const APP = 'https://app.example.com';
const OTHER = 'https://other.example.com';

/** A site that allows each origin everything, as WordPress does, and says what it has received. */
let site: Awaited<ReturnType<typeof startServer>>;
let received: string[] = [];
beforeAll(async () => {
  site = await startServer(({ headers: { origin = '' }, method, url }, outgoing) => {
    received.push(`${method} ${url}${origin === '' ? '' : ` of ${origin}`}`);
    outgoing.writeHead(200, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Headers': 'Authorization',
      'Cache-Control': 'max-age=60',
      ...(url?.includes('/shared') ? {} : { 'Cart-Token': 'a' }),
      Vary: 'Origin',
    });
    outgoing.end('[]');
  });
});
afterAll(() => site.close());

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
  let gateway: RunningGateway;
  const get = (path: string, origin: string | undefined, init: RequestInit = {}) =>
    gateway.request(path, {
      ...init,
      headers: { ...init.headers, ...(origin === undefined ? {} : { Origin: origin }) },
    });

  beforeAll(async () => {
    received = [];
    const text = JSON.stringify(recordedDocument()).replaceAll('https://example.com', site.origin);
    const document = JSON.parse(text);
    gateway = await startNodeGateway({
      sites: [
        {
          name: 'site',
          url: site.origin,
          ...PLAIN,
          document,
          validation: { mode: 'strict' },
          limits: { rules: [{ match: '/limited', client: '1/h' }] },
          cors: { origins: [APP, 'http://localhost:5173'], credentials: true },
        },
        { name: 'plain', url: site.origin, ...PLAIN },
      ],
      cache: 'memory',
    });
  });
  afterAll(() => gateway.stop());

  test.each<[string, string | undefined, object]>([
    ['an allowed origin may read', APP, ALLOWED],
    ['another one gets nothing', OTHER, {}],
    ['the origin null gets nothing', 'null', {}],
    ['a request without origin gets nothing', undefined, {}],
  ])('%s, from the site and from the store', async (_, origin, expected) => {
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
    const invalid = await get('/site/wp-json/wp/v2/posts?per_page=x', origin);
    expect([invalid.status, corsOf(invalid)]).toEqual([400, expected]);
    const client = { 'X-Forwarded-For': '127.0.0.1' };
    await get('/site/limited', origin, { headers: client });
    const limited = await get('/site/limited', origin, { headers: client });
    expect([limited.status, corsOf(limited)]).toEqual([429, expected]);
  });

  test('one stored response serves all origins, which neither it nor the site knows', async () => {
    received = [];
    const origins = [APP, 'http://localhost:5173', OTHER, undefined, APP];
    for (const path of ['/wp-json/wp/v2/types/shared', '/shared']) {
      const seen: string[] = [];
      for (const origin of origins) {
        const response = await get(`/site${path}`, origin);
        seen.push(cacheStatusOf(response).split(';')[0] ?? '');
        const { 'allow-origin': allowed } = corsOf(response);
        expect(allowed).toBe(origin === OTHER ? undefined : origin);
        await response.arrayBuffer();
      }
      expect(seen).toEqual(['fwd=uri-miss', 'hit', 'hit', 'hit', 'hit']);
    }
    expect(received).toEqual(['GET /wp-json/wp/v2/types/shared', 'GET /shared']);
  });

  test('no page reads a response as a script that it runs (JSONP)', async () => {
    received = [];
    const queries = ['_jsonp=call', '%5Fjsonp=call', '.jsonp=call', '_jsonp[]=call', 'page=1;_jsonp=call'];
    for (const query of queries) {
      for (const path of ['/wp-json/wp/v2/types', '/page']) {
        const response = await get(`/site${path}?${query}`, undefined);
        const { code } = (await response.json()) as { code: string };
        expect([query, response.status, code]).toEqual([query, 400, 'rest_callback_disabled']);
      }
    }
    expect(received).toEqual([]);
    const plain = await get('/plain/page?_jsonp=call', undefined);
    expect(plain.status).toBe(200);
  });

  test('preflight requests are not sent to the site, and allow fields to an allowed origin only', async () => {
    received = [];
    const init = {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'cart-token' },
    };
    const allowed = await get('/site/wp-json/wc/store/v1/cart/add-item', APP, init);
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
    const refused = await get('/site/wp-json/wc/store/v1/cart/add-item', OTHER, init);
    expect([refused.status, corsOf(refused), await refused.text()]).toEqual([204, {}, '']);
    expect(received).toEqual([]);
    // Without the field it is no preflight request.
    await get('/site/page', APP, { method: 'OPTIONS' });
    expect(received).toEqual([`OPTIONS /page of ${APP}`]);
  });

  test('a site without the option keeps its own fields, and the operations of the gateway have none', async () => {
    expect(corsOf(await get('/plain/page', OTHER))).toMatchObject({ 'allow-origin': OTHER });
    expect(corsOf(await get('/-/health', APP))).toEqual({});
  });

  test('the site sees the origin of requests that are not stored, and of all without cors', async () => {
    received = [];
    const credentials = { headers: { Authorization: 'Basic YTpi' } };
    await get('/site/wp-json/wp/v2/types/shared', APP, credentials);
    for (const origin of [APP, OTHER]) await get('/plain/wp-json/wp/v2/types/shared', origin);
    await get('/site/wp-json/wp/v2/posts', APP, { method: 'POST' });
    // The write revalidates stored responses in the background.
    expect(received.slice(0, 4)).toEqual([
      `GET /wp-json/wp/v2/types/shared of ${APP}`,
      `GET /wp-json/wp/v2/types/shared of ${APP}`,
      `GET /wp-json/wp/v2/types/shared of ${OTHER}`,
      `POST /wp-json/wp/v2/posts of ${APP}`,
    ]);
  });
});

test('every origin may be allowed, without credentials', async () => {
  const respond = () => Response.json([], { headers: { 'Access-Control-Allow-Credentials': 'true' } });
  const cors = { origins: ['*'] };
  const gateway = createSettledGateway({
    sites: [{ url: 'http://site.example', ...PLAIN, cors }],
    transport: createMemoryTransport(respond),
  });
  const response = await gateway.app.request('/page', { headers: { Origin: OTHER } });
  expect(corsOf(response)).toMatchObject({ 'allow-origin': '*' });
  expect(corsOf(response)).not.toHaveProperty('allow-credentials');
  await gateway.stop();
});
