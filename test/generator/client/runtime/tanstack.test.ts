import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { describe, expect, test } from 'vitest';
import type { ClientOptions } from '../../../../src/generator/client/runtime/options-and-results.ts';
import { resourceOf } from '../../../../src/generator/client/runtime/resources.ts';
import {
  infiniteQueryOptions,
  invalidate,
  mutationOptions,
  pageOptions,
  queryOptions,
} from '../../../../src/generator/client/runtime/tanstack.ts';
import type { Client } from '../../../../src/generator/client/runtime/typed-calls.ts';
import { waitUntil } from '../../../support/wait.ts';
import { useStubApi } from './stub.ts';

const api = useStubApi();

/** A call as a program writes it: the types of a site are those of its own client. */
const site = (options?: Partial<ClientOptions>) => api.client(options) as unknown as Client;
const createQueries = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

describe('a query', () => {
  test('reads, and has the data by its key', async () => {
    const queries = createQueries();
    const call = { path: { id: 5 }, query: { context: 'edit' } };
    const options = queryOptions(site(), '/wp/v2/posts/{id}', call as never);
    await queries.fetchQuery(options);
    expect(api.targets).toEqual(['GET /wp-json/wp/v2/posts/5?context=edit']);
    expect(queries.getQueryData(options.queryKey)).toMatchObject({ method: 'GET' });
  });

  test('has the same key for the same request, another for another', () => {
    const key = (options: object) => queryOptions(site(), '/wp/v2/posts/{id}', options as never).queryKey;
    expect(key({ path: { id: 5 } })).toEqual(key({ path: { id: '5' }, init: { cache: 'no-store' } }));
    expect(key({ path: { id: 5 } })).not.toEqual(key({ path: { id: 6 } }));
    expect(key({ path: { id: 5 } })).not.toEqual(key({ path: { id: 5 }, extra: { lang: 'de' } }));
    const list = queryOptions(site(), '/wp/v2/posts').queryKey;
    expect(list).not.toEqual(pageOptions(site(), '/wp/v2/posts').queryKey);
    expect(list.slice(0, 3)).toEqual(['site', '/wp/v2/posts', '/wp/v2/posts']);
  });

  // One cache, several clients and languages.
  type Asked = readonly [client: Partial<ClientOptions>, call?: object];
  const keyOf = (options: Partial<ClientOptions>, own: object = {}) =>
    queryOptions(site(options), '/wp/v2/posts', own as never).queryKey;
  const root = 'https://example.com/wp-json';
  const german = { headers: { 'Accept-Language': 'de' } };
  const ofUser = (username: string, password = 'x') => ({ auth: { username, password } });
  const ofToken = (token: string): Partial<ClientOptions> => ({ headers: [['Authorization', token]] });
  test.each<[string, one: Asked, other: Asked]>([
    ['names', [{ scope: 'a' }], [{ scope: 'b' }]],
    ['languages of calls', [{}, german], [{}, { headers: { 'Accept-Language': 'fr' } }]],
    ['languages of clients', [german], [{}]],
    ['tokens', [ofToken('Bearer a')], [ofToken('Bearer b')]],
    ['users', [ofUser('a')], [ofUser('b')]],
    ['a visitor and a user', [{}], [{ auth: () => undefined }]],
  ])('has another key for other %s', (_, one, other) => {
    expect(keyOf(...one)).not.toEqual(keyOf(...other));
    expect(keyOf(...one)).toEqual(keyOf(...one));
  });

  const internal = { baseUrl: 'http://wordpress:8080/wp-json/', headers: { 'X-Forwarded-For': '192.0.2.1' } };
  const plain = { baseUrl: 'http://wordpress:8080/?rest_route=/', ...ofToken('a') };
  test.each<[string, one: Asked, other: Asked]>([
    ['wherever a field is stated', [german], [{}, german]],
    ['however it is written', [{}, german], [{}, { headers: new Headers({ 'ACCEPT-LANGUAGE': 'de' }) }]],
    ['on a server and in the browser', [internal], [{ baseUrl: root }]],
    ['at a gateway and at the site', [{ baseUrl: 'http://gateway:8080' }], [{ baseUrl: '/wp-json' }]],
    ['in the query and in the path', [{ baseUrl: 'http://wp/index.php?rest_route=/' }], [{ baseUrl: root }]],
    ['by its name', [{ ...plain, scope: 'ada' }], [{ auth: () => undefined, scope: 'ada' }]],
    ['after a new password of the user', [ofUser('a')], [ofUser('a', 'y')]],
  ])('has the same key %s', (_, one, other) => {
    expect(keyOf(...one)).toEqual(keyOf(...other));
  });

  test('has a key without credentials, which may be in a page or in storage', () => {
    const auth = { username: 'anna', password: 'secret' };
    const key = keyOf({ auth, headers: { 'X-Api-Key': 'hidden' } }, { headers: { Cookie: 'a=private' } });
    expect(JSON.stringify(key)).not.toMatch(/anna|secret|hidden|private/);
  });

  test('throws the error of the site, and of the network', async () => {
    api.respond(() => ({ status: 404, body: { code: 'rest_post_invalid_id', message: 'm' } }));
    const read = () => createQueries().fetchQuery(queryOptions(site(), '/wp/v2/posts'));
    await expect(read()).rejects.toMatchObject({ name: 'ApiError', code: 'rest_post_invalid_id' });
    api.respond(() => 'break');
    await expect(read()).rejects.toMatchObject({ name: 'ApiError', source: 'network' });
  });

  test('is aborted when nobody needs it', async () => {
    const queries = createQueries();
    const signals: AbortSignal[] = [];
    api.respond(() => 'hang');
    const client = site({ middleware: [{ onRequest: ({ request }) => void signals.push(request.signal) }] });
    const observer = new QueryObserver(queries, queryOptions(client, '/wp/v2/posts'));
    const unsubscribe = observer.subscribe(() => undefined);
    await waitUntil(() => signals.length === 1);
    unsubscribe();
    await waitUntil(() => signals[0]?.aborted === true);
  });

  test('of one page has its totals', async () => {
    api.respond(() => ({ headers: { 'X-WP-Total': '12', 'X-WP-TotalPages': '2' }, body: [{ id: 1 }] }));
    const page = await createQueries().fetchQuery(pageOptions(site(), '/wp/v2/posts'));
    expect(page).toEqual({ items: [{ id: 1 }], total: 12, totalPages: 2 });
  });
});

