import { expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { type BoardLogin, type CallOptions, memberAt, startBoardClient } from './board-client.ts';

test('a board from creation to report', async () => {
  const { site, call } = startBoardClient();
  site.clock.set(new Date('2026-05-04T08:00:00Z'));

  /** Makes a call that must succeed. */
  async function callAs(
    as: BoardLogin,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Json> {
    const { status, body } = await call(method, path, { as, ...options });
    expect([method, path, status, body]).toEqual([method, path, status < 300 ? status : 'success', body]);
    return body;
  }

  // The editor creates a board and adds a member.
  const board = await callAs('editor', 'POST', '/projects', {
    body: { title: 'Harbour fair', stages: ['To do', 'Done'], currency: 'SEK', folder_id: 3 },
  });
  const path = `/projects/${memberAt(board, 'id')}`;
  await callAs('editor', 'POST', `${path}/add-members`, { body: { user_ids: [3] } });
  expect((await call('GET', path, { as: null })).status).toBe(401);
  const [todo, done] = [memberAt(board, 'stages', 0, 'id'), memberAt(board, 'stages', 1, 'id')];

  // A stage between the two with a limit of one open task.
  const doing = memberAt(
    await callAs('editor', 'POST', `${path}/stage-create`, {
      body: { title: 'Doing', position: 2, task_limit: 1 },
    }),
    'id',
  );
  expect(memberAt(await callAs('editor', 'GET', path), 'stages')).toMatchObject([
    { id: todo },
    { id: doing },
    { id: done },
  ]);

  // The subscriber adds tasks, labels one, and starts to work.
  const ids: (Json | undefined)[] = [];
  for (const title of ['Rent the tents', 'Invite the ferries', 'Print the map']) {
    ids.push(
      memberAt(
        await callAs('subscriber', 'POST', `${path}/tasks`, { body: { title, assignees: [3] } }),
        'id',
      ),
    );
  }
  const [tents, ferries, map] = ids;
  const label = await callAs('subscriber', 'POST', `${path}/labels`, {
    body: { title: 'Before May', background_color: '#e03131' },
  });
  await callAs('subscriber', 'POST', `${path}/labels/task`, {
    body: { task_id: map ?? 0, label_id: memberAt(label, 'id') ?? 0 },
  });
  await callAs('subscriber', 'PUT', `${path}/tasks/${map}/move-task`, { body: { stage_id: doing ?? 0 } });
  const full = await call('PUT', `${path}/tasks/${tents}/move-task`, {
    as: 'subscriber',
    body: { stage_id: doing ?? 0 },
  });
  expect([full.status, memberAt(full.body, 'code')]).toEqual([409, 'stage_full']);
  await callAs('subscriber', 'POST', `${path}/tasks/${map}/time-tracks/estimated-time`, {
    body: { minutes: 60 },
  });
  const track = await callAs('subscriber', 'POST', `${path}/tasks/${map}/time-tracks`, {
    body: { note: 'Drawing' },
  });
  site.clock.advance(45 * 60_000);
  await callAs('subscriber', 'PUT', `${path}/tasks/${map}/time-tracks/commit/${memberAt(track, 'id')}`, {
    body: {},
  });
  await callAs('subscriber', 'POST', `${path}/tasks/${map}/comments`, {
    body: { content: 'The pier is missing.' },
  });

  // A task in the last stage is closed, which makes room for the next one.
  await callAs('editor', 'PUT', `${path}/tasks/${map}/move-to-next-stage`, { body: {} });
  expect(await callAs('editor', 'GET', `${path}/tasks/${map}`)).toMatchObject({
    stage_id: done,
    status: 'closed',
    worked_minutes: 45,
    comment_count: 1,
    labels: [{ title: 'Before May' }],
  });
  expect(await callAs('editor', 'GET', `${path}/tasks/${ferries}`)).toMatchObject({
    stage_id: todo,
    position: 2,
  });

  // Archiving a stage archives its tasks, and restoring it restores them in order.
  await callAs('editor', 'PUT', `${path}/archive-stage/${todo}`);
  expect(memberAt(await callAs('editor', 'GET', path), 'task_count')).toBe(1);
  await callAs('editor', 'PUT', `${path}/restore-stage/${todo}`, { body: { position: 1 } });
  expect(await callAs('editor', 'GET', `${path}/tasks/${tents}`)).toMatchObject({
    position: 1,
    archived_at: null,
  });

  // The reports count everything.
  const query = { board_ids: String(memberAt(board, 'id')) };
  expect(await callAs('editor', 'GET', '/reports/overview', { query })).toMatchObject({
    boards: 1,
    members: 2,
    tasks: 3,
    created: 3,
    completed: 1,
    comments: 1,
    minutes: 45,
  });
  expect(await callAs('subscriber', 'GET', '/projects/timesheet/by-users', { query })).toMatchObject([
    { user: { id: 3 }, minutes: 45, task_count: 1 },
  ]);

  // Every change is logged, newest first.
  const history = await callAs('editor', 'GET', `${path}/activities`, { query: { per_page: 100 } });
  expect(
    [history].flat().map((entry) => `${memberAt(entry, 'action')} ${memberAt(entry, 'subject')}`),
  ).toEqual([
    'restored stage',
    'archived stage',
    'completed task',
    'moved task',
    'commented comment',
    'committed time-track',
    'started time-track',
    'updated task',
    'moved task',
    'added label',
    'created label',
    'created task',
    'created task',
    'created task',
    'created stage',
    'added member',
    'created board',
  ]);

  // A copy has the tasks but not the history; then the board is deleted.
  const copy = await callAs('editor', 'POST', `${path}/duplicate-board`, { body: { title: 'Next fair' } });
  expect(copy).toMatchObject({ title: 'Next fair', stage_count: 3, task_count: 3, member_count: 1 });
  await callAs('editor', 'PUT', `${path}/archive-board`);
  const titles = (list: Json): (Json | undefined)[] => [list].flat().map((each) => memberAt(each, 'title'));
  expect(titles(await callAs('subscriber', 'GET', '/projects/list-of-boards'))).not.toContain('Harbour fair');
  await callAs('editor', 'PUT', `${path}/restore-board`);
  expect(titles(await callAs('subscriber', 'GET', '/projects/list-of-boards'))).toContain('Harbour fair');
});
