import {
  InfiniteQueryObserver,
  keepPreviousData,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { toTanstack } from '../../src/client/companions.ts';
import { toClient } from '../../src/client/index.ts';
import { createMock, defineConfig } from '../../src/index.ts';
import { readDocumented } from './documented.ts';

/** What an example exports. A test calls it as a program would. */
// biome-ignore lint/suspicious/noExplicitAny: each example has its own exports, and the test of their types is another
type Exports = any;

const AsyncFunction = (async () => {}).constructor as new (
  ...texts: readonly string[]
) => (...values: readonly unknown[]) => Promise<void>;

/** Runs a module. It may await at its top. */
async function load(code: string, modules: Readonly<Record<string, unknown>>): Promise<Exports> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  const exports: Exports = {};
  const require = (name: string): unknown => modules[name] ?? expect.fail(`no module ${name}`);
  await new AsyncFunction('require', 'exports', outputText)(require, exports);
  return exports;
}

/** Stands for React, which calls a hook again when its data has arrived. */
let queries: QueryClient;
const observe = (observer: {
  getCurrentResult(): unknown;
  subscribe(notify: () => void): unknown;
}): unknown => {
  observer.subscribe(() => {});
  return observer.getCurrentResult();
};
const REACT_QUERY = {
  keepPreviousData,
  useQuery: (options: never) => observe(new QueryObserver(queries, options)),
  useInfiniteQuery: (options: never) => observe(new InfiniteQueryObserver(queries, options)),
  useMutation: (options: never) => {
    const observer = new MutationObserver(queries, options);
    return { mutate: (variables: never) => void observer.mutate(variables) };
  },
};
const SWR = {
  __esModule: true,
  default: (queryKey: readonly unknown[], queryFn: () => Promise<unknown>) =>
    observe(new QueryObserver(queries, { queryKey, queryFn, retry: false })),
};

const LIBRARIES = {
  '@tanstack/react-query': REACT_QUERY,
  swr: SWR,
  waygate: { defineConfig },
};

const { document, examples } = await readDocumented();
const mock = createMock(document);
let modules: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  const beside = { name: 'site', client: './site.client.ts' };
  const client = await load(await toClient(document), {});
  const own = { './site.client.ts': client };
  modules = {
    ...LIBRARIES,
    ...own,
    './site.tanstack.ts': await load(await toTanstack(document, beside, 'react'), own),
  };
});

/** The requests of an example. */
let sent: Request[];
beforeEach(() => {
  sent = [];
  queries = new QueryClient();
  vi.stubGlobal('location', { href: 'https://example.com/' });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
  vi.stubGlobal('wpApiSettings', { root: 'https://example.com/wp-json/', nonce: 'abc' });
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    return mock.fetch(request);
  });
});
afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
});
afterAll(() => mock.stop());

/** Finds the one example that has a text, and runs it. */
async function runExample(text: string): Promise<Exports> {
  const found = examples.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  ran.add(text);
  return load(found[0] ?? '', modules);
}
const ran = new Set<string>();

/** Repeats what may not be so yet. */
const wait = (check: () => void): Promise<void> => vi.waitFor(check, 20_000);

