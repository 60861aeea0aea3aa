import { beforeEach, describe, expect, test } from 'vitest';
import { memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
const START = new Date('2026-03-03T09:00:00Z');
const DAY = { from: '2026-03-03', to: '2026-03-03' };

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(START);
  const created = await call('POST', '/projects/1/tasks', {
    as: 'admin',
    body: { title: 'Count the chairs' },
  });
  task = `/projects/1/tasks/${memberAt(created.body, 'id')}`;
});

describe('time', () => {
  test('a time track runs until it is committed', async () => {
    const started = await call('POST', `${task}/time-tracks`, { as: 'subscriber', body: { note: 'Hall' } });
    expect(started.body).toMatchObject({ status: 'running', minutes: 0, committed_at: null, billable: true });
    site.clock.advance(25 * 60_000);
    expect(memberAt((await call('GET', `${task}/time-tracks`, { as: 'admin' })).body, 0, 'minutes')).toBe(25);
    expect(memberAt((await call('GET', task, { as: 'admin' })).body, 'worked_minutes')).toBe(0);
    site.clock.advance(5 * 60_000 + 59_000);
    const track = memberAt(started.body, 'id');
    const committed = await call('PUT', `${task}/time-tracks/commit/${track}`, { as: 'subscriber' });
    expect(committed.body).toMatchObject({
      status: 'committed',
      minutes: 30,
      note: 'Hall',
      committed_at: '2026-03-03T09:30:59Z',
    });
    expect(memberAt((await call('GET', task, { as: 'admin' })).body, 'worked_minutes')).toBe(30);
  });

  test('each user has at most one running track on a task', async () => {
    const start = (as: 'subscriber' | 'editor') => call('POST', `${task}/time-tracks`, { as });
    expect((await start('subscriber')).status).toBe(201);
    expect(await start('subscriber')).toMatchObject({ status: 409, body: { code: 'track_running' } });
    expect((await start('editor')).status).toBe(201);
  });

  test('only its user and managers commit a time track', async () => {
    const { body } = await call('POST', `${task}/time-tracks`, { as: 'admin' });
    const commit = (as: 'subscriber' | 'editor') =>
      call('PUT', `${task}/time-tracks/commit/${memberAt(body, 'id')}`, { as, body: { minutes: 5 } });
    expect((await commit('subscriber')).status).toBe(403);
    expect((await commit('editor')).status).toBe(200);
  });

  test('worked minutes are committed at once and compared with the estimate', async () => {
    const worked = await call('POST', `${task}/time-tracks`, {
      as: 'subscriber',
      body: { minutes: 40, billable: false },
    });
    expect(worked.body).toMatchObject({
      status: 'committed',
      minutes: 40,
      started_at: '2026-03-03T08:20:00Z',
    });
    const estimate = await call('POST', `${task}/time-tracks/estimated-time`, {
      as: 'subscriber',
      body: { minutes: 60 },
    });
    expect(estimate.body).toMatchObject({ estimated_minutes: 60, worked_minutes: 40, remaining_minutes: 20 });
  });

  test('timesheets sum committed time by task and by user', async () => {
    const spend = (as: 'subscriber' | 'editor', body = {}) =>
      call('POST', `${task}/time-tracks`, { as, body });
    await spend('subscriber', { minutes: 40, billable: false });
    await spend('editor', { minutes: 20 });
    await spend('editor', { minutes: 5 });
    await spend('editor');
    const byTask = await call('GET', '/projects/timesheet/by-tasks', { as: 'admin', query: DAY });
    expect(byTask.body).toEqual([
      expect.objectContaining({
        title: 'Count the chairs',
        board_title: 'Website relaunch',
        minutes: 65,
        billable_minutes: 25,
        tracks: 3,
      }),
    ]);
    const byUser = await call('GET', '/projects/timesheet/by-users', { as: 'admin', query: DAY });
    expect(byUser.body).toMatchObject([
      { user: { id: 3 }, minutes: 40, task_count: 1, days: [{ date: '2026-03-03', minutes: 40 }] },
      { user: { id: 2 }, minutes: 25, tracks: 2 },
    ]);
    const billable = await call('GET', '/projects/timesheet/by-tasks', {
      as: 'admin',
      query: { ...DAY, billable: 'true', 'user_ids[]': 2 },
    });
    expect(memberAt(billable.body, 0, 'minutes')).toBe(25);
  });

  test('timesheets contain only boards of which the client is a member', async () => {
    const all = await call('GET', '/projects/timesheet/by-tasks', {
      as: 'subscriber',
      query: { per_page: 100 },
    });
    const boards = new Set([all.body].flat().map((row) => Number(memberAt(row, 'board_id'))));
    expect(boards.size).toBeGreaterThan(0);
    for (const id of boards)
      expect(
        site
          .state()
          .boards.get(id)
          ?.members.map(({ userId }) => userId),
      ).toContain(3);
  });

  test('requests are rejected while the feature is off', async () => {
    site.state().settings.features.time_tracking = false;
    expect(await call('POST', `${task}/time-tracks`, { as: 'admin' })).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    });
  });
});
