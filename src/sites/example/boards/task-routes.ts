import type { SiteResponse } from '../../rest-server/declarations.ts';
import { ok, pageResponse, RefusedError, refuse } from '../../rest-server/responses.ts';
import type { BoardHandler, BoardOperations } from './declarations.ts';
import { findContact } from './people.ts';
import { canReadTask, hasRight, isInside, isMemberOrAdmin, readableBoards } from './permissions.ts';
import { createView, createWordFilter, refuseArgument } from './resource.ts';
import {
  type Board,
  type BoardRequest,
  newestFirst,
  removeId,
  TASK_PRIORITIES,
  type Task,
  toId,
  toTimestamp,
} from './state.ts';
import {
  addTask,
  archiveTask,
  changeTask,
  countReadableComments,
  deleteTask,
  isOverdue,
  moveTask,
  readStage,
  readTaskValues,
  restoreTask,
  taskResource,
  workedMinutes,
} from './tasks.ts';

type TaskFilter = (request: BoardRequest) => (task: Task) => boolean;

function hasOneOf(
  name: string,
  valuesOf: (task: Task, request: BoardRequest) => readonly (string | number)[],
): TaskFilter {
  return (request) => {
    const wanted = request.params.strings(name);
    return (task) => valuesOf(task, request).some((value) => wanted.includes(String(value)));
  };
}

const FILTERS: Readonly<Record<string, TaskFilter>> = {
  search(request) {
    const matches = createWordFilter(request);
    return ({ title, description }) => matches(`${title}\n${description}`);
  },
  stage_ids: hasOneOf('stage_ids', ({ stageId }) => [stageId]),
  // Filtering must not reveal people that the client cannot see.
  assignees: hasOneOf('assignees', (task, request) => (isInside(request, task) ? task.assignees : [])),
  labels: hasOneOf('labels', ({ labels }) => labels),
  priorities: hasOneOf('priorities', ({ priority }) => [priority]),
  status: hasOneOf('status', ({ status }) => [status]),
  due: hasOneOf('due', (task, { now }) => [
    ...(isOverdue(task, toTimestamp(now)) ? ['overdue'] : []),
    ...(task.dueAt === null ? ['none'] : []),
  ]),
};

function selectTasks(request: BoardRequest, board: Board): Task[] {
  const { state, params } = request;
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) =>
    params.has(name) ? [filter(request)] : [],
  );
  const found = state.tasksInOrder(board.id).filter((task) => filters.every((passes) => passes(task)));
  return sortTasksBy(found, params.string('orderby'), params.string('order'));
}

const SORT_KEYS: Readonly<Record<string, (task: Task) => string | number | null>> = {
  title: ({ title }) => title.toLowerCase(),
  priority: ({ priority }) => TASK_PRIORITIES.indexOf(priority),
  due: ({ dueAt }) => dueAt,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
};

/** `null` comes last in both directions. */
export function sortTasksBy(tasks: Task[], orderby = '', order = 'asc'): Task[] {
  const keyOf = SORT_KEYS[orderby];
  if (keyOf === undefined) return order === 'desc' ? tasks.reverse() : tasks;
  const sign = order === 'desc' ? -1 : 1;
  return tasks.sort((one, other) => {
    const [key, otherKey] = [keyOf(one), keyOf(other)];
    if (key === otherKey) return 0;
    if (key === null || otherKey === null) return key === null ? 1 : -1;
    return key < otherKey ? -sign : sign;
  });
}

/** Rows of a table, with text in place of ids. */
const rowResource = taskResource.with({
  show: createView<Task>('task-row', {
    stage: ({ stageId }, { state }) => state.stages.get(stageId)?.title ?? '',
    assignees: (task, request) =>
      isInside(request, task) ? task.assignees.map((id) => request.state.findUserName(id)) : [],
    labels: (task, { state }) => state.labelsOf(task).map(({ title }) => title),
    is_overdue: (task, { now }) => isOverdue(task, toTimestamp(now)),
    worked_minutes: workedMinutes,
  }),
});

function showStages({ state }: BoardRequest, boardId: number) {
  return state.activeStages(boardId).map(({ id, title, slug, position }) => ({ id, title, slug, position }));
}

type TaskChange = (request: BoardRequest, task: Task) => void;

