import { refuse } from '../../rest-server/responses.ts';
import { canReadComment, canReadPeople, canReadTask, isMemberOrAdmin } from './permissions.ts';
import {
  BoardResource,
  createView,
  enumParam,
  findBoardOfPath,
  findForArgument,
  readRequiredText,
  refuseArgument,
  sumOf,
} from './resource.ts';
import {
  type ActivityEntry,
  archiveItem,
  type Board,
  type BoardRequest,
  type BoardState,
  createUniqueSlug,
  parseTimestamp,
  placeItem,
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
  request.state.record({ subject: type, boardId, taskId: id, ...entry }, request);
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
  for (const [field, name, isDate] of PLAIN_FIELDS) {
    setField(request, task, field, values[field], name, isDate);
  }
  for (const id of missingIn(assignees, task.assignees)) unassignTask(request, task, id);
  for (const id of assignees ?? []) assignTask(request, task, id);
  for (const id of missingIn(labels, task.labels)) unlabelTask(request, task, id);
  for (const id of labels ?? []) labelTask(request, task, id);
  if (status !== undefined) setTaskStatus(request, task, status);
}

function missingIn(wanted: readonly number[] | undefined, current: readonly number[]): number[] {
  return wanted === undefined ? [] : current.filter((each) => !wanted.includes(each));
}

/** Fields that are logged by name, in the order in which they are changed; the last ones are dates. */
const PLAIN_FIELDS = [
  ['priority', 'priority', false],
  ['contactId', 'contact', false],
  ['supportTicketId', 'support ticket', false],
  ['estimatedMinutes', 'estimate', false],
  ['startsAt', 'start', true],
  ['dueAt', 'due date', true],
  ['remindAt', 'reminder', true],
] as const;
type PlainField = (typeof PLAIN_FIELDS)[number][0];

function setField<Field extends PlainField>(
  request: BoardRequest,
  task: Task,
  field: Field,
  value: Task[Field] | undefined,
  name: string,
  isDate: boolean,
): void {
  if (value === undefined || value === task[field]) return;
  const [oldValue, newValue] = [task[field], value].map((each) => (each === null ? null : String(each)));
  task[field] = value;
  logTask(request, task, {
    action: 'updated',
    subject: isDate ? 'date' : task.type,
    text:
      newValue === null
        ? `took away the ${name} of “${task.title}”`
        : `changed the ${name} of “${task.title}” to ${newValue}`,
    oldValue: oldValue ?? null,
    newValue: newValue ?? null,
  });
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
  const text = `gave “${task.title}” to ${request.state.findUserName(userId)}`;
  logTask(request, task, { action: 'assigned', text, newValue: String(userId) });
}

export function unassignTask(request: BoardRequest, task: Task, userId: number): undefined {
  if (!removeId(task.assignees, userId)) return;
  const text = `took “${task.title}” from ${request.state.findUserName(userId)}`;
  logTask(request, task, { action: 'unassigned', text, oldValue: String(userId) });
}

/** Puts a label on a task; does nothing when the task has the label already. */
export function labelTask(request: BoardRequest, task: Task, labelId: number): undefined {
  if (task.labels.includes(labelId)) return;
  task.labels.push(labelId);
  const text = `put the label “${request.state.labels.get(labelId)?.title ?? ''}” on “${task.title}”`;
  logTask(request, task, { action: 'added', subject: 'label', text });
}

export function unlabelTask(request: BoardRequest, task: Task, labelId: number): undefined {
  if (!removeId(task.labels, labelId)) return;
  const text = `took the label “${request.state.labels.get(labelId)?.title ?? ''}” off “${task.title}”`;
  logTask(request, task, { action: 'removed', subject: 'label', text });
}

/** Fields of a task that clients set. */
type TaskField = PlainField | 'title' | 'description' | 'status' | 'assignees' | 'labels';

/** Checked values of some fields of a task. */
export type TaskValues = { readonly [Field in TaskField]?: Task[Field] | undefined };

/** Reads and checks the value of an argument. */
type TaskFieldReader = (request: BoardRequest, name: string, board: Board) => TaskValues;

