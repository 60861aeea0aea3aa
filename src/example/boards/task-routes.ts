import type { SiteResponse } from '../../rest-server/declarations.ts';
import { created, ok, pageResponse, RefusedError, refuse } from '../../rest-server/responses.ts';
import type { BoardHandler, BoardOperations } from './declarations.ts';
import { findContact } from './people.ts';
import { canReadPeople, canReadTask, hasRight, isMemberOrAdmin, readableBoards } from './permissions.ts';
import { createView, createWordFilter, enumParam, findForArgument, refuseArgument } from './resource.ts';
import {
  type Board,
  type BoardRequest,
  type BoardState,
  newestFirst,
  parseTimestamp,
  removeId,
  TASK_PRIORITIES,
  type Task,
  toDay,
  toId,
  toTimestamp,
} from './state.ts';
import {
  addTask,
  archiveTask,
  assignTask,
  changeTask,
  checkDates,
  deleteTask,
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
  type TaskValues,
  taskResource,
  unassignTask,
  unlabelTask,
  workedMinutes,
} from './tasks.ts';

type TaskFilter = (request: BoardRequest) => (task: Task) => boolean;

/** A filter by the values of an argument, of which a task has one. */
function hasOneOf(
  name: string,
  valuesOf: (task: Task, request: BoardRequest) => readonly (string | number)[],
): TaskFilter {
  return (request) => {
    const wanted = request.params.strings(name);
    return (task) => valuesOf(task, request).some((value) => wanted.includes(String(value)));
  };
}

/** Filters by argument. */
const FILTERS: Readonly<Record<string, TaskFilter>> = {
  search(request) {
    const matches = createWordFilter(request);
    return ({ title, description }) => matches(`${title}\n${description}`);
  },
  stage_ids: hasOneOf('stage_ids', ({ stageId }) => [stageId]),
  // A client who may not see the people of a board must not find them by filtering either.
  assignees: hasOneOf('assignees', ({ boardId, assignees }, request) =>
    canReadPeople(request, boardId) ? assignees : [],
  ),
  labels: hasOneOf('labels', ({ labels }) => labels),
  priorities: hasOneOf('priorities', ({ priority }) => [priority]),
  status: hasOneOf('status', ({ status }) => [status]),
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
function selectTasks(request: BoardRequest, board: Board): Task[] {
  const { state, user, params } = request;
  const tasks = state.allTasksOnBoard(board.id);
  for (const id of params.integers('stage_ids')) {
    if (tasks.length > 0 && state.stages.get(id)?.boardId !== board.id) {
      refuseArgument('stage_ids', `There is no stage ${id} on this board.`);
    }
  }
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) =>
    params.has(name) ? [filter(request)] : [],
  );
  const includesArchived = params.boolean('include_archived') && isMemberOrAdmin(user, board);
  // The tasks of an archived stage are archived too.
  const isActive = ({ archivedAt, stageId }: Task): boolean =>
    archivedAt === null && state.stages.get(stageId)?.archivedAt === null;
  const found = tasks.filter(
    (task) => (includesArchived || isActive(task)) && filters.every((passes) => passes(task)),
  );
  const place = ({ stageId, position }: Task): number =>
    (state.stages.get(stageId)?.position ?? 0) * 1e6 + position;
  const key = SORT_KEYS[params.string('orderby', '')];
  const sorted = sortTasksBy(found, key ?? place, params.string('order'));
  return key === undefined ? pinnedFirst(request, sorted) : sorted;
}

type SortKey = string | number | null;

/** Keys that orders of tasks share. Priorities sort from the least to the most urgent. */
export const SORT_KEYS: Readonly<Record<string, (task: Task) => SortKey>> = {
  title: ({ title }) => title.toLowerCase(),
  priority: ({ priority }) => TASK_PRIORITIES.indexOf(priority),
  due: ({ dueAt }) => dueAt,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
};

/** The tasks that the client has pinned, then the others, both in their order. */
function pinnedFirst({ state, user }: BoardRequest, tasks: readonly Task[]): Task[] {
  const pinned = new Set(state.settingsOf(user).pinnedTasks);
  return tasks.toSorted((one, other) => Number(pinned.has(other.id)) - Number(pinned.has(one.id)));
}

