import type { SiteError } from '../../rest-server/declarations.ts';
import { isSiteError, ok, restError } from '../../rest-server/responses.ts';
import { findContact } from './contacts.ts';
import {
  type BoardHandler,
  type BoardOperations,
  type BoardRequest,
  canReadBoard,
  canReadPeople,
  canReadTask,
  createView,
  createWordFilter,
  findBoardOfPath,
  invalidArgument,
  isMemberOrAdmin,
  pageResponse,
  readableBoards,
} from './resource.ts';
import {
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  findStage,
  newestFirst,
  type Task,
  type TaskPriority,
  toDay,
  toTimestamp,
} from './state.ts';
import { isOverdue, sumByTask, taskResource, taskView } from './tasks.ts';

type TaskFilter = (request: BoardRequest) => (task: Task) => boolean;

/** Filters by argument. */
const FILTERS: Readonly<Record<string, TaskFilter>> = {
  search(request) {
    const matches = createWordFilter(request);
    return ({ title, description }) => matches(`${title}\n${description}`);
  },
  stage_ids({ params }) {
    const ids = new Set(params.integers('stage_ids'));
    return ({ stageId }) => ids.has(stageId);
  },
  assignees(request) {
    const ids = new Set(request.params.integers('assignees'));
    return ({ boardId, assignees }) => {
      const board = request.state.boards.get(boardId);
      // A client who may not see the people of a board must not find them by filtering either.
      return board !== undefined && canReadPeople(request, board) && assignees.some((id) => ids.has(id));
    };
  },
  labels({ params }) {
    const ids = new Set(params.integers('labels'));
    return ({ labels }) => labels.some((id) => ids.has(id));
  },
  priorities({ params }) {
    const priorities = new Set(params.strings('priorities'));
    return ({ priority }) => priorities.has(priority);
  },
  status({ params }) {
    const requested = params.string('status');
    return ({ status }) => status === requested;
  },
  due({ params, now }) {
    const [at, week] = [toTimestamp(now), toTimestamp(new Date(now.getTime() + 7 * 86_400_000))];
    switch (params.string('due')) {
      case 'overdue':
        return (task) => isOverdue(task, at);
      case 'today':
        return ({ dueAt }) => dueAt !== null && toDay(dueAt) === toDay(at);
      case 'week':
        return ({ dueAt }) => dueAt !== null && dueAt >= at && dueAt <= week;
      default:
        return ({ dueAt }) => dueAt === null;
    }
  },
};

/** The tasks of a board that pass the filters of a request, sorted as it asks. */
function selectTasks(request: BoardRequest, tasks: readonly Task[]): Task[] | SiteError {
  const { state, params } = request;
  const boardId = tasks[0]?.boardId;
  for (const id of params.integers('stage_ids')) {
    if (boardId !== undefined && state.stages.get(id)?.boardId !== boardId) {
      return invalidArgument('stage_ids', `There is no stage ${id} on this board.`);
    }
  }
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) =>
    params.has(name) ? [filter(request)] : [],
  );
  const includesArchived = params.boolean('include_archived');
  const found = tasks.filter(
    (task) =>
      (isActive(request, task) || (includesArchived && isOfMember(request, task))) &&
      filters.every((passes) => passes(task)),
  );
  return sortTasks(request, found);
}

/** Whether neither the task nor its stage is archived. */
function isActive({ state }: BoardRequest, { archivedAt, stageId }: Task): boolean {
  return archivedAt === null && state.stages.get(stageId)?.archivedAt === null;
}

function isOfMember({ state, user }: BoardRequest, { boardId }: Task): boolean {
  const board = state.boards.get(boardId);
  return board !== undefined && isMemberOrAdmin(user, board);
}

/** Priorities as numbers that sort from the least to the most urgent. */
export const PRIORITY_RANKS: Readonly<Record<TaskPriority, number>> = {
  low: 1,
  medium: 2,
  high: 3,
  urgent: 4,
};

type SortKey = string | number | null;

const SORT_KEYS: Readonly<Record<string, (task: Task, request: BoardRequest) => SortKey>> = {
  position: ({ stageId, position }, { state }) => (state.stages.get(stageId)?.position ?? 0) * 1e6 + position,
  title: ({ title }) => title.toLowerCase(),
  priority: ({ priority }) => PRIORITY_RANKS[priority],
  due: ({ dueAt }) => dueAt,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
};

function sortTasks(request: BoardRequest, tasks: readonly Task[]): Task[] {
  const keyOf = SORT_KEYS[request.params.string('orderby', 'position')] ?? (({ id }: Task) => id);
  const sign = request.params.string('order') === 'desc' ? -1 : 1;
  return tasks
    .map((task) => ({ task, key: keyOf(task, request) }))
    .sort((one, other) => compareSortKeys(one.key, other.key, sign) || one.task.id - other.task.id)
    .map(({ task }) => task);
}

/** Compares two keys; `null` comes last in both directions. */
export function compareSortKeys(one: SortKey, other: SortKey, sign: 1 | -1): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other ? -sign : sign;
}

/** Values that all rows of a response share. */
interface TaskRowContext {
  readonly request: BoardRequest;
  readonly minutes: ReadonlyMap<number, number>;
  readonly names: ReadonlyMap<number, string>;
  readonly showsPeople: boolean;
}

