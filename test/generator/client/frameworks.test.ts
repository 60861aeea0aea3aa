import { createRequire } from 'node:module';
import { rolldown } from 'rolldown';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { toQueries } from '../../../src/generator/client/companions.ts';
import { recordedClient, recordedDocument } from '../types/documents.ts';
import { readFrameworkPages } from './documented.ts';
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
