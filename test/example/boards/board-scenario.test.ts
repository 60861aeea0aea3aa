import { expect, test } from 'vitest';
import { type Body, type Login, startBoardClient } from '../support/site-client.ts';

test('a board from creation to report', async () => {
  const { site, call } = startBoardClient();
  site.clock.set(new Date('2026-05-04T08:00:00Z'));

  /** Makes calls that must succeed. */
  const callAs =
    (as: Login) =>
    async (operation: string, sent?: unknown): Promise<Body> => {
      const { body, status } = await call(as, operation, sent);
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      return body;
    };
  const [editor, member] = [callAs('editor'), callAs('subscriber')];

  // The editor creates a board and adds a member.
  const stages = ['To do', 'Done'];
  const board = await editor('POST /projects', {
    title: 'Harbour fair',
    stages,
    currency: 'SEK',
    folder_id: 3,
  });
  const path = `/projects/${board.id}`;
  await editor(`POST ${path}/add-members`, { user_ids: [3] });
  expect((await call(null, `GET ${path}`)).status).toBe(401);
  const [todo, done] = [board.stages[0].id, board.stages[1].id];

  // A stage between the two with a limit of one open task.
  const stage = { title: 'Doing', position: 2, task_limit: 1 };
  const { id: doing } = await editor(`POST ${path}/stage-create`, stage);
  expect((await editor(`GET ${path}`)).stages).toMatchObject([{ id: todo }, { id: doing }, { id: done }]);

  // The subscriber adds tasks, labels one, and starts to work.
  const ids: number[] = [];
  for (const title of ['Rent the tents', 'Invite the ferries', 'Print the map'])
    ids.push((await member(`POST ${path}/tasks`, { title, assignees: [3] })).id);
  const [tents, ferries, map] = ids;
  const label = await member(`POST ${path}/labels`, { title: 'Before May', background_color: '#e03131' });
  await member(`POST ${path}/labels/task`, { task_id: map, label_id: label.id });
  await member(`PUT ${path}/tasks/${map}/move-task`, { stage_id: doing });
  const full = await call('subscriber', `PUT ${path}/tasks/${tents}/move-task`, { stage_id: doing });
  expect(full.outcome).toBe('409 stage_full');
  await member(`POST ${path}/tasks/${map}/time-tracks/estimated-time`, { minutes: 60 });
  const track = await member(`POST ${path}/tasks/${map}/time-tracks`, { note: 'Drawing' });
  site.clock.advance(45 * 60_000);
  await member(`PUT ${path}/tasks/${map}/time-tracks/commit/${track.id}`, {});
  await member(`POST ${path}/tasks/${map}/comments`, { content: 'The pier is missing.' });

  // A task in the last stage is closed, which makes room for the next one.
  await editor(`PUT ${path}/tasks/${map}/move-to-next-stage`, {});
  expect(await editor(`GET ${path}/tasks/${map}`)).toMatchObject({
    stage_id: done,
    status: 'closed',
    worked_minutes: 45,
    comment_count: 1,
    labels: [{ title: 'Before May' }],
  });
  expect(await editor(`GET ${path}/tasks/${ferries}`)).toMatchObject({ stage_id: todo, position: 2 });

  // Archiving a stage archives its tasks, and restoring it restores them in order.
  await editor(`PUT ${path}/archive-stage/${todo}`);
  expect((await editor(`GET ${path}`)).task_count).toBe(1);
  await editor(`PUT ${path}/restore-stage/${todo}`, { position: 1 });
  expect(await editor(`GET ${path}/tasks/${tents}`)).toMatchObject({ position: 1, archived_at: null });

  // The reports count everything.
  const only = `board_ids=${board.id}`;
  expect(await editor(`GET /reports/overview?${only}`)).toMatchObject({
    ...{ boards: 1, members: 2, tasks: 3, created: 3, open: 2, closed: 1, completed: 1 },
    ...{ comments: 1, minutes: 45 },
  });
  expect(await editor(`GET /reports/tasks?${only}`)).toMatchObject({
    by_board: [{ title: 'Harbour fair', open: 2, closed: 1, overdue: 0 }],
    by_assignee: [{ user: { id: 3 }, tasks: 2 }],
    by_day: [{ date: '2026-05-04', created: 3, completed: 1 }],
  });
  expect(await member(`GET /projects/timesheet/by-users?${only}`)).toMatchObject([
    { user: { id: 3 }, minutes: 45, task_count: 1 },
  ]);
  expect((await editor(`GET /reports/activity?${only}`)).by_action).toMatchObject({
    ...{ archived: 1, commented: 1, committed: 1, completed: 1, moved: 2 },
  });

  // Every change is logged, newest first.
  const history = await editor(`GET ${path}/activities?per_page=100`);
  expect([history].flat().map((entry) => `${entry.action} ${entry.subject}`)).toEqual([
    ...['restored stage', 'archived stage', 'completed task', 'moved task', 'commented comment'],
    ...['committed time-track', 'started time-track', 'updated task', 'moved task', 'added label'],
    ...['created label', 'created task', 'created task', 'created task', 'created stage', 'added member'],
    'created board',
  ]);

  // A copy has the tasks but not the history; then the board is archived and restored.
  const copy = await editor(`POST ${path}/duplicate-board`, { title: 'Next fair' });
  expect(copy).toMatchObject({ title: 'Next fair', stage_count: 3, task_count: 3, member_count: 1 });
  const titles = async () => [await member('GET /projects/list-of-boards')].flat().map(({ title }) => title);
  await editor(`PUT ${path}/archive-board`);
  expect(await titles()).not.toContain('Harbour fair');
  await editor(`PUT ${path}/restore-board`);
  expect(await titles()).toContain('Harbour fair');
});
