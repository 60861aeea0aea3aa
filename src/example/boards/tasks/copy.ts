import { ok } from '../../site/answers.ts';
import { stagesOf } from '../model/positions.ts';
import { isRefusal } from '../model/state.ts';
import type { Board, Task } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withTask } from '../rest/route.ts';
import { STAGE_ID, TITLE } from './args.ts';
import { makeTask, stageFor } from './create.ts';
import { TASK_SCHEMA } from './schema.ts';
import { showTask } from './view.ts';

/** A copy of a task, right after it. */
export const taskCopy: BoardRoute = route(
  '/projects/{board_id:int}/tasks/{task_id:int}/clone-task',
  [
    {
      methods: ['POST'],
      args: {
        title: { ...TITLE, description: 'Title of the copy. Absent: that of the task.' },
        stage_id: {
          ...STAGE_ID,
          description: 'Stage of the copy. Absent: right after the task, in its stage.',
        },
        with_assignees: { description: 'Whether the copy keeps them.', type: 'boolean', default: true },
        with_labels: { description: 'Whether the copy keeps them.', type: 'boolean', default: true },
        with_dates: { description: 'Whether the copy keeps them.', type: 'boolean', default: true },
      },
      permission: permit.members,
      handle: withTask(cloneTask),
    },
  ],
  TASK_SCHEMA,
);

function cloneTask(request: BoardRequest, task: Task, board: Board): Answer {
  const { params, state } = request;
  const own = params.has('stage_id')
    ? undefined
    : stagesOf(state, board.id).find(({ id }) => id === task.stageId);
  const stage = own ?? stageFor(request, board);
  if (isRefusal(stage)) return stage;
  const dates = params.boolean('with_dates', true);
  const title = params.string('title', '').trim() || task.title;
  const place = own === undefined || task.archivedAt !== null ? undefined : task.position + 1;
  const copy = makeTask(
    request,
    board,
    stage,
    {
      title,
      description: task.description,
      priority: task.priority,
      assignees: params.boolean('with_assignees', true) ? task.assignees : [],
      labels: params.boolean('with_labels', true) ? task.labels : [],
      startsAt: dates ? task.startsAt : null,
      dueAt: dates ? task.dueAt : null,
      remindAt: dates ? task.remindAt : null,
      contactId: task.contactId,
      estimatedMinutes: task.estimatedMinutes,
    },
    { position: place, from: task },
  );
  if (isRefusal(copy)) return copy;
  copy.cover = task.cover;
  return ok(showTask(request, copy));
}
