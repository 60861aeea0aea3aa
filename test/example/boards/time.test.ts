import { beforeEach, describe, expect, test } from 'vitest';
import { startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
const START = new Date('2026-03-03T09:00:00Z');
const DAY = { from: '2026-03-03', to: '2026-03-03' };

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(START);
  const created = await call('admin', 'POST /projects/1/tasks', { title: 'Count the chairs' });
  task = `/projects/1/tasks/${created.body.id}`;
});

describe('time', () => {
  test('a time track runs until it is committed', async () => {
    const started = await call('subscriber', `POST ${task}/time-tracks`, { note: 'Hall' });
    expect(started.body).toMatchObject({ status: 'running', minutes: 0, committed_at: null, billable: true });
    site.clock.advance(25 * 60_000);
    expect((await call('admin', `GET ${task}/time-tracks`)).body[0].minutes).toBe(25);
    expect((await call('admin', `GET ${task}`)).body.worked_minutes).toBe(0);
    site.clock.advance(5 * 60_000 + 59_000);
    const track = started.body.id;
    const committed = await call('subscriber', `PUT ${task}/time-tracks/commit/${track}`);
    expect(committed.body).toMatchObject({
      status: 'committed',
      minutes: 30,
      note: 'Hall',
      committed_at: '2026-03-03T09:30:59Z',
    });
    expect((await call('admin', `GET ${task}`)).body.worked_minutes).toBe(30);
  });

  test('each user has at most one running track on a task', async () => {
    const start = (as: 'subscriber' | 'editor') => call(as, `POST ${task}/time-tracks`);
    expect((await start('subscriber')).status).toBe(201);
    expect((await start('subscriber')).outcome).toBe('409 track_running');
    expect((await start('editor')).status).toBe(201);
  });

  test('only its user and managers commit a time track', async () => {
    const { body } = await call('admin', `POST ${task}/time-tracks`);
    const commit = (as: 'subscriber' | 'editor') =>
      call(as, `PUT ${task}/time-tracks/commit/${body.id}`, { minutes: 5 });
    expect((await commit('subscriber')).status).toBe(403);
    expect((await commit('editor')).status).toBe(200);
  });

  test('worked minutes are committed at once and compared with the estimate', async () => {
    const worked = await call('subscriber', `POST ${task}/time-tracks`, { minutes: 40, billable: false });
    expect(worked.body).toMatchObject({
      status: 'committed',
      minutes: 40,
      started_at: '2026-03-03T08:20:00Z',
    });
    const estimate = await call('subscriber', `POST ${task}/time-tracks/estimated-time`, { minutes: 60 });
    expect(estimate.body).toMatchObject({ estimated_minutes: 60, worked_minutes: 40, remaining_minutes: 20 });
  });

  test('timesheets sum committed time by task and by user', async () => {
    const spend = (as: 'subscriber' | 'editor', body = {}) => call(as, `POST ${task}/time-tracks`, body);
    await spend('subscriber', { minutes: 40, billable: false });
    await spend('editor', { minutes: 20 });
    await spend('editor', { minutes: 5 });
    await spend('editor');
    const byTask = await call('admin', `GET /projects/timesheet/by-tasks?${toQuery(DAY)}`);
    expect(byTask.body).toEqual([
      expect.objectContaining({
        title: 'Count the chairs',
        board_title: 'Website relaunch',
        minutes: 65,
        billable_minutes: 25,
        tracks: 3,
      }),
    ]);
    const byUser = await call('admin', `GET /projects/timesheet/by-users?${toQuery(DAY)}`);
    expect(byUser.body).toMatchObject([
      { user: { id: 3 }, minutes: 40, task_count: 1, days: [{ date: '2026-03-03', minutes: 40 }] },
      { user: { id: 2 }, minutes: 25, tracks: 2 },
    ]);
    const billable = await call(
      'admin',
      `GET /projects/timesheet/by-tasks?${toQuery({ ...DAY, billable: 'true', 'user_ids[]': 2 })}`,
    );
    expect(billable.body[0].minutes).toBe(25);
  });

  test('timesheets contain only boards of which the client is a member', async () => {
    const all = await call('subscriber', 'GET /projects/timesheet/by-tasks?per_page=100');
    const boards = new Set([all.body].flat().map((row) => row.board_id));
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
    expect((await call('admin', `POST ${task}/time-tracks`)).outcome).toBe('403 feature_disabled');
  });
});
