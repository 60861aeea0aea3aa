import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { at, startBoards, type Who } from './asking.ts';

const { site, ask } = startBoards();
beforeEach(() => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
});

async function report(
  name: string,
  as: Who = 'admin',
  query: Record<string, string | number> = {},
): Promise<Json> {
  const answer = await ask('GET', `/reports/${name}`, { as, query });
  expect(answer.status).toBe(200);
  return answer.body;
}

const sum = (list: Json | undefined, name: string): number =>
  [list ?? []].flat().reduce((total: number, item) => total + Number(at(item, name)), 0);

describe('a report', () => {
  test('of tasks adds up to the tasks that are there, however they are told apart', async () => {
    const tasks = [...site.state().tasks.values()].filter(({ archivedAt }) => archivedAt === null);
    const body = await report('tasks');
    expect(at(body, 'total')).toBe(tasks.length);
    expect(Number(at(body, 'open')) + Number(at(body, 'closed'))).toBe(tasks.length);
    expect(sum(at(body, 'by_board'), 'open')).toBe(at(body, 'open'));
    expect(sum(at(body, 'by_stage'), 'tasks')).toBe(tasks.length);
    expect(sum(at(body, 'by_day'), 'created')).toBe(tasks.length);
    const priorities = Object.values(at(body, 'by_priority') ?? {}).map(Number);
    expect(priorities.reduce((one, other) => one + other, 0)).toBe(tasks.length);
  });

  test('of activity adds up to the history, and knows what was just done', async () => {
    const before = await report('activity');
    expect(at(before, 'total')).toBe(site.state().activities.size);
    expect(sum(at(before, 'by_user'), 'activities')).toBe(at(before, 'total'));
    expect(sum(at(before, 'by_board'), 'activities')).toBe(at(before, 'total'));
    expect(sum(at(before, 'by_day'), 'activities')).toBe(at(before, 'total'));
    await ask('POST', '/projects/1/tasks', { as: 'editor', body: { title: 'New' } });
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

  test('of time is the sum of what was committed', async () => {
    const tracks = [...site.state().timeTracks.values()].filter(({ status }) => status === 'committed');
    const minutes = tracks.reduce((total, track) => total + track.minutes, 0);
    const body = await report('timesheet');
    expect([at(body, 'minutes'), at(body, 'tracks')]).toEqual([minutes, tracks.length]);
    for (const list of ['by_day', 'by_user', 'by_board'])
      expect(sum(at(body, list), 'minutes')).toBe(minutes);
  });

  test('of roadmaps counts ideas, votes and who gave them', async () => {
    const before = await report('roadmap');
    expect(at(before, 'votes')).toBe(site.state().votes.length);
    expect(sum(at(before, 'by_roadmap'), 'votes')).toBe(at(before, 'votes'));
    expect(sum(at(before, 'by_stage'), 'ideas')).toBe(at(before, 'ideas'));
    const { body } = await ask('POST', '/roadmaps/3/ideas', { as: 'editor', body: { title: 'New' } });
    await ask('POST', `/roadmaps/vote-idea/${at(body, 'id')}`, { as: 'subscriber' });
    expect(await report('roadmap', 'admin', { from: '2026-03-03' })).toMatchObject({
      ideas: 1,
      votes: 1,
      voters: 1,
      by_day: [{ date: '2026-03-03', ideas: 1, votes: 1, comments: 0 }],
    });
  });

  test('of everything looks at the caller’s boards alone', async () => {
    expect(await report('overview')).toMatchObject({ boards: 8 });
    expect(await report('overview', 'editor')).toMatchObject({ boards: 5 });
    expect(await report('overview', 'editor', { 'board_ids[]': 1 })).toMatchObject({ boards: 1, members: 7 });
    const refused = await ask('GET', '/reports/overview', { as: 'editor', query: { 'board_ids[]': 999 } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });

  test('is not there while the module is off', async () => {
    site.state().settings.features.reports = false;
    expect((await ask('GET', '/reports/tasks', { as: 'admin' })).status).toBe(403);
  });
});

describe('a board', () => {
  test('goes from its creation to its report', async () => {
    const as = 'editor';
    const made = await ask('POST', '/projects', { as, body: { title: 'Summer party' } });
    expect(made.status).toBe(201);
    const board = `/projects/${at(made.body, 'id')}`;
    const only = { 'board_ids[]': Number(at(made.body, 'id')) };
    const wall = async () =>
      [at((await ask('GET', `${board}/tasks/by-stage`, { as })).body, 'stages')].flat();
    const [firstStage] = await wall();
    const lastStage = (await wall()).at(-1);

    await ask('POST', `${board}/add-members`, { as, body: { user_ids: [3] } });
    const label = await ask('POST', `${board}/labels`, {
      as,
      body: { title: 'Food', background_color: '#ffd43b' },
    });
    const ids = [];
    for (const title of ['Invite everybody', 'Order ice cream', 'Find a band']) {
      const task = await ask('POST', `${board}/tasks`, {
        as,
        body: { title, labels: [Number(at(label.body, 'id'))] },
      });
      expect([task.status, at(task.body, 'stage_id')]).toEqual([201, at(firstStage, 'stage_id')]);
      ids.push(Number(at(task.body, 'id')));
    }
    const [invite, order, band] = ids;

    await ask('POST', `${board}/tasks/${order}/time-tracks`, { as, body: { minutes: 45 } });
    await ask('POST', `${board}/tasks/${order}/comments`, { as, body: { content: 'Lemon, please' } });
    await ask('PUT', `${board}/tasks/${order}/move-task`, {
      as,
      body: { stage_id: Number(at(lastStage, 'stage_id')) },
    });
    await ask('POST', `${board}/tasks/bulk-actions`, {
      as,
      body: { action: 'archive', task_ids: [Number(band)] },
    });
    await ask('POST', `${board}/tasks/${invite}/assign-yourself`, { as });

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
    expect(at(await report('activity', as, only), 'by_action')).toMatchObject({
      archived: 1,
      assigned: 1,
      commented: 1,
      committed: 1,
      completed: 1,
      moved: 1,
    });
  });
});
