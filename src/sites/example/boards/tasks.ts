import { refuse } from '../../rest-server/responses.ts';
import { canReadComment, canReadTask, isInside, isMemberOrAdmin } from './permissions.ts';
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
  createUniqueSlug,
  parseTimestamp,
  placeItem,
  renumberPositions,
  type Stage,
  TASK_PRIORITIES,
  type Task,
  type TaskStatus,
  type Timestamp,
  toTimestamp,
} from './state.ts';

export function logTask(request: BoardRequest, task: Task, entry: ActivityEntry): void {
  const { id, boardId, type } = task;
  request.state.record({ subject: type, boardId, taskId: id, ...entry }, request);
}

type TaskValues = Partial<Omit<Task, 'id' | 'boardId' | 'stageId' | 'position'>>;

export function changeTask(request: BoardRequest, task: Task, { status, ...values }: TaskValues): undefined {
  const before = JSON.stringify(task);
  Object.assign(task, values);
  if (JSON.stringify(task) !== before) {
    logTask(request, task, { action: 'updated', text: `changed “${task.title}”` });
  }
  if (status !== undefined) setTaskStatus(request, task, status);
}

function setTaskStatus(request: BoardRequest, task: Task, status: TaskStatus): undefined {
  if (task.status === status) return;
  task.status = status;
  task.completedAt = status === 'closed' ? toTimestamp(request.now) : null;
  const action = status === 'closed' ? 'completed' : 'reopened';
  logTask(request, task, { action, text: `${action} “${task.title}”` });
}

type TaskFieldReader = (request: BoardRequest, name: string, board: Board) => TaskValues;

const READERS: Readonly<Record<string, TaskFieldReader>> = {
  title: (request, name) => ({ title: readRequiredText(request, name, 'A task needs a title.') }),
  description: ({ params }, name) => ({ description: params.string(name, '').trim() }),
  priority: ({ params }, name) => ({ priority: enumParam(params, name, TASK_PRIORITIES) ?? 'medium' }),
  status: ({ params }, name) => ({ status: params.string(name) === 'closed' ? 'closed' : 'open' }),
  assignees({ state, params }, name, board) {
    const assignees = [...new Set(params.integers(name))];
    const invalid = assignees.find((id) => !isMemberOrAdmin(state.getUser(id) ?? null, board));
    if (invalid === undefined) return { assignees };
    return refuseArgument(name, `User ${invalid} is not a member of this board.`);
  },
  labels({ state, params }, name, board) {
    const labels = [...new Set(params.integers(name))];
    const invalid = labels.find((id) => state.labels.get(id)?.boardId !== board.id);
    if (invalid === undefined) return { labels };
    return refuseArgument(name, `There is no label ${invalid} on this board.`);
  },
  starts_at: (request, name) => ({ startsAt: readDate(request, name) }),
  due_at: (request, name) => ({ dueAt: readDate(request, name) }),
  remind_at: (request, name) => ({ remindAt: readDate(request, name) }),
  contact_id({ state, params }, name) {
    const contactId = params.integer(name) ?? null;
    if (contactId === null || state.contacts.has(contactId)) return { contactId };
    return refuseArgument(name, `There is no contact ${contactId}.`);
  },
  support_ticket_id: ({ params }, name) => ({ supportTicketId: params.integer(name) ?? null }),
  estimated_minutes: ({ params }, name) => ({ estimatedMinutes: params.integer(name, 0) }),
};

/** `null` or an empty text removes the date. */
function readDate({ params }: BoardRequest, name: string): Timestamp | null {
  const text = params.string(name, '');
  if (text === '') return null;
  return parseTimestamp(text) ?? refuseArgument(name, `${name} is not a moment of the calendar.`);
}

/** Checks all fields before one is changed. */
export function readTaskValues(
  request: BoardRequest,
  board: Board,
  {
    task,
    names = request.suppliedNames,
  }: { readonly task?: Task; readonly names?: ReadonlySet<string> } = {},
): TaskValues {
  let values: TaskValues = {};
  for (const [name, read] of Object.entries(READERS)) {
    if (names.has(name)) values = { ...values, ...read(request, name, board) };
  }
  const { startsAt = task?.startsAt ?? null, dueAt = task?.dueAt ?? null } = values;
  if (startsAt !== null && dueAt !== null && dueAt < startsAt) {
    refuseArgument('due_at', 'A task cannot be due before it starts.');
  }
  return values;
}

