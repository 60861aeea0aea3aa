import { get, post, type RequestChunks, upload } from './wire.ts';

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
const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const LONG = 'a'.repeat(12_000);
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

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
    ['a duplicate name, of which the last wins', () => json('{"format":"aside","format":"nonsense"}')],
    ['a number of a thousand digits', () => json(`{"author":${'9'.repeat(1000)}}`), [200, 400]],
    ['ten thousand zeros', () => get(`${POSTS}?page=${'0'.repeat(10_000)}x`)],
  ],
  'bytes in the wrong place': [
    ['NUL in a JSON string', () => json('{"slug":"a\\u0000b"}'), [200, 400]],
    ['NUL in a query value', () => get(`${POSTS}?order=asc%00`)],
    ['NUL in a name', () => get(`${POSTS}?per_page%00=0`), [200, 400]],
    ['NUL in the request line', () => get(`${POSTS}?a=\0`)],
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
