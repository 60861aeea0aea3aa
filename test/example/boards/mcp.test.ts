import { beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
const ENDPOINT = 'http://localhost/mcp/boards';

beforeEach(async () => {
  site.reset();
  await call('POST', '/admin/mcp/toggle', { as: 'admin', body: { enabled: true } });
  await call('POST', '/admin/mcp/install-adapter', { as: 'admin' });
});

function send(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> | Response {
  const authorization = `Basic ${btoa('subscriber:demo-subscriber-password')}`;
  return site.request(ENDPOINT, { method: 'POST', headers: { authorization, ...headers }, body });
}

async function ask(method: string, params: JsonObject = {}): Promise<Json> {
  const response = await send(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return response.json();
}

async function use(name: string, values: JsonObject): Promise<{ body: Json; isError: Json | undefined }> {
  const answer = await ask('tools/call', { name, arguments: values });
  const text = memberAt(answer, 'result', 'content', 0, 'text');
  return { body: JSON.parse(String(text)), isError: memberAt(answer, 'result', 'isError') };
}

describe('the MCP endpoint', () => {
  test('is where its status says, and nowhere while it is off', async () => {
    const { body } = await call('GET', '/admin/mcp/status', { as: 'admin' });
    expect(body).toMatchObject({ endpoint: ENDPOINT, tools: { length: 5 } });
    await call('POST', '/admin/mcp/toggle', { as: 'admin', body: { enabled: false } });
    expect((await send('{}')).status).toBe(404);
  });

  test('agrees on a version of the protocol', async () => {
    const version = async (protocolVersion: string) =>
      memberAt(await ask('initialize', { protocolVersion }), 'result', 'protocolVersion');
    expect(await version('2025-03-26')).toBe('2025-03-26');
    expect(await version('1999-01-01')).toBe('2025-06-18');
    expect((await send('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  });

  test('lists the tools with the arguments of their operations', async () => {
    const tools = memberAt(await ask('tools/list'), 'result', 'tools');
    const { body } = await call('GET', '/admin/mcp/status', { as: 'admin' });
    expect([tools].flat().map((tool) => memberAt(tool, 'name'))).toEqual(memberAt(body, 'tools'));
    expect([tools].flat()[3]).toMatchObject({
      inputSchema: {
        properties: { stage_id: { type: 'integer', minimum: 1 } },
        required: ['board_id', 'task_id', 'stage_id'],
      },
      annotations: { readOnlyHint: false },
    });
  });

  test('works on the boards of the user', async () => {
    const created = await use('create-task', { board_id: '1', title: 'Zanzibar', assignees: [3] });
    const task_id = Number(memberAt(created.body, 'id'));
    expect(created).toMatchObject({ isError: false, body: { title: 'Zanzibar', assignees: [{ id: 3 }] } });
    expect((await use('move-task', { board_id: 1, task_id, stage_id: 4 })).body).toMatchObject({
      stage_id: 4,
    });
    await use('comment-on-task', { board_id: 1, task_id, content: 'From afar' });
    expect((await use('find-tasks', { search: 'zanzibar', kinds: ['task'] })).body).toMatchObject([
      { id: task_id },
    ]);
    const listed = await call('GET', '/projects', { as: 'subscriber' });
    expect((await use('list-boards', {})).body).toEqual(listed.body);
    const read = await call('GET', `/projects/1/tasks/${task_id}`, { as: 'subscriber' });
    expect(read.body).toMatchObject({ stage_id: 4, comment_count: 1, created_by: { id: 3 } });
  });

  test.each<[string, JsonObject, string]>([
    ['create-task', { board_id: '5', title: 'Not mine' }, 'rest_forbidden'],
    ['create-task', { board_id: '1' }, 'rest_missing_callback_param'],
    ['move-task', { stage_id: 4 }, 'rest_no_route'],
  ])('%s of %j is an error for the model', async (name, values, code) => {
    expect(await use(name, values)).toMatchObject({ isError: true, body: { code } });
  });

  test.each([
    ['{', 400, -32700],
    ['[]', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 200, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"erase"}}', 200, -32602],
  ])('%s is refused', async (body, status, code) => {
    const response = await send(body);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { jsonrpc: '2.0', error: { code } },
    ]);
  });

  test.each([
    [{ authorization: '' }, 401],
    [{ authorization: `Basic ${btoa('admin:guessed')}` }, 401],
    [{ origin: 'https://example.com' }, 403],
    [{ 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%j gets %d', async (headers, status) => {
    expect((await send('{"jsonrpc":"2.0","id":1,"method":"ping"}', headers)).status).toBe(status);
  });

  test('has no stream to read', async () => {
    const authorization = `Basic ${btoa('admin:demo-admin-password')}`;
    const response = await site.request(ENDPOINT, { headers: { authorization } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
