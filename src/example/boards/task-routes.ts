import type { SiteError } from '../../rest-server/declarations.ts';
import { created, isSiteError, ok, restError } from '../../rest-server/responses.ts';
import { findContact } from './people.ts';
import {
  type BoardHandler,
  type BoardOperations,
  type BoardRequest,
  canReadBoard,
  canReadPeople,
  canReadTask,
  createView,
  createWordFilter,
  enumParam,
  findBoardOfPath,
  type HandlerResult,
  invalidArgument,
  isMemberOrAdmin,
  pageResponse,
  readableBoards,
  refuseConflict,
} from './resource.ts';
import {
  type AiTone,
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  type Board,
  type BoardState,
  findStage,
  findTask,
  findUser,
  newestFirst,
  parseTimestamp,
  removeId,
  TASK_PRIORITIES,
  type Task,
  type TaskPriority,
  toDay,
  toTimestamp,
  userSettings,
} from './state.ts';
import {
  addTask,
  archiveTask,
  assignTask,
  changeTask,
  deleteTask,
  isDueBeforeStart,
  isOverdue,
  labelTask,
  moveTask,
  type NewTask,
  readStage,
  readTaskDate,
  readTaskPriority,
  readTaskStatus,
  readTaskValues,
  restoreTask,
  setTaskStatus,
  sumByTask,
  type TaskValues,
  taskResource,
  taskView,
  unassignTask,
  unlabelTask,
} from './tasks.ts';

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

/** Changes one of the tasks. An error concerns only this task. */
type TaskChange = (task: Task) => SiteError | undefined;

/** Reads the arguments of an action; an error refuses the whole request. */
type BulkAction = (request: BoardRequest, board: Board) => TaskChange | SiteError;

const ACTION_NAMES = [
  'move',
  'archive',
  'restore',
  'delete',
  'assign',
  'unassign',
  'add-label',
  'remove-label',
  'set-priority',
  'set-status',
  'set-due-date',
] as const;

const ACTIONS: Readonly<Record<(typeof ACTION_NAMES)[number], BulkAction>> = {
  move(request, board) {
    const stage = requireArgument(request, 'stage_id') ?? readStage(request, board);
    if (isSiteError(stage)) return stage;
    // The first task lands at the position, each other one behind the task before it.
    let position = request.params.integer('position');
    return (task) => {
      const error = moveTask(request, task, stage, position);
      if (error === undefined && position !== undefined) position = task.position + 1;
      return error;
    };
  },
  archive: (request) => (task) => archiveTask(request, task),
  restore: (request) => (task) => restoreTask(request, task),
  delete: (request) => (task) => deleteTask(request, task),
  assign(request, board) {
    const missing = requireArgument(request, 'user_id');
    if (missing !== undefined) return missing;
    const user = findUser(request.state, request.params.integer('user_id'));
    if (isSiteError(user)) return invalidArgument('user_id', user.message);
    return isMemberOrAdmin(user, board)
      ? (task) => assignTask(request, task, user.id)
      : invalidArgument('user_id', 'This user is not a member of the board.');
  },
  unassign: (request) =>
    requireArgument(request, 'user_id') ??
    ((task) => unassignTask(request, task, request.params.integer('user_id', 0))),
  'add-label'(request, board) {
    const missing = requireArgument(request, 'label_id');
    if (missing !== undefined) return missing;
    const label = request.state.labels.get(request.params.integer('label_id', 0));
    return label?.boardId === board.id
      ? (task) => labelTask(request, task, label.id)
      : invalidArgument('label_id', 'There is no such label on this board.');
  },
  'remove-label': (request) =>
    requireArgument(request, 'label_id') ??
    ((task) => unlabelTask(request, task, request.params.integer('label_id', 0))),
  'set-priority': (request) =>
    requireArgument(request, 'priority') ??
    ((task) => changeTask(request, task, { priority: readTaskPriority(request) })),
  'set-status': (request) =>
    requireArgument(request, 'status') ?? ((task) => setTaskStatus(request, task, readTaskStatus(request))),
  'set-due-date'(request) {
    // An explicit null removes the date.
    if (!request.suppliedNames.has('due_at')) return createMissingArgumentError('due_at');
    const dueAt = readTaskDate(request, 'due_at');
    if (isSiteError(dueAt)) return dueAt;
    return (task) =>
      isDueBeforeStart(task.startsAt, dueAt)
        ? invalidArgument('due_at', 'A task cannot be due before it starts.')
        : changeTask(request, task, { dueAt });
  },
};

