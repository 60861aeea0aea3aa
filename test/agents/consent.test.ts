import type { ElicitResult } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import { createAgentQuestions } from '../../src/gateway/site/agent-tokens.ts';
import { networks } from '../support/gateway.ts';
import {
  ADMIN,
  type Agent,
  type AgentShop,
  connectAgent,
  failed,
  insist,
  runAgentGateway,
  runAgentShop,
  tagOf,
  useAgentShop,
} from './agent.ts';

/** What most gateways of these tests allow. */
const RIGHTS = { writes: ['publish', 'delete', 'manage'], reads: ['*', 'getUrlDetails', 'getWebhook'] };
const ITEM = { id: 7, status: 'publish', title: { raw: 'A' } };
const DELETION = { id: 'deletePost', path: { id: 7 } };
const runShop = useAgentShop();

const written = ({ requests }: AgentShop): readonly string[] =>
  requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

/** Connects a client that can ask its person, and records the questions. */
async function connectAsking(
  { url }: AgentShop,
  answer: (count: number) => ElicitResult | Promise<ElicitResult>,
  era: 'auto' | 'legacy' = 'auto',
): Promise<Agent & { readonly questions: readonly string[] }> {
  const agent = await connectAgent(url, ADMIN, era, { elicitation: { form: {} } });
  const questions: string[] = [];
  agent.client.setRequestHandler('elicitation/create', ({ params }) =>
    answer(questions.push(params.message)),
  );
  return { ...agent, questions };
}

const ACCEPTED: ElicitResult = { action: 'accept', content: { send: true } };

test.each([
  ['auto', 'accept', { send: true }, ['DELETE /wp/v2/posts/7']],
  ['auto', 'accept', { send: false }, []],
  ['legacy', 'accept', { send: true }, ['DELETE /wp/v2/posts/7']],
  ['legacy', 'cancel', undefined, []],
] as const)('a person is asked before a deletion (%s): %s %j', async (era, action, content, expected) => {
  const shop = await runShop(() => ({ body: ITEM }), RIGHTS);
  const result = { action, ...(content !== undefined && { content: { ...content } }) };
  const agent = await connectAsking(shop, () => result, era);
  const { call, questions } = agent;
  const { isError, text } = await insist(agent, 'delete_operation', DELETION);
  expect(isError).toBe(expected.length === 0);
  if (isError) expect(text).toContain(action === 'cancel' ? 'did not answer' : 'declined');
  expect(questions).toEqual([
    expect.stringMatching(/DELETE .*posts\/7 as admin \(level delete\).*\n.*"title":"A"/),
  ]);
  expect(written(shop).map((line) => line.replace(/\?.*/, ''))).toEqual(expected);
  await call('write_operation', { id: 'createPost', body: { title: 'B' } });
  expect(questions.length).toBe(1);
  await call('write_operation', { id: 'createPost', body: { title: 'B', status: 'publish' } });
  expect(questions.length).toBe(2);
});

test('a person is asked before a read that can send data out', async () => {
  const shop = await runShop(() => ({ body: { title: 'x' } }), RIGHTS);
  const agent = await connectAsking(shop, (count) => (count === 1 ? { action: 'decline' } : ACCEPTED));
  const { questions } = agent;
  const args = { id: 'getUrlDetails', query: { url: 'https://other.example/?d=1' } };
  expect(await agent.call('read_operation', args)).toMatchObject(failed('the person declined it'));
  expect(questions).toEqual([expect.stringMatching(/GET .*url-details.*level manage.*\n.*other\.example/)]);
  expect(shop.requests).toEqual([]);
  expect((await agent.call('read_operation', args)).isError).toBe(false);
});

test('a person is asked before the item of a write is read, if that read needs an answer, too', async () => {
  const shop = await runShop(() => ({ body: { id: 7, name: 'Hook', status: 'active' } }), RIGHTS);
  const agent = await connectAsking(shop, (count) => (count === 1 ? { action: 'decline' } : ACCEPTED));
  const { questions } = agent;
  const item = { id: 'updateWebhook', path: { id: 7 }, body: { status: 'paused' } };
  expect(await agent.call('write_operation', item)).toMatchObject(failed('read it with getWebhook'));
  expect(questions).toEqual([]);
  await agent.call('write_operation', { ...item, if_match: 'unread' });
  expect(questions).toEqual([expect.stringMatching(/webhooks\/7.*What the site has now is not known/)]);
  expect(shop.requests).toEqual([]);
  const if_match = tagOf(await agent.call('read_operation', { id: 'getWebhook', path: { id: 7 } }));
  expect(await agent.call('write_operation', { ...item, if_match: 'unread' })).toMatchObject(
    failed('it would replace'),
  );
  expect(written(shop)).toEqual([]);
  expect((await agent.call('write_operation', { ...item, if_match })).text).toMatch(/^HTTP 200/);
  expect(written(shop).length).toBe(1);
});

