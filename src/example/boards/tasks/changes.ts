import { findUser, isRefusal, moment, record } from '../model/state.ts';
import type { Activity, Task, TaskStatus } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import type { TaskFields } from './fields.ts';

/** Notes what was done to a task, for its board's history. */
export function note(
  request: BoardRequest,
  task: Task,
  done: Pick<Activity, 'action' | 'text'> & Partial<Activity>,
): void {
  record(request.state, { subject: task.type, boardId: task.boardId, taskId: task.id, ...done }, request);
}

/** Writes fields, and notes each that became another. */
export function changeTask(request: BoardRequest, task: Task, fields: Partial<TaskFields>): void {
  const { title, description, status, assignees, labels, startsAt, dueAt, remindAt } = fields;
  if (title !== undefined && title !== task.title) {
    note(request, task, {
      action: 'updated',
      text: `renamed “${task.title}” to “${title}”`,
      oldValue: task.title,
      newValue: title,
    });
    task.title = title;
  }
  if (description !== undefined && description !== task.description) {
    task.description = description;
    note(request, task, { action: 'updated', text: `rewrote the description of “${task.title}”` });
  }
  setValue(request, task, 'priority', fields.priority);
  setValue(request, task, 'contactId', fields.contactId);
  setValue(request, task, 'supportTicketId', fields.supportTicketId);
  setValue(request, task, 'estimatedMinutes', fields.estimatedMinutes);
  setDate(request, task, 'startsAt', startsAt);
  setDate(request, task, 'dueAt', dueAt);
  setDate(request, task, 'remindAt', remindAt);
  if (assignees !== undefined) {
    for (const id of task.assignees.filter((each) => !assignees.includes(each))) unassign(request, task, id);
    for (const id of assignees) assign(request, task, id);
  }
  if (labels !== undefined) {
    for (const id of task.labels.filter((each) => !labels.includes(each))) removeLabel(request, task, id);
    for (const id of labels) addLabel(request, task, id);
  }
  if (status !== undefined) setStatus(request, task, status);
}

const WORDS = {
  priority: 'priority',
  contactId: 'contact',
  supportTicketId: 'support ticket',
  estimatedMinutes: 'estimate',
  startsAt: 'start',
  dueAt: 'due date',
  remindAt: 'reminder',
} as const;

function setValue<Field extends keyof typeof WORDS>(
  request: BoardRequest,
  task: Task,
  field: Field,
  value: Task[Field] | undefined,
  subject: 'date' | undefined = undefined,
): void {
  if (value === undefined || value === task[field]) return;
  const [oldValue, newValue] = [asText(task[field]), asText(value)];
  task[field] = value;
  const change = newValue === null ? 'took away' : 'changed';
  note(request, task, {
    action: 'updated',
    subject: subject ?? task.type,
    text: `${change} the ${WORDS[field]} of “${task.title}”${newValue === null ? '' : ` to ${newValue}`}`,
    oldValue,
    newValue,
  });
}

function setDate(
  request: BoardRequest,
  task: Task,
  field: 'startsAt' | 'dueAt' | 'remindAt',
  value: string | null | undefined,
): void {
  setValue(request, task, field, value, 'date');
}

function asText(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

export function setStatus(request: BoardRequest, task: Task, status: TaskStatus): void {
  if (task.status === status) return;
  task.status = status;
  task.completedAt = status === 'closed' ? moment(request.now) : null;
  const [action, verb] =
    status === 'closed' ? (['completed', 'completed'] as const) : (['reopened', 'reopened'] as const);
  note(request, task, { action, text: `${verb} “${task.title}”`, newValue: status });
}

export function assign(request: BoardRequest, task: Task, userId: number): void {
  if (task.assignees.includes(userId)) return;
  task.assignees.push(userId);
  note(request, task, {
    action: 'assigned',
    text: `gave “${task.title}” to ${nameOf(request, userId)}`,
    newValue: String(userId),
  });
}

export function unassign(request: BoardRequest, task: Task, userId: number): void {
  if (!takeOut(task.assignees, userId)) return;
  note(request, task, {
    action: 'unassigned',
    text: `took “${task.title}” from ${nameOf(request, userId)}`,
    oldValue: String(userId),
  });
}

export function addLabel(request: BoardRequest, task: Task, labelId: number): void {
  if (task.labels.includes(labelId)) return;
  task.labels.push(labelId);
  const title = request.state.labels.get(labelId)?.title ?? '';
  note(request, task, {
    action: 'added',
    subject: 'label',
    text: `put the label “${title}” on “${task.title}”`,
  });
}

export function removeLabel(request: BoardRequest, task: Task, labelId: number): void {
  if (!takeOut(task.labels, labelId)) return;
  const title = request.state.labels.get(labelId)?.title ?? '';
  note(request, task, {
    action: 'removed',
    subject: 'label',
    text: `took the label “${title}” off “${task.title}”`,
  });
}

/** Takes a number out of a list; false where it was not there. */
export function takeOut(list: number[], wanted: number): boolean {
  const index = list.indexOf(wanted);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

function nameOf({ state }: BoardRequest, userId: number): string {
  const user = findUser(state, userId);
  return isRefusal(user) ? 'a former member' : user.name;
}
