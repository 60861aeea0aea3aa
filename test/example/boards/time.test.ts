import { beforeEach, describe, expect, test } from 'vitest';
import { at, startBoards } from './asking.ts';

const { site, ask } = startBoards();
const START = new Date('2026-03-03T09:00:00Z');
const DAY = { from: '2026-03-03', to: '2026-03-03' };

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(START);
  const made = await ask('POST', '/projects/1/tasks', { as: 'admin', body: { title: 'Count the chairs' } });
  task = `/projects/1/tasks/${at(made.body, 'id')}`;
});

describe('time', () => {
  test('runs from its start until it is committed', async () => {
    const started = await ask('POST', `${task}/time-tracks`, { as: 'subscriber', body: { note: 'Hall' } });
    expect(started.body).toMatchObject({ status: 'running', minutes: 0, committed_at: null, billable: true });
    site.clock.advance(25 * 60_000);
    expect(at((await ask('GET', `${task}/time-tracks`, { as: 'admin' })).body, 0, 'minutes')).toBe(25);
    expect(at((await ask('GET', task, { as: 'admin' })).body, 'worked_minutes')).toBe(0);
    site.clock.advance(5 * 60_000 + 59_000);
    const track = at(started.body, 'id');
    const committed = await ask('PUT', `${task}/time-tracks/commit/${track}`, { as: 'subscriber' });
    expect(committed.body).toMatchObject({
      status: 'committed',
      minutes: 30,
      note: 'Hall',
      committed_at: '2026-03-03T09:30:59Z',
    });
    expect(at((await ask('GET', task, { as: 'admin' })).body, 'worked_minutes')).toBe(30);
  });

  test('runs once for a person on a task, and for others beside', async () => {
    const start = (as: 'subscriber' | 'editor') => ask('POST', `${task}/time-tracks`, { as });
    expect((await start('subscriber')).status).toBe(201);
    expect(await start('subscriber')).toMatchObject({ status: 409, body: { code: 'track_running' } });
    expect((await start('editor')).status).toBe(201);
  });

  test('is committed by nobody else but managers', async () => {
    const { body } = await ask('POST', `${task}/time-tracks`, { as: 'admin' });
    const commit = (as: 'subscriber' | 'editor') =>
      ask('PUT', `${task}/time-tracks/commit/${at(body, 'id')}`, { as, body: { minutes: 5 } });
    expect((await commit('subscriber')).status).toBe(403);
    expect((await commit('editor')).status).toBe(200);
  });

  test('that was worked already is committed at once, beside the estimate', async () => {
    const worked = await ask('POST', `${task}/time-tracks`, {
      as: 'subscriber',
      body: { minutes: 40, billable: false },
    });
    expect(worked.body).toMatchObject({
      status: 'committed',
      minutes: 40,
      started_at: '2026-03-03T08:20:00Z',
    });
    const estimate = await ask('POST', `${task}/time-tracks/estimated-time`, {
      as: 'subscriber',
      body: { minutes: 60 },
    });
    expect(estimate.body).toMatchObject({ estimated_minutes: 60, worked_minutes: 40, remaining_minutes: 20 });
  });

  test('is added up by task and by person, what runs left out', async () => {
    const spend = (as: 'subscriber' | 'editor', body = {}) =>
      ask('POST', `${task}/time-tracks`, { as, body });
    await spend('subscriber', { minutes: 40, billable: false });
    await spend('editor', { minutes: 20 });
    await spend('editor', { minutes: 5 });
    await spend('editor');
    const byTask = await ask('GET', '/projects/timesheet/by-tasks', { as: 'admin', query: DAY });
    expect(byTask.body).toEqual([
      expect.objectContaining({
        title: 'Count the chairs',
        board_title: 'Website relaunch',
        minutes: 65,
        billable_minutes: 25,
        tracks: 3,
      }),
    ]);
    const byUser = await ask('GET', '/projects/timesheet/by-users', { as: 'admin', query: DAY });
    expect(byUser.body).toMatchObject([
      { user: { id: 3 }, minutes: 40, task_count: 1, days: [{ date: '2026-03-03', minutes: 40 }] },
      { user: { id: 2 }, minutes: 25, tracks: 2 },
    ]);
    const billable = await ask('GET', '/projects/timesheet/by-tasks', {
      as: 'admin',
      query: { ...DAY, billable: 'true', 'user_ids[]': 2 },
    });
    expect(at(billable.body, 0, 'minutes')).toBe(25);
  });

  test('is added up over one’s own boards alone', async () => {
    const all = await ask('GET', '/projects/timesheet/by-tasks', {
      as: 'subscriber',
      query: { per_page: 100 },
    });
    const boards = new Set([all.body].flat().map((row) => Number(at(row, 'board_id'))));
    expect(boards.size).toBeGreaterThan(0);
    for (const id of boards)
      expect(
        site
          .state()
          .boards.get(id)
          ?.members.map(({ userId }) => userId),
      ).toContain(3);
  });

  test('is not there while the module is off', async () => {
    site.state().settings.features.time_tracking = false;
    expect(await ask('POST', `${task}/time-tracks`, { as: 'admin' })).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    });
  });
});
