import { expect, test } from 'vitest';
import { type Agent, connectAgent, failed, runAgentShop, type SiteResponder, useAgentShop } from './agent.ts';

const runShop = useAgentShop();
let users = 0;

/** Starts a shop, and connects a user whose abilities no other test has read. */
async function open(
  ...settings: Parameters<typeof runShop>
): Promise<Agent & Awaited<ReturnType<typeof runShop>>> {
  const shop = await runShop(...settings);
  users += 1;
  return { ...shop, ...(await connectAgent(shop.url, `Basic ${btoa(`user-${users}:b`)}`)) };
}

const DRAFT = {
  name: 'content/create-draft',
  label: 'Create a draft',
  input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
};

test('abilities are found by their words, described by their own schema, and run by their route', async () => {
  const respond: SiteResponder = ({ body, path }) => ({
    body: path.includes('/run') ? { path, body } : [DRAFT],
  });
  const { call } = await open(respond, { writes: ['ability:content/create-draft'], unasked: true });
  const found = await call('search_operations', { query: 'create a draft' });
  expect(found.content.split('\n')[0]).toMatch(/^ability:content\/create-draft: /);
  const described = await call('describe_operation', { id: 'ability:content/create-draft' });
  expect(described.content).toContain('POST /wp-abilities/v1/abilities/content/create-draft/run');
  expect(described.content).toContain('input: { title: string }');
  const run = await call('write_operation', {
    id: 'ability:content/create-draft',
    body: { input: { title: 'A' } },
  });
  expect(run.content).toContain('create-draft/run","body":{"input":{"title":"A"}}');
});

test('visitors have no abilities', async () => {
  const { url } = await runAgentShop(() => ({ body: [DRAFT] }));
  const { call } = await connectAgent(url);
  expect((await call('search_operations', { query: 'create a draft' })).content).not.toContain('ability:');
  expect((await call('describe_operation', { id: 'ability:content/create-draft' })).isError).toBe(true);
});

test('all pages of abilities are read once, and one without an input is run with an empty one', async () => {
  const pages: string[] = [];
  const ability = (at: number): object => ({
    name: `demo/ability-${at}`,
    label: `Ability ${at}`,
    input_schema: { type: 'object', properties: { a: { type: 'string' } } },
    meta: { annotations: { readonly: true } },
  });
  const { call } = await open(
    ({ path }) => {
      if (path.includes('/run')) return { body: { path } };
      pages.push(path);
      const page = Number(/&page=(\d)/.exec(path)?.[1]);
      const headers = { 'x-wp-totalpages': '2' };
      return {
        headers,
        body: Array.from({ length: page === 1 ? 100 : 7 }, (_, at) => ability(page * 100 + at)),
      };
    },
    { reads: ['*', 'ability:demo/ability-206'], unasked: true },
  );
  const found = await call('search_operations', { query: 'ability 206' });
  expect(found.content).toContain('ability:demo/ability-206');
  await call('search_operations', { query: 'ability 101' });
  expect(pages.length).toBe(2);
  for (const args of [{}, { query: { input: {} } }]) {
    const run = await call('read_operation', { id: 'ability:demo/ability-206', ...args });
    expect(run.content).toContain('/demo/ability-206/run?input=');
  }
});

const FETCH = {
  name: 'demo/fetch',
  label: 'Fetch',
  input_schema: { type: 'object', properties: { words: { type: 'string' } } },
  meta: { annotations: { readonly: true } },
};

test.each([
  [{ readonly: true }, 'read_operation', '--reads ability:demo/fetch'],
  [{}, 'write_operation', '--writes manage'],
  [{ destructive: true, idempotent: true }, 'write_operation', '--writes manage'],
])('the level of an ability with %j is manage', async (annotations, tool, message) => {
  const ability = { ...FETCH, meta: { annotations } };
  const { call, requests } = await open(() => ({ body: [ability] }), { writes: ['publish'] });
  const sent = { input: { words: 'a@b.example' } };
  const isInQuery = Object.keys(annotations).length > 0;
  const args = isInQuery ? { query: sent } : { body: sent };
  expect(await call(tool, { id: 'ability:demo/fetch', ...args })).toMatchObject(failed(message));
  expect(requests.map(({ path }) => path).filter((path) => path.includes('/run'))).toEqual([]);
});

test('an ability that declares to read only is a read if the operator lists its plugin', async () => {
  const writing = { ...FETCH, name: 'demo/write', meta: { annotations: { destructive: true } } };
  const respond: SiteResponder = ({ path }) => ({
    body: path.includes('/run') ? { ran: true } : [FETCH, writing],
  });
  const { call } = await open(respond, { abilities: ['demo'] });
  expect(
    (await call('read_operation', { id: 'ability:demo/fetch', query: { input: { words: 'a' } } })).isError,
  ).toBe(false);
  const { content } = await call('search_operations', { query: 'fetch' });
  expect(content.split('\n')[0]).toMatch(/^ability:demo\/fetch: GET .*\(read\)/);
  expect((await call('search_operations', { query: 'demo write' })).content).toContain(
    'ability:demo/write: POST /wp-abilities/v1/abilities/demo/write/run (manage, not allowed)',
  );
});

test('abilities are not asked for where reading is narrowed to something else', async () => {
  const { call, requests } = await open(() => ({ body: [FETCH] }), { reads: ['wc/v3'] });
  const { content } = await call('search_operations', { query: 'fetch orders' });
  expect(content).not.toContain('ability:');
  expect(requests).toEqual([]);
});

/** Schemas that broke other servers: WordPress/mcp-adapter#207 and #175, disable-comments#163. */
test.each([
  [
    'with a callback that is an object',
    { type: 'object', properties: { a: { sanitize_callback: { x: {} } } } },
  ],
  ['with properties as PHP writes an empty list', { type: 'object', properties: [] }],
  ['that is absent', undefined],
])('an ability with a schema %s is described and run', async (_, input_schema) => {
  const ability = { name: 'demo/a', label: 'A', input_schema };
  const { call, requests } = await open(
    ({ path }) => ({ body: path.includes('/run') ? { ran: true } : [ability] }),
    { writes: ['ability:demo/a'], unasked: true },
  );
  expect((await call('describe_operation', { id: 'ability:demo/a' })).content).toContain('POST ');
  const { content } = await call('write_operation', { id: 'ability:demo/a' });
  expect(JSON.parse(content)).toEqual({ ran: true });
  const sent = requests.findLast(({ path }) => path.includes('/run'))?.body;
  expect(sent ?? null).toEqual(input_schema === undefined ? null : { input: {} });
});
