import { expect, test } from 'vitest';
import { createContentClient } from '../support/site-client.ts';

test('a chat needs consent, requests approval, writes the draft and confirms it', async () => {
  const { call } = createContentClient();
  const { id: session } = (await call('editor', 'POST /ext-a/v1/chat/sessions', { title: 'Plans' })).body;
  const send = (path: string, more: object) =>
    call('editor', `POST /ext-a/v1/chat/${path}`, { session, ...more });
  const message = 'Draft a post called "Low tide"';
  expect((await send('model-step', { message })).outcome).toBe('403 ext_a_consent_required');
  await send('consent', { granted: true });

  const { body: reply } = await send('model-step', { message });
  expect(reply).toMatchObject({ status: 'awaiting-approval', call: { tool: 'content/create-draft' } });
  const { id } = reply.call;
  expect((await send('tools/execute', { call: id })).outcome).toBe('403 ext_a_approval_required');
  expect((await send('model-step', { message })).status).toBe(409);
  const approved = await send('approvals', { call: id, decision: 'approve' });
  expect(approved.body.status).toBe('awaiting-tool');
  expect((await send('tools/execute', { call: id })).body).toMatchObject({ status: 'ready' });
  expect((await send('model-step', {})).body.message).toContain('That is done');

  const drafts = await call('editor', 'GET /core/v2/posts?status=draft&search=Low tide');
  expect(drafts.body).toMatchObject([{ title: { rendered: 'Low tide' } }]);
  const { messages } = (await call('editor', `GET /ext-a/v1/chat/sessions/${session}`)).body;
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
});
