import type { ActivityEntry, Task, TaskStatus } from '../model/index.ts';
import { findUserName, recordActivity, removeId, toTimestamp } from '../model/index.ts';
import type { BoardRequest } from '../rest/index.ts';
import type { TaskValues } from './fields.ts';

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
