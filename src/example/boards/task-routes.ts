import type { SiteError } from '../../rest-server/declarations.ts';
import { created, isSiteError, ok, restError } from '../../rest-server/responses.ts';
import {
  type BoardOperations,
  type BoardRequest,
  enumParam,
  type HandlerResult,
  invalidArgument,
  isMemberOrAdmin,
  refuseConflict,
} from './resource.ts';
import {
  type AiTone,
  activeStages,
  type Board,
  type BoardState,
  findStage,
  findTask,
  findUser,
  parseTimestamp,
  removeId,
  TASK_PRIORITIES,
  type Task,
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
} from './tasks.ts';

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
    ({ id }, board) => `/projects/${board.id}/tasks/${id}`,
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
