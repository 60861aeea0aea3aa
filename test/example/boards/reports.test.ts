import { beforeEach, describe, expect, test } from 'vitest';
import { type Body, type Login, startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
});

async function report(
  name: string,
  as: Login = 'admin',
  query: Record<string, string | number> = {},
): Promise<Body> {
  const response = await call(as, `GET /reports/${name}?${toQuery(query)}`);
  expect(response.status).toBe(200);
  return response.body;
}

const sum = (list: Body, name: string): number =>
  [list ?? []].flat().reduce((total: number, item) => total + item[name], 0);

describe('a report', () => {
  test('the counts of the task report add up to the number of tasks', async () => {
    const tasks = [...site.state().tasks.values()].filter(({ archivedAt }) => archivedAt === null);
    const body = await report('tasks');
    expect(body.total).toBe(tasks.length);
    expect(body.open + body.closed).toBe(tasks.length);
    expect(sum(body.by_board, 'open')).toBe(body.open);
    expect(sum(body.by_stage, 'tasks')).toBe(tasks.length);
    expect(sum(body.by_day, 'created')).toBe(tasks.length);
    const priorities = Object.values(body.by_priority ?? {}).map(Number);
    expect(priorities.reduce((one, other) => one + other, 0)).toBe(tasks.length);
  });

  test('the activity report counts the whole history, including the latest change', async () => {
    const before = await report('activity');
    expect(before.total).toBe(site.state().activities.size);
    expect(sum(before.by_user, 'activities')).toBe(before.total);
    expect(sum(before.by_board, 'activities')).toBe(before.total);
    expect(sum(before.by_day, 'activities')).toBe(before.total);
    await call('editor', 'POST /projects/1/tasks', { title: 'New' });
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
    expect([body.minutes, body.tracks]).toEqual([minutes, tracks.length]);
    for (const list of ['by_day', 'by_user', 'by_board']) expect(sum(body[list], 'minutes')).toBe(minutes);
  });

  test('the roadmap report counts ideas, votes and voters', async () => {
    const before = await report('roadmap');
    expect(before.votes).toBe(site.state().votes.length);
    expect(sum(before.by_roadmap, 'votes')).toBe(before.votes);
    expect(sum(before.by_stage, 'ideas')).toBe(before.ideas);
    const { body } = await call('editor', 'POST /roadmaps/3/ideas', { title: 'New' });
    await call('subscriber', `POST /roadmaps/vote-idea/${body.id}`);
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
    const refused = await call('editor', 'GET /reports/overview?board_ids[]=999');
    expect(refused.outcome).toBe('403 rest_forbidden');
  });

  test('requests are rejected while the feature is off', async () => {
    site.state().settings.features.reports = false;
    expect((await call('admin', 'GET /reports/tasks')).status).toBe(403);
  });
});

test('each number of the report on tasks counts those of the period', async () => {
  const query = { from: '2026-01-10', to: '2026-01-31' };
  const { body } = await call('admin', `GET /reports/tasks?${toQuery(query)}`);
  const made = site
    .state()
    .tasks.where(
      ({ createdAt, archivedAt }) =>
        archivedAt === null && createdAt >= query.from && createdAt < '2026-02-01',
    );
  const sum = (list: string, ...members: string[]) =>
    [body[list] ?? []]
      .flat()
      .reduce<number>((total, each) => total + members.reduce((part, name) => part + each[name], 0), 0);
  expect(made.length).toBeGreaterThan(0);
  expect(body.total).toBe(made.length);
  expect([sum('by_board', 'open', 'closed'), sum('by_stage', 'tasks'), sum('by_day', 'created')]).toEqual([
    made.length,
    made.length,
    made.length,
  ]);
});
