import { chunked, get, head, type Pieces, post, upload, withBody } from './wire.ts';

/** What is sent, which answers are clear ones, and whether the site may have been asked. */
export type Case = readonly [
  name: string,
  pieces: () => Pieces,
  statuses: readonly number[],
  asked?: boolean,
];

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const POSTS = '/wp-json/wp/v2/posts';
const EVIL = '/wp-json/evil/v1/patterns';

const LONG = 'a'.repeat(12_000);
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);
const BATCH = '/wp-json/batch/v1';
const batch = (...requests: object[]): string => JSON.stringify({ requests });

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  'patterns that take for ever elsewhere': [
    ['nested repetition', () => get(`${EVIL}?nested=${LONG}!`), [400], false],
    ['two ways to read each letter', () => get(`${EVIL}?twice=${LONG}`), [400], false],
    ['words of words', () => get(`${EVIL}?words=${LONG}`), [400], false],
    ['repetition beside repetition', () => get(`${EVIL}?again=${'x'.repeat(12_000)}`), [400], false],
    ['a reference back', () => get(`${EVIL}?back=${LONG}b`), [200, 400]],
    ['a pattern that is none', () => get(`${EVIL}?open=x`), [200, 400]],
    [
      'in each item of a list',
      () => post(EVIL, JSON_TYPE, JSON.stringify({ list: [`${LONG}!`] })),
      [400],
      false,
    ],
    [
      'in the name of a property',
      () => post(EVIL, JSON_TYPE, JSON.stringify({ tree: { [`${LONG}!`]: 1 } })),
      [400],
      false,
    ],
    ['in the pattern of a route', () => get(`/wp-json/evil/v1/${'a'.repeat(12_000)}/END!`), [200, 404]],
  ],
  'too much of everything': [
    ['a million parameters in the address', () => get(`${POSTS}?${'a=1&'.repeat(1e6)}`), [414, 431], false],
    ['a million parameters in a body', () => post(POSTS, FORM, 'a=1&'.repeat(1e6)), [200]],
    ['a hundred thousand in a body that is small enough', () => post(POSTS, FORM, 'a=1&'.repeat(1e5)), [200]],
    [
      'a hundred thousand members',
      () => post(POSTS, JSON_TYPE, `{${Array.from({ length: 6e4 }, (_, i) => `"k${i}":1`).join()}}`),
      [200],
    ],
    [
      'a list of two hundred thousand',
      () => post(POSTS, JSON_TYPE, JSON.stringify({ tags: Array(2e5).fill(1) })),
      [200],
    ],
    [
      'as many different items, of which none may be twice',
      () =>
        post(
          EVIL,
          JSON_TYPE,
          JSON.stringify({ list: Array.from({ length: 9e4 }, (_, i) => 'a'.repeat(i % 9)) }),
        ),
      [400],
      false,
    ],
    ['a name of ten thousand brackets', () => get(`${POSTS}?a${'[b]'.repeat(5_000)}=1`), [200, 400]],
    ['a head of 100 KB', () => get(POSTS, { 'X-Long': 'x'.repeat(1e5) }), [431], false],
    [
      'a thousand header fields',
      () => get(POSTS, Object.fromEntries(Array.from({ length: 3e3 }, (_, i) => [`X-${i}`, 'x']))),
      [200, 431],
    ],
    ['a type of 60 KB', () => post(POSTS, `application/json; a=${'x'.repeat(6e4)}`, '{}'), [200, 400, 431]],
    [
      'a body that is larger than the limit',
      () => post(POSTS, JSON_TYPE, `{"title":"${'x'.repeat(9e6)}"}`),
      [413],
      false,
    ],
    [
      'a hundred thousand parts',
      () =>
        post(
          POSTS,
          'multipart/form-data; boundary=b',
          `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1e5)}--b--\r\n`,
        ),
      [200, 400, 413],
    ],
  ],
  'JSON that is none, or is too deep': [
    ['a hundred thousand levels of lists', () => post(POSTS, JSON_TYPE, deep('[', ']', 1e5)), [400], false],
    [
      'a hundred thousand levels of objects, never closed',
      () => post(POSTS, JSON_TYPE, '{"a":'.repeat(1e5)),
      [400],
      false,
    ],
    ['511 levels, which PHP reads', () => post(POSTS, JSON_TYPE, `{"x":${deep('[', ']', 510)}}`), [200]],
    [
      '512 levels, which it does not',
      () => post(POSTS, JSON_TYPE, `{"x":${deep('[', ']', 512)}}`),
      [400],
      false,
    ],
    ['half of a pair of surrogates', () => post(POSTS, JSON_TYPE, '{"title":"\\ud800"}'), [400], false],
    [
      'bytes that are no UTF-8',
      () => post(POSTS, JSON_TYPE, Buffer.from('{"title":"\xff\xfe"}', 'latin1')),
      [400],
      false,
    ],
    ['a byte order mark', () => post(POSTS, JSON_TYPE, '\ufeff{}'), [400], false],
    [
      'a name twice, of which the last counts',
      () => post(POSTS, JSON_TYPE, '{"format":"aside","format":"nonsense"}'),
      [400],
      false,
    ],
    [
      'a number of a thousand digits',
      () => post(POSTS, JSON_TYPE, `{"author":${'9'.repeat(1000)}}`),
      [200, 400],
    ],
    ['a number beyond all numbers', () => post(POSTS, JSON_TYPE, '{"author":1e400}'), [200, 400]],
    ['zeros without end', () => get(`${POSTS}?page=${'0'.repeat(10_000)}x`), [400], false],
  ],
  'bytes in the wrong place': [
    ['NUL in a text', () => post(POSTS, JSON_TYPE, '{"slug":"a\\u0000b"}'), [200, 400]],
    ['NUL in a value of the address', () => get(`${POSTS}?order=asc%00`), [400], false],
    ['NUL in a name', () => get(`${POSTS}?per_page%00=0`), [200, 400]],
    ['NUL in the request line', () => get(`${POSTS}?a=\0`), [400], false],
    ['bytes that are no UTF-8 in the address', () => get(`${POSTS}?search=%ff%fe&order=%ff`), [400], false],
    [
      'names of JavaScript',
      () => get(`${POSTS}?__proto__[polluted]=1&constructor[prototype][polluted]=1`),
      [200],
    ],
    [
      'names of JavaScript in JSON',
      () => post(POSTS, JSON_TYPE, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      [200],
    ],
  ],
  'types that lie': [
    ['JSON as a form', () => post(POSTS, FORM, '{"status":"nonsense"}'), [200]],
    ['a form as JSON', () => post(POSTS, JSON_TYPE, 'status=publish'), [400], false],
    ['no type at all', () => post(POSTS, '', '{"status":"nonsense"}'), [200]],
    [
      'compressed, which PHP does not undo and a server before it may',
      () => post(POSTS, JSON_TYPE, '\x1f\x8b\x08', { 'Content-Encoding': 'gzip' }),
      [200],
      true,
    ],
    ['parts without a boundary', () => post(POSTS, 'multipart/form-data', 'x'), [200, 400]],
    [
      'parts that never end',
      () =>
        post(
          POSTS,
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="status"\r\n\r\nnonsense',
        ),
      [200, 400],
    ],
    [
      'a part with a head of 200 KB',
      () =>
        post(POSTS, 'multipart/form-data; boundary=b', `--b\r\nX: ${'x'.repeat(2e5)}\r\n\r\n1\r\n--b--\r\n`),
      [200, 400, 413],
    ],
    [
      'two types',
      () =>
        withBody('POST', POSTS, { 'Content-Type': FORM, 'content-type': JSON_TYPE }, '{"format":"nonsense"}'),
      [200, 400],
    ],
  ],
  'tricks of framing': [
    [
      'an invalid body in chunks of one byte',
      () => chunked(POSTS, JSON_TYPE, '{"format":"nonsense"}'),
      [400],
      false,
    ],
    [
      'a length and chunks',
      () => [head('POST', POSTS, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }), '0\r\n\r\n'],
      [400],
      false,
    ],
    [
      'two lengths',
      () => [`POST ${POSTS} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
      [400],
      false,
    ],
    ['a length below zero', () => [head('POST', POSTS, { 'Content-Length': '-1' })], [400], false],
    [
      'a chunk of 2^64 bytes',
      () => [head('POST', POSTS, { 'Transfer-Encoding': 'chunked' }), 'ffffffffffffffffff\r\nx'],
      [400, 502],
      false,
    ],
    [
      'a chunk that is no number',
      () => [head('POST', POSTS, { 'Content-Type': JSON_TYPE, 'Transfer-Encoding': 'chunked' }), 'xyz\r\n'],
      [0, 400],
      false,
    ],
    [
      'chunks by another name',
      () => [head('POST', POSTS, { 'Transfer-Encoding': 'xchunked' }), '0\r\n\r\n'],
      [400, 501],
      false,
    ],
  ],
  'another method than it seems': [
    [
      'to a method that is validated',
      () => post(`${POSTS}/1?_method=DELETE&force=maybe`, FORM, 'x=1'),
      [400],
      false,
    ],
    [
      'by a header',
      () => post(`${POSTS}/1?force=maybe`, FORM, 'x=1', { 'X-HTTP-Method-Override': 'DELETE' }),
      [400],
      false,
    ],
    ['a read that writes', () => get(`${POSTS}?_method=POST&format=nonsense`), [400], false],
    ['to one that nobody has', () => post(`${POSTS}?_method=BREW`, FORM, 'x=1'), [200, 404]],
    ['twice', () => post(`${POSTS}?_method=PUT&_method=DELETE`, FORM, 'x=1'), [200, 400, 404]],
    [
      'by two headers',
      () => [
        `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: GET\r\nX-HTTP-Method-Override: PUT\r\nContent-Length: 0\r\n\r\n`,
      ],
      [400, 404],
      false,
    ],
    ['as a list', () => post(`${POSTS}?_method[]=DELETE`, FORM, 'x=1'), [200, 400, 404, 500]],
  ],
  'another route than it seems': [
    [
      'the query counts before the path',
      () => get(`/wp-json/wp/v2/users?rest_route=/wp/v2/posts&per_page=0`),
      [400],
      false,
    ],
    [
      'a request is validated by its own route',
      () => get(`/?rest_route=/wp/v2/posts&order=up`),
      [400],
      false,
    ],
    ['two of them', () => get(`/?rest_route=/wp/v2/posts&rest_route=/wp/v2/users&per_page=0`), [400], false],
    ['spelled with a dot', () => get(`/?rest.route=/wp/v2/posts&per_page=0`), [400, 404], false],
    [
      'in the body as well',
      () => post(`${POSTS}?x=1`, FORM, 'rest_route=/wp/v2/users&format=nonsense'),
      [200, 400],
    ],
    ['as a list', () => get('/?rest_route[]=/wp/v2/posts&per_page=0'), [400, 404], false],
    ['out of the interface by dots', () => get('/wp-json/wp/v2/../../wp-admin/'), [400, 404], false],
    ['in capitals', () => get('/wp-json/WP/V2/POSTS?per_page=0'), [200, 400]],
  ],
  batches: [
    [
      'within a batch',
      () =>
        post(
          BATCH,
          JSON_TYPE,
          batch({
            path: '/batch/v1',
            body: { requests: [{ path: '/wp/v2/posts', body: { format: 'nonsense' } }] },
          }),
        ),
      [200, 207, 400],
    ],
    [
      'of twenty-six',
      () => post(BATCH, JSON_TYPE, batch(...Array(26).fill({ path: '/wp/v2/posts' }))),
      [400],
      false,
    ],
    [
      'of a hundred thousand',
      () => post(BATCH, JSON_TYPE, batch(...Array(3e4).fill({ path: '/' }))),
      [400],
      false,
    ],
    [
      'to another host',
      () =>
        post(
          BATCH,
          JSON_TYPE,
          batch({ path: 'http://evil.example.com/wp/v2/posts' }, { path: '//evil.example.com/' }),
        ),
      [200, 207, 400],
    ],
    [
      'out of the interface',
      () => post(BATCH, JSON_TYPE, batch({ path: '/../../wp-admin' }, { path: '/?rest_route=/wp/v2/users' })),
      [200, 207, 400],
    ],
    ['of nothing', () => post(BATCH, JSON_TYPE, batch(...Array(3).fill({}))), [400], false],
  ],
  uploads: [
    ['256 MiB, streamed past', () => upload('/wp-json/wp/v2/media', 256 * 1024 * 1024, 'publish'), [200]],
    [
      '64 MiB with a field that is wrong',
      () => upload('/wp-json/wp/v2/media', 64 * 1024 * 1024, 'nonsense'),
      [200, 400],
    ],
  ],
};
