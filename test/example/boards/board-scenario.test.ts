import { expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { type Asked, at, startBoards, type Who } from './asking.ts';

test('a board from creation to report', async () => {
  const { site, ask } = startBoards();
  site.clock.set(new Date('2026-05-04T08:00:00Z'));

  /** A call that succeeds. */
  async function call(as: Who, method: string, path: string, asked: Asked = {}): Promise<Json> {
    const { status, body } = await ask(method, path, { as, ...asked });
    expect([method, path, status, body]).toEqual([method, path, status < 300 ? status : 'success', body]);
    return body;
  }

  // The editor makes a board, and puts two people on it.
  const board = await call('editor', 'POST', '/projects', {
    body: { title: 'Harbour fair', stages: ['To do', 'Done'], currency: 'SEK', folder_id: 3 },
  });
  const path = `/projects/${at(board, 'id')}`;
  await call('editor', 'POST', `${path}/add-members`, { body: { user_ids: [3] } });
  expect((await ask('GET', path, { as: null })).status).toBe(401);
  const [todo, done] = [at(board, 'stages', 0, 'id'), at(board, 'stages', 1, 'id')];

  // A stage between the two, which takes one open task.
  const doing = at(
    await call('editor', 'POST', `${path}/stage-create`, {
      body: { title: 'Doing', position: 2, task_limit: 1 },
    }),
    'id',
  );
  expect(at(await call('editor', 'GET', path), 'stages')).toMatchObject([
    { id: todo },
    { id: doing },
    { id: done },
  ]);

  // The subscriber adds tasks, labels one, and starts to work.
  const ids: (Json | undefined)[] = [];
  for (const title of ['Rent the tents', 'Invite the ferries', 'Print the map']) {
    ids.push(
      at(await call('subscriber', 'POST', `${path}/tasks`, { body: { title, assignees: [3] } }), 'id'),
    );
  }
  const [tents, ferries, map] = ids;
  const label = await call('subscriber', 'POST', `${path}/labels`, {
    body: { title: 'Before May', background_color: '#e03131' },
  });
  await call('subscriber', 'POST', `${path}/labels/task`, {
    body: { task_id: map ?? 0, label_id: at(label, 'id') ?? 0 },
  });
  await call('subscriber', 'PUT', `${path}/tasks/${map}/move-task`, { body: { stage_id: doing ?? 0 } });
  const full = await ask('PUT', `${path}/tasks/${tents}/move-task`, {
    as: 'subscriber',
    body: { stage_id: doing ?? 0 },
  });
  expect([full.status, at(full.body, 'code')]).toEqual([409, 'stage_full']);
  await call('subscriber', 'POST', `${path}/tasks/${map}/time-tracks/estimated-time`, {
    body: { minutes: 60 },
  });
  const track = await call('subscriber', 'POST', `${path}/tasks/${map}/time-tracks`, {
    body: { note: 'Drawing' },
  });
  site.clock.advance(45 * 60_000);
  await call('subscriber', 'PUT', `${path}/tasks/${map}/time-tracks/commit/${at(track, 'id')}`, { body: {} });
  await call('subscriber', 'POST', `${path}/tasks/${map}/comments`, {
    body: { content: 'The pier is missing.' },
  });

  // What comes to the last stage is done; everybody moves up.
  await call('editor', 'PUT', `${path}/tasks/${map}/move-to-next-stage`, { body: {} });
  expect(await call('editor', 'GET', `${path}/tasks/${map}`)).toMatchObject({
    stage_id: done,
    status: 'closed',
    worked_minutes: 45,
    comment_count: 1,
    labels: [{ title: 'Before May' }],
  });
  expect(await call('editor', 'GET', `${path}/tasks/${ferries}`)).toMatchObject({
    stage_id: todo,
    position: 2,
  });

  // A stage that is archived takes its tasks along, and brings them back in their order.
  await call('editor', 'PUT', `${path}/archive-stage/${todo}`);
  expect(at(await call('editor', 'GET', path), 'task_count')).toBe(1);
  await call('editor', 'PUT', `${path}/restore-stage/${todo}`, { body: { position: 1 } });
  expect(await call('editor', 'GET', `${path}/tasks/${tents}`)).toMatchObject({
    position: 1,
    archived_at: null,
  });

  // The reports count it all.
  const query = { board_ids: String(at(board, 'id')) };
  expect(await call('editor', 'GET', '/reports/overview', { query })).toMatchObject({
    boards: 1,
    members: 2,
    tasks: 3,
    created: 3,
    completed: 1,
    comments: 1,
    minutes: 45,
  });
  expect(await call('subscriber', 'GET', '/projects/timesheet/by-users', { query })).toMatchObject([
    { user: { id: 3 }, minutes: 45, task_count: 1 },
  ]);

  // Every change was noted, the newest first.
  const history = await call('editor', 'GET', `${path}/activities`, { query: { per_page: 100 } });
  expect([history].flat().map((entry) => `${at(entry, 'action')} ${at(entry, 'subject')}`)).toEqual([
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

  // A copy for next year has the tasks and not the history; the board itself goes.
  const copy = await call('editor', 'POST', `${path}/duplicate-board`, { body: { title: 'Next fair' } });
  expect(copy).toMatchObject({ title: 'Next fair', stage_count: 3, task_count: 3, member_count: 1 });
  await call('editor', 'PUT', `${path}/archive-board`);
  const titles = (list: Json): (Json | undefined)[] => [list].flat().map((each) => at(each, 'title'));
  expect(titles(await call('subscriber', 'GET', '/projects/list-of-boards'))).not.toContain('Harbour fair');
  await call('editor', 'PUT', `${path}/restore-board`);
  expect(titles(await call('subscriber', 'GET', '/projects/list-of-boards'))).toContain('Harbour fair');
});
