import type { SiteError } from '../../site/declarations.ts';
import type { Board, Task, TaskPriority, TaskStatus, Timestamp } from '../model/index.ts';
import { isSiteError, parseTimestamp, TASK_PRIORITIES } from '../model/index.ts';
import type { BoardRequest } from '../rest/index.ts';
import { enumParam, invalidArgument, isMemberOrAdmin, readRequiredText } from '../rest/index.ts';

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