/** Readers by argument. */
const READERS: Readonly<Record<string, TaskFieldReader>> = {
  title: (request, name) => ({ title: readRequiredText(request, name, 'A task needs a title.') }),
  description: ({ params }, name) => ({ description: params.string(name, '').trim() }),
  priority: (request) => ({ priority: readTaskPriority(request) }),
  status: (request) => ({ status: readTaskStatus(request) }),
  assignees: ({ state, params }, name, board) => ({
    assignees: checkMembers(state, board, name, params.integers(name)),
  }),
  labels({ state, params }, name, board) {
    const labels = [...new Set(params.integers(name))];
    const invalid = labels.find((id) => state.labels.get(id)?.boardId !== board.id);
    if (invalid === undefined) return { labels };
    return refuseArgument(name, `There is no label ${invalid} on this board.`);
  },
  starts_at: (request, name) => ({ startsAt: readTaskDate(request, name) }),
  due_at: (request, name) => ({ dueAt: readTaskDate(request, name) }),
  remind_at: (request, name) => ({ remindAt: readTaskDate(request, name) }),
  contact_id({ state, params }, name) {
    const contactId = params.has(name) ? params.integer(name, 0) : null;
    if (contactId === null || state.contacts.has(contactId)) return { contactId };
    return refuseArgument(name, `There is no contact ${contactId}.`);
  },
  support_ticket_id: ({ params }, name) => ({
    supportTicketId: params.has(name) ? params.integer(name, 0) : null,
  }),
  estimated_minutes: ({ params }, name) => ({ estimatedMinutes: params.integer(name, 0) }),
};

/** The users of an argument, who must be members of the board, each once. */
export function checkMembers(
  { users }: BoardState,
  board: Board,
  name: string,
  userIds: readonly number[],
): number[] {
  const ids = [...new Set(userIds)];
  const invalid = ids.find((id) => !isMemberOrAdmin(users.find((user) => user.id === id) ?? null, board));
  return invalid === undefined ? ids : refuseArgument(name, `User ${invalid} is not a member of this board.`);
}

