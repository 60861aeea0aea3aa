import { createRequire } from 'node:module';
import { rolldown } from 'rolldown';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMock } from '../../../src/create-mock.ts';
import { toClient, toQueries } from '../../../src/generator/client/index.ts';
import { recordedClient, recordedDocument } from '../types/documents.ts';
import { readFrameworkPages, readTestingGuide, shopDocument } from './documented.ts';
import { useStubApi } from './runtime/stub.ts';

/** React and its hooks of TanStack Query as far as the page needs them. The cache is the library's own. */
const LIBRARIES: Readonly<Record<string, string>> = {
  react: 'export const useState = (create) => [create()];',
  'react/jsx-runtime': 'export const jsx = (type, props) => ({ type, props });',
  '@tanstack/react-query': `import { hydrate, QueryObserver } from '@tanstack/query-core';
    export * from '@tanstack/query-core';
    let queries;
    export const observers = [];
    export function QueryClientProvider({ client, children }) {
      queries = client;
      return children;
    }
    export function HydrationBoundary({ state, children }) {
      hydrate(queries, state);
      return children;
    }
    export function useQuery(options) {
      const observer = new QueryObserver(queries, options);
      observers.push(observer);
      observer.subscribe(() => {});
      return observer.getCurrentResult();
    }
    export function render({ type, props }) {
      if (typeof type === 'function') render(type(props));
    }`,
  '@sveltejs/kit': 'export const fail = (status, data) => ({ status, data });',
  h3: `export const createError = (error) => error;
    export const defineEventHandler = (handle) => handle;
    export const getCookie = ({ cookies }, name) => cookies.get(name);
    export const readBody = ({ body }) => body;
    export const setCookie = ({ cookies }, name, value) => void cookies.set(name, value);`,
  waygate: 'export const createMock = globalThis.createMock;',
  'node:fs/promises': 'export const readFile = async () => globalThis.file;',
  vitest: `export const tests = [];
    export const test = (_, run) => void tests.push(run);
    export const beforeAll = (run) => run();
    export const afterAll = () => undefined;
    export const expect = globalThis.expect;`,
  msw: `const handler = (url, resolve) => ({ url: url.replace('*', ''), resolve });
    export const http = { all: handler, get: handler };
    export const HttpResponse = Response;`,
  'msw/node': `export function setupServer(...handlers) {
      const use = (...others) => void handlers.unshift(...others);
      const answer = (request) => handlers.find(({ url }) => request.url.startsWith(url)).resolve({ request });
      return { use, listen: () => void (globalThis.fetch = async (request) => answer(request)) };
    }`,
};

const api = useStubApi();
let modules: Readonly<Record<string, string>>;
beforeAll(async () => {
  const pages = await readFrameworkPages();
  const withExport = (name: string) => ({ [name]: `${pages[name]}\nexport { posts };` });
  modules = {
    ...LIBRARIES,
    ...pages,
    ...withExport('page0.ts'),
    ...withExport('page4.ts'),
    'site.client.ts': await recordedClient(),
    'shop.client.ts': await toClient(shopDocument()),
    ...(await readTestingGuide()),
    'site.tanstack.ts': await toQueries(recordedDocument(), 'site', 'react'),
  };
});
beforeEach(() => api.respond(() => ({ body: [{ id: 1, title: { rendered: 'A' } }] })));
afterEach(() => vi.unstubAllGlobals());

