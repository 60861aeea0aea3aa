import { rolldown } from 'rolldown';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createMock } from '../../../src/create-mock.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { recordedClient, recordedDocument } from '../types/documents.ts';
import { readFrameworkPages, readTestingGuide, shopDocument } from './documented.ts';
import { useStubApi } from './runtime/stub.ts';

/** What the pages import, as far as they need it. */
const LIBRARIES: Readonly<Record<string, string>> = {
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
  modules = {
    ...LIBRARIES,
    ...pages,
    'page4.ts': `${pages['page4.ts']}\nexport { posts };`,
    'site.client.ts': await recordedClient(),
    'shop.client.ts': await toClient(shopDocument()),
    ...(await readTestingGuide()),
  };
});
beforeEach(() => api.respond(() => ({ body: [{ id: 1, title: { rendered: 'A' } }] })));
afterEach(() => vi.unstubAllGlobals());

/** Runs a program that imports a page, as on a server. */
async function run(program: string): Promise<Readonly<Record<string, unknown>>> {
  const build = await rolldown({
    input: 'program.ts',
    platform: 'node',
    plugins: [
      {
        name: 'modules of the test',
        resolveId(id) {
          const name = id.replace('./', '');
          return name === 'program.ts' || Object.hasOwn(modules, name) ? `\0${name}` : null;
        },
        load(id) {
          const code = id === '\0program.ts' ? program : modules[id.slice(1)];
          if (code === undefined) return null;
          const served = code.replaceAll('http://127.0.0.1:8080', api.origin);
          return { code: served, moduleType: 'ts' };
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
  const { call } = (await run(program)) as {
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
  const { tests } = await run(`import './testing${at}.ts'; export { tests } from 'vitest';`);
  expect(tests).toHaveLength(1);
  for (const each of tests as readonly (() => Promise<void>)[]) await each();
});

/** The framework is stood in for: this shows that the printed code asks once, not that a framework runs it once. */
test.each([
  ['SvelteKit', `import { load } from './page2.ts'; export const { posts } = await load();`],
  ['Astro', `export { posts } from './page4.ts';`],
])('a page of the guide asks the site once: %s', async (_, program) => {
  const { posts } = await run(program);
  expect(posts).toEqual([{ id: 1, title: { rendered: 'A' } }]);
  expect(api.targets).toEqual(['GET /wp-json/wp/v2/posts?per_page=5&_fields[0]=id&_fields[1]=title']);
});