describe('an infinite query', () => {
  test.each([
    ['by its totals', { 'X-WP-Total': '5', 'X-WP-TotalPages': '3' }, ['2', '3']],
    ['at an empty page without totals', {}, ['2', '3', '4']],
    ['at the error of WordPress in its place', { 'X-Past': '400' }, ['2', '3', '4']],
  ])('reads pages from the first to the end, %s', async (_, headers, pages) => {
    api.respond(({ url }) => {
      const page = new URL(url, api.origin).searchParams.get('page');
      if (page === '4' && 'X-Past' in headers)
        return { status: 400, body: { code: 'rest_post_invalid_page_number', message: 'm' } };
      return { headers: headers as Record<string, string>, body: page === '4' ? [] : [page] };
    });
    const call = { query: { page: 2, per_page: 1 } };
    const options = infiniteQueryOptions(site(), '/wp/v2/posts', call as never);
    const data = await createQueries().fetchInfiniteQuery({ ...options, pages: 9 });
    expect(data.pages.flatMap(({ items }) => items)).toEqual(pages.filter((page) => page !== '4'));
    expect(data.pageParams).toEqual(pages.map(Number));
    expect(api.requests).toHaveLength(pages.length);
  });
});

describe('a mutation', () => {
  /** Reads the posts and the users, runs the mutation, and returns which are stale then. */
  async function staleAfter(run: (queries: QueryClient) => Promise<unknown>): Promise<readonly string[]> {
    const queries = createQueries();
    const paths = ['/wp/v2/posts', '/wp/v2/users'] as const;
    for (const path of paths) await queries.fetchQuery(queryOptions(site(), path));
    await run(queries).catch(() => undefined);
    return paths.filter((path) => queries.getQueryState(queryOptions(site(), path).queryKey)?.isInvalidated);
  }

  const update = (options: object = {}) =>
    mutationOptions(site(), 'POST', '/wp/v2/posts/{id}', options as never);
  const variables = { path: { id: 5 }, body: { title: 'A' } } as never;

  test('sends its variables with what is fixed, and makes the queries of its resource stale', async () => {
    const mutation = { ...update({ query: { context: 'edit' } }), onSuccess: () => 1 };
    const stale = await staleAfter((queries) => new MutationObserver(queries, mutation).mutate(variables));
    expect(stale).toEqual(['/wp/v2/posts']);
    expect(api.targets.at(-1)).toBe('POST /wp-json/wp/v2/posts/5?context=edit');
    expect(api.requests.at(-1)?.body.toString()).toBe('{"title":"A"}');
  });

  test('by a version of TanStack Query that passes no QueryClient sends nothing and names the one it needs', async () => {
    await expect(update().mutationFn(variables, undefined as never)).rejects.toThrow('5.89');
    expect(api.requests).toEqual([]);
  });

  test.each<[string, object, readonly string[]]>([
    ['of further resources', { invalidates: ['/wp/v2/users'] }, ['/wp/v2/posts', '/wp/v2/users']],
    ['of none', { invalidates: false }, []],
  ])('makes the queries stale %s', async (_, options, expected) => {
    const run = (queries: QueryClient) => new MutationObserver(queries, update(options)).mutate(variables);
    expect(await staleAfter(run)).toEqual(expected);
  });

  const below = ['/projects/5', '/projects/5/tasks', '/projects/5/tasks/7', '/projects/5/tasks/7/comments'];
  test.each<[string, object, readonly string[]]>([
    ['/boards/v2/projects/{board}/tasks/{id}', { board: 5, id: 7 }, below],
    ['/boards/v2/projects/{board}', { board: 5 }, ['/projects', ...below]],
    ['/boards/v2/settings/reset', {}, ['/settings']],
  ])('of %s makes its path stale, what is below it, and what contains it', async (path, values, expected) => {
    const queries = createQueries();
    const task = '/projects/{board}/tasks/{id}';
    const tasks = ['/projects', '/projects/{board}', '/projects/{board}/tasks', task, `${task}/comments`];
    for (const template of [...tasks, '/settings', '/settings-log'])
      for (const board of [5, 6]) {
        const call = { path: { board, id: 7 } };
        const options = queryOptions(site(), `/boards/v2${template}` as never, call as never);
        await queries.fetchQuery(options as never);
      }
    const mutation = mutationOptions(site(), 'PUT' as never, path as never, {} as never);
    await new MutationObserver(queries, mutation as never).mutate({ path: values } as never);
    const stale = queries.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
    const paths = stale.map(({ queryKey: [, , template, own] }) =>
      String(template)
        .replace('/boards/v2', '')
        .replace(/\{(\w+)\}/g, (_, name: string) => Object(own).path[name]),
    );
    expect([...new Set(paths)].sort()).toEqual(expected);
  });

  test.each<[number | 'break', boolean]>([
    ['break', true],
    [502, true],
    // A conflict with what the site has now, as when a line of a cart is gone.
    [409, true],
    [400, false],
  ])('that fails with %s makes them stale if the site may have changed: %s', async (reply, isStale) => {
    const stale = await staleAfter((queries) => {
      api.respond(() => (reply === 'break' ? reply : { status: reply, body: { code: 'x', message: 'm' } }));
      return new MutationObserver(queries, update()).mutate(variables);
    });
    expect(stale).toEqual(isStale ? ['/wp/v2/posts'] : []);
  });

  test('replaces the data of a query by its response, and reads nothing again', async () => {
    const queries = createQueries();
    const cart = queryOptions(site(), '/wc/store/v1/cart');
    api.respond(({ method }) => ({ body: { from: method } }));
    const observer = new QueryObserver(queries, cart);
    const unsubscribe = observer.subscribe(() => undefined);
    await waitUntil(() => observer.getCurrentResult().isSuccess);
    // Read again by the window's focus, with a response that is older than that of the mutation.
    api.respond(({ method }) => (method === 'GET' ? 'hang' : { body: { from: method } }));
    void queries.refetchQueries({ queryKey: cart.queryKey });
    await waitUntil(() => api.requests.length === 2);
    const options = { updates: cart } as never;
    const add = mutationOptions(site(), 'POST', '/wc/store/v1/cart/add-item', options);
    await new MutationObserver(queries, add).mutate({ body: { id: 5 } } as never);
    expect(observer.getCurrentResult()).toMatchObject({ data: { from: 'POST' }, fetchStatus: 'idle' });
    expect(queries.getQueryState(cart.queryKey)?.isInvalidated).toBe(false);
    expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
    unsubscribe();
  });

  test('its response never replaces what a later one shows', async () => {
    const queries = createQueries();
    const cart = queryOptions(site(), '/wc/store/v1/cart');
    await queries.fetchQuery(cart);
    const change = (number: number) =>
      new MutationObserver(queries, {
        ...mutationOptions(site(), 'POST', '/wc/store/v1/cart/update-item', { updates: cart } as never),
        onMutate: () => void queries.setQueryData(cart.queryKey, number as never),
      }).mutate({ body: { number } } as never);
    const shown: unknown[] = [];
    queries.getQueryCache().subscribe(({ query: { state } }) => {
      if (shown.at(-1) !== state.data) shown.push(state.data);
    });
    api.respond(({ body }) => {
      const { number } = JSON.parse(body);
      return number === 6 ? { status: 400, body: { code: 'x', message: 'm' } } : { body: number * 10 };
    });
    await Promise.all([1, 2, 3, 4].map(change));
    expect(shown).toEqual([1, 2, 3, 4, 40]);
    await Promise.allSettled([5, 6].map(change));
    expect(queries.getQueryState(cart.queryKey)?.isInvalidated).toBe(true);
  });

  test('invalidate without resources concerns the whole site', async () => {
    expect(await staleAfter((queries) => invalidate(queries))).toEqual(['/wp/v2/posts', '/wp/v2/users']);
  });
});

test.each([
  ['/wp/v2/posts', '/wp/v2/posts'],
  ['/wp/v2/posts/{parent}/revisions/{id}', '/wp/v2/posts'],
  ['/wc/store/v1/cart/add-item', '/wc/store/v1/cart'],
  ['/wc/v3/products/categories/{id}', '/wc/v3/products'],
  ['/oembed/1.0/embed', '/oembed/1.0/embed'],
  ['/shop/{id}', '/shop'],
  ['/', '/'],
])('the resource of %s is %s', (path, resource) => {
  expect(resourceOf(path)).toBe(resource);
});
