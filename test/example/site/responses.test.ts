import { describe, expect, test } from 'vitest';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
const BOOKS = '/wp-json/library/v1/books';

describe('headers', () => {
  test('of every response', async () => {
    const { headers } = await site.request(`${BOOKS}/1`);
    expect(Object.fromEntries(headers)).toEqual({
      'access-control-allow-headers':
        'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      allow: 'GET',
      'content-type': 'application/json; charset=UTF-8',
      link: '<http://localhost/index.php?rest_route=/>; rel="https://api.w.org/"',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
  });

  test('for a request from another origin', async () => {
    const { headers } = await site.request(`${BOOKS}/1`, { headers: { origin: 'https://app.example.com' } });
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      vary: 'Origin',
    });
  });

  test('forbid caching for a user and do not mention it for an anonymous request', async () => {
    const { headers } = await site.request(`${BOOKS}/1`, { headers: as('subscriber') });
    expect(headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0, no-store, private');
    expect(headers.get('expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
    const anonymous = await site.request(`${BOOKS}/1`);
    expect(anonymous.headers.has('cache-control')).toBe(false);
    expect(anonymous.headers.has('expires')).toBe(false);
  });

  test.each([
    [undefined, 'GET'],
    ['editor', 'GET, POST, PUT, PATCH'],
    ['admin', 'GET, POST, PUT, PATCH, DELETE'],
  ] as const)('`Allow` lists the methods that are permitted to %s', async (login, allow) => {
    const { headers } = await site.request(`${BOOKS}/1`, login === undefined ? {} : { headers: as(login) });
    expect(headers.get('allow')).toBe(allow);
  });

  test('forbid caching of an error after a method override', async () => {
    const headers = { 'x-http-method-override': 'DELETE' };
    const response = await site.request(`${BOOKS}/1`, { method: 'POST', headers });
    expect([response.status, response.headers.has('cache-control')]).toEqual([401, true]);
  });
});

describe('pages of a list', () => {
  test.each([
    ['', '25', '3', ['next 2']],
    ['&page=2', '25', '3', ['prev 1', 'next 3']],
    ['&page=3', '25', '3', ['prev 2']],
    ['&page=9', '25', '3', ['prev 3']],
    ['&per_page=25', '25', '1', []],
    ['&tag=nothing', '0', '0', []],
  ])('%s', async (query, total, pages, links) => {
    const { headers } = await site.request(`/?rest_route=/library/v1/books&_fields[]=id${query}`);
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual([total, pages]);
    const found = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(prev|next)"/g)];
    expect(
      found.map(([, href, relation]) => `${relation} ${new URL(href ?? '').searchParams.get('page')}`),
    ).toEqual(links);
  });

  test('have links that keep the rest of the query', async () => {
    const { headers } = await site.request('/?rest_route=/library/v1/books&per_page=2&tag[]=sea&tag[]=sky');
    expect(headers.get('link')).toContain(
      '<http://localhost/index.php?rest_route=/library/v1/books&per_page=2&tag%5B0%5D=sea&tag%5B1%5D=sky&page=2>; rel="next"',
    );
  });
});

describe('the global parameters', () => {
  const json = async (path: string): Promise<unknown> => (await site.request(path)).json();
  const SELF = 'http://localhost/index.php?rest_route=/library/v1/books/1';

  test.each([
    ['id', { id: 1 }],
    ['id,title', { id: 1, title: 'Book 1' }],
    ['id, title', { id: 1, title: 'Book 1' }],
    ['_links.self', { _links: { self: [{ href: SELF }] } }],
    ['_links.self,_links', { _links: { self: [{ href: SELF }], author: expect.anything() } }],
    ['nothing', []],
  ])('`_fields=%s` filters an item', async (fields, item) => {
    expect(await json(`${BOOKS}/1?_fields=${fields}`)).toEqual(item);
  });

  test('`_fields` filters each item of a list, but no error', async () => {
    expect(await json(`${BOOKS}?per_page=2&_fields=id`)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await json(`${BOOKS}/99?_fields=data`)).toMatchObject({ code: 'rest_no_book' });
  });

  test.each(['_embed', '_embed=1', '_embed=author', '_embed[]=author', '_embed=author,up'])(
    '`%s` embeds',
    async (query) => {
      expect(await json(`${BOOKS}/1?${query}`)).toMatchObject({
        _embedded: { author: [{ id: 1, name: 'Ada Lindqvist', context: 'embed' }] },
      });
    },
  );

  test('`_embed` of another relation embeds nothing', async () => {
    expect(await json(`${BOOKS}/1?_embed=up`)).not.toHaveProperty('_embedded');
  });

  test('`_envelope` puts the whole response into the body', async () => {
    const response = await site.request(`${BOOKS}?per_page=1&_envelope&_fields=id&_embed`);
    expect([response.status, response.headers.get('x-wp-total')]).toEqual([200, null]);
    expect(await response.json()).toEqual({
      body: [{ id: 1 }],
      status: 200,
      headers: { 'X-WP-Total': '25', 'X-WP-TotalPages': '25', Link: expect.any(String), Allow: 'GET' },
    });
    expect(await json('/wp-json/nowhere?_envelope')).toMatchObject({ status: 404, headers: [] });
  });

  test('`_jsonp` calls a function if its value is a function name', async () => {
    const response = await site.request(`${BOOKS}/1?_jsonp=app.show&_fields=id`);
    expect(response.headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
    expect(await response.text()).toBe('/**/app.show({"id":1})');
    const refused = await site.request(`${BOOKS}/1?_jsonp=alert(1)`);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' },
    ]);
  });
});

test('HEAD is GET without a body', async () => {
  const head = await site.request(`${BOOKS}?per_page=1`, { method: 'HEAD' });
  expect([head.status, head.headers.get('x-wp-total'), await head.text()]).toEqual([200, '25', '']);
});

test('OPTIONS describes the first route that matches, with its schema', async () => {
  const requestOptions = async (path: string): Promise<unknown> =>
    (await site.request(path, { method: 'OPTIONS' })).json();
  expect(await requestOptions(BOOKS)).toMatchObject({
    namespace: 'library/v1',
    methods: ['GET', 'POST'],
    endpoints: [{ methods: ['GET'], allow_batch: { v1: true } }, { methods: ['POST'] }],
    schema: { title: 'book', properties: [] },
  });
  expect(await requestOptions('/wp-json/nowhere')).toEqual([]);
});

test('`latency` delays the response', async () => {
  const slow = createLibrary({ latency: 30 });
  const started = performance.now();
  await slow.request(`${BOOKS}/1`);
  expect(performance.now() - started).toBeGreaterThanOrEqual(29);
});

test('URLs start with `base`', async () => {
  const there = createLibrary({ base: 'https://example.com/site/' });
  const response = await there.request(`${BOOKS}/1?_embed`);
  expect(await response.json()).toMatchObject({
    _links: { self: [{ href: 'https://example.com/site/index.php?rest_route=/library/v1/books/1' }] },
    _embedded: { author: [{ id: 1 }] },
  });
});