function requireArgument({ params }: BoardRequest, name: string): SiteError | undefined {
  return params.has(name) ? undefined : createMissingArgumentError(name);
}

function createMissingArgumentError(name: string): SiteError {
  return invalidArgument(name, `This action needs ${name}.`);
}

function changeEach(request: BoardRequest, board: Board, action: string, change: TaskChange): HandlerResult {
  const done: number[] = [];
  const refused: { id: number; code: string; message: string }[] = [];
  for (const id of new Set(request.params.integers('task_ids'))) {
    const task = findTask(request.state, board.id, id);
    const error = isSiteError(task) ? task : change(task);
    if (isSiteError(error)) refused.push({ id, code: error.code, message: error.message });
    else done.push(id);
  }
  return ok({ action, done, refused });
}

const ASSISTANT_ACTIONS = ['improve', 'estimate', 'plan', 'summarize'] as const;
type AssistantAction = (typeof ASSISTANT_ACTIONS)[number];

const SUGGESTED_FIELDS = ['title', 'description', 'priority', 'due_at', 'estimated_minutes'] as const;
type SuggestedField = (typeof SUGGESTED_FIELDS)[number];

interface TaskSuggestion {
  readonly field: SuggestedField;
  /** As text, whatever the type of the field: `120`, `2026-03-02T17:00:00Z`. */
  readonly value: string;
  readonly reason: string;
}

interface TaskAdvice {
  readonly text: string;
  readonly suggestions: readonly TaskSuggestion[];
}

/**
 * Advice from rules over the content of the board. It needs no service, and the same task always gets the same advice.
 */
function advise(state: BoardState, task: Task, action: AssistantAction, now: Date): TaskAdvice {
  return ADVISERS[action](state, task, now);
}

const ADVISERS: Readonly<Record<AssistantAction, (state: BoardState, task: Task, now: Date) => TaskAdvice>> =
  {
    improve(_state, task) {
      const title = task.title.trim().replace(/\.+$/, '');
      const tidy = title.charAt(0).toUpperCase() + title.slice(1);
      const outline = '## Goal\n\n## Done when\n\n- [ ] It works\n- [ ] Somebody else has looked at it';
      const description = task.description === '' ? outline : `${task.description}\n\n${outline}`;
      return {
        text: 'A goal and a list of what “done” means make a task easier to pick up.',
        suggestions: [
          ...(tidy === task.title
            ? []
            : [
                {
                  field: 'title',
                  value: tidy,
                  reason: 'Titles begin with a capital and end without a stop.',
                } as const,
              ]),
          { field: 'description', value: description, reason: 'Says when it is done.' },
        ],
      };
    },
    estimate(state, task) {
      const worked = new Map<number, number>();
      for (const { boardId, taskId, minutes } of state.timeTracks.values())
        if (boardId === task.boardId && taskId !== task.id)
          worked.set(taskId, (worked.get(taskId) ?? 0) + minutes);
      const typical = median([...worked.values()].filter((minutes) => minutes > 0)) ?? 120;
      const value = Math.ceil(typical / 15) * 15;
      return {
        text: `Tasks of this board took about ${value} minutes.`,
        suggestions: [
          {
            field: 'estimated_minutes',
            value: String(value),
            reason: `The median of ${worked.size} other tasks.`,
          },
        ],
      };
    },
    plan(state, task, now) {
      const open = [...state.tasks.values()].filter(
        ({ boardId, status, id }) => boardId === task.boardId && status === 'open' && id !== task.id,
      );
      const due = toTimestamp(new Date(now.getTime() + (3 + Math.min(open.length, 11)) * 86_400_000));
      const late = task.dueAt !== null && task.dueAt < toTimestamp(now);
      return {
        text: `${open.length} other tasks of this board are open.`,
        suggestions: [
          { field: 'due_at', value: due, reason: 'Three days, and more the more is open.' },
          {
            field: 'priority',
            value: late ? 'urgent' : 'high',
            reason: late ? 'It is overdue.' : 'It was asked about.',
          },
        ],
      };
    },
    summarize(state, task) {
      const comments = [...state.comments.values()].filter(({ taskId }) => taskId === task.id).length;
      const stage = state.stages.get(task.stageId)?.title ?? 'no stage';
      const people = task.assignees.length;
      return {
        text: `“${task.title}” is ${task.status} in ${stage}, with ${people} assigned and ${comments} comments.`,
        suggestions: [],
      };
    },
  };

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** How the assistant begins, by the tone of the AI settings. */
const OPENINGS: Readonly<Record<AiTone, string>> = {
  neutral: '',
  friendly: 'Happy to help! ',
  formal: 'We recommend the following. ',
};

