import { describe, expect, test } from 'vitest';
import { createLibrary } from './library.ts';

const site = createLibrary();
const ECHO = '/wp-json/library/v1/echo';
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

async function echo(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await site.request(path, init);
  expect(response.status).toBe(200);
  return response.json();
}

test.each([
  ['/wp-json/library/v1/books/3'],
  ['/wp-json/library/v1/books/3/'],
  ['/wp-json/LIBRARY/v1/../../library/v1/books/3'],
  ['/?rest_route=/library/v1/books/3'],
  ['/index.php?rest_route=/library/v1/books/3/'],
  ['/index.php?rest_route=%2Flibrary%2Fv1%2Fbooks%2F3'],
  ['/wp-json/nothing?rest_route=/library/v1/books/3'],
  ['/wp-json/library/v1/Books/3'],
])('%s is the third book', async (path) => {
  const response = await site.request(path);
  expect([response.status, await response.json()]).toMatchObject([200, { id: 3 }]);
});

test.each([
  ['/wp-json/library/v1/%62ooks/3', 'a path is not decoded'],
  ['/wp-json/library/v1/books', 'PUT is no method of it', { method: 'PUT' }],
  ['/wp-json/library/v2/books', 'there is no such namespace'],
  ["/?rest_route=/library/v1/books/3'", 'quotes get backslashes'],
  ['/?rest_route=library/v1/books/3', 'a route begins with a slash'],
  ['/wp-json/nothing/v1', 'it is advertised, and has no routes'],
])('%s is not a route: %s', async (path, _why, init: RequestInit = {}) => {
  const response = await site.request(path, init);
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
      data: { status: 404 },
    },
  ]);
});

test('an empty route gives the front page, which links to the REST API', async () => {
  for (const path of ['/', '/?rest_route=', '/index.php', '/?rest_route=0']) {
    const response = await site.request(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(response.headers.get('link')).toBe(
      '<http://localhost/index.php?rest_route=/>; rel="https://api.w.org/"',
    );
  }
});

test('the route in the form precedes that of the path and must equal that of the query', async () => {
  const posted = form('rest_route=/library/v1/echo&a=1');
  expect(await echo('/wp-json/nowhere', posted)).toMatchObject({ params: { a: '1' } });
  const mismatch = await site.request('/?rest_route=/library/v1/books', posted);
  expect([mismatch.status, await mismatch.text()]).toEqual([400, 'A variable mismatch has been detected.\n']);
});

describe('the method that runs', () => {
  const override = (method: string) => ({ method: 'POST', headers: { 'x-http-method-override': method } });

  test.each<[name: string, query: string, init: RequestInit, method: string]>([
    ['the method of the request', '', { method: 'PUT' }, 'PUT'],
    ['the method in the query', '?_method=patch', { method: 'POST' }, 'PATCH'],
    ['the method in a header', '', override('delete'), 'DELETE'],
    ['the method in the query before the method in a header', '?_method=PUT', override('DELETE'), 'PUT'],
    ['POST for a GET with `_method=POST`', '?_method=POST', {}, 'POST'],
  ])('is %s', async (_name, query, init, method) => {
    expect(await echo(ECHO + query, init)).toMatchObject({ method });
  });
});

const json = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});
const form = (body: string, method = 'POST') => ({ method, headers: FORM_TYPE, body });
const untyped = (method: string) => ({ method, body: new TextEncoder().encode('a=1') });

describe('parameters', () => {
  test.each<[name: string, query: string, init: RequestInit, params: object]>([
    ['the JSON body before the query', '?a=query&b=query', json('{"a":"json"}'), { a: 'json', b: 'query' }],
    ['the form before the query', '?a=query&b=query', form('a=form'), { a: 'form', b: 'query' }],
    ['the form of a PUT', '', form('a[]=1&a[]=2', 'PUT'), { a: ['1', '2'] }],
    ['an untyped body of a PATCH as a form', '', untyped('PATCH'), { a: '1' }],
    ['empty for an untyped body of a POST', '', untyped('POST'), {}],
    [
      'JSON of a media type with the suffix `+json`',
      '',
      json('{"a":1}', 'application/vnd.api+json; charset=utf-8'),
      { a: 1 },
    ],
    ['a query value where JSON has null', '?a=1', json('{"a":null,"b":null}'), { a: '1', b: null }],
    ['PHP arrays', '?a[k][]=1&a[k][]=2&b.c=3&d=1&d=2', {}, { a: { k: ['1', '2'] }, b_c: '3', d: '2' }],
    ['UTF-8', '?a=%C3%A4%20+b', {}, { a: 'ä  b' }],
    ['U+FFFD for invalid UTF-8', '?a=%FF', {}, { a: '\ufffd' }],
    ['the items of a JSON list by their numbers', '', json('[1]'), { 0: 1 }],
    ['empty for an empty JSON body', '', json(''), {}],
    ['empty for JSON that PHP’s empty() accepts', '', json('0'), {}],
  ])('are %s', async (_name, query, init, params) => {
    expect((await echo(ECHO + query, init))['params']).toEqual(params);
  });

  test('are not read from the form of a DELETE', async () => {
    expect(await echo(`${ECHO}?a=1`, { method: 'DELETE' })).toMatchObject({ params: { a: '1' }, body: null });
  });

  test('of the path are text, and the query precedes the path', async () => {
    const response = await site.request('/wp-json/library/v1/books/3?id=4');
    expect(await response.json()).toMatchObject({ id: 4 });
  });
});

