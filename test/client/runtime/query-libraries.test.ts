import { PiniaColada, useInfiniteQuery, useMutation, useQuery, useQueryCache } from '@pinia/colada';
import { createPinia } from 'pinia';
import { createElement } from 'react';
import { create } from 'react-test-renderer';
import useSWR, { SWRConfig, useSWRConfig } from 'swr';
import useSWRInfinite from 'swr/infinite';
import useSWRMutation from 'swr/mutation';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp, effectScope } from 'vue';
import * as colada from '../../../src/client/runtime/pinia-colada.ts';
import * as swr from '../../../src/client/runtime/swr.ts';
import type { Client } from '../../../src/client/runtime/typed-calls.ts';
import { waitUntil } from '../../support/wait.ts';
import { useStubApi } from './stub.ts';

const api = useStubApi();
const site = () => api.client() as unknown as Client;

/** An app that reads the posts, the users and the pages of comments, and creates posts. */
interface App {
  readonly posts: () => unknown;
  readonly error: () => unknown;
  readonly comments: () => readonly unknown[] | undefined;
  readonly loadNextPage: () => Promise<unknown>;
  readonly write: (variables: object) => Promise<unknown>;
}

function startSwr(fixed: (posts: never) => object): App {
  Object.assign(globalThis, { IS_REACT_NATIVE_TEST_ENVIRONMENT: true });
  let app: App | undefined;
  function Reader(): null {
    const { mutate } = useSWRConfig();
    const query = swr.queryOptions(site(), '/wp/v2/posts');
    const posts = useSWR(query.key, query.fetcher);
    const list = swr.infiniteQueryOptions(site(), '/wp/v2/comments');
    const comments = useSWRInfinite(list.getKey, list.fetcher, list);
    const options = fixed(query as never) as never;
    const creation = swr.mutationOptions(site(), mutate, 'POST', '/wp/v2/posts', options);
    const { trigger } = useSWRMutation(creation.key, creation.fetcher, creation);
    const users = swr.queryOptions(site(), '/wp/v2/users');
    useSWR(users.key, users.fetcher);
    const { data, error } = posts;
    const pages = comments.data;
    app = {
      posts: () => data,
      error: () => error,
      comments: () => pages?.flatMap(({ items }) => items),
      loadNextPage: () => comments.setSize((size) => size + 1),
      write: (variables) => trigger(variables as never),
    };
    return null;
  }
  const provider = new Map();
  const value = { provider: () => provider, dedupingInterval: 0, shouldRetryOnError: false };
  const root = create(createElement(SWRConfig, { value }, createElement(Reader)));
  onTestFinished(() => root.unmount());
  const current = () => {
    if (app === undefined) throw new Error('the app has not been rendered');
    return app;
  };
  return {
    posts: () => app?.posts(),
    error: () => app?.error(),
    comments: () => app?.comments(),
    loadNextPage: () => current().loadNextPage(),
    write: (variables) => current().write(variables),
  };
}

function startColada(fixed: (posts: never) => object): App {
  const app = createApp({});
  app.use(createPinia()).use(PiniaColada);
  const scope = effectScope();
  onTestFinished(() => scope.stop());
  const start = () => {
    const query = colada.queryOptions(site(), '/wp/v2/posts');
    const posts = useQuery(query);
    useQuery(colada.queryOptions(site(), '/wp/v2/users'));
    const comments = useInfiniteQuery(colada.infiniteQueryOptions(site(), '/wp/v2/comments'));
    const options = fixed(query as never) as never;
    const creation = colada.mutationOptions(site(), useQueryCache(), 'POST', '/wp/v2/posts', options);
    const { mutateAsync } = useMutation(creation);
    return {
      posts: () => posts.data.value,
      error: () => posts.error.value,
      comments: () => comments.data.value?.pages.flatMap(({ items }) => items as unknown[]),
      loadNextPage: () => comments.loadNextPage(),
      write: (variables: object) => mutateAsync(variables as never),
    };
  };
  return app.runWithContext(() => scope.run(start)) as App;
}

describe.each([
  ['SWR', startSwr],
  ['Pinia Colada', startColada],
])('%s', (_, start) => {
  const body = { title: 'A' };

  /** Starts the app, and waits until it has read what it shows. */
  async function startAndRead(fixed: (posts: never) => object = () => ({})): Promise<App> {
    vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    let at = 0;
    api.respond(({ method, url }) => {
      if (method !== 'GET') return { body: { written: true } };
      at += 1;
      const page = new URL(url, api.origin).searchParams.get('page');
      return url.includes('comments')
        ? { headers: { 'X-WP-Total': '2', 'X-WP-TotalPages': '2' }, body: [page] }
        : { body: [at] };
    });
    const app = start(fixed);
    await waitUntil(() => app.posts() !== undefined && app.comments() !== undefined);
    await waitUntil(() => api.requests.length === 3);
    return app;
  }

  test('reads, page by page to the end', async () => {
    const app = await startAndRead();
    await app.loadNextPage();
    await waitUntil(() => app.comments()?.length === 2);
    expect(app.comments()).toEqual(['1', '2']);
    const before = api.requests.filter(({ url }) => url.includes('page=3')).length;
    await app.loadNextPage();
    expect([before, api.requests.filter(({ url }) => url.includes('page=3')).length]).toEqual([0, 0]);
  });

  test('has the error of the site', async () => {
    api.respond(() => ({ status: 404, body: { code: 'rest_no_route', message: 'm' } }));
    const app = start(() => ({}));
    await waitUntil(() => app.error() !== undefined && app.error() !== null);
    expect(app.error()).toMatchObject({ name: 'ApiError', code: 'rest_no_route' });
  });

  test.each<[string, object, readonly string[]]>([
    ['of its resource', {}, ['posts']],
    ['of further resources, lists included', { invalidates: ['/wp/v2/comments'] }, ['posts', 'comments']],
    ['of none', { invalidates: false }, []],
  ])('a mutation makes the queries stale %s', async (_, fixed, expected) => {
    const app = await startAndRead(() => fixed);
    await app.write({ body });
    await waitUntil(() => api.requests.length >= 4 + expected.length);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const read = api.requests.slice(4).map(({ url }) => /v2\/(\w+)/.exec(url)?.[1]);
    expect(read.sort()).toEqual([...expected].sort());
  });

  test('a mutation replaces the data of a query by its response', async () => {
    const app = await startAndRead((posts) => ({ updates: posts }));
    await app.write({ body });
    await waitUntil(() => JSON.stringify(app.posts()) === '{"written":true}');
    expect(api.requests).toHaveLength(4);
  });

  test('a mutation that may have changed the site makes its queries stale', async () => {
    const app = await startAndRead();
    api.respond(({ method }) => (method === 'GET' ? { body: [] } : 'break'));
    await expect(app.write({ body })).rejects.toMatchObject({ source: 'network' });
    await waitUntil(() => api.requests.length === 5);
  });
});
