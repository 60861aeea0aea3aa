import type { SiteError } from '../../rest-server/declarations.ts';
import { isSiteError, restError } from '../../rest-server/responses.ts';
import { showPerson } from './people.ts';
import {
  type BoardRequest,
  BoardResource,
  canReadComment,
  canReadPeople,
  canReadTask,
  createView,
  enumParam,
  findBoardOfPath,
  type ItemView,
  invalidArgument,
  isMemberOrAdmin,
  readRequiredText,
  refuseConflict,
} from './resource.ts';
import {
  type ActivityEntry,
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  archiveItem,
  type Board,
  type BoardState,
  createUniqueSlug,
  deleteTaskRecords,
  findStage,
  findTask,
  findUserName,
  nextId,
  parseTimestamp,
  placeItem,
  placeTask,
  recordActivity,
  removeId,
  renumberPositions,
  type Stage,
  TASK_PRIORITIES,
  type Task,
  type TaskPriority,
  type TaskStatus,
  type Timestamp,
  toTimestamp,
} from './state.ts';

/** Adds a change of a task to the history of its board. */
export function logTask(request: BoardRequest, task: Task, entry: ActivityEntry): void {
  const { id, boardId, type } = task;
  recordActivity(request.state, { subject: type, boardId, taskId: id, ...entry }, request);
}

/** Sets the values that are present, and logs each that differs from the current one. */
export function changeTask(request: BoardRequest, task: Task, values: TaskValues): undefined {
  const { title, description, assignees, labels, status } = values;
  if (title !== undefined && title !== task.title) {
    const text = `renamed “${task.title}” to “${title}”`;
    logTask(request, task, { action: 'updated', text, oldValue: task.title, newValue: title });
    task.title = title;
  }
  if (description !== undefined && description !== task.description) {
    task.description = description;
    logTask(request, task, { action: 'updated', text: `rewrote the description of “${task.title}”` });
  }
  for (const field of PLAIN_FIELDS) setField(request, task, field, values[field]);
  if (assignees !== undefined) {
    for (const id of task.assignees.filter((each) => !assignees.includes(each)))
      unassignTask(request, task, id);
    for (const id of assignees) assignTask(request, task, id);
  }
  if (labels !== undefined) {
    for (const id of task.labels.filter((each) => !labels.includes(each))) unlabelTask(request, task, id);
    for (const id of labels) labelTask(request, task, id);
  }
  if (status !== undefined) setTaskStatus(request, task, status);
}

/** Fields that are logged by name, in the order in which they are changed. */
const PLAIN_FIELDS = [
  'priority',
  'contactId',
  'supportTicketId',
  'estimatedMinutes',
  'startsAt',
  'dueAt',
  'remindAt',
] as const;
type PlainField = (typeof PLAIN_FIELDS)[number];

const FIELD_NAMES: Readonly<Record<PlainField, readonly [name: string, isDate?: boolean]>> = {
  priority: ['priority'],
  contactId: ['contact'],
  supportTicketId: ['support ticket'],
  estimatedMinutes: ['estimate'],
  startsAt: ['start', true],
  dueAt: ['due date', true],
  remindAt: ['reminder', true],
};

function setField<Field extends PlainField>(
  request: BoardRequest,
  task: Task,
  field: Field,
  value: Task[Field] | undefined,
): void {
  if (value === undefined || value === task[field]) return;
  const [name, isDate = false] = FIELD_NAMES[field];
  const oldValue = toText(task[field]);
  const newValue = toText(value);
  task[field] = value;
  logTask(request, task, {
    action: 'updated',
    subject: isDate ? 'date' : task.type,
    text:
      newValue === null
        ? `took away the ${name} of “${task.title}”`
        : `changed the ${name} of “${task.title}” to ${newValue}`,
    oldValue,
    newValue,
  });
}