/** A task as a row of a table, with text in place of ids. */
const rowView = createView<Task, TaskRowContext>(
  'task-row',
  (request) => {
    const board = findBoardOfPath(request);
    return {
      request,
      minutes: sumByTask(request.state.timeTracks.values(), (track) => track.minutes),
      names: new Map(request.state.users.map(({ id, name }) => [id, name])),
      showsPeople: !isSiteError(board) && canReadPeople(request, board[0]),
    };
  },
  {
    stage: ({ stageId }, { request }) => request.state.stages.get(stageId)?.title ?? '',
    assignees: ({ assignees }, { names, showsPeople }) =>
      showsPeople ? assignees.flatMap((id) => names.get(id) ?? []) : [],
    labels: ({ labels }, { request }) => labels.flatMap((id) => request.state.labels.get(id)?.title ?? []),
    is_overdue: (task, { request }) => isOverdue(task, toTimestamp(request.now)),
    worked_minutes: ({ id }, { minutes }) => minutes.get(id) ?? 0,
  },
);

const listFiltered = (resource: typeof taskResource): BoardHandler =>
  resource.listPage((request, board) => selectTasks(request, allTasksOnBoard(request.state, board.id)));

/** Most recently archived first. */
const listArchived = taskResource.listPage(({ state }, board) =>
  allTasksOnBoard(state, board.id)
    .filter(({ archivedAt }) => archivedAt !== null)
    .sort(newestFirst(({ archivedAt }) => archivedAt)),
);

/** Orders by priority, then by due date. */
function byUrgency(one: Task, other: Task): number {
  return (
    PRIORITY_RANKS[other.priority] - PRIORITY_RANKS[one.priority] ||
    (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') ||
    one.id - other.id
  );
}

function showStages({ state }: BoardRequest, boardId: number) {
  return activeStages(state, boardId).map(({ id, title, slug, position }) => ({ id, title, slug, position }));
}

const NO_STAGE = { id: 0, title: '', slug: '', position: 0 } as const;

export const taskListOperations: BoardOperations = {
  // The tasks of a board in different lists.
  'GET /projects/{board_id:int}/tasks': taskResource.listPage(({ state, params }, board) => {
    const stageId = params.integer('stage_id');
    const stages = activeStages(state, board.id).filter(({ id }) => stageId === undefined || id === stageId);
    return params.has('stage_id') && stages.length === 0
      ? invalidArgument('stage_id', 'There is no such stage on this board.')
      : stages.flatMap(({ id }) => activeTasksInStage(state, id));
  }),
  'GET /projects/{board_id:int}/tasks/filtered': listFiltered(taskResource),
  'GET /projects/{board_id:int}/tasks/table': listFiltered(taskResource.with(rowView)),
  'GET /projects/{board_id:int}/tasks/by-stage': taskResource.withParents((request, board) => {
    const show = taskView.createPresenter(request);
    const stages = activeStages(request.state, board.id).map(({ id, title, position, color }) => {
      const all = activeTasksInStage(request.state, id);
      const shown = all.slice(0, request.params.integer('per_stage', 20)).map(show);
      return { stage_id: id, title, position, color, total: all.length, tasks: shown };
    });
    const total = stages.reduce((sum, stage) => sum + stage.total, 0);
    return ok({ board_id: board.id, total, stages });
  }),
  'GET /projects/{board_id:int}/tasks/stage-page': taskResource.listPage(({ state, params }, board) => {
    const stage = findStage(state, board.id, params.integer('stage_id'));
    return isSiteError(stage) ? stage : activeTasksInStage(state, stage.id);
  }),
  'GET /projects/{board_id:int}/tasks/archived': listArchived,
  'GET /projects/{board_id:int}/archived-tasks': listArchived,

  // Routes below `/tasks` that do not name a board.
  'GET /tasks/top-in-boards': (request) => {
    const { state, user, params } = request;
    const show = taskView.createPresenter(request);
    const boards = [...state.boards.values()].filter(
      (board) => board.archivedAt === null && isMemberOrAdmin(user, board),
    );
    return ok(
      boards.map(({ id, title }) => {
        const open = allTasksOnBoard(state, id)
          .filter(({ status, archivedAt }) => status === 'open' && archivedAt === null)
          .filter(({ assignees }) => !params.boolean('mine') || assignees.includes(user?.id ?? 0))
          .sort(byUrgency);
        const top = open.slice(0, params.integer('per_board', 5));
        return { board_id: id, title, open_tasks: open.length, tasks: top.map(show) };
      }),
    );
  },
  'GET /tasks/crm-associated-tasks/{associated_id:int}': (request) => {
    const { state, user } = request;
    const contact = findContact(request, 'associated_id');
    if (isSiteError(contact)) return contact;
    const found = [...state.tasks.values()].filter(({ boardId, contactId, archivedAt }) => {
      const board = state.boards.get(boardId);
      return (
        contactId === contact.id && archivedAt === null && board !== undefined && isMemberOrAdmin(user, board)
      );
    });
    return taskResource.respondPage(request, found);
  },
  'GET /tasks/stage/{task_id:str}': (request) => {
    const { state, user, params } = request;
    const name = params.string('task_id', '');
    const task = /^\d{1,15}$/.test(name) ? state.tasks.get(Number(name)) : undefined;
    const board = task && state.boards.get(task.boardId);
    // The client does not learn whether a task exists that they may not read.
    if (!task || !board || !canReadBoard(user, board) || !canReadTask(request, board, task)) {
      return restError(404, 'task_not_found', 'There is no such task that you may see.');
    }
    const { id, title, slug, position } = state.stages.get(task.stageId) ?? NO_STAGE;
    return ok({
      task_id: task.id,
      board_id: board.id,
      position: task.position,
      stage: { id, title, slug, position },
      stages: showStages(request, board.id),
    });
  },
  'GET /tasks/boards-by-type/{type:str}': (request) => {
    const { state, user, params } = request;
    const type = params.string('type');
    if (type !== 'kanban' && type !== 'roadmap') {
      return invalidArgument('type', 'type is not one of kanban and roadmap.');
    }
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
};