const BULK_ACTIONS: Readonly<Record<string, TaskChange>> = {
  archive: archiveTask,
  restore: restoreTask,
  delete: deleteTask,
};

const NEEDED_ARGUMENTS: Readonly<Record<string, string>> = {
  move: 'stage_id',
  'set-priority': 'priority',
  'set-status': 'status',
};

function changeEach(request: BoardRequest, board: Board, action: string, change: TaskChange): SiteResponse {
  const done: number[] = [];
  const refused: { id: number; code: string; message: string }[] = [];
  for (const id of new Set(request.params.integers('task_ids'))) {
    try {
      change(request, request.state.findTask(board.id, id));
      done.push(id);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      refused.push({ id, code: error.error.code, message: error.error.message });
    }
  }
  return ok({ action, done, refused });
}

const changeAll = (action: string, change: TaskChange): BoardHandler =>
  taskResource.withParents((request, board) => changeEach(request, board, action, change));

/** Other tasks of the board say how long one takes, its dates how urgent it is. */
function adviseOnTask(request: BoardRequest, task: Task): SiteResponse {
  const { state, now } = request;
  const worked = state
    .allTasksOnBoard(task.boardId)
    .map((other) => (other === task ? 0 : workedMinutes(other, request)))
    .filter((minutes) => minutes > 0)
    .sort((one, other) => one - other);
  const stage = state.stages.get(task.stageId)?.title ?? 'no stage';
  const comments = countReadableComments(task, request);
  const text = `“${task.title}” is ${task.status} in ${stage}, with ${task.assignees.length} assigned and ${comments} comments.`;
  return ok({
    task_id: task.id,
    text: text.split(' ').slice(0, state.settings.ai.max_words).join(' '),
    suggestions: {
      priority: isOverdue(task, toTimestamp(now)) ? 'urgent' : task.priority,
      estimated_minutes: worked[Math.floor(worked.length / 2)] ?? task.estimatedMinutes,
    },
  });
}

