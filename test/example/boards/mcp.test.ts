import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import {
  createAuthorizationHeader,
  type Login,
  type RunningExample,
  startExample,
} from '../gateway/running.ts';
import { type Body, type Call, createCall } from '../support/site-client.ts';

let example: RunningExample;
let call: Call;
const clients: Client[] = [];

beforeAll(async () => {
  example = await startExample();
  call = createCall(example.boards, '/boards/v2', (path, init) =>
    fetch(new URL(path, example.siteUrls.boards), init),
  );
});
afterAll(() => example.stop());

beforeEach(async () => {
  example.boards.reset();
  await call('admin', 'POST /admin/mcp/toggle', { enabled: true });
  await call('admin', 'POST /admin/mcp/install-adapter');
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  expect(example.faults).toEqual([]);
});

type Server = 'the site' | 'the gateway';

function endpointOf(server: Server): string {
  return server === 'the site'
    ? `${example.siteUrls.boards}mcp/boards`
    : `${example.origin}/boards/mcp/boards`;
}

interface ConnectOptions {
  readonly server?: Server;
  readonly mode?: 'legacy' | 'auto';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connects the official client, as a user of the site. */
async function connect(login: Login, { server = 'the site', mode = 'auto', headers }: ConnectOptions = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(endpointOf(server)), {
      requestInit: { headers: { ...createAuthorizationHeader(login), ...headers } },
    }),
  );
  return client;
}

/** Calls a tool, and parses the text of its result. */
async function use(
  client: Client,
  name: string,
  values: JsonObject,
): Promise<{ body: Body; isError?: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: values });
  const [first] = content;
  return { body: JSON.parse(first?.type === 'text' ? first.text : ''), isError: isError === true };
}

/** Sends bytes that no client would. */
function send(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  const own = { ...createAuthorizationHeader('subscriber'), accept, 'content-type': 'application/json' };
  return fetch(endpointOf('the site'), { method: 'POST', headers: { ...own, ...headers }, body });
}

describe.each<[Server, 'legacy' | 'auto', string]>([
  ['the site', 'legacy', '2025-11-25'],
  ['the site', 'auto', '2026-07-28'],
  ['the gateway', 'legacy', '2025-11-25'],
  ['the gateway', 'auto', '2026-07-28'],
])('the official client at %s, negotiation %s', (server, mode, version) => {
  test('agrees on a version, lists the tools and works on the boards of its user', async () => {
    const client = await connect('subscriber', { server, mode });
    expect(client.getServerVersion()).toEqual({ name: 'example-boards', version: '1.0.0' });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    const { body: status } = await call('admin', 'GET /admin/mcp/status');
    expect(tools.map(({ name }) => name)).toEqual(status.tools);

    const created = await use(client, 'create-task', { board_id: 1, title: 'Zanzibar', assignees: [3] });
    const task_id = created.body.id;
    expect(created).toMatchObject({ isError: false, body: { title: 'Zanzibar', assignees: [{ id: 3 }] } });
    const moved = await use(client, 'move-task', { board_id: 1, task_id, stage_id: 4 });
    expect(moved.body).toMatchObject({ stage_id: 4 });
    await use(client, 'comment-on-task', { board_id: 1, task_id, content: 'From afar' });
    const found = await use(client, 'find-tasks', { search: 'zanzibar', kinds: ['task'] });
    expect(found.body).toMatchObject([{ id: task_id }]);
    const listed = await call('subscriber', 'GET /projects');
    expect((await use(client, 'list-boards', {})).body).toEqual(listed.body);
    const read = await call('subscriber', `GET /projects/1/tasks/${task_id}`);
    expect(read.body).toMatchObject({ stage_id: 4, comment_count: 1, created_by: { id: 3 } });
  });

  test('gets refusals of the site as results, and an error for a tool that does not exist', async () => {
    const client = await connect('subscriber', { server, mode });
    for (const [name, values, code] of REFUSED) {
      expect(await use(client, name, values), name).toMatchObject({ isError: true, body: { code } });
    }
    for (const name of ['erase', 'constructor', '__proto__', '']) {
      await expect(client.callTool({ name })).rejects.toMatchObject({ code: -32602 });
    }
  });
});

