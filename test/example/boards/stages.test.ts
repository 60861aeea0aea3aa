import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

const as = 'admin';
const order = (): number[] =>
  site
    .state()
    .activeStages(1)
    .map(({ id }) => id);

describe('stages', () => {
  test('positions stay 1, 2, 3, … after dragging, archiving and restoring', async () => {
    const step = fc.record({
      kind: fc.constantFrom('drag', 'archive', 'restore'),
      stage: fc.integer({ min: 1, max: 6 }),
      position: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        site.reset();
        for (const { kind, stage, position } of steps) {
          const [path, body] =
            kind === 'drag'
              ? ['drag-stage', { stage_id: stage, position }]
              : [`${kind}-stage/${stage}`, { position }];
          const { status } = await call(as, `PUT /projects/1/${path}`, body);
          expect([200, 409]).toContain(status);
          const positions = site
            .state()
            .activeStages(1)
            .map((each) => each.position);
          expect(positions).toEqual(positions.map((_, index) => index + 1));
          for (const { id } of site.state().activeStages(1)) {
            const places = site
              .state()
              .activeTasksInStage(id)
              .map((task) => task.position);
            expect(places).toEqual(places.map((_, index) => index + 1));
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test('a restored stage returns with its tasks in order, without deleted ones', async () => {
    const before = site
      .state()
      .activeTasksInStage(2)
      .map(({ id }) => id);
    const [first = 0, second = 0, ...rest] = before;
    await call(as, 'PUT /projects/1/archive-stage/2');
    expect(site.state().activeTasksInStage(2)).toEqual([]);
    await call(as, `DELETE /projects/1/tasks/${first}`);
    await call(as, 'PUT /projects/1/bulk-restore-tasks', { task_ids: [second] });
    expect(site.state().tasks.get(second)?.stageId).not.toBe(2);
    await call(as, 'PUT /projects/1/restore-stage/2');
    expect(
      site
        .state()
        .activeTasksInStage(2)
        .map(({ id }) => id),
    ).toEqual(rest);
    expect(order().at(-1)).toBe(2);
  });

  test('the last stage cannot be archived', async () => {
    for (const id of [1, 2, 3, 4]) await call(as, `PUT /projects/1/archive-stage/${id}`);
    const last = await call(as, 'PUT /projects/1/archive-stage/5');
    expect(last.outcome).toBe('409 last_stage');
    expect(order()).toEqual([5]);
  });

  test('a stage of another board is not found', async () => {
    const { status } = await call(as, 'PUT /projects/2/update-stage/1', { title: 'Mine' });
    expect(status).toBe(404);
  });

  test('moving all tasks appends them and sets the default status', async () => {
    const [from, to] = [site.state().activeTasksInStage(2), site.state().activeTasksInStage(5)];
    const { body } = await call(as, 'PUT /projects/1/stage-move-all-task', {
      from_stage_id: 2,
      to_stage_id: 5,
    });
    expect(body.moved).toBe(from.length);
    const tasksInStage = site.state().activeTasksInStage(5);
    expect(tasksInStage.map(({ id }) => id)).toEqual([...to, ...from].map(({ id }) => id));
    expect(tasksInStage.every(({ status }) => status === 'closed')).toBe(true);
  });

  test('a full stage rejects all tasks, and no task is moved', async () => {
    await call(as, 'PUT /projects/1/update-stage/3', { task_limit: 1 });
    const before = site.state().activeTasksInStage(2).length;
    const { status } = await call(as, 'PUT /projects/1/stage-move-all-task', {
      from_stage_id: 2,
      to_stage_id: 3,
    });
    expect([status, site.state().activeTasksInStage(2).length]).toEqual([409, before]);
  });

  test('sorting puts tasks without a due date last in both directions', async () => {
    for (const wanted of ['asc', 'desc']) {
      await call(as, 'PUT /projects/1/stage/1/sort-task', { orderby: 'due_at', order: wanted });
      const due = site
        .state()
        .activeTasksInStage(1)
        .map(({ dueAt }) => dueAt);
      const dated = due.filter((each) => each !== null).sort();
      expect(due.slice(0, dated.length)).toEqual(wanted === 'asc' ? dated : dated.reverse());
    }
  });

  test('a request with one invalid field changes nothing', async () => {
    const { status } = await call(as, 'PUT /projects/1/update-stage/1', {
      title: 'Changed',
      default_assignees: [99],
    });
    expect([status, site.state().stages.get(1)?.title]).toEqual([400, 'Backlog']);
  });

  test('collapsing a stage affects one user', async () => {
    await call('subscriber', 'PUT /projects/1/stage-view/1', { folded: true });
    const folded = async (login: 'admin' | 'subscriber') =>
      (await call(login, 'GET /projects/1')).body.stages[0].is_folded;
    expect([await folded('subscriber'), await folded('admin')]).toEqual([true, false]);
  });
});