test.each([
  ['current', 'auto', {}],
  ['legacy', 'legacy', { elicitation: { url: {} } }],
  ['current', 'auto', { elicitation: { url: {} } }],
] as const)(
  'a %s client that cannot ask is refused over HTTP, unless that is allowed',
  async (_, era, capabilities) => {
    for (const unasked of [false, true]) {
      const shop = await runShop(() => ({ body: ITEM }), { ...RIGHTS, unasked });
      const agent = await connectAgent(shop.url, ADMIN, era, capabilities);
      const deleted = await insist(agent, 'delete_operation', DELETION);
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

test.each([
  ['accept', 3],
  ['decline', 0],
] as const)(
  'a person is asked once about a list of writes, which shows each of them: %s',
  async (action, count) => {
    const shop = await runShop(
      ({ path }) => ({ body: { ...ITEM, id: Number(/\/posts\/(\d+)/.exec(path)?.[1]) } }),
      RIGHTS,
    );
    const agent = await connectAsking(shop, () => ({ ...ACCEPTED, action }));
    const { questions } = agent;
    const paths = [1, 2, 3].map((id) => ({ path: { id } }));
    const list = { id: 'updatePost', body: { tags: [5] } };
    const { text } = await agent.call('write_operation', { ...list, calls: paths });
    const hashes = Array.from(text.matchAll(/"if_match": "([^"]+)"/g), ([, hash]) => hash);
    const calls = paths.map((each, at) => ({ ...each, if_match: hashes[at] }));
    await agent.call('write_operation', { ...list, calls });
    expect(questions).toEqual([
      expect.stringMatching(/posts\/1 .*"tags".*posts\/2 .*posts\/3 .*"to":\[5\]/s),
    ]);
    expect(written(shop).length).toBe(count);
  },
);

test('a question shows all that would be sent, invisible characters and files too, and what the site has now', async () => {
  const long = `<p>${'Lorem ipsum. '.repeat(200)}needle</p>`;
  const item = {
    ...ITEM,
    slug: '%d0'.repeat(60),
    content: { raw: long },
    tags: Array.from({ length: 900 }, () => 7),
  };
  const shop = await runShop(() => ({ body: item }), RIGHTS);
  const agent = await connectAsking(shop, () => ({ action: 'decline' }));
  const { questions } = agent;
  const shown = await agent.call('read_operation', {
    ...{ id: 'getPost', path: { id: 7 }, query: { context: 'edit' }, fields: ['content', 'tags'], raw: true },
  });
  const if_match = tagOf(shown);
  const update = { id: 'updatePost', path: { id: 7 }, if_match };
  const text = `${'New words. '.repeat(400)}<!-- wp:paragraph --><p>a\u{e0041}b</p>`;
  const picture = { name: 'sun.png', base64: btoa('bytes') };
  await agent.call('write_operation', {
    ...update,
    body: { content: text, tags: [5], featured_media: { file: picture } },
    query: { template: 'x'.repeat(400) },
  });
  const [head = '', content = ''] = questions[0]?.split('\n') ?? [];
  expect(head).toMatch(
    /^It would send POST .*posts\/7 as admin \(level publish\).*What the site has now is cut/,
  );
  const { changes, item: named, query } = JSON.parse(content.replaceAll(String.raw`\u{e0041}`, '?'));
  expect(named).toEqual({ id: 7, status: 'publish', title: 'A' });
  expect(changes.content.to).toBe(text.replace('\u{e0041}', '?'));
  expect(changes.content.from).toMatch(/^<p>Lorem .{200,300}\[cut: \d+ characters in all\]$/);
  expect(changes.tags).toEqual({ from: expect.stringMatching(/^\[7,7,.*\[cut: 1801/), to: [5] });
  expect(changes.featured_media.to).toEqual({ file: { name: 'sun.png', bytes: 5 } });
  expect(query).toMatchObject({ template: 'x'.repeat(400) });
  const edit_text = { member: 'content', old: 'needle', new: 'thread' };
  await agent.call('write_operation', { ...update, edit_text });
  const { passage } = JSON.parse(questions[1]?.split('\n')[1] ?? '');
  // In its sentence.
  expect(passage).toEqual({
    member: 'content',
    from: expect.stringMatching(/^.{98,100}needle<\/p>$/),
    to: passage.from.replace('needle', 'thread'),
  });
  const body = { content: 'x'.repeat(51_000) };
  expect(await agent.call('write_operation', { ...update, body })).toMatchObject(failed('Send fewer calls'));
  expect(questions.length).toBe(2);
  expect(written(shop)).toEqual([]);
});

test('fifty items fit into one question, and of too long changes the refusal says how many do', async () => {
  const title = 'т'.repeat(300);
  const shop = await runShop(
    ({ path }) => ({
      body: {
        ...ITEM,
        id: Number(/posts\/(\d+)/.exec(path)?.[1]),
        slug: '%d1%82'.repeat(60),
        title: { raw: title },
        tags: [],
      },
    }),
    RIGHTS,
  );
  const agent = await connectAsking(shop, () => ({ action: 'decline' }));
  const paths = Array.from({ length: 50 }, (_, at) => ({ path: { id: at + 1 } }));
  const { text } = await agent.call('write_operation', {
    id: 'updatePost',
    body: { tags: [5] },
    calls: paths,
  });
  const hashes = Array.from(text.matchAll(/"if_match": "([^"]+)"/g), ([, hash]) => hash);
  const write = (body: object): ReturnType<Agent['call']> =>
    agent.call('write_operation', {
      ...{ id: 'updatePost', calls: paths.map((each, at) => ({ ...each, body, if_match: hashes[at] })) },
    });
  await write({ tags: [5], sticky: true, comment_status: 'closed' });
  expect(agent.questions[0]?.split('\n').length).toBe(100);
  const refused = await write({ tags: Array.from({ length: 500 }, (_, at) => at) });
  expect(refused).toMatchObject(failed('Send fewer calls'));
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
  const inputResponses = { send: ACCEPTED };
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
  const shop = await runShop(() => ({ body: ITEM }), RIGHTS);
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

const PUBLICATION = { id: 'createPost', body: { title: 'A', status: 'publish' } };
const LEGACY_FIELDS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

/** Sends a message of the revision 2025-11-25. */
function post(
  { url }: Pick<AgentShop, 'url'>,
  message: object,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return fetch(url, {
    method: 'POST',
    headers: { ...LEGACY_FIELDS, ...fields },
    body,
    signal: signal ?? null,
  });
}

/** Calls as a client of the revision 2025-11-25 that can ask. @returns the events of the response, as they come */
async function callLegacy(
  shop: Pick<AgentShop, 'url'>,
  authorization: string,
  signal?: AbortSignal,
  more: Record<string, string> = {},
): Promise<
  () => Promise<{ id: string; method?: string; result?: { isError?: boolean; content: object[] } }>
> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  const { headers } = await post(shop, { id: 0, method: 'initialize', params }, { authorization });
  const fields = { ...more, authorization, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const call = { name: 'write_operation', arguments: PUBLICATION };
  const { body } = await post(shop, { id: 1, method: 'tools/call', params: call }, fields, signal);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  return async () => {
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      const [, data] = /^data: (.*)$/m.exec(value) ?? [];
      // Between them are comments, which keep the connection open.
      if (data !== undefined || done) return JSON.parse(data ?? 'null');
    }
  };
}

test('an answer of the revision 2025-11-25 counts from its user only, and once', async () => {
  const shop = await runShop(() => ({ status: 201, body: ITEM }), RIGHTS);
  const read = await callLegacy(shop, ADMIN);
  const { id, method } = await read();
  expect(method).toBe('elicitation/create');
  const result = ACCEPTED;
  const other = { authorization: `Basic ${btoa('ada:another password')}` };
  expect((await post(shop, { id, result }, other)).status).toBe(202);
  expect((await post(shop, { id: 0, result }, { authorization: ADMIN })).status).toBe(202);
  expect(written(shop)).toEqual([]);
  for (const _ of [1, 2]) await post(shop, { id, result }, { authorization: ADMIN });
  expect(await read()).toMatchObject({ id: 1, result: { isError: false } });
  expect(written(shop).length).toBe(1);
});

test('a client of the revision 2025-11-25 that leaves gets nothing sent', async () => {
  const shop = await runShop(() => ({ status: 201, body: ITEM }), RIGHTS);
  const leaving = new AbortController();
  const { id } = await (await callLegacy(shop, ADMIN, leaving.signal))();
  leaving.abort();
  await post(shop, { id, result: ACCEPTED }, { authorization: ADMIN });
  expect(written(shop)).toEqual([]);
});

test('made-up logins use up the open questions of their own network, until one is answered', async () => {
  const shop = await runAgentShop(
    () => ({ status: 201, body: ITEM }),
    { writes: ['publish'] },
    { gateway: { trust: networks('127.0.0.1') } },
  );
  const callFrom = (address: string, login: string): ReturnType<typeof callLegacy> =>
    callLegacy(shop, login, undefined, { 'x-forwarded-for': address });
  const asked = { method: 'elicitation/create' };
  const read = await callFrom('2001:db8:0:1::', ADMIN);
  const { id } = await read();
  for (let count = 0; count < 20; count += 1)
    await (await callFrom(`2001:db8:0:1::${count}`, `Basic ${btoa(`${count}:a password`)}`))();
  expect(await (await callFrom('2001:db8:0:1::ffff', ''))()).toMatchObject({ result: { isError: true } });
  expect(await (await callFrom('2001:db8:0:2::', ''))()).toMatchObject(asked);
  await post(shop, { id, result: ACCEPTED }, { authorization: ADMIN });
  expect(await read()).toMatchObject({ id: 1, result: { isError: false } });
  expect(await (await callFrom('2001:db8:0:1::ffff', ''))()).toMatchObject(asked);
  expect(written(shop).length).toBe(1);
});

test('the question of a client that leaves while the site is read does not wait', async () => {
  const { gateway, lines, login, origin } = await runAgentGateway({ writes: ['publish'] });
  const site = gateway.context.sites.get('content');
  if (site?.agents == null) throw new Error('There is no site');
  const leaving = new AbortController();
  let goOn = (): void => {};
  const reading = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  vi.spyOn(site.runtime, 'isAwaited', 'get').mockReturnValue(true);
  const waiting = vi.spyOn(site.runtime, 'waitForFirst').mockImplementation(() => reading);
  const called = callLegacy({ url: `${origin}/content/mcp` }, login, leaving.signal).then((read) => read());
  await expect.poll(() => waiting.mock.calls.length).toBe(1);
  leaving.abort();
  await expect(called).rejects.toThrow();
  setTimeout(goOn, 50);
  await expect.poll(() => lines.filter((line) => 'tool' in line).length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(site.agents.questions.waiting.size).toBe(0);
});

test.each(['stops', 'gets other settings for agents'])(
  'the client of an open question is told when the gateway %s',
  async (event) => {
    const server = { settings: { shutdownGrace: 2000 } };
    const { login, origin, replace, site, stop } = await runAgentGateway({ writes: ['publish'] }, { server });
    const read = await callLegacy({ url: `${origin}/content/mcp` }, login);
    expect(await read()).toMatchObject({ method: 'elicitation/create' });
    void (event === 'stops' ? stop() : replace({ sites: [{ ...site, mcp: true }] }));
    expect(await read()).toMatchObject({ id: 1, result: { isError: true } });
  },
);

test('a call without an answer ends after ten minutes', () => {
  const timers = vi.useFakeTimers({ toFake: ['setTimeout'] });
  const answer = vi.fn();
  createAgentQuestions().waiting.set('id', { authorization: '', address: '', bytes: 1, answer });
  const later = performance.now() + 600_001;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
  timers.advanceTimersByTime(600_001);
  timers.useRealTimers();
  clock.mockRestore();
  expect(answer).toHaveBeenCalledWith(undefined);
});

test('an answer after ten minutes does not count', async () => {
  const shop = await runShop(() => ({ status: 201, body: ITEM }), RIGHTS);
  const read = await callLegacy(shop, ADMIN);
  const { id } = await read();
  const later = performance.now() + 600_001;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
  await post(shop, { id, result: ACCEPTED }, { authorization: ADMIN });
  clock.mockRestore();
  expect(await read()).toMatchObject({ id: 1, result: { isError: true } });
  expect(written(shop)).toEqual([]);
});