function toText(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

export function setTaskStatus(request: BoardRequest, task: Task, status: TaskStatus): undefined {
  if (task.status === status) return;
  task.status = status;
  task.completedAt = status === 'closed' ? toTimestamp(request.now) : null;
  const action = status === 'closed' ? 'completed' : 'reopened';
  logTask(request, task, { action, text: `${action} “${task.title}”`, newValue: status });
}

export function assignTask(request: BoardRequest, task: Task, userId: number): undefined {
  if (task.assignees.includes(userId)) return;
  task.assignees.push(userId);
  const text = `gave “${task.title}” to ${findUserName(request.state, userId)}`;
  logTask(request, task, { action: 'assigned', text, newValue: String(userId) });
}

export function unassignTask(request: BoardRequest, task: Task, userId: number): undefined {
  if (!removeId(task.assignees, userId)) return;
  const text = `took “${task.title}” from ${findUserName(request.state, userId)}`;
  logTask(request, task, { action: 'unassigned', text, oldValue: String(userId) });
}

/** Puts a label on a task; does nothing when the task has the label already. */
export function labelTask(request: BoardRequest, task: Task, labelId: number): undefined {
  if (task.labels.includes(labelId)) return;
  task.labels.push(labelId);
  const text = `put the label “${labelTitle(request, labelId)}” on “${task.title}”`;
  logTask(request, task, { action: 'added', subject: 'label', text });
}

export function unlabelTask(request: BoardRequest, task: Task, labelId: number): undefined {
  if (!removeId(task.labels, labelId)) return;
  const text = `took the label “${labelTitle(request, labelId)}” off “${task.title}”`;
  logTask(request, task, { action: 'removed', subject: 'label', text });
}

function labelTitle({ state }: BoardRequest, labelId: number): string {
  return state.labels.get(labelId)?.title ?? '';
}

/** Fields of a task that clients set. */
type TaskField =
  | 'title'
  | 'description'
  | 'priority'
  | 'status'
  | 'assignees'
  | 'labels'
  | 'startsAt'
  | 'dueAt'
  | 'remindAt'
  | 'contactId'
  | 'supportTicketId'
  | 'estimatedMinutes';

/** Checked values of some fields of a task. */
export type TaskValues = { readonly [Field in TaskField]?: Task[Field] | undefined };

/** Reads and checks the value of an argument. */
type TaskFieldReader = (request: BoardRequest, board: Board, name: string) => TaskValues | SiteError;

/** Readers by argument. */
const READERS: Readonly<Record<string, TaskFieldReader>> = {
  title(request, _board, name) {
    const title = readRequiredText(request, name, 'A task needs a title.');
    return isSiteError(title) ? title : { title };
  },
  description: ({ params }, _board, name) => ({ description: params.string(name, '').trim() }),
  priority: (request) => ({ priority: readTaskPriority(request) }),
  status: (request) => ({ status: readTaskStatus(request) }),
  assignees({ state, params }, board, name) {
    const assignees = [...new Set(params.integers(name))];
    const invalid = assignees.find(
      (id) => !isMemberOrAdmin(state.users.find((user) => user.id === id) ?? null, board),
    );
    return invalid === undefined
      ? { assignees }
      : invalidArgument(name, `User ${invalid} is not a member of this board.`);
  },
  labels({ state, params }, board, name) {
    const labels = [...new Set(params.integers(name))];
    const invalid = labels.find((id) => state.labels.get(id)?.boardId !== board.id);
    return invalid === undefined
      ? { labels }
      : invalidArgument(name, `There is no label ${invalid} on this board.`);
  },
  starts_at: dateReader((startsAt) => ({ startsAt })),
  due_at: dateReader((dueAt) => ({ dueAt })),
  remind_at: dateReader((remindAt) => ({ remindAt })),
  contact_id({ state, params }, _board, name) {
    const contactId = params.has(name) ? params.integer(name, 0) : null;
    return contactId === null || state.contacts.has(contactId)
      ? { contactId }
      : invalidArgument(name, `There is no contact ${contactId}.`);
  },
  support_ticket_id: ({ params }, _board, name) => ({
    supportTicketId: params.has(name) ? params.integer(name, 0) : null,
  }),
  estimated_minutes: ({ params }, _board, name) => ({ estimatedMinutes: params.integer(name, 0) }),
};

function dateReader(toValues: (at: Timestamp | null) => TaskValues): TaskFieldReader {
  return (request, _board, name) => {
    const at = readTaskDate(request, name);
    return isSiteError(at) ? at : toValues(at);
  };
}

/** Reads a timestamp; `null` when the client sent null or an empty text, which removes the date. */
export function readTaskDate({ params }: BoardRequest, name: string): Timestamp | null | SiteError {
  const text = params.string(name, '');
  if (text === '') return null;
  return parseTimestamp(text) ?? invalidArgument(name, `${name} is not a moment of the calendar.`);
}

export function readTaskPriority({ params }: BoardRequest): TaskPriority {
  return enumParam(params, 'priority', TASK_PRIORITIES) ?? 'medium';
}

export function readTaskStatus({ params }: BoardRequest): TaskStatus {
  return params.string('status') === 'closed' ? 'closed' : 'open';
}

/**
 * Reads and checks all fields that the client sent, so that nothing is changed when one of them is refused.
 *
 * @param task the task that will be changed; absent for a new task
 */
export function readTaskValues(request: BoardRequest, board: Board, task?: Task): TaskValues | SiteError {
  let values: TaskValues = {};
  for (const [name, read] of Object.entries(READERS)) {
    if (!request.suppliedNames.has(name)) continue;
    const value = read(request, board, name);
    if (isSiteError(value)) return value;
    values = { ...values, ...value };
  }
  const { startsAt = task?.startsAt ?? null, dueAt = task?.dueAt ?? null } = values;
  return isDueBeforeStart(startsAt, dueAt)
    ? invalidArgument('due_at', 'A task cannot be due before it starts.')
    : values;
}

export function isDueBeforeStart(startsAt: Timestamp | null, dueAt: Timestamp | null): boolean {
  return startsAt !== null && dueAt !== null && dueAt < startsAt;
}

/** Moves a task within its stage, or to another stage, whose default status it takes. */
export function moveTask(
  request: BoardRequest,
  task: Task,
  stage: Stage,
  position?: number,
): SiteError | undefined {
  const { state } = request;
  if (task.archivedAt !== null)
    return refuseConflict('task_archived', 'The task is archived: restore it first.');
  if (stage.archivedAt !== null) return refuseConflict('stage_archived', 'The stage is archived.');
  if (task.stageId === stage.id) {
    placeTask(state, task, stage.id, position);
    const text = `moved “${task.title}” to place ${task.position}`;
    logTask(request, task, { action: 'moved', text });
    return undefined;
  }
  const error = checkTaskLimit(request, stage);
  if (error !== undefined) return error;
  const from = state.stages.get(task.stageId)?.title ?? null;
  placeTask(state, task, stage.id, position);
  const text = `moved “${task.title}” from ${from ?? 'nowhere'} to ${stage.title}`;
  logTask(request, task, { action: 'moved', text, oldValue: from, newValue: stage.title });
  if (stage.defaultStatus !== null) setTaskStatus(request, task, stage.defaultStatus);
  return undefined;
}

/** Refuses another open task in a stage that has reached its limit. */
function checkTaskLimit({ state }: BoardRequest, stage: Stage): SiteError | undefined {
  const open = activeTasksInStage(state, stage.id).filter(({ status }) => status === 'open').length;
  return stage.taskLimit !== null && open >= stage.taskLimit ? createStageFullError(stage) : undefined;
}

export function createStageFullError({ title, taskLimit }: Stage): SiteError {
  return refuseConflict('stage_full', `“${title}” takes no more than ${taskLimit} open tasks.`);
}

export function archiveTask(request: BoardRequest, task: Task): SiteError | undefined {
  if (task.archivedAt !== null) return refuseConflict('task_archived', 'The task is archived already.');
  archiveItem(task, toTimestamp(request.now));
  renumberPositions(activeTasksInStage(request.state, task.stageId));
  logTask(request, task, { action: 'archived', text: `archived “${task.title}”` });
  return undefined;
}

/** Restores a task to the end of its stage, or of the first stage when its own is archived. */
export function restoreTask(request: BoardRequest, task: Task): SiteError | undefined {
  const { state } = request;
  if (task.archivedAt === null) return refuseConflict('task_not_archived', 'The task is not archived.');
  const last = state.stages.get(task.stageId);
  const stage = last?.archivedAt === null ? last : activeStages(state, task.boardId)[0];
  if (stage === undefined) return refuseConflict('stage_archived', 'The board has no stage for it.');
  task.archivedAt = null;
  task.stageId = stage.id;
  placeItem(activeTasksInStage(state, stage.id), task);
  logTask(request, task, { action: 'restored', text: `restored “${task.title}” to ${stage.title}` });
  return undefined;
}

/** Deletes a task with everything on it. The history of the board keeps its entries. */
export function deleteTask(request: BoardRequest, task: Task): undefined {
  const { state } = request;
  deleteTaskRecords(state, task.id);
  renumberPositions(activeTasksInStage(state, task.stageId));
  const text = `deleted “${task.title}”`;
  logTask(request, task, { action: 'deleted', taskId: null, text, oldValue: task.title });
}

export function findFirstStage({ state }: BoardRequest, board: Board): Stage | SiteError {
  return (
    activeStages(state, board.id)[0] ?? refuseConflict('no_stage', 'The board has no stage: make one first.')
  );
}

/** The stage of the argument `stage_id`, which must not be archived; the first stage when it is absent. */
export function readStage(request: BoardRequest, board: Board): Stage | SiteError {
  const { state, params } = request;
  if (!params.has('stage_id')) return findFirstStage(request, board);
  const stage = findStage(state, board.id, params.integer('stage_id'));
  if (isSiteError(stage)) return invalidArgument('stage_id', 'There is no such stage on this board.');
  return stage.archivedAt === null ? stage : invalidArgument('stage_id', 'The stage is archived.');
}

/** A task to be created. An absent status and absent assignees default to those of the stage. */
export interface NewTask {
  readonly board: Board;
  readonly stage: Stage;
  readonly values: TaskValues & { readonly title: string };
  /** Absent: the last position of the stage. */
  readonly position?: number | undefined;
  readonly copiedFrom?: Task;
}

/** Adds a task to a stage; refused when the stage has reached its limit. */
export function addTask(
  request: BoardRequest,
  { board, stage, values, position, copiedFrom }: NewTask,
): Task | SiteError {
  const { state, user, now } = request;
  const at = toTimestamp(now);
  const status = values.status ?? stage.defaultStatus ?? 'open';
  const error = status === 'open' ? checkTaskLimit(request, stage) : undefined;
  if (error !== undefined) return error;
  const task: Task = {
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    title: values.title,
    slug: createUniqueSlug(values.title, new Set(allTasksOnBoard(state, board.id).map(({ slug }) => slug))),
    description: values.description ?? '',
    status,
    priority: values.priority ?? 'medium',
    position: 0,
    assignees: [...(values.assignees ?? stage.defaultAssignees)],
    labels: [...(values.labels ?? [])],
    startsAt: values.startsAt ?? null,
    dueAt: values.dueAt ?? null,
    remindAt: values.remindAt ?? null,
    cover: null,
    contactId: values.contactId ?? null,
    supportTicketId: values.supportTicketId ?? null,
    estimatedMinutes: values.estimatedMinutes ?? 0,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
    completedAt: status === 'closed' ? at : null,
    archivedAt: null,
  };
  state.tasks.set(task.id, task);
  placeItem(activeTasksInStage(state, stage.id), task, position);
  logTask(request, task, {
    ...(copiedFrom === undefined
      ? { action: 'created', text: `added “${task.title}” to ${stage.title}` }
      : { action: 'cloned', text: `copied “${copiedFrom.title}” to ${stage.title}` }),
    newValue: stage.title,
  });
  return task;
}

/** Values that all tasks of a response share. */
interface TaskViewContext {
  readonly request: BoardRequest;
  /** Comments that the client may read, by task. */
  readonly commentCounts: ReadonlyMap<number, number>;
  /** Committed minutes, by task. */
  readonly minutes: ReadonlyMap<number, number>;
  /** Tasks that the client has pinned. */
  readonly pinned: ReadonlySet<number>;
}

export const taskView: ItemView<Task> = createView<Task, TaskViewContext>(
  'task',
  (request) => ({
    request,
    commentCounts: countReadableCommentsByTask(request),
    minutes: sumByTask(request.state.timeTracks.values(), (track) => track.minutes),
    pinned: new Set(request.state.settingsByUser.get(request.user?.id ?? 0)?.pinnedTasks),
  }),
  {
    assignees: (task, { request }) =>
      showsPeople(request, task) ? task.assignees.map((id) => showPerson(request.state, id)) : [],
    labels: ({ labels }, { request: { state } }) =>
      labels
        .flatMap((id) => state.labels.get(id) ?? [])
        .map(({ id, title, color, backgroundColor }) => ({
          id,
          title,
          color,
          background_color: backgroundColor,
        })),
    is_overdue: (task, { request }) => isOverdue(task, toTimestamp(request.now)),
    cover: ({ cover }) => (cover === null ? null : { color: cover.color, image_url: cover.imageUrl }),
    contact_id: (task, { request }) => (showsPeople(request, task) ? task.contactId : null),
    support_ticket_id: (task, { request }) => (showsPeople(request, task) ? task.supportTicketId : null),
    worked_minutes: ({ id }, { minutes }) => minutes.get(id) ?? 0,
    comment_count: ({ id }, { commentCounts }) => commentCounts.get(id) ?? 0,
    is_pinned: ({ id }, { pinned }) => pinned.has(id),
    created_by: (task, { request }) =>
      showsPeople(request, task) ? showPerson(request.state, task.createdBy) : null,
  },
);

/** The tasks and ideas of a board, which its members change. */
export const taskResource: BoardResource<Task, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const task = findTask(request.state, board.id, request.params.string('task_id'));
    // A client does not learn of tasks that they may not read.
    return isSiteError(task) || canReadTask(request, board, task)
      ? task
      : restError(404, 'task_not_found', 'There is no such task on this board.');
  },
  createPresenter: taskView.createPresenter,
  logChange: logTask,
});

function showsPeople(request: BoardRequest, { boardId }: Task): boolean {
  const board = request.state.boards.get(boardId);
  return board !== undefined && canReadPeople(request, board);
}

export function isOverdue({ status, archivedAt, dueAt }: Task, now: Timestamp): boolean {
  return status === 'open' && archivedAt === null && dueAt !== null && dueAt < now;
}

/** Comments that the client may read, by task. */
export function countReadableCommentsByTask(request: BoardRequest): Map<number, number> {
  const { boards, comments }: BoardState = request.state;
  return sumByTask(comments.values(), (comment) => {
    const board = boards.get(comment.boardId);
    return board !== undefined && canReadComment(request, board, comment) ? 1 : 0;
  });
}

/** Adds up a number of each item, by task. */
export function sumByTask<T extends { readonly taskId: number }>(
  items: Iterable<T>,
  amountOf: (item: T) => number,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const item of items) sums.set(item.taskId, (sums.get(item.taskId) ?? 0) + amountOf(item));
  return sums;
}
