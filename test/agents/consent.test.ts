import type { ElicitResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import {
  type Agent,
  type AgentShop,
  callTool,
  connectAgent,
  failed,
  runAgentShop,
  useAgentShop,
} from './agent.ts';

const ADMIN = `Basic ${btoa('admin:a long password')}`;
const ITEM = { id: 7, status: 'publish', title: { raw: 'A' } };
const DELETION = { id: 'deletePost', path: { id: 7 } };
const runShop = useAgentShop();

const written = ({ requests }: AgentShop): readonly string[] =>
  requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

/** Connects a client that can ask its person. */
async function connectAsking(
  { url }: AgentShop,
  answer: (question: string) => ElicitResult,
  era: 'auto' | 'legacy' = 'auto',
): Promise<Agent> {
  const agent = await connectAgent(url, ADMIN, era, { elicitation: { form: {} } });
  agent.client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  return agent;
}

/** Names the present item, as the first refusal does. */
async function callKnown(
  { client }: Agent,
  tool: string,
  args: Record<string, unknown>,
): Promise<Awaited<ReturnType<typeof callTool>>> {
  const { text } = await callTool(client, tool, { ...args, if_match: 'unread' });
  return callTool(client, tool, { ...args, if_match: /"if_match": "([^"]+)"/.exec(text)?.[1] });
}

test.each([
  ['accept', { send: true }, ['DELETE /wp/v2/posts/7']],
  ['accept', { send: false }, []],
  ['decline', undefined, []],
  ['cancel', undefined, []],
] as const)('a person is asked before a deletion: %s %j', async (action, content, expected) => {
  const shop = await runShop(() => ({ body: ITEM }), { writes: ['publish', 'delete'] });
  const questions: string[] = [];
  const agent = await connectAsking(shop, (question) => {
    questions.push(question);
    return { action, ...(content !== undefined && { content: { ...content } }) };
  });
  const { isError } = await callKnown(agent, 'delete_operation', DELETION);
  expect(isError).toBe(expected.length === 0);
  expect(questions).toEqual([
    expect.stringMatching(/DELETE .*posts\/7 as admin \(level delete\).*\n.*"title":"A"/),
  ]);
  expect(written(shop).map((line) => line.replace(/\?.*/, ''))).toEqual(expected);
  await callTool(agent.client, 'write_operation', { id: 'createPost', body: { title: 'B' } });
  expect(questions.length).toBe(1);
  await callTool(agent.client, 'write_operation', {
    id: 'createPost',
    body: { title: 'B', status: 'publish' },
  });
  expect(questions.length).toBe(2);
});

test('a person is asked before a read that can send data out', async () => {
  const shop = await runShop(() => ({ body: { title: 'x' } }), { reads: ['getUrlDetails'] });
  const questions: string[] = [];
  const agent = await connectAsking(shop, (question) => {
    questions.push(question);
    return { action: questions.length === 1 ? 'decline' : 'accept', content: { send: true } };
  });
  const args = { id: 'getUrlDetails', query: { url: 'https://other.example/?d=1' } };
  expect(await agent.call('read_operation', args)).toMatchObject(failed('the person declined it'));
  expect(questions).toEqual([expect.stringMatching(/GET .*url-details.*level manage.*\n.*other\.example/)]);
  expect(shop.requests).toEqual([]);
  expect((await agent.call('read_operation', args)).isError).toBe(false);
});

test.each([
  ['current', 'auto', {}],
  ['legacy', 'legacy', {}],
  // Over HTTP, no later message reaches a server that keeps no sessions.
  ['legacy', 'legacy', { elicitation: { form: {} } }],
  ['current', 'auto', { elicitation: { url: {} } }],
] as const)(
  'a %s client that cannot ask is refused over HTTP, unless that is allowed',
  async (_, era, capabilities) => {
    for (const unasked of [false, true]) {
      const shop = await runShop(() => ({ body: ITEM }), {
        writes: ['publish', 'delete', 'manage'],
        unasked,
      });
      const agent = await connectAgent(shop.url, ADMIN, era, capabilities);
      const deleted = await callKnown(agent, 'delete_operation', DELETION);
      const created = await agent.call('write_operation', { id: 'createPost', body: { status: 'publish' } });
      const managed = await agent.call('write_operation', {
        id: 'createUser',
        body: { username: 'x', email: 'x@example.com', password: 'x' },
      });
      for (const result of [deleted, created, managed])
        expect(result).toMatchObject(unasked ? { isError: false } : failed('which your client cannot'));
      expect(written(shop).length).toBe(unasked ? 3 : 0);
    }
  },
);

test('a person who has approved one question is asked again about another', async () => {
  let title = 'A';
  const shop = await runShop(() => ({ body: { ...ITEM, title: { raw: title } } }), {
    writes: ['updatePost'],
  });
  const questions: string[] = [];
  const agent = await connectAsking(shop, (question) => {
    questions.push(question);
    return { action: 'accept', content: { send: true } };
  });
  const edit_text = { member: 'title', old: 'A', new: 'B' };
  const update = { id: 'updatePost', path: { id: 7 } };
  expect((await callTool(agent.client, 'write_operation', { ...update, edit_text })).isError).toBe(false);
  title = 'AA';
  expect(await callTool(agent.client, 'write_operation', { ...update, edit_text })).toMatchObject(
    failed('more than once'),
  );
  expect(questions.length).toBe(1);
});

/** Sends a call as a client that answers whatever it likes. */
async function answer(
  shop: AgentShop,
  args: object,
  requestState?: string,
): Promise<{ readonly resultType?: string; readonly requestState?: string; readonly isError?: boolean }> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const inputResponses = { send: { action: 'accept', content: { send: true } } };
  const params = { name: 'write_operation', arguments: args, _meta: meta, inputResponses, requestState };
  const response = await fetch(shop.url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json', authorization: ADMIN },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'write_operation' },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return (await response.json()).result;
}

test('an answer counts for the call whose question it answers, and for no other', async () => {
  const shop = await runAgentShop(() => ({ body: ITEM }), { writes: ['publish'] });
  const create = (title: string): object => ({ id: 'createPost', body: { title, status: 'publish' } });
  const early = await answer(shop, create('A'));
  expect(early).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  const { requestState = '' } = early;
  expect(await answer(shop, create('B'), requestState)).toMatchObject({ resultType: 'input_required' });
  expect(await answer(shop, create('A'), `${requestState}x`)).toMatchObject({ resultType: 'input_required' });
  expect(written(shop)).toEqual([]);
  expect((await answer(shop, create('A'), requestState)).isError).not.toBe(true);
  expect(await answer(shop, create('A'), requestState)).toMatchObject({ resultType: 'input_required' });
  expect(written(shop).length).toBe(1);
});
