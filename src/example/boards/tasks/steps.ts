import { ok } from '../../site/answers.ts';
import { stagesOf } from '../model/positions.ts';
import { isRefusal, personal } from '../model/state.ts';
import type { Board, Task } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { conflict } from '../rest/refusals.ts';
import {
  type Answer,
  type BoardEndpoint,
  type BoardRequest,
  type BoardRoute,
  route,
  withTask,
} from '../rest/route.ts';
import { DATES, POSITION, STAGE_ID, STATUS } from './args.ts';
import { assign, changeTask, setStatus, takeOut, unassign } from './changes.ts';
import { stageFor } from './create.ts';
import { asStatus, readTaskFields } from './fields.ts';
import { moveTask } from './moves.ts';
import { insiders } from './permissions.ts';
import { TASK_SCHEMA } from './schema.ts';
import { showTask } from './view.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

/** Does something to the path's task, and answers it as it is then. */
function then(
  change: (request: BoardRequest, task: Task, board: Board) => Answer | undefined,
): BoardEndpoint['handle'] {
  return withTask((request, task, board) => change(request, task, board) ?? ok(showTask(request, task)));
}

/** A task's dates, its place and its pin. */
export const taskPlacing: readonly BoardRoute[] = [
  route(
    `${TASK}/dates`,
    [
      {
        methods: ['POST'],
        args: DATES,
        permission: permit.members,
        handle: then((request, task, board) => {
          const fields = readTaskFields(request, board, task);
          if (isRefusal(fields)) return fields;
          const { startsAt, dueAt, remindAt } = fields;
          changeTask(request, task, {
            ...(startsAt === undefined ? {} : { startsAt }),
            ...(dueAt === undefined ? {} : { dueAt }),
            ...(remindAt === undefined ? {} : { remindAt }),
          });
          return undefined;
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/move-task`,
    [
      {
        methods: ['PUT'],
        args: { stage_id: { ...STAGE_ID, required: true }, position: POSITION },
        permission: permit.members,
        handle: then((request, task, board) => {
          const stage = stageFor(request, board);
          return isRefusal(stage)
            ? stage
            : moveTask(request, task, stage, request.params.integer('position'));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/move-to-next-stage`,
    [
      {
        methods: ['PUT'],
        permission: permit.members,
        handle: then((request, task, board) => {
          const stages = stagesOf(request.state, board.id);
          const next = stages[stages.findIndex(({ id }) => id === task.stageId) + 1];
          return next === undefined
            ? conflict('no_next_stage', 'The task stands in the last stage.')
            : moveTask(request, task, next);
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/pin`,
    [
      {
        methods: ['PUT'],
        args: {
          pinned: { description: 'Whether the caller wants it pinned.', type: 'boolean', default: true },
        },
        permission: insiders,
        handle: then(({ state, user, params }, task) => {
          if (user === null) return undefined;
          const { pinnedTasks } = personal(state, user.id);
          takeOut(pinnedTasks, task.id);
          if (params.boolean('pinned', true)) pinnedTasks.unshift(task.id);
          return undefined;
        }),
      },
    ],
    TASK_SCHEMA,
  ),
];

/** Whether it is done. */
export const taskStatus: BoardRoute = route(
  '/projects/{board_id:str}/tasks/status-update/{task_id:int}',
  [
    {
      methods: ['POST'],
      args: { status: { ...STATUS, required: true } },
      permission: permit.members,
      handle: then((request, task) => {
        setStatus(request, task, asStatus(request.params.string('status')));
        return undefined;
      }),
    },
  ],
  TASK_SCHEMA,
);

/** The caller's own part in it. */
export const taskOwning: readonly BoardRoute[] = [
  route(
    `${TASK}/assign-yourself`,
    [
      {
        methods: ['POST'],
        permission: permit.members,
        handle: then((request, task) => {
          if (request.user !== null) assign(request, task, request.user.id);
          return undefined;
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/detach-yourself`,
    [
      {
        methods: ['POST'],
        permission: permit.members,
        handle: then((request, task) => {
          if (request.user !== null) unassign(request, task, request.user.id);
          return undefined;
        }),
      },
    ],
    TASK_SCHEMA,
  ),
];