/** Runs a program that imports a page, as on a server or as in a browser. */
async function run(program: string, place: 'server' | 'browser'): Promise<Readonly<Record<string, unknown>>> {
  if (place === 'browser') vi.stubGlobal('location', { href: `${api.origin}/posts` });
  const { resolve } = createRequire(import.meta.url);
  const build = await rolldown({
    input: 'program.ts',
    platform: 'node',
    transform: { define: { 'import.meta.env.SSR': String(place === 'server') } },
    plugins: [
      {
        name: 'modules of the test',
        resolveId(id) {
          const name = id.replace('./', '');
          if (name === 'program.ts' || Object.hasOwn(modules, name)) return `\0${name}`;
          return id === '@tanstack/query-core' ? resolve(id) : null;
        },
        load(id) {
          const code = id === '\0program.ts' ? program : modules[id.slice(1)];
          if (code === undefined) return null;
          const served = code.replaceAll('http://127.0.0.1:8080', api.origin);
          return { code: served, moduleType: id.endsWith('.tsx') ? 'tsx' : 'ts' };
        },
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm' });
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** Programs of a shop's visitor, whose cookies a server reads and writes. */
test.each([
  [
    'SvelteKit',
    `import { actions, load } from './page7.ts';
    export async function call(cookies, id) {
      const form = new FormData();
      form.set('id', id);
      await actions.add({ cookies, request: new Request('http://x', { method: 'POST', body: form }) });
      return load({ cookies });
    }`,
  ],
  [
    'Nuxt',
    `import handle from './page8.ts';
    export const call = (cookies, id) => handle({ cookies, body: { id } });`,
  ],
])('a cart in %s belongs to the visitor whose cookie names it', async (_, program) => {
  api.respond(({ headers }) => ({
    headers: { 'Cart-Token': `${headers['cart-token'] ?? 'new'}+`, Nonce: 'n' },
    body: { items: [] },
  }));
  const { call } = (await run(program, 'server')) as {
    readonly call: (cookies: Map<string, string>, id: number) => Promise<unknown>;
  };
  const [one, other] = [new Map<string, string>(), new Map<string, string>()];
  await call(one, 5);
  const first = String(one.get('cart'));
  await call(one, 6);
  await call(other, 7);
  expect(first).toMatch(/^new\+/);
  expect(one.get('cart')).toMatch(new RegExp(`^new\\+{${first.length - 2},}$`));
  expect(other.get('cart')).toBe(first);
});

test.each([0, 1])('the tests of the guide pass (%i)', async (at) => {
  vi.stubGlobal('createMock', createMock);
  vi.stubGlobal('file', JSON.stringify(recordedDocument()));
  vi.stubGlobal('expect', expect);
  vi.stubGlobal('fetch', globalThis.fetch);
  const { tests } = await run(`import './testing${at}.ts'; export { tests } from 'vitest';`, 'server');
  expect(tests).toHaveLength(1);
  for (const each of tests as readonly (() => Promise<void>)[]) await each();
});

/** The frameworks are stood in for: this shows that the printed code asks once, not that a framework runs it once. */
describe('a page of the guide asks the site once', () => {
  test.each([
    ['SvelteKit', `import { load } from './page2.ts'; export const { posts } = await load();`],
    ['Astro', `export { posts } from './page4.ts';`],
  ])('%s, on the server', async (_, program) => {
    const { posts } = await run(program, 'server');
    expect(posts).toEqual([{ id: 1, title: { rendered: 'A' } }]);
    expect(api.targets).toEqual(['GET /wp-json/wp/v2/posts?per_page=5&_fields[0]=id&_fields[1]=title']);
  });

  test('Nuxt, whose browser takes the payload of the server', async () => {
    const payload = new Map<string, unknown>();
    vi.stubGlobal('useRuntimeConfig', () => ({ public: { site: `${api.origin}/wp-json` } }));
    vi.stubGlobal('useAsyncData', async (key: string, read: () => Promise<unknown>) => {
      if (!payload.has(key)) payload.set(key, await read());
      return { data: payload.get(key) };
    });
    for (const place of ['server', 'browser'] as const)
      expect((await run(`export { posts } from './page0.ts';`, place))['posts']).toHaveLength(1);
    expect(api.requests).toHaveLength(1);
  });

  test('React Router, whose browser finds by its key what the server has read', async () => {
    const server = `import { loader } from './page6.tsx'; export const state = JSON.stringify(await loader());`;
    const { state } = await run(server, 'server');
    const browser = `import Page from './page6.tsx';
      import { observers, render } from '@tanstack/react-query';
      render(Page({ loaderData: ${state} }));
      export const [{ data, fetchStatus }] = observers.map((observer) => observer.getCurrentResult());`;
    expect(await run(browser, 'browser')).toMatchObject({ data: [{ id: 1 }], fetchStatus: 'idle' });
    expect(api.requests).toHaveLength(1);
  });
});
