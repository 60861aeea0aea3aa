import { chunked, get, head, post, type RequestChunks, upload, withBody } from './wire.ts';

/**
 * Name, request, allowed statuses, and `false` if the gateway must not forward the request. Without more than a request, the
 * gateway refuses it with 400.
 */
export type Case = readonly [
  name: string,
  chunks: () => RequestChunks,
  ...([] | [statuses: readonly number[], forwarded?: boolean]),
];

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const POSTS = '/wp-json/wp/v2/posts';
const EVIL = '/wp-json/evil/v1/patterns';

const json = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestChunks =>
  post(POSTS, JSON_TYPE, body, headers);
const form = (body: string): RequestChunks => post(POSTS, FORM, body);
const evilJson = (content: object): RequestChunks => post(EVIL, JSON_TYPE, JSON.stringify(content));
/** A multipart body with the boundary `b`. */
const parts = (body: string): RequestChunks => post(POSTS, 'multipart/form-data; boundary=b', body);
/** The head of a POST with these fields, and what follows it. */
const raw = (fields: Readonly<Record<string, string>>, ...more: readonly string[]): RequestChunks => [
  head('POST', POSTS, fields),
  ...more,
];
const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const LONG = 'a'.repeat(12_000);
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);
const BATCH = '/wp-json/batch/v1';
const batch = (...requests: object[]): RequestChunks => post(BATCH, JSON_TYPE, JSON.stringify({ requests }));

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  'patterns with catastrophic backtracking': [
    ['nested repetition', () => get(`${EVIL}?nested=${LONG}!`)],
    ['a repeated group of repeated letters', () => get(`${EVIL}?words=${LONG}`)],
    ['a backreference', () => get(`${EVIL}?back=${LONG}b`), [200, 400]],
    ['an invalid pattern', () => get(`${EVIL}?open=x`), [200, 400]],
    ['a hostile pattern for list items', () => evilJson({ list: [`${LONG}!`] })],
    ['a hostile pattern for property names', () => evilJson({ tree: { [`${LONG}!`]: 1 } })],
    ['a hostile pattern in a route', () => get(`/wp-json/evil/v1/${'a'.repeat(12_000)}/END!`), [200, 404]],
  ],
  'oversized requests': [
    ['a million parameters in the query', () => get(`${POSTS}?${'a=1&'.repeat(1e6)}`), [414, 431], false],
    ['a million parameters in a body', () => form('a=1&'.repeat(1e6)), [413], false],
    [
      'an object with sixty thousand members',
      () => json(`{${many(6e4, (i) => `"k${i}":1`).join()}}`),
      [413],
      false,
    ],
    ['a name of ten thousand brackets', () => get(`${POSTS}?a${'[b]'.repeat(5_000)}=1`), [200, 400]],
    ['a head of 100 KB', () => get(POSTS, { 'X-Long': 'x'.repeat(1e5) }), [431], false],
    [
      'three thousand header fields',
      () => get(POSTS, Object.fromEntries(Array.from({ length: 3e3 }, (_, i) => [`X-${i}`, 'x']))),
      [200, 431],
    ],
    ['a body that is larger than the limit', () => json(`{"title":"${'x'.repeat(9e6)}"}`), [413], false],
    [
      'a hundred thousand parts',
      () => parts(`${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1e5)}--b--\r\n`),
      [200, 400, 413],
    ],
  ],
  'invalid or deeply nested JSON': [
    ['a hundred thousand levels of lists', () => json(deep('[', ']', 1e5))],
    ['a hundred thousand levels of objects, never closed', () => json('{"a":'.repeat(1e5))],
    ['511 levels, which PHP accepts', () => json(`{"x":${deep('[', ']', 510)}}`), [200]],
    ['512 levels, which PHP rejects', () => json(`{"x":${deep('[', ']', 512)}}`)],
    ['a lone surrogate', () => json('{"title":"\\ud800"}')],
    ['bytes that are not UTF-8', () => json(Buffer.from('{"title":"\xff\xfe"}', 'latin1'))],
    ['a byte order mark', () => json('\ufeff{}')],
    ['a duplicate name, of which the last wins', () => json('{"format":"aside","format":"nonsense"}')],
    ['a number of a thousand digits', () => json(`{"author":${'9'.repeat(1000)}}`), [200, 400]],
    ['ten thousand zeros', () => get(`${POSTS}?page=${'0'.repeat(10_000)}x`)],
  ],
  'bytes in the wrong place': [
    ['NUL in a JSON string', () => json('{"slug":"a\\u0000b"}'), [200, 400]],
    ['NUL in a query value', () => get(`${POSTS}?order=asc%00`)],
    ['NUL in a name', () => get(`${POSTS}?per_page%00=0`), [200, 400]],
    ['NUL in the request line', () => get(`${POSTS}?a=\0`)],
    ['bytes that are not UTF-8 in the query', () => get(`${POSTS}?search=%ff%fe&order=%ff`)],
    [
      'names of JavaScript prototypes in the query',
      () => get(`${POSTS}?__proto__[polluted]=1&constructor[prototype][polluted]=1`),
      [200],
    ],
    [
      'names of JavaScript prototypes in JSON',
      () => json('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      [200],
    ],
  ],
  'mislabelled bodies': [
    ['JSON as a form', () => form('{"status":"nonsense"}'), [200]],
    [
      'a compressed body, which PHP does not decode and a proxy may',
      () => json('\x1f\x8b\x08', { 'Content-Encoding': 'gzip' }),
      [200],
      true,
    ],
    ['multipart without a boundary', () => post(POSTS, 'multipart/form-data', 'x'), [200, 400]],
    [
      'multipart without a final boundary',
      () => parts('--b\r\nContent-Disposition: form-data; name="status"\r\n\r\nnonsense'),
      [200, 400],
    ],
    [
      'two Content-Type fields',
      () =>
        withBody('POST', POSTS, { 'Content-Type': FORM, 'content-type': JSON_TYPE }, '{"format":"nonsense"}'),
      [200, 400],
    ],
  ],
  'message framing': [
    ['an invalid body in chunks of one byte', () => chunked(POSTS, JSON_TYPE, '{"format":"nonsense"}')],
    [
      'Content-Length and Transfer-Encoding',
      () => raw({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
    ],
    [
      'two Content-Length fields',
      () => [`POST ${POSTS} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
    ],
    ['a negative Content-Length', () => raw({ 'Content-Length': '-1' })],
    [
      'a chunk of 2^64 bytes',
      () => raw({ 'Transfer-Encoding': 'chunked' }, 'ffffffffffffffffff\r\nx'),
      [400, 502],
      false,
    ],
    [
      'an invalid chunk size',
      () => raw({ 'Content-Type': JSON_TYPE, 'Transfer-Encoding': 'chunked' }, 'xyz\r\n'),
      [0, 400],
      false,
    ],
  ],
  'method overrides': [
    ['_method selects a validated method', () => post(`${POSTS}/1?_method=DELETE&force=maybe`, FORM, 'x=1')],
    ['_method turns a GET into a POST', () => get(`${POSTS}?_method=POST&format=nonsense`)],
    ['_method with an unknown method', () => post(`${POSTS}?_method=BREW`, FORM, 'x=1'), [200, 404]],
    [
      'two _method parameters',
      () => post(`${POSTS}?_method=PUT&_method=DELETE`, FORM, 'x=1'),
      [200, 400, 404],
    ],
    [
      'two X-HTTP-Method-Override fields',
      () => [
        `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: GET\r\nX-HTTP-Method-Override: PUT\r\nContent-Length: 0\r\n\r\n`,
      ],
      [400, 404],
      false,
    ],
    ['_method as a list', () => post(`${POSTS}?_method[]=DELETE`, FORM, 'x=1'), [200, 400, 404, 500]],
  ],
  'route overrides': [
    ['rest_route overrides the path', () => get(`/wp-json/wp/v2/users?rest_route=/wp/v2/posts&per_page=0`)],
    [
      'rest.route, which PHP reads as rest_route',
      () => get(`/?rest.route=/wp/v2/posts&per_page=0`),
      [400, 404],
      false,
    ],
    [
      'rest_route in the body',
      () => post(`${POSTS}?x=1`, FORM, 'rest_route=/wp/v2/users&format=nonsense'),
      [200, 400],
    ],
    ['rest_route as a list', () => get('/?rest_route[]=/wp/v2/posts&per_page=0'), [400, 404], false],
    [
      'dot segments that leave the REST interface',
      () => get('/wp-json/wp/v2/../../wp-admin/'),
      [400, 404],
      false,
    ],
    ['a path in capital letters', () => get('/wp-json/WP/V2/POSTS?per_page=0'), [200, 400]],
  ],
  batches: [
    [
      'a nested batch',
      () =>
        batch({
          path: '/batch/v1',
          body: { requests: [{ path: '/wp/v2/posts', body: { format: 'nonsense' } }] },
        }),
      [200, 207, 400],
    ],
    ['a batch of thirty thousand requests', () => batch(...Array(3e4).fill({ path: '/' })), [413], false],
    [
      'a batch with URLs of another host',
      () => batch({ path: 'http://evil.example.com/wp/v2/posts' }, { path: '//evil.example.com/' }),
      [200, 207, 400],
    ],
    [
      'a batch with paths outside the REST interface',
      () => batch({ path: '/../../wp-admin' }, { path: '/?rest_route=/wp/v2/users' }),
      [200, 207, 400],
    ],
    ['a batch of empty requests', () => batch(...Array(3).fill({}))],
  ],
  uploads: [
    [
      'an upload of 256 MiB is streamed',
      () => upload('/wp-json/wp/v2/media', 256 * 1024 * 1024, 'publish'),
      [200],
    ],
    [
      'an upload of 64 MiB with an invalid field',
      () => upload('/wp-json/wp/v2/media', 64 * 1024 * 1024, 'nonsense'),
      [200, 400],
    ],
  ],
};