/** Reads a timestamp; `null` when the client sent null or an empty text, which removes the date. */
export function readTaskDate({ params }: BoardRequest, name: string): Timestamp | null {
  const text = params.string(name, '');
  if (text === '') return null;
  return parseTimestamp(text) ?? refuseArgument(name, `${name} is not a moment of the calendar.`);
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
export function readTaskValues(request: BoardRequest, board: Board, task?: Task): TaskValues {
  let values: TaskValues = {};
  for (const [name, read] of Object.entries(READERS)) {
    if (request.suppliedNames.has(name)) values = { ...values, ...read(request, name, board) };
  }
  const { startsAt = task?.startsAt ?? null, dueAt = task?.dueAt ?? null } = values;
  checkDates('due_at', startsAt, dueAt);
  return values;
}

/** Refuses an argument for a task that would be due before it starts. */
export function checkDates(argument: string, startsAt: Timestamp | null, dueAt: Timestamp | null): void {
  if (startsAt !== null && dueAt !== null && dueAt < startsAt) {
    refuseArgument(argument, 'A task cannot be due before it starts.');
  }
}

/** Moves a task within its stage, or to another stage, whose default status it takes. */
export function moveTask(request: BoardRequest, task: Task, stage: Stage, position?: number): undefined {
  const { state } = request;
  if (task.archivedAt !== null) refuse(409, 'task_archived', 'The task is archived: restore it first.');
  if (stage.archivedAt !== null) refuse(409, 'stage_archived', 'The stage is archived.');
  if (task.stageId === stage.id) {
    state.placeTask(task, stage.id, position);
    const text = `moved “${task.title}” to place ${task.position}`;
    logTask(request, task, { action: 'moved', text });
    return;
  }
  checkTaskLimit(request, stage);
  const from = state.stages.get(task.stageId)?.title ?? null;
  state.placeTask(task, stage.id, position);
  const text = `moved “${task.title}” from ${from ?? 'nowhere'} to ${stage.title}`;
  logTask(request, task, { action: 'moved', text, oldValue: from, newValue: stage.title });
  if (stage.defaultStatus !== null) setTaskStatus(request, task, stage.defaultStatus);
}

/** Refuses to add open tasks to a stage that takes no more. */
export function checkTaskLimit({ state }: BoardRequest, { id, title, taskLimit }: Stage, added = 1): void {
  const open = state.activeTasksInStage(id).filter(({ status }) => status === 'open').length;
  if (taskLimit !== null && open + added > taskLimit) {
    refuse(409, 'stage_full', `“${title}” takes no more than ${taskLimit} open tasks.`);
  }
}

export function archiveTask(request: BoardRequest, task: Task): undefined {
  if (task.archivedAt !== null) refuse(409, 'task_archived', 'The task is archived already.');
  archiveItem(task, toTimestamp(request.now));
  renumberPositions(request.state.activeTasksInStage(task.stageId));
  logTask(request, task, { action: 'archived', text: `archived “${task.title}”` });
}

/** Restores a task to the end of its stage, or of the first stage when its own is archived. */
export function restoreTask(request: BoardRequest, task: Task): undefined {
  const { state } = request;
  if (task.archivedAt === null) refuse(409, 'task_not_archived', 'The task is not archived.');
  const last = state.stages.get(task.stageId);
  const stage = last?.archivedAt === null ? last : state.activeStages(task.boardId)[0];
  if (stage === undefined) return refuse(409, 'stage_archived', 'The board has no stage for it.');
  task.archivedAt = null;
  task.stageId = stage.id;
  placeItem(state.activeTasksInStage(stage.id), task);
  logTask(request, task, { action: 'restored', text: `restored “${task.title}” to ${stage.title}` });
}

/** Deletes a task with everything on it. The history of the board keeps its entries. */
export function deleteTask(request: BoardRequest, task: Task): undefined {
  const { state } = request;
  state.deleteTask(task.id);
  renumberPositions(state.activeTasksInStage(task.stageId));
  const text = `deleted “${task.title}”`;
  logTask(request, task, { action: 'deleted', taskId: null, text, oldValue: task.title });
}

export function findFirstStage({ state }: BoardRequest, board: Board): Stage {
  return (
    state.activeStages(board.id)[0] ?? refuse(409, 'no_stage', 'The board has no stage: make one first.')
  );
}

/** The stage of the argument `stage_id`, which must not be archived; the first stage when it is absent. */
export function readStage(request: BoardRequest, board: Board): Stage {
  const { state, params } = request;
  if (!params.has('stage_id')) return findFirstStage(request, board);
  const stage = findForArgument('stage_id', () => state.findStage(board.id, params.integer('stage_id')));
  return stage.archivedAt === null ? stage : refuseArgument('stage_id', 'The stage is archived.');
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
): Task {
  const { state, user, now } = request;
  const at = toTimestamp(now);
  const status = values.status ?? stage.defaultStatus ?? 'open';
  if (status === 'open') checkTaskLimit(request, stage);
  const task = state.tasks.add((id) => ({
    id,
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    title: values.title,
    slug: createUniqueSlug(values.title, state.allTasksOnBoard(board.id)),
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
  }));
  placeItem(state.activeTasksInStage(stage.id), task, position);
  const entry =
    copiedFrom === undefined
      ? { action: 'created', text: `added “${task.title}” to ${stage.title}` }
      : { action: 'cloned', text: `copied “${copiedFrom.title}” to ${stage.title}` };
  logTask(request, task, { ...entry, newValue: stage.title });
  return task;
}

const showsPeople = (task: Task, request: BoardRequest): boolean => canReadPeople(request, task.boardId);

/** The tasks and ideas of a board, which its members change. */
export const taskResource: BoardResource<Task, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const task = request.state.findTask(board.id, request.params.string('task_id'));
    // A client does not learn of tasks that they may not read.
    if (canReadTask(request, task)) return task;
    return refuse(404, 'task_not_found', 'There is no such task on this board.');
  },
  logChange: logTask,
  show: createView<Task>('task', {
    assignees: (task, request) =>
      showsPeople(task, request) ? task.assignees.map((id) => request.state.showPerson(id)) : [],
    labels: (task, { state }) =>
      state.labelsOf(task).map(({ id, title, color, backgroundColor }) => ({
        id,
        title,
        color,
        background_color: backgroundColor,
      })),
    is_overdue: (task, { now }) => isOverdue(task, toTimestamp(now)),
    cover: ({ cover }) => (cover === null ? null : { color: cover.color, image_url: cover.imageUrl }),
    contact_id: (task, request) => (showsPeople(task, request) ? task.contactId : null),
    support_ticket_id: (task, request) => (showsPeople(task, request) ? task.supportTicketId : null),
    worked_minutes: workedMinutes,
    comment_count: countReadableComments,
    is_pinned: ({ id }, { state, user }) => state.settingsOf(user).pinnedTasks.includes(id),
    created_by: (task, request) =>
      showsPeople(task, request) ? request.state.showPerson(task.createdBy) : null,
  }),
});

export function isOverdue({ status, archivedAt, dueAt }: Task, now: Timestamp): boolean {
  return status === 'open' && archivedAt === null && dueAt !== null && dueAt < now;
}

export function workedMinutes({ id }: Task, { state }: BoardRequest): number {
  return sumOf(
    state.timeTracks.where(({ taskId }) => taskId === id),
    ({ minutes }) => minutes,
  );
}

/** The number of comments on a task that the client may read. */
export function countReadableComments({ id }: Task, request: BoardRequest): number {
  const { comments } = request.state;
  return comments.where((each) => each.taskId === id && canReadComment(request, each)).length;
}
