import { created, restError } from '../../site/responses.ts';
import type { Board, Task } from '../model/index.ts';
import { activeStages, findStage, isSiteError, removeId, userSettings } from '../model/index.ts';
import { type BoardRequest, type BoardRoute, permit, refuseConflict, schema } from '../rest/index.ts';
import {
  DATE_ARGS,
  STAGE_ID_ARG,
  START_STAGE_ARG,
  STATUS_ARG,
  TASK_ARGS,
  TASK_POSITION_ARG,
  TASK_TITLE_ARG,
} from './args.ts';
import { assignTask, changeTask, setTaskStatus, unassignTask } from './changes.ts';
import { addTask, type NewTask, readStage } from './create.ts';
import { readTaskStatus, readTaskValues } from './fields.ts';
import { deleteTask, moveTask } from './moves.ts';
import { taskResource } from './resource.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

export const taskCreationRoute: BoardRoute = taskResource.post('/projects/{board_id:str}/tasks', {
  args: {
    ...TASK_ARGS,
    title: { ...TASK_TITLE_ARG, required: true },
    stage_id: START_STAGE_ARG,
    position: TASK_POSITION_ARG,
  },
  create(request, board) {
    const stage = readStage(request, board);
    if (isSiteError(stage)) return stage;
    const values = readTaskValues(request, board);
    if (isSiteError(values)) return values;
    return addTask(request, {
      board,
      stage,
      values: { ...values, title: values.title ?? '' },
      position: request.params.integer('position'),
    });
  },
  location: ({ id }, board) => `/projects/${board.id}/tasks/${id}`,
});

/** Reading, changing and deleting one task, and detaching its support ticket. */
export const taskItemRoutes: readonly BoardRoute[] = [
  taskResource.route(TASK, {
    GET: {},
    PUT: {
      args: {
        ...TASK_ARGS,
        stage_id: { ...STAGE_ID_ARG, description: 'Stage to move it to. Absent: it stays.' },
        position: TASK_POSITION_ARG,
      },
      change(request, task, board) {
        const { params, state } = request;
        const values = readTaskValues(request, board, task);
        if (isSiteError(values)) return values;
        if (params.has('stage_id') || params.has('position')) {
          const stage = params.has('stage_id')
            ? readStage(request, board)
            : findStage(state, board.id, task.stageId);
          if (isSiteError(stage)) return stage;
          const error = moveTask(request, task, stage, params.integer('position'));
          if (error !== undefined) return error;
        }
        return changeTask(request, task, values);
      },
    },
    DELETE: { remove: deleteTask },
  }),
  taskResource.delete(`${TASK}/support-ticket`, {
    change: (request, task) =>
      task.supportTicketId === null
        ? restError(404, 'ticket_not_found', 'The task came from no support ticket.')
        : changeTask(request, task, { supportTicketId: null }),
  }),
];

/** Dates, stage and position of a task, and pinning it. */
export const taskPlacingRoutes: readonly BoardRoute[] = [
  taskResource.post(`${TASK}/dates`, {
    args: DATE_ARGS,
    change(request, task, board) {
      const values = readTaskValues(request, board, task);
      if (isSiteError(values)) return values;
      const { startsAt, dueAt, remindAt } = values;
      return changeTask(request, task, { startsAt, dueAt, remindAt });
    },
  }),
  taskResource.put(`${TASK}/move-task`, {
    args: { stage_id: { ...STAGE_ID_ARG, required: true }, position: TASK_POSITION_ARG },
    change(request, task, board) {
      const stage = readStage(request, board);
      return isSiteError(stage) ? stage : moveTask(request, task, stage, request.params.integer('position'));
    },
  }),
  taskResource.put(`${TASK}/move-to-next-stage`, {
    change(request, task, board) {
      const stages = activeStages(request.state, board.id);
      const next = stages[stages.findIndex(({ id }) => id === task.stageId) + 1];
      return next === undefined
        ? refuseConflict('no_next_stage', 'The task stands in the last stage.')
        : moveTask(request, task, next);
    },
  }),
  taskResource.put(`${TASK}/pin`, {
    args: { pinned: schema.boolean('Whether the caller wants it pinned.', { default: true }) },
    permission: permit.anyMember,
    change({ state, user, params }, { id }) {
      if (user === null) return undefined;
      const { pinnedTasks } = userSettings(state, user.id);
      removeId(pinnedTasks, id);
      if (params.boolean('pinned', true)) pinnedTasks.unshift(id);
      return undefined;
    },
  }),
];

export const taskStatusRoute: BoardRoute = taskResource.post(
  '/projects/{board_id:str}/tasks/status-update/{task_id:int}',
  {
    args: { status: { ...STATUS_ARG, required: true } },
    change: (request, task) => setTaskStatus(request, task, readTaskStatus(request)),
  },
);

/** The routes with which users assign themselves to a task or end that. */
export const taskAssigningRoutes: readonly BoardRoute[] = [
  taskResource.post(`${TASK}/assign-yourself`, {
    change: (request, task) => assignTask(request, task, request.user?.id ?? 0),
  }),
  taskResource.post(`${TASK}/detach-yourself`, {
    change: (request, task) => unassignTask(request, task, request.user?.id ?? 0),
  }),
];

export const taskCopyRoute: BoardRoute = taskResource.post(`${TASK}/clone-task`, {
  args: {
    title: { ...TASK_TITLE_ARG, description: 'Title of the copy. Absent: that of the task.' },
    stage_id: {
      ...STAGE_ID_ARG,
      description: 'Stage of the copy. Absent: right after the task, in its stage.',
    },
    with_assignees: schema.boolean('Whether the copy keeps them.', { default: true }),
    with_labels: schema.boolean('Whether the copy keeps them.', { default: true }),
    with_dates: schema.boolean('Whether the copy keeps them.', { default: true }),
  },
  handleItem(request, task, board) {
    const copy = copyTask(request, task, board);
    if (isSiteError(copy)) return copy;
    copy.cover = task.cover;
    const location = request.link(`/boards/v2/projects/${board.id}/tasks/${copy.id}`);
    return created(taskResource.show(request, copy), location);
  },
});

/** Copies a task to the requested stage, else behind the original, or to the first stage if its own is archived. */
function copyTask(request: BoardRequest, task: Task, board: Board): ReturnType<typeof addTask> {
  const { params, state } = request;
  const current = params.has('stage_id')
    ? undefined
    : activeStages(state, board.id).find(({ id }) => id === task.stageId);
  const stage = current ?? readStage(request, board);
  if (isSiteError(stage)) return stage;
  const dates = params.boolean('with_dates', true) ? task : { startsAt: null, dueAt: null, remindAt: null };
  const values: NewTask['values'] = {
    title: params.string('title', '').trim() || task.title,
    description: task.description,
    priority: task.priority,
    assignees: params.boolean('with_assignees', true) ? task.assignees : [],
    labels: params.boolean('with_labels', true) ? task.labels : [],
    startsAt: dates.startsAt,
    dueAt: dates.dueAt,
    remindAt: dates.remindAt,
    contactId: task.contactId,
    estimatedMinutes: task.estimatedMinutes,
  };
  const position = current === undefined || task.archivedAt !== null ? undefined : task.position + 1;
  return addTask(request, { board, stage, values, position, copiedFrom: task });
}
