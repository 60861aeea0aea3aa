import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import type { AccessLogEntry } from '../../src/gateway/node/index.ts';
import { startOnce } from '../support/close-after-test.ts';
import { startGateway } from '../support/gateway.ts';
import { unreachableOrigin } from '../support/server.ts';
import { connectAgent, failed, insist, runAgentGateway } from './agent.ts';

/** A gateway with the example site, which these tests only read. */
const startReading = startOnce(async (mcp: SiteOptions['mcp'] = true) => {
  const running = await runAgentGateway(mcp);
  return { ...running, ...(await connectAgent(`${running.origin}/content/mcp`, running.login)) };
});

test('a client of the SDK finds, describes and calls an operation', async () => {
  const { call, client } = await startReading();
  const { tools } = await client.listTools();
  expect(tools.map(({ annotations, name }) => [name, annotations?.readOnlyHint])).toEqual([
    ['search_operations', true],
    ['describe_operation', true],
    ['read_operation', true],
  ]);

  const found = await call('search_operations', { query: 'delete a picture' });
  expect(found.content).toContain('DELETE /core/v2/media/{id} (delete, not allowed)');
  const described = await call('describe_operation', { id: 'listPosts' });
  expect(described.content).toMatch(/per_page\?: number;/);
  const listing = { query: { per_page: 2 }, fields: ['id', 'title.rendered', '_links'] };
  const { content, text } = await call('read_operation', { id: 'listPosts', ...listing });
  expect(text).toMatch(/^HTTP 200\. total: \d+, totalPages: \d+, nextPage: 2$/);
  expect(Object.keys(JSON.parse(content)[0])).toEqual(['id', 'title', '_links']);
});

