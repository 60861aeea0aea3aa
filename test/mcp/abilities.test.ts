import { expect, test } from 'vitest';
import { connectAgent, runAgentGateway } from './agent.ts';

test('abilities are found by their words, described by their own schema, and run by their route', async () => {
  const running = await runAgentGateway({ writes: ['ability:content/create-draft'] });
  const { call } = await connectAgent(`${running.origin}/content/mcp`, running.login);
  const found = await call('search_operations', { query: 'create a draft' });
  expect(found.content.split('\n')[0]).toMatch(/^ability:content\/create-draft: /);
  const described = await call('describe_operation', { id: 'ability:content/create-draft' });
  expect(described.content).toContain('POST /ext-a/v1/abilities/content/create-draft/run');
  expect(described.content).toMatch(/input: \{\s+title: string;/);
  const run = await call('call_operation', {
    id: 'ability:content/create-draft',
    body: { input: { title: 'A', content: 'B' } },
  });
  expect(run).toMatchObject({
    isError: false,
    content: expect.stringContaining('"ability":"content/create-draft"'),
  });
  const refused = await call('call_operation', { id: 'ability:site/describe' });
  expect(refused.text).toContain("mcp.writes: ['ability:site/describe']");
});

test('visitors have no abilities', async () => {
  const running = await runAgentGateway();
  const { call } = await connectAgent(`${running.origin}/content/mcp`);
  expect((await call('search_operations', { query: 'create a draft' })).content).not.toContain('ability:');
  expect((await call('describe_operation', { id: 'ability:site/describe' })).isError).toBe(true);
});

test('named operations are tools of their own, without texts of the site', async () => {
  const running = await runAgentGateway({ tools: ['listPosts', 'createPost', 'none'] });
  const { call, client } = await connectAgent(`${running.origin}/content/mcp`);
  const { tools } = await client.listTools();
  expect(tools.slice(3).map(({ description, name }) => [name, description])).toEqual([
    ['listPosts', 'GET /core/v2/posts, as call_operation would call it.'],
  ]);
  expect(tools[3]?.inputSchema.properties?.['query']).toMatchObject({
    properties: { per_page: { type: ['integer'] }, order: { enum: ['asc', 'desc'] } },
  });
  const { isError, text } = await call('listPosts', { query: { per_page: 1 }, fields: ['id'] });
  expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringContaining('HTTP 200') });
});

/** The client of the SDK throws if structured content is missing, or does not have the schema of the tool. */
test.each([
  ['a whole response', { per_page: 1 }, /^HTTP 200\. total: \d+/, { response: [expect.any(Object)] }],
  ['a cut response', { per_page: 100 }, /are left out|are cut/, { response: expect.any(Array) }],
  ['another form', { _envelope: 1 }, /^HTTP 200/, { otherResponse: { status: 200 } }],
  ['an error', { per_page: 1000 }, /^HTTP 400/, undefined],
])('%s of a sampled operation has the output schema of its tool', async (_, query, text, content) => {
  const evidence = [{ kind: 'inferred', operations: ['listPosts'] }];
  const actions = [{ target: '$.info', update: {}, 'x-waygate-evidence': evidence }];
  const overlay = { overlay: '1.1.0', info: { title: 'Seen', version: '1' }, actions };
  const running = await runAgentGateway({ tools: ['listPosts', 'getPost'] }, {}, { overlay });
  const { client } = await connectAgent(`${running.origin}/content/mcp`);
  const { tools } = await client.listTools();
  const schema = { properties: { response: { items: { type: ['object'] } } } };
  expect(tools.slice(3)).toMatchObject([{ outputSchema: schema }, { name: 'getPost' }]);
  expect(tools[4]).not.toHaveProperty('outputSchema');
  const result = await client.callTool({ name: 'listPosts', arguments: { query } });
  expect(result.content[0]).toMatchObject({ text: expect.stringMatching(text) });
  const expected = content && { result: expect.stringMatching(text), ...content };
  if (expected === undefined) expect(result.structuredContent).toBeUndefined();
  else expect(result.structuredContent).toMatchObject(expected);
});
