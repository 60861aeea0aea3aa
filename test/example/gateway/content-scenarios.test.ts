import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodePng, paintLandscape } from '../../../src/example/content/images.ts';
import { createContentClient, id, requireData } from './clients.ts';
import { type RunningExample, startExample } from './running.ts';

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
beforeEach(() => {
  example.content.reset();
  example.content.clock.set(new Date('2026-03-03T10:00:00Z'));
});
afterAll(() => example.stop());

test('a post is written, revised, autosaved, scheduled and published', async () => {
  const editor = createContentClient(example, 'editor');
  const created = await editor.POST('/core/v2/posts', {
    body: { title: { raw: 'The quay at night' }, content: { raw: 'First words.' }, status: 'draft' },
  });
  expect(created.response.status).toBe(201);
  const post = id(requireData(created));
  const path = { id: post };
  const readAnonymously = () => fetch(`${example.origin}/content/core/v2/posts/${post}`);
  expect((await readAnonymously()).status).toBe(401);

  for (const raw of ['Second words.', 'Third words.']) {
    example.content.clock.advance(60_000);
    requireData(await editor.PATCH('/core/v2/posts/{id}', { params: { path }, body: { content: { raw } } }));
  }
  const autosave = await editor.POST('/core/v2/posts/{id}/autosaves', {
    params: { path },
    body: { content: { raw: 'Words that nobody shall see yet.' } },
  });
  // The autosave of a user's own draft changes the draft itself, as in WordPress.
  expect(autosave.response.status).toBe(200);

  const revisions = requireData(
    await editor.GET('/core/v2/posts/{parent}/revisions', {
      params: { path: { parent: post }, query: { context: 'edit', order: 'asc' } },
    }),
  );
  expect(revisions.map(({ parent }) => parent)).toEqual(revisions.map(() => post));
  expect(revisions.map(({ id: own }) => own)).toHaveLength(new Set(revisions.map((each) => each.id)).size);
  expect(JSON.stringify(revisions)).toContain('Second words.');

  const later = await editor.PUT('/core/v2/posts/{id}', {
    params: { path },
    body: { status: 'publish', date_gmt: '2026-03-04T08:00:00', content: { raw: 'Last words.' } },
  });
  expect(requireData(later).status).toBe('future');
  expect((await readAnonymously()).status).toBe(401);
  example.content.clock.set(new Date('2026-03-04T08:00:01Z'));
  expect(await (await readAnonymously()).json()).toMatchObject({
    status: 'publish',
    slug: 'the-quay-at-night',
    content: { rendered: expect.stringContaining('Last words.') },
  });

  const [oldest] = revisions;
  const deleted = await editor.DELETE('/core/v2/posts/{parent}/revisions/{id}', {
    params: { path: { parent: post, id: Number(oldest?.id) }, query: { force: true } },
  });
  expect(requireData(deleted)).toMatchObject({ deleted: true, previous: { id: oldest?.id } });
});

describe('a batch of 25 with one bad entry', () => {
  const requests = Array.from({ length: 25 }, (_, position) => ({
    path: '/core/v2/posts',
    body: {
      title: `Of a batch ${position}`,
      status: position === 12 ? 'printed' : 'publish',
    },
  }));
  const count = async () => {
    const found = await fetch(`${example.origin}/content/core/v2/posts?search=Of+a+batch&per_page=100`);
    return Number(found.headers.get('x-wp-total'));
  };

  test('is rejected as a whole with `require-all-validate`', async () => {
    const editor = createContentClient(example, 'editor');
    const batch = await editor.POST('/batch/v1', {
      body: { validation: 'require-all-validate', requests },
    });
    expect(batch.response.status).toBe(207);
    const { failed, responses } = requireData(batch);
    expect(failed).toBe('validation');
    expect(responses.map((each) => each?.status ?? null)).toEqual(
      requests.map((_, position) => (position === 12 ? 400 : null)),
    );
    expect(await count()).toBe(0);
  });

  test('creates the other 24 without `require-all-validate`', async () => {
    const editor = createContentClient(example, 'editor');
    const { failed, responses } = requireData(await editor.POST('/batch/v1', { body: { requests } }));
    expect(failed).toBeUndefined();
    expect(responses.map((each) => each?.status)).toEqual(
      requests.map((_, position) => (position === 12 ? 400 : 201)),
    );
    expect(responses[12]?.body).toMatchObject({ code: 'rest_invalid_param' });
    expect(await count()).toBe(24);
  });

  test('can contain no more requests, and only of routes that allow batches', async () => {
    const editor = createContentClient(example, 'editor');
    const tooMany = await editor.POST('/batch/v1', {
      body: { requests: [...requests, { path: '/core/v2/posts' }] },
    });
    expect([tooMany.response.status, tooMany.error?.code]).toEqual([400, 'rest_invalid_param']);
    const media = await editor.POST('/batch/v1', { body: { requests: [{ path: '/core/v2/media' }] } });
    expect(requireData(media).responses[0]?.body).toMatchObject({ code: 'rest_batch_not_allowed' });
  });
});

