import { describe, expect, test } from 'vitest';
import type { ContentState } from '../../../src/example/content/index.ts';
import { createContentClient, type SiteClient } from '../support/site-client.ts';

const CHAT = '/ext-a/v1/chat';

async function conversation(client: SiteClient<ContentState>) {
  const post = async (route: string, json: unknown = {}) =>
    client.call('editor', `POST ${CHAT}/${route}`, json);
  const { body } = await post('sessions', { title: 'Plans' });
  const session: string = body.id;
  return {
    session,
    consent: (granted: boolean) => post('consent', { granted }),
    say: (message?: string) => post('model-step', { session, ...(message === undefined ? {} : { message }) }),
    execute: (call: string) => post('tools/execute', { session, call }),
    decide: (call: string, decision: string) => post('approvals', { session, call, decision }),
    read: async () => (await client.call('editor', `GET ${CHAT}/sessions/${session}`)).body,
  };
}

describe('the assistant', () => {
  test('creates a draft after consent, a tool request and its approval', async () => {
    const client = createContentClient();
    const chat = await conversation(client);
    const prompt = 'Please write a post called "The tide gauge"';
    expect((await chat.say(prompt)).outcome).toBe('403 ext_a_consent_required');
    expect((await chat.consent(true)).body).toMatchObject({ granted: true });

    const reply = await chat.say(prompt);
    expect(reply.body).toMatchObject({
      status: 'awaiting-approval',
      type: 'tool-request',
      call: { tool: 'content/create-draft', arguments: { title: 'The tide gauge' }, approval: 'waiting' },
    });
    const call: string = reply.body.call.id;
    expect((await chat.say('Hurry')).outcome).toBe('409 ext_a_chat_awaiting_tool');
    expect((await chat.execute(call)).outcome).toBe('403 ext_a_approval_required');
    expect((await chat.decide(call, 'perhaps')).outcome).toBe('400 ext_a_invalid_parameter');
    expect((await chat.decide(call, 'approve')).body).toMatchObject({
      status: 'awaiting-tool',
      decision: 'approve',
    });
    expect((await chat.decide(call, 'deny')).outcome).toBe('409 ext_a_approval_settled');

    const ran = await chat.execute(call);
    expect(ran.body).toMatchObject({ status: 'ready', result: { title: 'The tide gauge', status: 'draft' } });
    const draft = await client.call('editor', `GET /core/v2/posts/${ran.body.result.id}?context=edit`);
    expect(draft.body).toMatchObject({ status: 'draft', author: 2, title: { raw: 'The tide gauge' } });
    expect((await chat.execute(call)).outcome).toBe('404 ext_a_call_not_found');

    expect((await chat.say()).body).toMatchObject({ status: 'ready', type: 'message', call: null });
    const roles = (await chat.read()).messages.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('changes nothing if the user denies the call', async () => {
    const client = createContentClient();
    const chat = await conversation(client);
    await chat.consent(true);
    const before = client.site.state().entries.size;
    const { body } = await chat.say('Draft "Nothing"');
    expect((await chat.decide(body.call.id, 'deny')).body).toMatchObject({ status: 'ready' });
    expect((await chat.execute(body.call.id)).status).toBe(404);
    expect(client.site.state().entries.size).toBe(before);
    expect((await chat.say()).body.message).toContain('denied');
  });

  test('lists sessions in pages, the latest first', async () => {
    const { call } = createContentClient();
    for (const title of ['One', 'Two', 'Three']) await call('editor', `POST ${CHAT}/sessions`, { title });
    const read = async (query: string) => {
      const { body, headers } = await call('editor', `GET ${CHAT}/sessions?${query}`);
      return [body.map(({ title }: { title: string }) => title).join(), headers.get('x-wp-totalpages')];
    };
    expect(await read('per_page=2')).toEqual(['Three,Two', '2']);
    expect(await read('per_page=2&page=2')).toEqual(['One', '2']);
    expect(await read('per_page=0&page=-1')).toEqual(['Three', '3']);
    expect(await read('per_page=x')).toEqual(['Three,Two,One', '1']);
  });

  test('refuses messages to an archived session', async () => {
    const client = createContentClient();
    const chat = await conversation(client);
    await chat.consent(true);
    const archive = (archived: boolean) =>
      client.call('editor', `PATCH ${CHAT}/sessions/${chat.session}`, { archived });
    await archive(true);
    expect((await chat.say('Hello')).outcome).toBe('409 ext_a_session_archived');
    await archive(false);
    expect((await chat.say('Hello')).status).toBe(200);
  });

  test.each([
    ['Search for the pier', 'content/search-posts'],
    ['How many posts are there?', 'site/describe'],
    ['Publish post 7', 'content/publish-post'],
    ['summarise 12', 'content/summarize-post'],
  ])('understands “%s”', async (message, tool) => {
    const chat = await conversation(createContentClient());
    await chat.consent(true);
    expect((await chat.say(message)).body.call.tool).toBe(tool);
  });

  test('reports a failed tool and continues', async () => {
    const chat = await conversation(createContentClient());
    await chat.consent(true);
    const { body } = await chat.say('summarize post 999999');
    expect((await chat.execute(body.call.id)).outcome).toBe('404 rest_post_invalid_id');
    expect((await chat.say()).body).toMatchObject({ status: 'ready', type: 'message' });
  });

  test('rejects messages above the context length, and all messages after consent is withdrawn', async () => {
    const chat = await conversation(createContentClient());
    await chat.consent(true);
    expect((await chat.say('a'.repeat(4001))).body.code).toBe('ext_a_message_too_long');
    await chat.consent(false);
    expect((await chat.say('Hello')).body.code).toBe('ext_a_consent_required');
  });
});

test.each(['maybe', 2, '', [true]])('a value that is not boolean is not a consent: %j', async (granted) => {
  const client = createContentClient();
  const route = `${CHAT}/consent`;
  expect(await client.call('editor', `POST ${route}`, { granted })).toMatchObject({
    status: 400,
    body: {
      code: 'ext_a_invalid_parameter',
      data: { params: { granted: 'granted is not of type boolean.' } },
    },
  });
  expect((await client.call('editor', `GET ${CHAT}/status`)).body.consent).toBe(false);
});

describe('an access link', () => {
  const ROUTE = '/ext-a/v1/admin-access';

  test('grants access once', async () => {
    const { call } = createContentClient();
    const { body } = await call('admin', `POST ${ROUTE}`);
    expect((await call(null, `HEAD ${ROUTE}/${body.nonce}`)).status).toBe(200);
    expect((await call(null, `GET ${ROUTE}/${body.nonce}`)).body).toMatchObject({
      granted: true,
      user: { id: 1 },
    });
    expect((await call(null, `GET ${ROUTE}/${body.nonce}`)).outcome).toBe('410 ext_a_access_used');
  });

  test('expires after five minutes', async () => {
    const { call, site } = createContentClient();
    site.clock.set(new Date('2025-03-01T12:00:00Z'));
    const { body } = await call('admin', `POST ${ROUTE}`);
    expect(body.expires).toBe('2025-03-01T12:05:00');
    site.clock.advance(5 * 60_000);
    expect((await call(null, `GET ${ROUTE}/${body.nonce}`)).outcome).toBe('410 ext_a_access_expired');
  });
});