/** Sorts by a key; `null` comes last in both directions. */
export function sortTasksBy(
  tasks: readonly Task[],
  keyOf: (task: Task) => SortKey,
  order: string | undefined,
): Task[] {
  const sign = order === 'desc' ? -1 : 1;
  const compare = (one: SortKey, other: SortKey): number => {
    if (one === other) return 0;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -sign : sign;
  };
  return tasks.toSorted((one, other) => compare(keyOf(one), keyOf(other)));
}

/** The tasks as rows of a table, with text in place of ids. */
const rowResource = taskResource.with({
  show: createView<Task>('task-row', {
    stage: ({ stageId }, { state }) => state.stages.get(stageId)?.title ?? '',
    assignees: ({ assignees, boardId }, request) =>
      canReadPeople(request, boardId)
        ? assignees.flatMap((id) => request.state.users.find((user) => user.id === id)?.name ?? [])
        : [],
    labels: (task, { state }) => state.labelsOf(task).map(({ title }) => title),
    is_overdue: (task, { now }) => isOverdue(task, toTimestamp(now)),
    worked_minutes: workedMinutes,
  }),
});

/** Orders by priority, then by due date. */
function byUrgency(one: Task, other: Task): number {
  return (
    TASK_PRIORITIES.indexOf(other.priority) - TASK_PRIORITIES.indexOf(one.priority) ||
    (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') ||
    one.id - other.id
  );
}

function showStages({ state }: BoardRequest, boardId: number) {
  return state.activeStages(boardId).map(({ id, title, slug, position }) => ({ id, title, slug, position }));
}

const NO_STAGE = { id: 0, title: '', slug: '', position: 0 } as const;

export const taskListOperations: BoardOperations = {
  listTasks: taskResource.listPage((request, board) => {
    const { state, params } = request;
    const stageId = params.integer('stage_id');
    const stages = state.activeStages(board.id).filter(({ id }) => stageId === undefined || id === stageId);
    if (params.has('stage_id') && stages.length === 0) {
      refuseArgument('stage_id', 'There is no such stage on this board.');
    }
    const tasks = stages.flatMap(({ id }) => state.activeTasksInStage(id));
    return pinnedFirst(request, tasks);
  }),
  listFilteredTasks: taskResource.listPage(selectTasks),
  listTaskRows: rowResource.listPage(selectTasks),
  listTasksByStage: taskResource.withParents((request, board) => {
    const stages = request.state.activeStages(board.id).map(({ id, title, position, color }) => {
      const all = pinnedFirst(request, request.state.activeTasksInStage(id));
      const shown = all.slice(0, request.params.integer('per_stage', 20));
      const tasks = taskResource.showAll(shown, request);
      return { stage_id: id, title, position, color, total: all.length, tasks };
    });
    const total = stages.reduce((sum, stage) => sum + stage.total, 0);
    return ok({ board_id: board.id, total, stages });
  }),
  listStagePage: taskResource.listPage((request, board) => {
    const { state, params } = request;
    const { id } = state.findStage(board.id, params.integer('stage_id'));
    return pinnedFirst(request, state.activeTasksInStage(id));
  }),
  // Most recently archived first.
  listArchivedTasks: taskResource.listPage(({ state }, board) =>
    state
      .allTasksOnBoard(board.id)
      .filter(({ archivedAt }) => archivedAt !== null)
      .sort(newestFirst(({ archivedAt }) => archivedAt)),
  ),

  // Routes below `/tasks` that do not name a board.
  listTopTasks: (request) => {
    const { state, user, params } = request;
    const boards = state.boards.where((board) => board.archivedAt === null && isMemberOrAdmin(user, board));
    return ok(
      boards.map(({ id, title }) => {
        const open = state
          .openTasksOnBoard(id)
          .filter(({ assignees }) => !params.boolean('mine') || assignees.includes(user?.id ?? 0))
          .sort(byUrgency);
        const tasks = taskResource.showAll(open.slice(0, params.integer('per_board', 5)), request);
        return { board_id: id, title, open_tasks: open.length, tasks };
      }),
    );
  },
  listTasksOfContact: (request) => {
    const { state, user } = request;
    const contact = findContact(request, 'associated_id');
    const found = state.tasks.where(
      ({ boardId, contactId, archivedAt }) =>
        contactId === contact.id && archivedAt === null && isMemberOrAdmin(user, state.boards.get(boardId)),
    );
    return taskResource.respondPage(request, found);
  },
  locateTask: (request) => {
    const { state, user, params } = request;
    const task = state.tasks.get(toId(params.string('task_id')));
    const board = state.boards.get(task?.boardId ?? 0);
    // The client does not learn whether a task exists that they may not read.
    if (!task || !board || !hasRight(user, board, 'read') || !canReadTask(request, task)) {
      return refuse(404, 'task_not_found', 'There is no such task that you may see.');
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
  listBoardsByType: (request) => {
    const { state, user, params } = request;
    const type = params.string('type', '');
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
function copyTask(request: BoardRequest, task: Task, board: Board): Task {
  const { params, state } = request;
  const current = params.has('stage_id')
    ? undefined
    : state.activeStages(board.id).find(({ id }) => id === task.stageId);
  const stage = current ?? readStage(request, board);
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

/** Changes one of the tasks. A refusal concerns only this task. */
type TaskChange = (task: Task) => void;

/** Reads the arguments of an action, without which the whole request is refused. */
type BulkAction = (request: BoardRequest, board: Board) => TaskChange;

/** The argument that an action needs. */
const NEEDED_ARGUMENTS: Readonly<Record<string, string>> = {
  move: 'stage_id',
  assign: 'user_id',
  unassign: 'user_id',
  'add-label': 'label_id',
  'remove-label': 'label_id',
  'set-priority': 'priority',
  'set-status': 'status',
  'set-due-date': 'due_at',
};

const archiveTasks: BulkAction = (request) => (task) => archiveTask(request, task);

const ACTIONS: Readonly<Record<string, BulkAction>> = {
  move(request, board) {
    const stage = readStage(request, board);
    // The first task lands at the position, each other one behind the task before it.
    let position = request.params.integer('position');
    return (task) => {
      moveTask(request, task, stage, position);
      if (position !== undefined) position = task.position + 1;
    };
  },
  archive: archiveTasks,
  restore: (request) => (task) => restoreTask(request, task),
  delete: (request) => (task) => deleteTask(request, task),
  assign(request, board) {
    const user = findForArgument('user_id', () => request.state.findUser(request.params.integer('user_id')));
    if (isMemberOrAdmin(user, board)) return (task) => assignTask(request, task, user.id);
    return refuseArgument('user_id', 'This user is not a member of the board.');
  },
  unassign: (request) => (task) => unassignTask(request, task, request.params.integer('user_id', 0)),
  'add-label'(request, board) {
    const label = request.state.labels.get(request.params.integer('label_id', 0));
    if (label?.boardId === board.id) return (task) => labelTask(request, task, label.id);
    return refuseArgument('label_id', 'There is no such label on this board.');
  },
  'remove-label': (request) => (task) => unlabelTask(request, task, request.params.integer('label_id', 0)),
  'set-priority': (request) => (task) => changeTask(request, task, { priority: readTaskPriority(request) }),
  'set-status': (request) => (task) => setTaskStatus(request, task, readTaskStatus(request)),
  'set-due-date'(request) {
    const dueAt = readTaskDate(request, 'due_at');
    return (task) => {
      checkDates('due_at', task.startsAt, dueAt);
      changeTask(request, task, { dueAt });
    };
  },
};

function changeEach(request: BoardRequest, board: Board, action: string, change: TaskChange): SiteResponse {
  const done: number[] = [];
  const refused: { id: number; code: string; message: string }[] = [];
  for (const id of new Set(request.params.integers('task_ids'))) {
    try {
      change(request.state.findTask(board.id, id));
      done.push(id);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      refused.push({ id, code: error.error.code, message: error.error.message });
    }
  }
  return ok({ action, done, refused });
}

const changeAll = (action: string, change: (request: BoardRequest, task: Task) => void): BoardHandler =>
  taskResource.withParents((request, board) =>
    changeEach(request, board, action, (task) => change(request, task)),
  );

const ASSISTANT_ACTIONS = ['improve', 'estimate', 'plan', 'summarize'] as const;

type SuggestedField = keyof typeof SUGGESTION_READERS;

interface TaskAdvice {
  readonly text: string;
  /** Values are text, whatever the type of the field: `120`, `2026-03-02T17:00:00Z`. */
  readonly suggestions: readonly (readonly [field: SuggestedField, value: string, reason: string])[];
}

type TaskAdviser = (state: BoardState, task: Task, now: Date) => TaskAdvice;

/** Advice from rules over the content of the board. It needs no service, and the same task always gets the same advice. */
const ADVISERS: Readonly<Record<(typeof ASSISTANT_ACTIONS)[number], TaskAdviser>> = {
  improve(_state, task) {
    const title = task.title.trim().replace(/\.+$/, '');
    const tidy = title.charAt(0).toUpperCase() + title.slice(1);
    const outline = '## Goal\n\n## Done when\n\n- [ ] It works\n- [ ] Somebody else has looked at it';
    const description = task.description === '' ? outline : `${task.description}\n\n${outline}`;
    const reason = 'Titles begin with a capital and end without a stop.';
    return {
      text: 'A goal and a list of what “done” means make a task easier to pick up.',
      suggestions: [
        ...(tidy === task.title ? [] : [['title', tidy, reason] as const]),
        ['description', description, 'Says when it is done.'],
      ],
    };
  },
  estimate(state, task) {
    const worked = new Map<number, number>();
    for (const { boardId, taskId, minutes } of state.timeTracks.values()) {
      if (boardId !== task.boardId || taskId === task.id) continue;
      worked.set(taskId, (worked.get(taskId) ?? 0) + minutes);
    }
    const times = [...worked.values()].filter((minutes) => minutes > 0).sort((one, other) => one - other);
    const median = times[Math.floor(times.length / 2)];
    if (median === undefined) {
      const text =
        'No time is committed to another task of this board, so there is nothing to estimate from.';
      return { text, suggestions: [] };
    }
    const value = Math.ceil(median / 15) * 15;
    return {
      text: `Tasks of this board took about ${value} minutes.`,
      suggestions: [['estimated_minutes', String(value), `The median of ${times.length} other tasks.`]],
    };
  },
  plan(state, task, now) {
    const open = state
      .allTasksOnBoard(task.boardId)
      .filter(({ status, id }) => status === 'open' && id !== task.id);
    const due = toTimestamp(new Date(now.getTime() + (3 + Math.min(open.length, 11)) * 86_400_000));
    const late = task.dueAt !== null && task.dueAt < toTimestamp(now);
    return {
      text: `${open.length} other tasks of this board are open.`,
      suggestions: [
        ['due_at', due, 'Three days, and more the more is open.'],
        late ? ['priority', 'urgent', 'It is overdue.'] : ['priority', 'high', 'It was asked about.'],
      ],
    };
  },
  summarize(state, task) {
    const comments = state.comments.where(({ taskId }) => taskId === task.id).length;
    const stage = state.stages.get(task.stageId)?.title ?? 'no stage';
    const people = task.assignees.length;
    const text = `“${task.title}” is ${task.status} in ${stage}, with ${people} assigned and ${comments} comments.`;
    return { text, suggestions: [] };
  },
};

/** How the assistant begins, by the tone of the AI settings. */
const OPENINGS: Readonly<Record<string, string>> = {
  friendly: 'Happy to help! ',
  formal: 'We recommend the following. ',
};

/** Converts the text of a suggestion; no member is defined for a value that the field cannot have. */
const SUGGESTION_READERS = {
  title: (value: string): TaskValues => {
    const title = value.trim();
    return { title: title === '' || title.length > 300 ? undefined : title };
  },
  description: (description: string): TaskValues => ({ description }),
  priority: (value: string): TaskValues => ({ priority: TASK_PRIORITIES.find((known) => known === value) }),
  due_at: (value: string): TaskValues => ({ dueAt: parseTimestamp(value) }),
  estimated_minutes: (value: string): TaskValues => ({
    estimatedMinutes: /^\d{1,6}$/.test(value) ? Number(value) : undefined,
  }),
};

/** The values of all suggestions, of which each must be one that its field can have. */
function readSuggestions({ params }: BoardRequest): TaskValues {
  let values: TaskValues = {};
  for (const { field, value } of params.objects('suggestions')) {
    const [name, read] = Object.entries(SUGGESTION_READERS).find(([known]) => known === field) ?? [];
    const parsed = read?.(String(value)) ?? {};
    if (Object.values(parsed).every((each) => each === undefined)) {
      refuseArgument('suggestions', `${name ?? 'A field'} cannot be that.`);
    }
    values = { ...values, ...parsed };
  }
  return values;
}

export const taskOperations: BoardOperations = {
  addTask: taskResource.create((request, board) => {
    const stage = readStage(request, board);
    const values = readTaskValues(request, board);
    const position = request.params.integer('position');
    return addTask(request, { board, stage, values: { ...values, title: values.title ?? '' }, position });
  }),

  readTask: taskResource.read(),
  updateTask: taskResource.change((request, task, board) => {
    const { params, state } = request;
    const values = readTaskValues(request, board, task);
    if (params.has('stage_id') || params.has('position')) {
      const stage = params.has('stage_id')
        ? readStage(request, board)
        : state.findStage(board.id, task.stageId);
      moveTask(request, task, stage, params.integer('position'));
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

  setTaskDates: taskResource.change((request, task, board) => {
    const { startsAt, dueAt, remindAt } = readTaskValues(request, board, task);
    return changeTask(request, task, { startsAt, dueAt, remindAt });
  }),
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
  setTaskStatus: taskResource.change((request, task) =>
    setTaskStatus(request, task, readTaskStatus(request)),
  ),

  // The routes with which users assign themselves to a task or end that.
  assignYourself: taskResource.change((request, task) => assignTask(request, task, request.user?.id ?? 0)),
  detachYourself: taskResource.change((request, task) => unassignTask(request, task, request.user?.id ?? 0)),

  cloneTask: taskResource.withItem((request, task, board) => {
    const copy = copyTask(request, task, board);
    copy.cover = task.cover;
    const location = request.link(`/boards/v2/projects/${board.id}/tasks/${copy.id}`);
    return created(taskResource.show(copy, request), location);
  }),

  changeTasks: taskResource.withParents((request, board) => {
    const action = request.params.string('action', 'archive');
    const argument = NEEDED_ARGUMENTS[action];
    // Only the date may be null, which removes it.
    const isRemoval = argument === 'due_at' && request.suppliedNames.has(argument);
    if (argument !== undefined && !request.params.has(argument) && !isRemoval) {
      refuseArgument(argument, `This action needs ${argument}.`);
    }
    const read = ACTIONS[action] ?? archiveTasks;
    return changeEach(request, board, action, read(request, board));
  }),
  restoreTasks: changeAll('restore', restoreTask),
  deleteTasks: changeAll('delete', deleteTask),

  // Asking the assistant for advice on a task, and applying its suggestions.
  adviseOnTask: taskResource.withItem(({ state, params, now }, task) => {
    const action = enumParam(params, 'action', ASSISTANT_ACTIONS) ?? 'improve';
    const { text, suggestions } = ADVISERS[action](state, task, now);
    const { tone, max_words } = state.settings.ai;
    const words = `${OPENINGS[tone] ?? ''}${text}`.split(' ');
    return ok({
      task_id: task.id,
      action,
      text: words.length <= max_words ? words.join(' ') : `${words.slice(0, max_words).join(' ')} …`,
      suggestions: suggestions.map(([field, value, reason]) => ({ field, value, reason })),
    });
  }),
  applySuggestions: taskResource.change((request, task) => {
    const values = readSuggestions(request);
    checkDates('suggestions', task.startsAt, values.dueAt ?? null);
    return changeTask(request, task, values);
  }),
};
