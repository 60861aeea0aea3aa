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
  const run = await call('write_operation', {
    id: 'ability:content/create-draft',
    body: { input: { title: 'A', content: 'B' } },
  });
  expect(run).toMatchObject({
    isError: false,
    content: expect.stringContaining('"ability":"content/create-draft"'),
  });
  const refused = await call('write_operation', { id: 'ability:site/describe' });
  expect(refused.text).toContain("mcp.writes: ['ability:site/describe']");
});

test('visitors have no abilities', async () => {
  const running = await runAgentGateway();
  const { call } = await connectAgent(`${running.origin}/content/mcp`);
  expect((await call('search_operations', { query: 'create a draft' })).content).not.toContain('ability:');
  expect((await call('describe_operation', { id: 'ability:site/describe' })).isError).toBe(true);
});