export const taskOperations: BoardOperations = {
  listTasks: taskResource.listPage(({ state, params }, board) => {
    const stageId = params.integer('stage_id');
    return state.tasksInOrder(board.id).filter((task) => stageId === undefined || task.stageId === stageId);
  }),
  listFilteredTasks: taskResource.listPage(selectTasks),
  listTaskRows: rowResource.listPage(selectTasks),
  listTasksByStage: taskResource.withParents((request, board) => {
    const { state, params } = request;
    const stages = state.activeStages(board.id).map(({ id, title, position, color }) => {
      const all = state.activeTasksInStage(id);
      const tasks = taskResource.showAll(all.slice(0, params.integer('per_stage', 20)), request);
      return { stage_id: id, title, position, color, total: all.length, tasks };
    });
    return ok({ board_id: board.id, total: state.tasksInOrder(board.id).length, stages });
  }),
  listStagePage: taskResource.listPage(({ state, params }, board) =>
    state.activeTasksInStage(state.findStage(board.id, params.integer('stage_id')).id),
  ),
  listArchivedTasks: taskResource.listPage(({ state }, board) =>
    state
      .allTasksOnBoard(board.id)
      .filter(({ archivedAt }) => archivedAt !== null)
      .sort(newestFirst(({ archivedAt }) => archivedAt)),
  ),

  listTopTasks: (request) => {
    const { state, user, params } = request;
    const boards = state.boards.where((board) => board.archivedAt === null && isMemberOrAdmin(user, board));
    return ok(
      boards.map(({ id, title }) => {
        const open = state
          .openTasksOnBoard(id)
          .filter(({ assignees }) => !params.boolean('mine') || assignees.includes(user?.id ?? 0));
        const top = sortTasksBy(open, 'priority', 'desc').slice(0, params.integer('per_board', 5));
        return { board_id: id, title, open_tasks: open.length, tasks: taskResource.showAll(top, request) };
      }),
    );
  },
  listTasksOfContact: (request) => {
    const contact = findContact(request, 'associated_id');
    const found = request.state.tasks.where(
      (task) => task.contactId === contact.id && task.archivedAt === null && isInside(request, task),
    );
    return taskResource.respondPage(request, found);
  },
  locateTask: (request) => {
    const { state, user, params } = request;
    const task = state.tasks.get(toId(params.string('task_id')));
    const board = state.boards.get(task?.boardId ?? 0);
    if (!task || !board || !hasRight(user, board, 'read') || !canReadTask(request, task)) {
      return refuse(404, 'task_not_found', 'There is no such task that you may see.');
    }
    return ok({
      task_id: task.id,
      board_id: board.id,
      stage_id: task.stageId,
      position: task.position,
      stages: showStages(request, board.id),
    });
  },
  listBoardsByType: (request) => {
    const { state, user, params } = request;
    const type = params.string('type');
    const boards = readableBoards(state, user).filter(
      ({ kind, archivedAt }) => kind === type && archivedAt === null,
    );
    return pageResponse(request, boards, ({ id, title, kind }) => ({
      id,
      title,
      type: kind,
      stages: showStages(request, id),
    }));
  },

  addTask: taskResource.create((request, board) => {
    const stage = readStage(request, board);
    const values = readTaskValues(request, board);
    const position = request.params.integer('position');
    return addTask(request, board, stage, { ...values, title: values.title ?? '' }, position);
  }),

  readTask: taskResource.read(),
  updateTask: taskResource.change((request, task, board) => {
    const { params } = request;
    const values = readTaskValues(request, board, { task });
    if (params.has('stage_id') || params.has('position')) {
      moveTask(request, task, readStage(request, board, task.stageId), params.integer('position'));
    }
    return changeTask(request, task, values);
  }),
  deleteTask: taskResource.remove(deleteTask),
  detachTicket: taskResource.change((request, task) => {
    if (task.supportTicketId === null) {
      refuse(404, 'ticket_not_found', 'The task came from no support ticket.');
    }
    return changeTask(request, task, { supportTicketId: null });
  }),

  setTaskFields: taskResource.change((request, task, board) =>
    changeTask(request, task, readTaskValues(request, board, { task })),
  ),
  moveTask: taskResource.change((request, task, board) =>
    moveTask(request, task, readStage(request, board), request.params.integer('position')),
  ),
  moveTaskOn: taskResource.change((request, task, board) => {
    const stages = request.state.activeStages(board.id);
    const next = stages[stages.findIndex(({ id }) => id === task.stageId) + 1];
    if (next === undefined) return refuse(409, 'no_next_stage', 'The task stands in the last stage.');
    return moveTask(request, task, next);
  }),
  pinTask: taskResource.change(({ state, user, params }, { id }) => {
    const { pinnedTasks } = state.settingsOf(user);
    removeId(pinnedTasks, id);
    if (params.boolean('pinned', true)) pinnedTasks.unshift(id);
    return undefined;
  }),

  assignYourself: taskResource.change(({ user }, { assignees, title }) => {
    if (user === null || assignees.includes(user.id)) return undefined;
    assignees.push(user.id);
    return { action: 'assigned', text: `took on “${title}”` };
  }),
  detachYourself: taskResource.change(({ user }, { assignees, title }) =>
    removeId(assignees, user?.id ?? 0) ? { action: 'unassigned', text: `gave “${title}” away` } : undefined,
  ),

  cloneTask: taskResource.create((request, board) => {
    const [task] = taskResource.locate(request);
    const title = request.params.string('title', '').trim() || task.title;
    const copy = addTask(request, board, readStage(request, board, task.stageId), { ...task, title });
    copy.cover = task.cover;
    return copy;
  }),

  changeTasks: taskResource.withParents((request, board) => {
    const action = request.params.string('action', '');
    const argument = NEEDED_ARGUMENTS[action];
    if (argument !== undefined && !request.params.has(argument)) {
      refuseArgument(argument, `This action needs ${argument}.`);
    }
    if (action === 'move') {
      const stage = readStage(request, board);
      return changeEach(request, board, action, (_, task) => moveTask(request, task, stage));
    }
    const values = readTaskValues(request, board, { names: new Set([argument ?? '']) });
    const change: TaskChange = (_, task) => changeTask(request, task, values);
    return changeEach(request, board, action, BULK_ACTIONS[action] ?? change);
  }),
  restoreTasks: changeAll('restore', restoreTask),
  deleteTasks: changeAll('delete', deleteTask),

  adviseOnTask: taskResource.withItem(adviseOnTask),
};
