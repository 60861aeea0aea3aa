import type { Json, JsonObject } from '../../../src/json.ts';

/** Batches by their requests, and what each of these is: valid, a refusal by its code, or nobody's to tell. */
export type BatchRow = readonly [about: string, requests: readonly JsonObject[], verdicts: readonly string[]];

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
  ['one that is valid', [post(POSTS, { title: 'a' })], ['valid']],
  ['one that is not', [post(POSTS, { author: 'a' })], [INVALID]],
  [
    'two that are not',
    [post(POSTS, { author: 'a' }), post(POSTS, { status: 7, sticky: 'maybe' })],
    [INVALID, INVALID],
  ],
  ['one of each', [post(POSTS, { title: 'a' }), post(POSTS, { author: 'a' })], ['valid', INVALID]],
  ['what is required', [post('/wp/v2/categories', {})], [MISSING]],
  ['what is required, in the query', [post('/wp/v2/categories?name=x')], ['valid']],
  ['a query', [post(`${POSTS}?author=a`)], [INVALID]],
  ['a query with a list', [post(`${POSTS}?categories[]=a`)], [INVALID]],
  ['the body before the query', [post(`${POSTS}?author=a`, { author: 7 })], ['valid']],
  ['a query that is over', [post(`${POSTS}#?author=a`)], ['valid']],
  ['a query without a path', [post('?author=a')], [UNKNOWN]],
  ['another method', [post(`${POSTS}/7`, { author: 'a' }, { method: 'PUT' })], [INVALID]],
  ['a method that deletes', [post(`${POSTS}/7?force=maybe`, undefined, { method: 'DELETE' })], [INVALID]],
  ['a form with a method of its own', [post(`${POSTS}?_method=GET&author=a`)], [INVALID]],
  [
    'headers of their own',
    [post(POSTS, { author: 'a' }, { headers: { 'Content-Type': 'application/json' } })],
    [INVALID],
  ],
  [
    'an override in the headers',
    [post(POSTS, { author: 'a' }, { headers: { 'X-HTTP-Method-Override': 'GET' } })],
    [INVALID],
  ],
  ['a body that is a list', [post(POSTS, ['a'])], ['valid']],
  ['a body that is empty text', [post(POSTS, '')], ['valid']],
  [
    'names that mean something elsewhere',
    [post(POSTS, JSON.parse('{"__proto__":{"author":7},"author":"a"}'))],
    [INVALID],
  ],
  [
    'a batch in a batch',
    [post('/batch/v1', { requests: [post(POSTS, { author: 'a' })] })],
    ['rest_batch_not_allowed'],
  ],
  ['what may not be batched', [post('/wp/v2/settings', {})], ['rest_batch_not_allowed']],
  ['a name of a host', [post(`//example.com${POSTS}`, { author: 'a' })], [INVALID]],
  ['an address', [post(`https://example.com${POSTS}?author=a`)], [INVALID]],
  ['no slash in front', [post('wp/v2/posts', { author: 'a' })], [UNKNOWN]],
  ['a slash at the end', [post(`${POSTS}/`, { author: 'a' })], [UNKNOWN]],
  ['an encoded slash', [post('/wp%2Fv2/posts', { author: 'a' })], [UNKNOWN]],
  ['capitals', [post('/wp/v2/POSTS', { author: 'a' })], [INVALID]],
  ['the page of the site', [post('/?rest_route=/wp/v2/posts', { author: 'a' })], [UNKNOWN]],
  ['dots', [post('/wp/v2/users/../posts', { author: 'a' })], [UNKNOWN]],
  ['a port', [post(`//example.com:80${POSTS}`, { author: 'a' })], [UNKNOWN]],
  ['no address at all', [post('///')], [UNKNOWN]],
  ['a route that is none', [post('/wp/v2/nothing', { author: 'a' })], [UNKNOWN]],
];
