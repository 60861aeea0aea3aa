import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGatewayBoardClient, id, requireData } from './clients.ts';
import { type RunningExample, startExample } from './running.ts';

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
beforeEach(() => {
  example.boards.reset();
  example.boards.clock.set(new Date('2026-03-03T10:00:00Z'));
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

test('an idea gets votes, comments and another stage, which anonymous clients can see', async () => {
  const anonymous = createGatewayBoardClient(example);
  const [subscriber, editor, admin] = (['subscriber', 'editor', 'admin'] as const).map((login) =>
    createGatewayBoardClient(example, login),
  );
  if (subscriber === undefined || editor === undefined || admin === undefined) throw new Error('three');
  const path = { board_id: 3 };

  const posted = await subscriber.POST('/boards/v2/roadmaps/{board_id}/ideas', {
    params: { path },
    body: { title: 'A map of the harbour' },
  });
  expect(posted.response.status).toBe(201);
  const idea = id(requireData(posted));
  const vote = { params: { path: { idea_id: idea } } };
  for (const voter of [subscriber, editor, admin])
    expect((await voter.POST('/boards/v2/roadmaps/vote-idea/{idea_id}', vote)).response.status).toBe(200);
  const twice = await editor.POST('/boards/v2/roadmaps/vote-idea/{idea_id}', vote);
  expect([twice.response.status, twice.error?.code]).toEqual([409, 'already_voted']);

  const comment = requireData(
    await editor.POST('/boards/v2/roadmaps/{board_id}/ideas/{idea_id}/comments', {
      params: { path: { ...path, idea_id: idea } },
      body: { content: 'With the depths, too?' },
    }),
  );
  const reply = await subscriber.POST('/boards/v2/roadmaps/idea/comments/{comment_id}/replies', {
    params: { path: { comment_id: id(comment) } },
    body: { content: 'Above all.' },
  });
  expect(reply.response.status).toBe(201);

  const planned = await anonymous.GET('/boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas', {
    params: { path: { ...path, stage_id: 'planned' } },
  });
  const stage_id = requireData(planned)[0]?.stage?.id ?? 0;
  const change = {
    params: { path: { ...path, idea_id: idea } },
    body: { stage_id, position: 1 },
  };
  const route = '/boards/v2/roadmaps/{board_id}/idea/{idea_id}/change-stage';
  expect((await subscriber.POST(route, change)).response.status).toBe(403);
  expect(requireData(await admin.POST(route, change)).stage?.slug).toBe('planned');

  const seen = await anonymous.GET('/boards/v2/roadmaps/{board_id}/ideas/{task_id}', {
    params: { path: { ...path, task_id: String(requireData(posted).slug) } },
  });
  expect(requireData(seen)).toMatchObject({
    id: idea,
    votes: 3,
    comment_count: 1,
    stage: { slug: 'planned' },
    author: { name: 'Sofia Rossi' },
  });
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
