import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawLandscape } from '../../../src/example/content/images.ts';
import { createContentClient, createGatewayBoardClient, id, requireData } from './clients.ts';
import { type RunningExample, startExample } from './running.ts';

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
beforeEach(() => {
  for (const site of [example.content, example.boards]) {
    site.reset();
    site.clock.set(new Date('2026-03-03T10:00:00Z'));
  }
});
afterAll(() => example.stop());

test('a board is created, used and reported on', async () => {
  const editor = createGatewayBoardClient(example, 'editor');
  const created = await editor.POST('/boards/v2/projects', {
    body: { title: 'Lighthouse repairs', stages: ['To do', 'Doing', 'Done'] },
  });
  expect(created.response.status).toBe(201);
  const board = id(requireData(created));
  const path = { board_id: board };
  const members = await editor.POST('/boards/v2/projects/{board_id}/add-members', {
    params: { path: { board_id: String(board) } },
    body: { user_ids: [1], role: 'manager' },
  });
  expect(members.response.status).toBe(200);
  const label = requireData(
    await editor.POST('/boards/v2/projects/{board_id}/labels', {
      params: { path: { board_id: String(board) } },
      body: { title: 'Lamp', background_color: '#ffd43b' },
    }),
  );

  const { stages = [] } = requireData(
    await editor.GET('/boards/v2/projects/{board_id}', { params: { path } }),
  );
  const [toDo = 0, doing = 0, done = 0] = stages.map(id);
  const tasks: number[] = [];
  for (const title of ['Clean the lens', 'Oil the hinges', 'Paint the door']) {
    const task = await editor.POST('/boards/v2/projects/{board_id}/tasks', {
      params: { path: { board_id: String(board) } },
      body: { title, stage_id: toDo, assignees: [2], labels: [id(label)], priority: 'high' },
    });
    expect(task.response.status).toBe(201);
    tasks.push(id(requireData(task)));
  }
  const [lens = 0, hinges = 0] = tasks;

  // Moving a task renumbers the positions in both stages.
  const move = (task: number, stage_id: number, position: number) =>
    editor.PUT('/boards/v2/projects/{board_id}/tasks/{task_id}/move-task', {
      params: { path: { ...path, task_id: task } },
      body: { stage_id, position },
    });
  requireData(await move(lens, doing, 1));
  requireData(await move(hinges, doing, 1));
  const columns = requireData(
    await editor.GET('/boards/v2/projects/{board_id}/tasks', {
      params: { path, query: { per_page: 100 } },
    }),
  );
  expect(columns.map((task) => [task.title, task.stage_id, task.position])).toEqual(
    expect.arrayContaining([
      ['Oil the hinges', doing, 1],
      ['Clean the lens', doing, 2],
      ['Paint the door', toDo, 1],
    ]),
  );

  const commented = await editor.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/comments', {
    params: { path: { ...path, task_id: lens } },
    body: { content: 'With vinegar, please.' },
  });
  expect(commented.response.status).toBe(201);

  // The time track starts, and two hours later it is committed.
  const track = requireData(
    await editor.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks', {
      params: { path: { ...path, task_id: lens } },
      body: { note: 'First coat' },
    }),
  );
  example.boards.clock.advance(120 * 60_000);
  const committed = await editor.PUT(
    '/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}',
    { params: { path: { ...path, task_id: lens, track_id: id(track) } }, body: {} },
  );
  expect(requireData(committed)).toMatchObject({ minutes: 120, status: 'committed' });
  requireData(await move(lens, done, 1));
  const closed = await editor.POST('/boards/v2/projects/{board_id}/tasks/status-update/{task_id}', {
    params: { path: { board_id: String(board), task_id: lens } },
    body: { status: 'closed' },
  });
  expect(requireData(closed).status).toBe('closed');

  const query = { board_ids: [board] };
  expect(requireData(await editor.GET('/boards/v2/reports/tasks', { params: { query } }))).toMatchObject({
    total: 3,
    open: 2,
    closed: 1,
    by_priority: { high: 3 },
    by_stage: expect.arrayContaining([expect.objectContaining({ stage_id: done, tasks: 1 })]),
  });
  expect(requireData(await editor.GET('/boards/v2/reports/timesheet', { params: { query } }))).toMatchObject({
    minutes: 120,
    by_user: [{ user: { id: 2 }, minutes: 120 }],
  });
  const history = requireData(
    await editor.GET('/boards/v2/projects/{board_id}/activities', {
      params: { path, query: { per_page: 100 } },
    }),
  );
  const actions = new Set(history.map(({ action }) => action));
  for (const action of ['created', 'moved', 'commented', 'started', 'committed'] as const)
    expect(actions).toContain(action);
  const outsider = await createGatewayBoardClient(example, 'subscriber').GET('/boards/v2/reports/tasks', {
    params: { query },
  });
  expect([outsider.response.status, outsider.error?.code]).toEqual([403, 'rest_forbidden']);
});

test('a picture is uploaded, described and rotated, and the rotated copy is a second item', async () => {
  const editor = createContentClient(example, 'editor');
  const picture = drawLandscape({ width: 320, height: 200, blue: 240, shape: 2 });
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

test('a wrong value in a documented path gets the error of the interface, and a page stays a page', async () => {
  const get = async (path: string) => {
    const { status, headers } = await fetch(`${example.origin}/boards${path}`);
    return [status, headers.get('content-type')?.split(';')[0]];
  };
  expect(await get('/boards/v2/projects/abc')).toEqual([404, 'application/json']);
  expect(await get('/boards/v2/none')).toEqual([404, 'application/json']);
  expect(await get('/boards/none')).toEqual([404, 'text/html']);
});
