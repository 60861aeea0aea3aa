import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BoardState } from '../../../src/example/boards/state.ts';
import { startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

/** The numbers of the tasks of each stage of the first board, in order. */
function layout(state: BoardState): Map<number, number[]> {
  return new Map(
    state.activeStages(1).map(({ id }) => [id, state.activeTasksInStage(id).map((task) => task.id)]),
  );
}

function expectNumbered(state: BoardState): void {
  for (const { id } of state.activeStages(1)) {
    const places = state.activeTasksInStage(id).map(({ position }) => position);
    expect(places).toEqual(places.map((_, index) => index + 1));
  }
}

describe('moving a task', () => {
  test('moving a task renumbers both stages', async () => {
    const before = layout(site.state());
    const [moved = 0, ...left] = before.get(1) ?? [];
    const [top = 0, ...rest] = before.get(2) ?? [];
    const response = await call('subscriber', `PUT /projects/1/tasks/${moved}/move-task`, {
      stage_id: 2,
      position: 2,
    });
    expect(response.body).toMatchObject({ stage_id: 2, position: 2 });
    expect(layout(site.state()).get(1)).toEqual(left);
    expect(layout(site.state()).get(2)).toEqual([top, moved, ...rest]);
    expectNumbered(site.state());
  });

  test('a task takes the default status of its new stage', async () => {
    const [task] = site.state().activeTasksInStage(4);
    const moved = await call('editor', `PUT /projects/1/tasks/${task?.id}/move-to-next-stage`);
    expect(moved.body).toMatchObject({ stage_id: 5, status: 'closed', completed_at: expect.any(String) });
    const again = await call('editor', `PUT /projects/1/tasks/${task?.id}/move-to-next-stage`);
    expect(again.outcome).toBe('409 no_next_stage');
  });

  test('a full stage rejects a task, and nothing is moved', async () => {
    const stage = site.state().stages.get(3);
    if (stage !== undefined) stage.taskLimit = site.state().activeTasksInStage(3).length;
    const before = layout(site.state());
    const [task] = before.get(1) ?? [];
    const refused = await call('editor', `PUT /projects/1/tasks/${task}/move-task`, { stage_id: 3 });
    expect(refused.outcome).toBe('409 stage_full');
    expect(layout(site.state())).toEqual(before);
  });

  test('any sequence of moves, copies, archiving and deleting keeps every stage numbered from 1', async () => {
    const step = fc.record({
      kind: fc.constantFrom('move', 'clone', 'archive', 'restore', 'delete', 'create'),
      nth: fc.nat(60),
      stage: fc.integer({ min: 1, max: 5 }),
      position: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        site.reset();
        for (const { kind, nth, stage, position } of steps) {
          const tasks = [...site.state().tasks.values()].filter(({ boardId }) => boardId === 1);
          const id = tasks[nth % tasks.length]?.id ?? 0;
          const bulk = (action: string) =>
            call('admin', 'POST /projects/1/tasks/bulk-actions', { action, task_ids: [id] });
          if (kind === 'move')
            await call('admin', `PUT /projects/1/tasks/${id}/move-task`, { stage_id: stage, position });
          else if (kind === 'clone') await call('admin', `POST /projects/1/tasks/${id}/clone-task`, {});
          else if (kind === 'create')
            await call('admin', 'POST /projects/1/tasks', { title: 'New', stage_id: stage, position });
          else await bulk(kind);
        }
        expectNumbered(site.state());
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('bulk actions', () => {
  test('a bulk move keeps the order and reports missing tasks', async () => {
    const ids = (layout(site.state()).get(1) ?? []).slice(0, 3);
    const response = await call('editor', 'POST /projects/1/tasks/bulk-actions', {
      action: 'move',
      stage_id: 2,
      position: 1,
      task_ids: [...ids, 999_999],
    });
    expect(response.body).toMatchObject({
      action: 'move',
      done: ids,
      refused: [{ id: 999_999, code: 'task_not_found' }],
    });
    expect(layout(site.state()).get(2)?.slice(0, 3)).toEqual(ids);
    expectNumbered(site.state());
  });

  test('bulk archiving hides tasks and bulk restoring returns them', async () => {
    const ids = (layout(site.state()).get(2) ?? []).slice(0, 2);
    const listed = async (path: string) =>
      [(await call('editor', `GET ${path}?per_page=100`)).body].flat().map((task) => task.id);
    await call('editor', 'POST /projects/1/tasks/bulk-actions', { action: 'archive', task_ids: ids });
    expect(await listed('/projects/1/tasks')).not.toEqual(expect.arrayContaining(ids.slice(0, 1)));
    expect(await listed('/projects/1/tasks/archived')).toEqual(expect.arrayContaining(ids));
    await call('editor', 'PUT /projects/1/bulk-restore-tasks', { task_ids: ids });
    expect(await listed('/projects/1/tasks')).toEqual(expect.arrayContaining(ids));
    expect(layout(site.state()).get(2)?.slice(-2)).toEqual(ids);
  });

  test('bulk deletion removes tasks with everything on them', async () => {
    const state = site.state();
    const { taskId } = [...state.comments.values()].find(({ boardId }) => boardId === 1) ?? { taskId: 0 };
    await call('editor', 'DELETE /projects/1/bulk-delete-tasks', { task_ids: [taskId] });
    for (const kept of [state.comments, state.replies, state.timeTracks])
      expect([...kept.values()].some((each) => each.taskId === taskId)).toBe(false);
    expect((await call('editor', `GET /projects/1/tasks/${taskId}`)).status).toBe(404);
  });
});

describe('concurrent requests', () => {
  test('concurrent requests create tasks with distinct numbers, positions and slugs', async () => {
    const created = await Promise.all(
      Array.from({ length: 40 }, () =>
        call('admin', 'POST /projects/1/tasks', { title: 'Same', stage_id: 1, position: 1 }),
      ),
    );
    const of = (name: string) => new Set(created.map(({ body }) => body[name]));
    expect([of('id').size, of('slug').size]).toEqual([40, 40]);
    expectNumbered(site.state());
  });
});
