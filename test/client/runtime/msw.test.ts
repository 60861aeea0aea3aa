import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listPathPatterns } from '../../../src/client/path-patterns.ts';
import { createRawClient } from '../../../src/client/runtime/client.ts';
import { createHandlers } from '../../../src/client/runtime/msw.ts';
import { PATTERNS } from '../../../src/client/runtime/operations.ts';
import { createMock } from '../../../src/mock/index.ts';
import { listTypedOperations } from '../../../src/types/parameters.ts';
import { recordedDocument } from '../../types/documents.ts';

const ROOT = 'http://site.example/wp-json';

const document = recordedDocument();
/** The patterns of WordPress 7.1, which its generated module has. */
const patterns = listPathPatterns(listTypedOperations(document));

/** Handlers of WordPress 7.1, with the mock behind them. */
const site = createHandlers(`${ROOT}/`, createMock(document));
const server = setupServer(...site.handlers);
const client = createRawClient({ baseUrl: ROOT });

beforeAll(() => {
  Object.assign(PATTERNS, Object.fromEntries(patterns));
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => server.resetHandlers());
afterAll(() => {
  server.close();
  for (const path of Object.keys(PATTERNS)) Reflect.deleteProperty(PATTERNS, path);
});

test('the mock responds, and keeps what is created', async () => {
  const created = await client.POST('/wp/v2/posts', { body: { title: 'Hello' } });
  const { id } = created.data as { id: number };
  const { data } = await client.GET('/wp/v2/posts/{id}', { path: { id } });
  expect(data).toMatchObject({ id, title: { rendered: 'Hello' } });
  expect((await client.GET('/wp/v2/posts/{id}', { path: { id: 999 } })).error?.code).toBe(
    'rest_post_invalid_id',
  );
});

test('an override states what matters, the mock the rest', async () => {
  server.use(site.on('GET', '/wp/v2/posts', [{ title: { rendered: 'A' } }, { id: 7 }] as never));
  const { data, total, totalPages } = await client.GET('/wp/v2/posts', { query: { per_page: 5 } });
  expect(data).toMatchObject([{ title: { rendered: 'A' } }, { id: 7 }]);
  expect(data).toHaveLength(2);
  expect((data as object[]).every((item) => 'date' in item && 'content' in item)).toBe(true);
  expect({ total, totalPages }).toEqual({ total: 2, totalPages: 1 });
});

test('a function replies with the parameters, what the mock responds, or a response', async () => {
  server.use(
    site.on('GET', '/wp/v2/users/{id}', (async (request: { mocked(): Promise<object>; params: object }) => ({
      ...(await request.mocked()),
      ...request.params,
    })) as never),
    site.on('GET', '/wp/v2/types', (() => new Response(null, { status: 304 })) as never),
  );
  const { data } = await client.GET('/wp/v2/users/{id}', { path: { id: 1 } });
  expect(data).toMatchObject({ id: '1', name: expect.any(String) });
  expect((await client.GET('/wp/v2/types')).error?.status).toBe(304);
  // An item of the same name below is another operation.
  expect((await client.GET('/wp/v2/users')).data).toBeInstanceOf(Array);
});

test('an operation fails with an error of the site', async () => {
  server.use(
    site.fail('POST', '/wp/v2/posts', { code: 'rest_cannot_create' as never, status: 403, data: { a: 1 } }),
  );
  expect((await client.POST('/wp/v2/posts', { body: {} })).error).toMatchObject({
    source: 'site',
    code: 'rest_cannot_create',
    status: 403,
    data: { status: 403, a: 1 },
  });
  expect((await client.GET('/wp/v2/posts')).error).toBeUndefined();
});

test.each<[`/${string}`, string, object | undefined]>([
  ['/wp/v2/users/{id}', '/wp/v2/users/5', { id: '5' }],
  ['/wp/v2/users/{id}', '/wp/v2/users/me', undefined],
  ['/wp/v2/users/me', '/wp/v2/users/me', {}],
  [
    '/wp/v2/users/{user_id}/application-passwords',
    '/wp/v2/users/me/application-passwords',
    { user_id: 'me' },
  ],
  ['/wp/v2/templates/{id}', '/wp/v2/templates/twentytwenty//home', { id: 'twentytwenty//home' }],
  ['/wp/v2/templates/{id}', '/wp/v2/templates/lookup', undefined],
  ['/wp/v2/templates/{id}', '/wp/v2/templates/twentytwenty//home/revisions', undefined],
  ['/wp/v2/plugins/{plugin}', '/wp/v2/plugins/akismet/akismet', { plugin: 'akismet/akismet' }],
  ['/wp/v2/types/{type}', '/wp/v2/types/post', { type: 'post' }],
])('a handler of %s gets %s with %j', async (template, path, params) => {
  const seen: unknown[] = [];
  const reply = (request: { readonly params: object }) => {
    seen.push(request.params);
    return new Response('{}', { headers: { 'Content-Type': 'application/json' } });
  };
  server.use(site.on('GET', template, reply as never));
  await client.GET(path);
  expect(seen).toEqual(params === undefined ? [] : [params]);
});