/** Cuts a text after a number of words. */
function limitWords(text: string, limit: number): string {
  const words = text.split(' ');
  return words.length <= limit ? text : `${words.slice(0, limit).join(' ')} …`;
}

/** Converts the text of a suggestion; `undefined` for a value that the field cannot have. */
const READERS: Readonly<Record<SuggestedField, (value: string) => TaskValues | undefined>> = {
  title(value) {
    const title = value.trim();
    return title === '' || title.length > 300 ? undefined : { title };
  },
  description: (description) => ({ description }),
  priority(value) {
    const priority = TASK_PRIORITIES.find((known) => known === value);
    return priority === undefined ? undefined : { priority };
  },
  due_at(value) {
    const dueAt = parseTimestamp(value);
    return dueAt === undefined ? undefined : { dueAt };
  },
  estimated_minutes: (value) => (/^\d{1,6}$/.test(value) ? { estimatedMinutes: Number(value) } : undefined),
};

export const taskOperations: BoardOperations = {
  'POST /projects/{board_id:str}/tasks': taskResource.create(
    '/projects/{board_id}/tasks/{id}',
    (request, board) => {
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
  ),

  // Reading, changing and deleting one task, and detaching its support ticket.
  'GET /projects/{board_id:int}/tasks/{task_id:int}': taskResource.read(),
  'PUT /projects/{board_id:int}/tasks/{task_id:int}': taskResource.change((request, task, board) => {
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
  }),
  'DELETE /projects/{board_id:int}/tasks/{task_id:int}': taskResource.remove(deleteTask),
  'DELETE /projects/{board_id:int}/tasks/{task_id:int}/support-ticket': taskResource.change(
    (request, task) =>
      task.supportTicketId === null
        ? restError(404, 'ticket_not_found', 'The task came from no support ticket.')
        : changeTask(request, task, { supportTicketId: null }),
  ),

  // Dates, stage and position of a task, and pinning it.
  'POST /projects/{board_id:int}/tasks/{task_id:int}/dates': taskResource.change((request, task, board) => {
    const values = readTaskValues(request, board, task);
    if (isSiteError(values)) return values;
    const { startsAt, dueAt, remindAt } = values;
    return changeTask(request, task, { startsAt, dueAt, remindAt });
  }),
  'PUT /projects/{board_id:int}/tasks/{task_id:int}/move-task': taskResource.change(
    (request, task, board) => {
      const stage = readStage(request, board);
      return isSiteError(stage) ? stage : moveTask(request, task, stage, request.params.integer('position'));
    },
  ),
  'PUT /projects/{board_id:int}/tasks/{task_id:int}/move-to-next-stage': taskResource.change(
    (request, task, board) => {
      const stages = activeStages(request.state, board.id);
      const next = stages[stages.findIndex(({ id }) => id === task.stageId) + 1];
      return next === undefined
        ? refuseConflict('no_next_stage', 'The task stands in the last stage.')
        : moveTask(request, task, next);
    },
  ),
  'PUT /projects/{board_id:int}/tasks/{task_id:int}/pin': taskResource.change(
    ({ state, user, params }, { id }) => {
      if (user === null) return undefined;
      const { pinnedTasks } = userSettings(state, user.id);
      removeId(pinnedTasks, id);
      if (params.boolean('pinned', true)) pinnedTasks.unshift(id);
      return undefined;
    },
  ),

  'POST /projects/{board_id:str}/tasks/status-update/{task_id:int}': taskResource.change((request, task) =>
    setTaskStatus(request, task, readTaskStatus(request)),
  ),

  // The routes with which users assign themselves to a task or end that.
  'POST /projects/{board_id:int}/tasks/{task_id:int}/assign-yourself': taskResource.change((request, task) =>
    assignTask(request, task, request.user?.id ?? 0),
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/detach-yourself': taskResource.change((request, task) =>
    unassignTask(request, task, request.user?.id ?? 0),
  ),

  'POST /projects/{board_id:int}/tasks/{task_id:int}/clone-task': taskResource.withItem(
    (request, task, board) => {
      const copy = copyTask(request, task, board);
      if (isSiteError(copy)) return copy;
      copy.cover = task.cover;
      const location = request.link(`/boards/v2/projects/${board.id}/tasks/${copy.id}`);
      return created(taskResource.show(request, copy), location);
    },
  ),

  // Doing the same to several tasks.
  'POST /projects/{board_id:int}/tasks/bulk-actions': taskResource.withParents((request, board) => {
    const action = enumParam(request.params, 'action', ACTION_NAMES) ?? 'archive';
    const change = ACTIONS[action](request, board);
    return isSiteError(change) ? change : changeEach(request, board, action, change);
  }),
  'PUT /projects/{board_id:int}/bulk-restore-tasks': taskResource.withParents((request, board) =>
    changeEach(request, board, 'restore', (task) => restoreTask(request, task)),
  ),
  'DELETE /projects/{board_id:int}/bulk-delete-tasks': taskResource.withParents((request, board) =>
    changeEach(request, board, 'delete', (task) => deleteTask(request, task)),
  ),

  // Asking the assistant for advice on a task, and applying its suggestions.
  'POST /projects/{board_id:int}/tasks/{task_id:int}/ai-assist': taskResource.withItem(
    ({ state, params, now }, task) => {
      const action = enumParam(params, 'action', ASSISTANT_ACTIONS) ?? 'improve';
      const { text, suggestions } = advise(state, task, action, now);
      const { tone, max_words } = state.settings.ai;
      return ok({
        task_id: task.id,
        action,
        text: limitWords(`${OPENINGS[tone]}${text}`, max_words),
        suggestions: suggestions.map((suggestion) => ({ ...suggestion })),
      });
    },
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/ai-apply-suggestions': taskResource.change(
    (request, task) => {
      let values: TaskValues = {};
      for (const suggestion of request.params.objects('suggestions')) {
        const field = SUGGESTED_FIELDS.find((known) => known === suggestion['field']);
        const value = field && READERS[field](String(suggestion['value']));
        if (value === undefined) {
          return invalidArgument('suggestions', `${field ?? 'A field'} cannot be that.`);
        }
        values = { ...values, ...value };
      }
      if (isDueBeforeStart(task.startsAt, values.dueAt ?? null)) {
        return invalidArgument('suggestions', 'A task cannot be due before it starts.');
      }
      return changeTask(request, task, values);
    },
  ),
};