test('the first 1,000 variables of a query are read', async () => {
  const query = Array.from({ length: 1200 }, (_, index) => `v${index}=1`).join('&');
  const { params } = await echo(`${ECHO}?${query}`);
  expect(Object.keys(Object(params))).toHaveLength(1000);
});

describe('a multipart form', () => {
  test('provides its fields and its files', async () => {
    const form = new FormData();
    form.append('meta[tags][]', 'ä');
    form.append('meta[tags][]', 'b&c=d');
    form.append('file', new File(['abc'], 'ü "1".txt', { type: 'text/plain' }));
    form.append('other', new File([], 'empty.bin'));
    expect(await echo(ECHO, { method: 'POST', body: form })).toEqual({
      method: 'POST',
      user: null,
      params: { meta: { tags: ['ä', 'b&c=d'] } },
      given: ['meta'],
      files: [
        { field: 'file', name: 'ü "1".txt', type: 'text/plain', size: 3 },
        { field: 'other', name: 'empty.bin', type: 'application/octet-stream', size: 0 },
      ],
      body: null,
    });
  });

  test('is empty if it is malformed', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await echo(ECHO, { method: 'POST', headers, body: '--x\r\nnonsense' })).toMatchObject({
      params: {},
      files: [],
    });
  });
});

test('a body of any other type is available as raw bytes', async () => {
  const headers = { 'content-type': 'image/png' };
  expect(await echo(ECHO, { method: 'POST', headers, body: new Uint8Array(7) })).toMatchObject({
    body: 7,
    params: {},
  });
});

describe('a body that is not valid JSON', () => {
  test.each([
    ['cut off', '{"a":', 4, 'Syntax error'],
    ['with an extra comma', '{"a":1,}', 4, 'Syntax error'],
    ['with a byte order mark', '\ufeff{}', 4, 'Syntax error'],
    [
      'that is no UTF-8',
      new Uint8Array([0x22, 0xff, 0x22]),
      5,
      'Malformed UTF-8 characters, possibly incorrectly encoded',
    ],
    ['with a lone surrogate', '{"a":"\\ud800"}', 10, 'Single unpaired UTF-16 surrogate in unicode escape'],
    ['that is too deep', `{"a":${'['.repeat(512)}${']'.repeat(512)}}`, 1, 'Maximum stack depth exceeded'],
    ['that is nested 1,000,000 levels deep', '['.repeat(1_000_000), 1, 'Maximum stack depth exceeded'],
  ])('%s is rejected', async (_name, body, code, message) => {
    const response = await site.request(ECHO, { ...json(''), body });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: 'rest_invalid_json',
        message: 'Invalid JSON body passed.',
        data: { status: 400, json_error_code: code, json_error_message: message },
      },
    ]);
  });

  test('brackets in strings do not count as depth', async () => {
    const body = JSON.stringify({ a: '['.repeat(2000), b: '\\"[' });
    expect(await echo(ECHO, json(body))).toMatchObject({
      params: { b: '\\"[' },
    });
  });
});

describe('a body that is too large', () => {
  const small = createLibrary({ bodyLimit: 1000 });
  const chunks = (count: number): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull(controller) {
        if (count-- > 0) controller.enqueue(new Uint8Array(100));
        else controller.close();
      },
    });
  const send = async (body: BodyInit): Promise<Response> => {
    const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' };
    return small.request(new Request('http://localhost/wp-json/library/v1/echo', init));
  };

  test('is rejected by its Content-Length', async () => {
    const response = await send('x'.repeat(1001));
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'rest_content_too_large' }]);
  });

  test('is rejected while it is read, and the rest is not read', async () => {
    expect((await send(chunks(Number.POSITIVE_INFINITY))).status).toBe(413);
    expect((await send(chunks(10))).status).toBe(200);
  });
});

test('`__proto__` is an ordinary name everywhere', async () => {
  const echoed = await echo(`${ECHO}?__proto__[x]=1&constructor=2`);
  expect(JSON.stringify(echoed['params'])).toBe('{"__proto__":{"x":"1"},"constructor":"2"}');
  const body = '{"__proto__":{"x":1}}';
  const written = await echo(ECHO, json(body));
  expect(JSON.stringify(written['params'])).toBe(body);
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});