test('a picture is uploaded, described and rotated, and the rotated copy is a second item', async () => {
  const editor = createContentClient(example, 'editor');
  const picture = encodePng(paintLandscape({ width: 320, height: 200, hue: 40, shape: 2 }));
  const created = await editor.POST('/core/v2/media', {
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="Pier 5.png"' },
    body: new Uint8Array(picture),
    bodySerializer: (bytes: unknown) => bytes as BodyInit,
  });
  expect(created.response.status).toBe(201);
  const original = requireData(created);
  const path = { id: id(original) };
  expect(original).toMatchObject({ mime_type: 'image/png', media_details: { width: 320, height: 200 } });

  // URLs in responses lead to the gateway, which serves the uploaded bytes.
  const address = String(original.source_url);
  expect(address.startsWith(`${example.origin}/content/`)).toBe(true);
  expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(picture)).toBe(true);

  const described = await editor.PATCH('/core/v2/media/{id}', {
    params: { path },
    body: { alt_text: 'The pier', caption: { raw: 'Seen from the east' } },
  });
  expect(requireData(described)).toMatchObject({
    alt_text: 'The pier',
    caption: { raw: 'Seen from the east' },
  });

  const rotated = await editor.POST('/core/v2/media/{id}/edit', {
    params: { path },
    body: { src: address, modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
  });
  expect(rotated.response.status).toBe(201);
  expect(rotated.data).toMatchObject({ alt_text: 'The pier', media_details: { width: 200, height: 320 } });
  const list = await editor.GET('/core/v2/media', { params: { query: { search: 'pier', per_page: 2 } } });
  expect(requireData(list)).toHaveLength(2);
});

test('a chat needs consent, requests approval, writes the draft and confirms it', async () => {
  const editor = createContentClient(example, 'editor');
  const session = String(
    requireData(await editor.POST('/ext-a/v1/chat/sessions', { body: { title: 'Plans' } })).id,
  );
  const step = (message?: string) =>
    editor.POST('/ext-a/v1/chat/model-step', {
      body: message === undefined ? { session } : { session, message },
    });

  const tooEarly = await step('Draft a post called "Low tide"');
  expect([tooEarly.response.status, tooEarly.error?.code]).toEqual([403, 'ext_a_consent_required']);
  expect(requireData(await editor.POST('/ext-a/v1/chat/consent', { body: { granted: true } })).granted).toBe(
    true,
  );

  const reply = requireData(await step('Draft a post called "Low tide"'));
  expect(reply).toMatchObject({ status: 'awaiting-approval', call: { tool: 'content/create-draft' } });
  const call = String(reply.call?.id);
  const execute = () => editor.POST('/ext-a/v1/chat/tools/execute', { body: { session, call } });
  expect((await execute()).error?.code).toBe('ext_a_approval_required');
  expect((await step('And another thing')).response.status).toBe(409);

  const approved = await editor.POST('/ext-a/v1/chat/approvals', {
    body: { session, call, decision: 'approve' },
  });
  expect(requireData(approved).status).toBe('awaiting-tool');
  expect(requireData(await execute())).toMatchObject({ tool: 'content/create-draft', status: 'ready' });
  expect(requireData(await step()).message).toContain('That is done');
  const drafts = await editor.GET('/core/v2/posts', {
    params: { query: { status: ['draft'], search: 'Low tide' } },
  });
  expect(requireData(drafts).map(({ title }) => title?.rendered)).toEqual(['Low tide']);

  const remembered = requireData(
    await editor.GET('/ext-a/v1/chat/sessions/{id}', { params: { path: { id: session } } }),
  );
  expect(remembered.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('a page can be embedded by its URL at the gateway and by no other URL', async () => {
  const client = createContentClient(example, 'subscriber');
  const [post] = requireData(await client.GET('/core/v2/posts', { params: { query: { per_page: 1 } } }));
  const url = post?.link ?? '';
  expect(url).toMatch(`${example.origin}/content/`);
  const embed = async (reply: string) =>
    fetch(`${example.origin}/content/oembed/1.0/embed?url=${encodeURIComponent(reply)}`);
  const shown = await embed(url);
  expect(shown.status).toBe(200);
  const { html, provider_url } = (await shown.json()) as { html: string; provider_url: string };
  expect(html).toContain(`<iframe sandbox="allow-scripts" security="restricted" src="${url}?embed=true"`);
  expect(provider_url).toBe(`${example.origin}/content`);
  for (const other of [url.replace('/content/', '/elsewhere/'), url.replace('127.0.0.1', 'example.com')])
    expect((await embed(other)).status).toBe(404);
});
