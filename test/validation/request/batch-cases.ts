import type { Json, JsonObject } from '../../../src/json.ts';

/** Batches with the expected verdict on each request: `valid`, the code of a refusal, or `unknown`. */
export type BatchRow = readonly [name: string, requests: readonly JsonObject[], verdicts: readonly string[]];

const POSTS = '/wp/v2/posts';
const post = (path: string, body?: Json, more: JsonObject = {}): JsonObject => ({
  path,
  ...(body === undefined ? {} : { body }),
  ...more,
});
const INVALID = 'rest_invalid_param';
const MISSING = 'rest_missing_callback_param';
const UNKNOWN = 'unknown';

export const BATCHES: readonly BatchRow[] = [
  ['a valid request', [post(POSTS, { title: 'a' })], ['valid']],
  ['an invalid request', [post(POSTS, { author: 'a' })], [INVALID]],
  [
    'a valid and an invalid request',
    [post(POSTS, { title: 'a' }), post(POSTS, { author: 'a' })],
    ['valid', INVALID],
  ],
  ['a missing required parameter', [post('/wp/v2/categories', {})], [MISSING]],
  ['a required parameter in the query', [post('/wp/v2/categories?name=x')], ['valid']],
  ['an invalid parameter in the query', [post(`${POSTS}?author=a`)], [INVALID]],
  ['a body parameter that overrides the query', [post(`${POSTS}?author=a`, { author: 7 })], ['valid']],
  ['a query inside a fragment', [post(`${POSTS}#?author=a`)], ['valid']],
  ['a query without a path', [post('?author=a')], [UNKNOWN]],
  ['a method that deletes', [post(`${POSTS}/7?force=maybe`, undefined, { method: 'DELETE' })], [INVALID]],
  ['a _method parameter, which is ignored', [post(`${POSTS}?_method=GET&author=a`)], [INVALID]],
  [
    'a method override in the headers, which is ignored',
    [post(POSTS, { author: 'a' }, { headers: { 'X-HTTP-Method-Override': 'GET' } })],
    [INVALID],
  ],
  ['a list as body', [post(POSTS, ['a'])], ['valid']],
  [
    'names of JavaScript prototypes',
    [post(POSTS, JSON.parse('{"__proto__":{"author":7},"author":"a"}'))],
    [INVALID],
  ],
  [
    'a batch in a batch',
    [post('/batch/v1', { requests: [post(POSTS, { author: 'a' })] })],
    ['rest_batch_not_allowed'],
  ],
  ['a route that does not allow batches', [post('/wp/v2/settings', {})], ['rest_batch_not_allowed']],
  ['a URL without a scheme', [post(`//example.com${POSTS}`, { author: 'a' })], [INVALID]],
  ['an absolute URL', [post(`https://example.com${POSTS}?author=a`)], [INVALID]],
  ['a path without a leading slash', [post('wp/v2/posts', { author: 'a' })], [UNKNOWN]],
  ['a trailing slash', [post(`${POSTS}/`, { author: 'a' })], [UNKNOWN]],
  ['an encoded slash', [post('/wp%2Fv2/posts', { author: 'a' })], [UNKNOWN]],
  ['capital letters', [post('/wp/v2/POSTS', { author: 'a' })], [INVALID]],
  ['the home page with rest_route', [post('/?rest_route=/wp/v2/posts', { author: 'a' })], [UNKNOWN]],
  ['dot segments', [post('/wp/v2/users/../posts', { author: 'a' })], [UNKNOWN]],
  ['a URL with a port', [post(`//example.com:80${POSTS}`, { author: 'a' })], [UNKNOWN]],
  ['an unknown route', [post('/wp/v2/nothing', { author: 'a' })], [UNKNOWN]],
];