/** A task takes the default status of its new stage. */
export function moveTask(request: BoardRequest, task: Task, stage: Stage, position?: number): undefined {
  if (task.archivedAt !== null) refuse(409, 'task_archived', 'The task is archived: restore it first.');
  const isEntering = task.stageId !== stage.id;
  if (isEntering) checkTaskLimit(request, stage);
  request.state.placeTask(task, stage.id, position);
  logTask(request, task, { action: 'moved', text: `moved “${task.title}” to ${stage.title}` });
  if (isEntering && stage.defaultStatus !== null) setTaskStatus(request, task, stage.defaultStatus);
}

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

/** At the end of its stage, or of the first stage if its own is archived. */
export function restoreTask(request: BoardRequest, task: Task): undefined {
  if (task.archivedAt === null) refuse(409, 'task_not_archived', 'The task is not archived.');
  const stage = findActiveStage(request, task.boardId, task.stageId);
  task.archivedAt = null;
  task.stageId = stage.id;
  placeItem(request.state.activeTasksInStage(stage.id), task);
  logTask(request, task, { action: 'restored', text: `restored “${task.title}” to ${stage.title}` });
}

export function deleteTask(request: BoardRequest, task: Task): undefined {
  request.state.deleteTask(task.id);
  renumberPositions(request.state.activeTasksInStage(task.stageId));
  logTask(request, task, { action: 'deleted', taskId: null, text: `deleted “${task.title}”` });
}

export function findActiveStage({ state }: BoardRequest, boardId: number, stageId?: number): Stage {
  const stages = state.activeStages(boardId);
  const stage = stages.find(({ id }) => id === stageId) ?? stages[0];
  return stage ?? refuse(409, 'no_stage', 'The board has no stage: make one first.');
}

/**
 * The stage of the argument `stage_id`; archived ones are refused.
 *
 * @param otherwise number of the stage for an absent argument; the first one if it is absent too
 */
export function readStage(request: BoardRequest, board: Board, otherwise?: number): Stage {
  const { state, params } = request;
  if (!params.has('stage_id')) return findActiveStage(request, board.id, otherwise);
  const stage = findForArgument('stage_id', () => state.findStage(board.id, params.integer('stage_id')));
  return stage.archivedAt === null ? stage : refuseArgument('stage_id', 'The stage is archived.');
}

export function addTask(
  request: BoardRequest,
  board: Board,
  stage: Stage,
  values: TaskValues & { readonly title: string },
  position?: number,
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
    assignees: [...(values.assignees ?? [])],
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
  logTask(request, task, { action: 'created', text: `added “${task.title}” to ${stage.title}` });
  return task;
}

export const taskResource: BoardResource<Task, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const task = request.state.findTask(board.id, request.params.string('task_id'));
    if (canReadTask(request, task)) return task;
    return refuse(404, 'task_not_found', 'There is no such task on this board.');
  },
  logChange: logTask,
  show: createView<Task>('task', {
    assignees: (task, request) =>
      isInside(request, task) ? task.assignees.map((id) => request.state.showPerson(id)) : [],
    labels: (task, { state }) =>
      state
        .labelsOf(task)
        .map(({ id, title, color, backgroundColor }) => ({
          id,
          title,
          color,
          background_color: backgroundColor,
        })),
    is_overdue: (task, { now }) => isOverdue(task, toTimestamp(now)),
    cover: ({ cover }) => (cover === null ? null : { color: cover.color, image_url: cover.imageUrl }),
    contact_id: (task, request) => (isInside(request, task) ? task.contactId : null),
    support_ticket_id: (task, request) => (isInside(request, task) ? task.supportTicketId : null),
    worked_minutes: workedMinutes,
    comment_count: countReadableComments,
    is_pinned: ({ id }, { state, user }) => state.settingsOf(user).pinnedTasks.includes(id),
    created_by: (task, request) =>
      isInside(request, task) ? request.state.showPerson(task.createdBy) : null,
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

export function countReadableComments({ id }: Task, request: BoardRequest): number {
  const { comments } = request.state;
  return comments.where((each) => each.taskId === id && canReadComment(request, each)).length;
}
