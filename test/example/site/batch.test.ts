import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
beforeEach(() => site.reset());

interface BatchResponse {
  readonly failed?: string;
  readonly responses: readonly ({ status: number; body: JsonObject; headers: JsonObject } | null)[];
}

async function batch(
  requests: readonly JsonObject[],
  more: JsonObject = {},
  headers: { readonly authorization?: string } = as('editor'),
): Promise<{ readonly status: number; readonly body: BatchResponse }> {
  const response = await site.request('/wp-json/batch/v1', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ requests, ...more }),
  });
  return { status: response.status, body: await response.json() };
}

const add = (title: string): JsonObject => ({ path: '/library/v1/books', body: { title } });
const BAD: JsonObject = { path: '/library/v1/books', body: { pages: 0 } };

describe('a batch', () => {
  test('runs its requests in sequence as the user of the batch', async () => {
    const { status, body } = await batch([
      add('One'),
      { method: 'PUT', path: '/library/v1/books/26', body: { title: 'Two' } },
      { path: '/library/v1/books?title=Three&pages=7' },
    ]);
    expect(status).toBe(207);
    expect(body.responses).toMatchObject([
      {
        status: 201,
        body: { id: 26, title: 'One', author: 2 },
        headers: {
          Location: 'http://localhost/index.php?rest_route=/library/v1/books/26',
          Allow: 'GET, POST',
        },
      },
      { status: 200, body: { id: 26, title: 'Two' } },
      { status: 201, body: { id: 27, title: 'Three', pages: 7 } },
    ]);
    expect(site.state().books.size).toBe(27);
  });

  test('runs valid requests and reports errors for invalid ones', async () => {
    const { status, body } = await batch([add('One'), BAD, add('Two')]);
    expect([status, body.responses.map((one) => one?.status)]).toEqual([207, [201, 400, 201]]);
    expect(body).not.toHaveProperty('failed');
  });

  test('runs no request if `require-all-validate` finds an invalid one', async () => {
    const { status, body } = await batch([add('One'), BAD], { validation: 'require-all-validate' });
    expect([status, body.failed, body.responses]).toMatchObject([
      207,
      'validation',
      [null, { status: 400, body: { code: 'rest_missing_callback_param' }, headers: [] }],
    ]);
    expect(site.state().books.size).toBe(25);
  });

  test('runs 25 valid requests and does not count permissions as validation', async () => {
    const requests = Array.from({ length: 25 }, (_, index) => add(`Book ${index}`));
    const { body } = await batch(requests, { validation: 'require-all-validate' }, {});
    expect(body.responses.map((one) => one?.status)).toEqual(Array(25).fill(401));
  });

  test.each([
    ['a 26th request', Array.from({ length: 26 }, () => add('x')), 'requests must contain at most 25 items.'],
    [
      'a read',
      [{ method: 'GET', path: '/library/v1/books' }],
      'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.',
    ],
    ['a request without a path', [{ body: {} }], 'path is a required property of requests[0].'],
    [
      'a header that is an object',
      [{ path: '/x', headers: { a: { b: 1 } } }],
      'requests[0][headers][a] is not of type string,array.',
    ],
  ])('rejects %s', async (_name, requests, message) => {
    const { status, body } = await batch(requests);
    expect([status, body]).toMatchObject([
      400,
      { code: 'rest_invalid_param', data: { params: { requests: message } } },
    ]);
  });

  test.each([
    [
      'an endpoint that did not opt in',
      { method: 'DELETE', path: '/library/v1/books/1' },
      'rest_batch_not_allowed',
      400,
    ],
    ['the batch itself', { path: '/batch/v1', body: { requests: [] } }, 'rest_batch_not_allowed', 400],
    ['an unknown route', { path: '/library/v1/nothing' }, 'rest_no_route', 404],
    ['an invalid path', { path: '///' }, 'parse_path_failed', 400],
    ['a path without a route', { path: '?a=1' }, 'rest_no_route', 404],
  ])('responds to %s with %s', async (_name, request, code, status) => {
    const { body } = await batch([request]);
    expect(body.responses).toMatchObject([{ status, body: { code } }]);
  });
});

test('concurrent writes get different ids', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => batch([add(`a${index}`), add(`b${index}`)])));
  expect(site.state().books.size).toBe(25 + 80);
});