/** Calls of tools that the site refuses. */
const REFUSED: readonly (readonly [tool: string, values: JsonObject, code: string])[] = [
  ['create-task', { board_id: 5, title: 'Not mine' }, 'rest_forbidden'],
  ['create-task', { board_id: 1 }, 'rest_missing_callback_param'],
  ['create-task', { board_id: 1, title: 'Soon', due_at: 'tomorrow' }, 'rest_invalid_param'],
  ['move-task', { stage_id: 4 }, 'rest_no_route'],
  ['move-task', { board_id: '1/tasks/3/pin?', task_id: 3, stage_id: 4 }, 'rest_no_route'],
];

describe('the MCP endpoint', () => {
  test('is where its status says, and nowhere while it is off', async () => {
    const { body } = await call('admin', 'GET /admin/mcp/status');
    expect(body).toMatchObject({ endpoint: endpointOf('the site'), tools: { length: 5 } });
    await call('admin', 'POST /admin/mcp/toggle', { enabled: false });
    expect((await send('{}')).status).toBe(404);
  });

  test('describes the arguments of the tools in JSON Schema', async () => {
    const { tools } = await (await connect('editor')).listTools();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { inputSchema } of tools) expect(ajv.validateSchema(inputSchema), ajv.errorsText()).toBe(true);
    expect(tools[3]).toMatchObject({
      inputSchema: {
        properties: { stage_id: { type: 'integer', minimum: 1 } },
        required: ['board_id', 'task_id', 'stage_id'],
      },
      annotations: { readOnlyHint: false },
    });
  });

  test('serves twenty calls at a time, each for its own user', async () => {
    const users = await Promise.all([connect('subscriber'), connect('admin')]);
    const lengths = await Promise.all(
      Array.from({ length: 20 }, async (_, each) => {
        const { body } = await use(users[each % 2] ?? users[0], 'list-boards', {});
        return [body].flat().length;
      }),
    );
    expect([...new Set(lengths.filter((_, each) => each % 2 === 0))]).toEqual([6]);
    expect([...new Set(lengths.filter((_, each) => each % 2 === 1))]).toEqual([7]);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['no credentials', { authorization: '' }, 401],
    ['a wrong password', { authorization: `Basic ${btoa('admin:guessed')}` }, 401],
    ['a page of another site', { origin: 'https://example.com' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:9' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    await expect(connect('admin', { headers })).rejects.toThrow();
    expect((await send('{"jsonrpc":"2.0","id":1,"method":"ping"}', headers)).status).toBe(status);
  });

  test.each<Server>(['the site', 'the gateway'])('takes a page of %s itself', async (server) => {
    const { origin } = new URL(endpointOf(server));
    const client = await connect('admin', { server, headers: { origin } });
    expect((await client.listTools()).tools).toHaveLength(5);
  });

  test.each<[string, string, number, number, Readonly<Record<string, string>>?]>([
    ['half a message', '{', 400, -32700],
    ['a message that is not JSON', 'ping()', 400, -32700],
    ['an empty body', '', 400, -32700],
    ['text', '"initialize"', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a message without its version', '{"id":1,"method":"ping"}', 400, -32600],
    [
      'another version',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      400,
      -32000,
      { 'mcp-protocol-version': '1999-01-01' },
    ],
    ['a form', 'method=ping', 415, -32000, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['more than 4 MiB', `"${'x'.repeat(2 ** 22)}"`, 413, -32000],
    ['deep nesting', '['.repeat(200_000), 400, -32700],
  ])('refuses %s', async (_, body, status, code, headers) => {
    const response = await send(body, headers);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { jsonrpc: '2.0', error: { code } },
    ]);
  });

  test('has no stream to read and no subscriptions', async () => {
    const client = await connect('admin');
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Subscription limit reached');
    const response = await fetch(endpointOf('the site'), { headers: createAuthorizationHeader('admin') });
    expect(response.status).toBe(405);
  });
});
