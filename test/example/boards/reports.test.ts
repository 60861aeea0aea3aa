import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { type BoardLogin, memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
});

async function report(
  name: string,
  as: BoardLogin = 'admin',
  query: Record<string, string | number> = {},
): Promise<Json> {
  const response = await call('GET', `/reports/${name}`, { as, query });
  expect(response.status).toBe(200);
  return response.body;
}

const sum = (list: Json | undefined, name: string): number =>
  [list ?? []].flat().reduce((total: number, item) => total + Number(memberAt(item, name)), 0);

describe('a report', () => {
  test('the counts of the task report add up to the number of tasks', async () => {
    const tasks = [...site.state().tasks.values()].filter(({ archivedAt }) => archivedAt === null);
    const body = await report('tasks');
    expect(memberAt(body, 'total')).toBe(tasks.length);
    expect(Number(memberAt(body, 'open')) + Number(memberAt(body, 'closed'))).toBe(tasks.length);
    expect(sum(memberAt(body, 'by_board'), 'open')).toBe(memberAt(body, 'open'));
    expect(sum(memberAt(body, 'by_stage'), 'tasks')).toBe(tasks.length);
    expect(sum(memberAt(body, 'by_day'), 'created')).toBe(tasks.length);
    const priorities = Object.values(memberAt(body, 'by_priority') ?? {}).map(Number);
    expect(priorities.reduce((one, other) => one + other, 0)).toBe(tasks.length);
  });

  test('the activity report counts the whole history, including the latest change', async () => {
    const before = await report('activity');
    expect(memberAt(before, 'total')).toBe(site.state().activities.size);
    expect(sum(memberAt(before, 'by_user'), 'activities')).toBe(memberAt(before, 'total'));
    expect(sum(memberAt(before, 'by_board'), 'activities')).toBe(memberAt(before, 'total'));
    expect(sum(memberAt(before, 'by_day'), 'activities')).toBe(memberAt(before, 'total'));
    await call('POST', '/projects/1/tasks', { as: 'editor', body: { title: 'New' } });
    const today = await report('activity', 'admin', { from: '2026-03-03' });
    expect(today).toMatchObject({
      total: 1,
      by_action: { created: 1, moved: 0 },
      by_subject: { task: 1 },
      by_user: [{ user: { id: 2 }, activities: 1 }],
      by_board: [{ board_id: 1, activities: 1 }],
      by_day: [{ date: '2026-03-03', activities: 1 }],
    });
  });

  test('the time report sums committed time', async () => {
    const tracks = [...site.state().timeTracks.values()].filter(({ status }) => status === 'committed');
    const minutes = tracks.reduce((total, track) => total + track.minutes, 0);
    const body = await report('timesheet');
    expect([memberAt(body, 'minutes'), memberAt(body, 'tracks')]).toEqual([minutes, tracks.length]);
    for (const list of ['by_day', 'by_user', 'by_board'])
      expect(sum(memberAt(body, list), 'minutes')).toBe(minutes);
  });

  test('the roadmap report counts ideas, votes and voters', async () => {
    const before = await report('roadmap');
    expect(memberAt(before, 'votes')).toBe(site.state().votes.length);
    expect(sum(memberAt(before, 'by_roadmap'), 'votes')).toBe(memberAt(before, 'votes'));
    expect(sum(memberAt(before, 'by_stage'), 'ideas')).toBe(memberAt(before, 'ideas'));
    const { body } = await call('POST', '/roadmaps/3/ideas', { as: 'editor', body: { title: 'New' } });
    await call('POST', `/roadmaps/vote-idea/${memberAt(body, 'id')}`, { as: 'subscriber' });
    expect(await report('roadmap', 'admin', { from: '2026-03-03' })).toMatchObject({
      ideas: 1,
      votes: 1,
      voters: 1,
      by_day: [{ date: '2026-03-03', ideas: 1, votes: 1, comments: 0 }],
    });
  });

  test('reports count only boards of which the client is a member', async () => {
    expect(await report('overview')).toMatchObject({ boards: 8 });
    expect(await report('overview', 'editor')).toMatchObject({ boards: 5 });
    expect(await report('overview', 'editor', { 'board_ids[]': 1 })).toMatchObject({ boards: 1, members: 7 });
    const refused = await call('GET', '/reports/overview', { as: 'editor', query: { 'board_ids[]': 999 } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });

  test('requests are rejected while the feature is off', async () => {
    site.state().settings.features.reports = false;
    expect((await call('GET', '/reports/tasks', { as: 'admin' })).status).toBe(403);
  });
});

test('each number of the report on tasks counts those of the period', async () => {
  const query = { from: '2026-01-10', to: '2026-01-31' };
  const { body } = await call('GET', '/reports/tasks', { as: 'admin', query });
  const made = site
    .state()
    .tasks.where(
      ({ createdAt, archivedAt }) =>
        archivedAt === null && createdAt >= query.from && createdAt < '2026-02-01',
    );
  const sum = (list: string, ...members: string[]) =>
    [memberAt(body, list) ?? []]
      .flat()
      .reduce<number>(
        (total, each) => total + members.reduce((part, name) => part + Number(memberAt(each, name)), 0),
        0,
      );
  expect(made.length).toBeGreaterThan(0);
  expect(memberAt(body, 'total')).toBe(made.length);
  expect([sum('by_board', 'open', 'closed'), sum('by_stage', 'tasks'), sum('by_day', 'created')]).toEqual([
    made.length,
    made.length,
    made.length,
  ]);
});

describe('a board', () => {
  test('a board appears in the report as soon as it is created', async () => {
    const as = 'editor';
    const created = await call('POST', '/projects', { as, body: { title: 'Summer party' } });
    expect(created.status).toBe(201);
    const board = `/projects/${memberAt(created.body, 'id')}`;
    const only = { 'board_ids[]': Number(memberAt(created.body, 'id')) };
    const wall = async () =>
      [memberAt((await call('GET', `${board}/tasks/by-stage`, { as })).body, 'stages')].flat();
    const [firstStage] = await wall();
    const lastStage = (await wall()).at(-1);

    await call('POST', `${board}/add-members`, { as, body: { user_ids: [3] } });
    const label = await call('POST', `${board}/labels`, {
      as,
      body: { title: 'Food', background_color: '#ffd43b' },
    });
    const ids = [];
    for (const title of ['Invite everybody', 'Order ice cream', 'Find a band']) {
      const task = await call('POST', `${board}/tasks`, {
        as,
        body: { title, labels: [Number(memberAt(label.body, 'id'))] },
      });
      expect([task.status, memberAt(task.body, 'stage_id')]).toEqual([201, memberAt(firstStage, 'stage_id')]);
      ids.push(Number(memberAt(task.body, 'id')));
    }
    const [invite, order, band] = ids;

    await call('POST', `${board}/tasks/${order}/time-tracks`, { as, body: { minutes: 45 } });
    await call('POST', `${board}/tasks/${order}/comments`, { as, body: { content: 'Lemon, please' } });
    await call('PUT', `${board}/tasks/${order}/move-task`, {
      as,
      body: { stage_id: Number(memberAt(lastStage, 'stage_id')) },
    });
    await call('POST', `${board}/tasks/bulk-actions`, {
      as,
      body: { action: 'archive', task_ids: [Number(band)] },
    });
    await call('POST', `${board}/tasks/${invite}/assign-yourself`, { as });

    expect(await report('overview', as, only)).toMatchObject({
      boards: 1,
      tasks: 2,
      open: 1,
      closed: 1,
      completed: 1,
      comments: 1,
      minutes: 45,
    });
    expect(await report('tasks', as, only)).toMatchObject({
      by_board: [{ title: 'Summer party', open: 1, closed: 1, overdue: 0 }],
      by_assignee: [{ user: { id: 2 }, tasks: 1 }],
      by_day: [{ date: '2026-03-03', created: 2, completed: 1 }],
    });
    expect(await report('timesheet', as, only)).toMatchObject({
      minutes: 45,
      by_user: [{ user: { id: 2 } }],
    });
    expect(memberAt(await report('activity', as, only), 'by_action')).toMatchObject({
      archived: 1,
      assigned: 1,
      commented: 1,
      committed: 1,
      completed: 1,
      moved: 1,
    });
  });
});