const requests = (): readonly string[] =>
  sent.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('https://example.com', ''))}`);

test('read, edit, write', async () => {
  const { rename } = await runExample('...post, title');
  expect(await rename(7, 'A title')).toBe('A title');
  expect(requests()).toEqual(['GET /wp-json/wp/v2/posts/7?context=edit', 'POST /wp-json/wp/v2/posts/7']);
});

test('what the index does not declare', async () => {
  const { minutes } = await runExample("extra: { source: 'import' }");
  expect(minutes.length).toBeGreaterThan(0);
  expect(requests()).toEqual(['GET /wp-json/wp/v2/pages?lang=de&context=edit', 'POST /wp-json/wp/v2/pages']);
  expect(await sent[1]?.json()).toEqual({ title: 'Hallo', lang: 'de', source: 'import' });
});

test('declared once for document, client and gateway', async () => {
  const { default: config } = await runExample('defineConfig({');
  expect(Object.keys(config.sites[0].extend)).toEqual(['/wp/v2/posts', 'POST /wp/v2/posts/{id}']);
});

test('errors', async () => {
  const { explain, guarded } = await runExample('export function explain');
  const { createClient } = Object(modules['./site.client.ts']);
  const client = createClient({ baseUrl: '/wp-json', throw: true });
  const read = async (id: number | string): Promise<void> =>
    void (await client.GET('/wp/v2/posts/{id}', { path: { id } }));
  expect(await guarded(() => read(7))).toBe('');
  expect(await guarded(() => read(987_654))).toBe('Invalid ID: there is no such item in posts.');
  const { error } = await createClient({ baseUrl: '/wp-json' }).GET('/wp/v2/posts', { query: { page: 0 } });
  expect(explain(error)).toMatch(/^Invalid parameter\(s\): page\npage must be greater/);
});

test('calls by path', async () => {
  const { countPosts } = await runExample('export async function countPosts');
  expect(await countPosts()).toBeGreaterThan(0);
  expect(requests()).toEqual(['GET /wp-json/wp/v2/posts?per_page=1&_fields[0]=id']);
});

test('TanStack Query', async () => {
  const { usePost, useRename, useSiteTitle, useTable, useTitles } = await runExample('useInfiniteQuery');
  await wait(() => expect(usePost(7)?.id).toBe(7));
  await wait(() => expect(useTitles().length).toBeGreaterThan(0));
  await wait(() => expect(useTable(1)[0].length).toBeGreaterThan(0));
  useRename(7)('Renamed');
  await wait(() => expect(usePost(7)?.title.rendered).toBe('Renamed'));
  await wait(() => expect(useSiteTitle()[0]).not.toBe(''));
  useSiteTitle()[1]('Another');
  await wait(() => expect(useSiteTitle()[0]).toBe('Another'));
});

test('uploads with progress, as the user of the cookie', async () => {
  const { upload } = await runExample('withProgress');
  const shares: number[] = [];
  const file = new File(['pixels'], 'photo.jpg', { type: 'image/jpeg' });
  expect(await upload(file, (share: number) => shares.push(share))).toMatch(/^http/);
  expect([sent[0]?.headers.get('x-wp-nonce'), shares.at(-1)]).toEqual(['abc', 1]);
});

test('the cart of a shop', async () => {
  const { shop } = await runExample('wooStore({');
  expect((await shop.GET('/wp/v2/posts')).error).toBeUndefined();
});

test('functions around the client', async () => {
  const { PostTitles } = await runExample('useSWR(');
  await wait(() => expect(PostTitles().length).toBeGreaterThan(0));
});

test('from @wordpress/api-fetch', async () => {
  const { drafts, rename } = await runExample('refreshNonce');
  const [posts, total] = await drafts();
  expect(posts.length).toBeLessThanOrEqual(total);
  expect(await rename(7, 'A title')).toBe('A title');
  expect(sent.map(({ headers }) => headers.get('x-wp-nonce'))).toEqual(['abc', 'abc']);
});

test('from wpapi', async () => {
  const { example } = await runExample('export async function example');
  for (let count = 0; count < 25; count += 1)
    await fetch('https://example.com/wp-json/wp/v2/posts', {
      method: 'POST',
      body: new URLSearchParams({ author: '5', status: 'publish' }),
    });
  const [names, pages] = await example('ada', 'secret', new Blob(['pixels'], { type: 'image/jpeg' }));
  expect(names.length).toBeGreaterThanOrEqual(5);
  expect([typeof names[0], pages]).toEqual(['string', 2]);
});

test('from openapi-fetch', async () => {
  const { title } = await runExample("return 'no such post'");
  expect(await title(987_654)).toBe('no such post');
  expect(await title(7)).toMatch(/./);
});

test('from hey-api', async () => {
  const { copy } = await runExample('export async function copy');
  expect(await copy(7)).toBeGreaterThan(0);
  expect(sent[1]?.headers.get('authorization')).toBe('Bearer token');
});

test('each example has run', () => {
  expect(ran.size).toBe(examples.length);
});
