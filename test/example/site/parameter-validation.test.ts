import { describe, expect, test } from 'vitest';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
const BOOKS = '/wp-json/library/v1/books';

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<[number, unknown]> {
  const response = await site.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

test('all missing parameters are reported first, before the permission check', async () => {
  expect(await post(BOOKS, { pages: 'x' })).toEqual([
    400,
    {
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): title',
      data: { status: 400, params: ['title'] },
    },
  ]);
});

test('all invalid parameters are reported next, with details', async () => {
  expect(await post(BOOKS, { title: '', pages: 'x', meta: { shelf: 'y' }, tags: { a: 1 } })).toEqual([
    400,
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): title, pages, meta, tags',
      data: {
        status: 400,
        params: {
          title: 'title must be at least 1 character long.',
          pages: 'pages is not of type integer.',
          tags: 'tags is not of type array.',
          meta: 'meta[shelf] is not of type integer.',
        },
        details: {
          title: {
            code: 'rest_too_short',
            message: 'title must be at least 1 character long.',
            data: null,
          },
          pages: {
            code: 'rest_invalid_type',
            message: 'pages is not of type integer.',
            data: { param: 'pages' },
          },
          tags: { code: 'rest_invalid_type', message: 'tags is not of type array.', data: { param: 'tags' } },
          meta: {
            code: 'rest_invalid_type',
            message: 'meta[shelf] is not of type integer.',
            data: { param: 'meta[shelf]' },
          },
        },
      },
    },
  ]);
});

test('the permission check follows: 401 for an anonymous request, 403 for a user', async () => {
  const body = { title: 'New' };
  const refusal = { code: 'rest_cannot_create', message: 'Sorry, you may not add books.' };
  expect(await post(BOOKS, body)).toEqual([401, { ...refusal, data: { status: 401 } }]);
  expect(await post(BOOKS, body, as('subscriber'))).toEqual([403, { ...refusal, data: { status: 403 } }]);
});

test('values are converted to their types, and absent ones get their defaults', async () => {
  const [status, body] = await post(BOOKS, { title: 'New', pages: ' 1e2 ', tags: 'a, b' }, as('editor'));
  expect([status, body]).toMatchObject([201, { title: 'New', pages: 100, tags: ['a', 'b'], author: 2 }]);
  expect(await post(BOOKS, { title: 'Plain', pages: null }, as('editor'))).toMatchObject([
    201,
    { pages: 0, tags: [] },
  ]);
});

test('a null counts as absent where a value is required', async () => {
  expect(await post(BOOKS, { title: null }, as('editor'))).toMatchObject([
    400,
    { code: 'rest_missing_callback_param' },
  ]);
});

test('unknown parameters are ignored', async () => {
  expect(await post(BOOKS, { title: 'New', nonsense: [1] }, as('editor'))).toMatchObject([
    201,
    { title: 'New' },
  ]);
});

test('an exception in a handler gives a critical error, and the site continues to respond', async () => {
  const faults: unknown[] = [];
  const faulty = createLibrary({ onError: (fault) => faults.push(fault) });
  const response = await faulty.request('/wp-json/library/v1/fault');
  expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_server_error' }]);
  expect(faults).toEqual([new Error('a fault of the site')]);
  expect((await faulty.request(BOOKS)).status).toBe(200);
});

describe('authentication', () => {
  const authenticate = async (authorization: string): Promise<[number, { code?: string; user?: string }]> => {
    const response = await site.request('/wp-json/library/v1/echo', { headers: { authorization } });
    return [response.status, await response.json()];
  };
  const basic = (pair: string): string => `Basic ${btoa(pair)}`;

  test.each([
    ['an application password', basic('admin:demo-admin-password'), 'admin'],
    ['an application password with spaces', basic('admin:demo admin pass word'), 'admin'],
    ['a scheme in mixed case', basic('editor:demo-editor-password').replace('Basic', 'bAsIc'), 'editor'],
    ['an email address', basic('ada@example.com:demo-admin-password'), 'admin'],
    ['no user for another scheme', 'Bearer abc', null],
    ['no user for credentials without a colon', basic('admin'), null],
    ['no user for invalid Base64', 'Basic %%%', null],
  ])('%s', async (_name, authorization, user) => {
    expect(await authenticate(authorization)).toMatchObject([200, { user }]);
  });

  test.each([
    ['admin:wrong', 'incorrect_password'],
    ['admin:', 'incorrect_password'],
    ['nobody:demo-admin-password', 'invalid_username'],
    ['nobody@example.com:x', 'invalid_email'],
  ])('%s is rejected with %s', async (pair, code) => {
    expect(await authenticate(basic(pair))).toMatchObject([401, { code, data: { status: 401 } }]);
  });
});