const LISTED = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const JSON_FIELDS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a message as a client of an earlier revision does. */
function post(
  { origin }: { readonly origin: string },
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}/content/mcp`, { method: 'POST', headers: { ...JSON_FIELDS, ...headers }, body });
}

test.each(['2024-11-05', '2025-11-25'])(
  'a client of the revision %s is answered in it',
  async (protocolVersion) => {
    const running = await startReading();
    const send = async (method: string, params: object | null, id?: number): Promise<Response> =>
      post(running, JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) }), {
        ...(method !== 'initialize' && { 'mcp-protocol-version': protocolVersion }),
        'mcp-session-id': 'of another server',
      });
    const clientInfo = { name: 'test', version: '1' };
    const initialized = await send('initialize', { protocolVersion, capabilities: {}, clientInfo }, 0);
    expect((await initialized.json()).result).toMatchObject({ protocolVersion, capabilities: { tools: {} } });
    expect((await send('notifications/initialized', {})).status).toBe(202);
    expect((await (await send('tools/list', null, 1)).json()).result.tools).toHaveLength(3);
    const call = { name: 'read_operation', arguments: { id: 'listPosts', query: { per_page: 1 } } };
    expect((await (await send('tools/call', call, 2)).json()).result.content[0].text).toMatch(/^HTTP 200/);
    expect((await (await send('prompts/list', {}, 3)).json()).error).toMatchObject({ code: -32_601 });
    expect((await (await send('tools/call', {}, 4)).json()).error).toMatchObject({ code: -32_602 });
  },
);

test('before the site was read, tools are listed, as often as its limits allow', async () => {
  const site = {
    url: await unreachableOrigin(),
    name: 'content',
    mcp: true,
    limits: { client: { ofNetwork: 1, window: 3_600_000 } },
  };
  const limited = await startGateway({ ...site, document: undefined, passthrough: false });
  expect((await post(limited, JSON.stringify(LISTED))).status).toBe(200);
  expect((await post(limited, JSON.stringify(LISTED))).status).toBe(429);
});

test.each([
  ['anything', '*/*'],
  ['nothing', ''],
  ['both types', 'application/json, text/event-stream'],
])('a client that accepts %s gets its one response as JSON', async (_, accept) => {
  const running = await startReading();
  const response = await post(running, JSON.stringify(LISTED), { accept });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(response.headers.has('www-authenticate')).toBe(false);
});

test('without the setting, /mcp is as before', async () => {
  const running = await runAgentGateway(false);
  expect((await post(running, JSON.stringify(LISTED))).status).toBe(404);
});

test('a rule for its address limits messages, and other rules their calls', async () => {
  const limitMessages = (ofNetwork: number) => ({
    limits: { rules: [{ match: '/mcp', client: { ofNetwork, window: 3_600_000 } }] },
  });
  const running = await runAgentGateway(true, limitMessages(3));
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await post(running, JSON.stringify(LISTED))).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const patient = await runAgentGateway(true, limitMessages(6));
  const agent = await connectAgent(`${patient.origin}/content/mcp`);
  const searchUntilRefused = async (): Promise<void> => {
    for (let count = 0; count < 6; count += 1) await agent.call('search_operations', { query: 'posts' });
  };
  await expect(searchUntilRefused()).rejects.toThrow(/Too many requests.*Try again in \d+ s/);
  const rules = [{ match: '/core/v2/*', client: { ofNetwork: 1, window: 3_600_000 } }];
  const limited = await runAgentGateway(true, { limits: { rules } });
  const { call } = await connectAgent(`${limited.origin}/content/mcp`);
  expect((await call('read_operation', { id: 'listPosts' })).isError).toBe(false);
  const { content, text } = await call('read_operation', { id: 'listPosts' });
  expect(text).toMatch(/^HTTP 429\..* Try again after \d+ s$/);
  expect(content).toContain('gateway_rate_limited');
});

const A = { title: 'A' };
const ONE = { id: 1 };

/** What an agent attempts, by the settings, and what it is told; the site sees none of these requests. */
test.each<[mcp: object, tool: 'read' | 'write', args: Record<string, unknown>, message: string]>([
  [{}, 'read', { id: 'createPost', body: A }, '--writes draft, or mcp.writes: [draft] at a gateway'],
  [{ writes: ['updatePost'] }, 'write', { id: 'createPost', body: A }, 'its level is draft'],
  [{ writes: ['draft'] }, 'write', { id: 'deletePost', path: ONE }, '--writes delete'],
  [{ writes: ['draft'] }, 'read', { id: 'createPost' }, 'call it with write_operation'],
  [{ writes: ['publish', 'delete'] }, 'write', { id: 'runBatch', body: {} }, 'its level is manage'],
  [{ writes: ['core/v2/*'] }, 'write', { id: 'runExtAAbility' }, 'its level is manage'],
  [
    { reads: ['listPosts'] },
    'read',
    { id: 'getPost', path: ONE },
    '--reads getPost, or mcp.reads: [getPost]',
  ],
  [{}, 'read', { id: 'getPost', path: { id: '1/revisions' } }, 'id must be a whole number'],
  [{}, 'read', { id: 'getPost' }, 'id is missing'],
  [{}, 'read', { id: 'listPosts', body: {} }, 'takes no "body"'],
  [{}, 'read', { id: 'listPosts', path: 'x' }, '"path" must be'],
  [{}, 'read', { id: 'listPosts', query: [{ per_page: 5 }] }, '"query" must be'],
  [{}, 'read', { id: 'listPosts', from: -1 }, '"from" must'],
  [{}, 'read', { id: 'listAllPosts' }, 'no operation of this id'],
])('with %j, the call to %s %j is refused', async (mcp, tool, args, message) => {
  const { call } = await startReading(mcp);
  expect(await call(`${tool}_operation`, args)).toMatchObject(failed(message));
});

test('the tools that write exist where their operations are allowed, with true hints', async () => {
  const list = async (writes: string[]): Promise<object> => {
    const { client } = await startReading({ writes });
    const { tools } = await client.listTools();
    return Object.fromEntries(
      tools.slice(3).map(({ annotations, name }) => [name, annotations?.destructiveHint]),
    );
  };
  expect(await list([])).toEqual({});
  expect(await list(['draft'])).toEqual({ write_operation: true });
  expect(await list(['publish', 'manage'])).toEqual({ write_operation: true });
  for (const name of ['delete', 'deletePost', 'core/v2/*', 'ability:a/b'])
    expect(await list([name])).toEqual({ write_operation: true, delete_operation: true });
});

test('an allowed write is validated, runs, and is told how to succeed otherwise', async () => {
  const running = await runAgentGateway({ writes: ['draft', 'deletePost'], unasked: true });
  const { call } = await connectAgent(`${running.origin}/content/mcp`, running.login);
  const invalid = await call('write_operation', { id: 'createPost', body: { format: 'x' } });
  expect(invalid).toMatchObject(failed('names each invalid parameter'));
  const body = { title: 'From an agent', date: null };
  const created = await call('write_operation', { id: 'createPost', body, fields: ['id'] });
  expect(created.text).toBe('HTTP 201');
  const deletion = { id: 'deletePost', path: JSON.parse(created.content) };
  expect((await insist({ call }, 'delete_operation', deletion)).text).toBe('HTTP 200');
  const anonymous = await connectAgent(`${running.origin}/content/mcp`);
  const { text } = await anonymous.call('write_operation', { id: 'createPost', body: { title: 'A' } });
  expect(text).toContain('HTTP 401');
  expect(text).toContain('application password');
});

test('a call says what of the response was changed', async () => {
  const body = '[{"id":9007199254740993,"text":"12345678901234567890","n":1.5}]';
  const site = { mcp: true, passthrough: false, name: 'content', cache: 'off' } as const;
  const running = await startGateway(site, () => ({ body }));
  const { call } = await connectAgent(`${running.origin}/content/mcp`);
  const { content, text } = await call('read_operation', { id: 'listPosts', fields: ['id', 'text', 'n'] });
  expect(content).toBe('[{"id":"9007199254740993","text":"12345678901234567890","n":1.5}]');
  expect(text).toBe('HTTP 200. Integers beyond 2^53 are written as texts');
});

test('the log has each call, the access log the tool and the operation, and the traffic the request', async () => {
  const entries: AccessLogEntry[] = [];
  const server = { access: (entry: AccessLogEntry) => void entries.push(entry) };
  const site = { mcp: true, passthrough: false, server };
  const { lines: calls, origin, readMetrics } = await startGateway(site, () => ({ body: [] }));
  const { call } = await connectAgent(`${origin}/mcp`);
  await call('read_operation', { id: 'getPost', path: { id: 7 } });
  await call('read_operation', { id: 'listPosts' });
  await call('read_operation', { id: 'getPost', path: { id: 'x'.repeat(500), password: 'a secret' } });
  expect(calls.filter((fields) => 'tool' in fields)).toMatchObject([
    { operation: 'getPost', path: { id: 7 }, callLevel: 'read', outcome: 200 },
    { tool: 'read_operation', operation: 'listPosts', requestId: expect.stringMatching(/^\w+-\w+$/) },
    { path: { id: expect.stringMatching(/^x{90,110}…$/) }, outcome: 'refused' },
  ]);
  expect(calls.find((fields) => 'tool' in fields)).toMatchObject({ user: 'a visitor', client: 'test 1' });
  expect(JSON.stringify(calls)).not.toContain('a secret');
  await expect.poll(() => entries.map(({ operation }) => operation)).toContain('read_operation listPosts');
  const metrics = await readMetrics();
  expect(metrics).toMatch(/http_route="\/wp\/v2\/posts"[^\n]*\} 1$/m);
  expect(metrics).toContain('http_route="agents"');
});

test('the log of a write says what an incident needs: item, members, statuses, consent, client and session', async () => {
  const { lines: calls, ...running } = await runAgentGateway({ writes: ['publish'], unasked: true });
  for (const era of ['auto', 'legacy'] as const) {
    const { call } = await connectAgent(`${running.origin}/content/mcp`, running.login, era);
    const created = await call('write_operation', { id: 'createPost', body: { title: 'words of the body' } });
    const { id } = JSON.parse(created.content);
    const publish = { id: 'updatePost', path: { id }, body: { status: 'publish' } };
    await insist({ call }, 'write_operation', publish);
    const [first, , last] = calls.filter((fields) => 'tool' in fields).slice(-3);
    const session = era === 'legacy' ? { session: expect.stringMatching(/^[\da-f]{12}$/) } : {};
    const by = { client: 'test 1', ...session, user: expect.any(String) };
    expect(first).toMatchObject({
      ...by,
      callLevel: 'draft',
      item: `${id}`,
      members: ['title'],
      after: 'draft',
    });
    const change = { path: { id }, item: `${id}`, members: ['status'], before: 'draft', after: 'publish' };
    expect(last).toMatchObject({ ...by, ...change, callLevel: 'publish', asked: 'unasked', outcome: 200 });
  }
  expect(JSON.stringify(calls)).not.toContain('words of the body');
  const { call } = await connectAgent(`${running.origin}/content/mcp`, running.login);
  // The line of a list has the worst outcome of its calls, their highest level and the consent.
  const list = [{ body: { title: 'One', status: 'publish' } }, { body: { title: 'Two', format: 'x' } }];
  const created = await call('write_operation', { id: 'createPost', calls: list });
  const [{ id }] = JSON.parse(created.content);
  expect(calls.filter((fields) => 'tool' in fields).slice(-3)).toMatchObject([
    {
      operation: 'createPost',
      item: `${id}`,
      members: ['title', 'status'],
      callLevel: 'publish',
      outcome: 201,
    },
    { callLevel: 'draft', members: ['title', 'format'], outcome: 400 },
    { operation: 'createPost', callLevel: 'publish', asked: 'unasked', outcome: 400 },
  ]);
});

test('a client that leaves cancels its request', async () => {
  let isClosed = false;
  const leaving = new AbortController();
  const site = { mcp: true, passthrough: false, name: 'content' };
  const { origin } = await startGateway(site, (_, __, response) => {
    leaving.abort();
    response.on('close', () => {
      isClosed = true;
    });
    return undefined;
  });
  const params = { name: 'read_operation', arguments: { id: 'listPosts' } };
  const body = JSON.stringify({ ...LISTED, method: 'tools/call', params });
  const init = { method: 'POST', headers: JSON_FIELDS, body, signal: leaving.signal };
  const sent = fetch(`${origin}/content/mcp`, init);
  await expect(sent.then((response) => response.text())).rejects.toThrow();
  await expect.poll(() => isClosed).toBe(true);
});
