import type { SiteError } from '../../site/declare.ts';
import { isRefusal } from '../model/state.ts';
import type { Board, Task, TaskPriority, TaskStatus } from '../model/types.ts';
import { readMoment } from '../rest/period.ts';
import { isMember } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';

/** What a caller may set of a task. */
export type TaskFields = Pick<
  Task,
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
  | 'estimatedMinutes'
>;

type Reader<Value> = (request: BoardRequest, board: Board, name: string) => Value | SiteError;

const text: Reader<string> = ({ params }, _board, name) => params.string(name, '').trim();

const minutes: Reader<number> = ({ params }, _board, name) => params.integer(name, 0);

const numberOrNone: Reader<number | null> = ({ params }, _board, name) =>
  params.has(name) ? params.integer(name, 0) : null;

/** A moment, or null and the empty text for none. */
export const momentOrNone: Reader<string | null> = ({ params }, _board, name) => {
  const written = params.string(name, '');
  if (written === '') return null;
  return readMoment(written) ?? invalid(name, `${name} is not a moment of the calendar.`);
};

const READERS: {
  readonly [Field in keyof TaskFields]: readonly [name: string, read: Reader<TaskFields[Field]>];
} = {
  title: [
    'title',
    (request, board, name) => {
      const title = text(request, board, name);
      return title === '' ? invalid(name, 'A task needs a title.') : title;
    },
  ],
  description: ['description', text],
  priority: ['priority', ({ params }) => asPriority(params.string('priority'))],
  status: ['status', ({ params }) => asStatus(params.string('status'))],
  assignees: [
    'assignees',
    ({ state, params }, board, name) => {
      const wanted = [...new Set(params.integers(name))];
      const strange = wanted.find(
        (id) => !isAssignable(state.users.find((user) => user.id === id) ?? null, board),
      );
      return strange === undefined ? wanted : invalid(name, `User ${strange} is not a member of this board.`);
    },
  ],
  labels: [
    'labels',
    ({ state, params }, board, name) => {
      const wanted = [...new Set(params.integers(name))];
      const strange = wanted.find((id) => state.labels.get(id)?.boardId !== board.id);
      return strange === undefined ? wanted : invalid(name, `There is no label ${strange} on this board.`);
    },
  ],
  startsAt: ['starts_at', momentOrNone],
  dueAt: ['due_at', momentOrNone],
  remindAt: ['remind_at', momentOrNone],
  contactId: [
    'contact_id',
    (request, board, name) => {
      const id = numberOrNone(request, board, name);
      return typeof id !== 'number' || request.state.contacts.has(id)
        ? id
        : invalid(name, `There is no contact ${id}.`);
    },
  ],
  supportTicketId: ['support_ticket_id', numberOrNone],
  estimatedMinutes: ['estimated_minutes', minutes],
};

/**
 * Those fields that the caller gave, judged together with what stands: nothing is written before all are right.
 *
 * @param task What the fields will be written to, undefined for a new task.
 */
export function readTaskFields(
  request: BoardRequest,
  board: Board,
  task?: Task,
): Partial<TaskFields> | SiteError {
  const fields: Partial<TaskFields> = {};
  for (const field of FIELDS) {
    const refused = readInto(fields, field, request, board);
    if (refused !== undefined) return refused;
  }
  const startsAt = fields.startsAt === undefined ? (task?.startsAt ?? null) : fields.startsAt;
  const dueAt = fields.dueAt === undefined ? (task?.dueAt ?? null) : fields.dueAt;
  if (startsAt !== null && dueAt !== null && dueAt < startsAt)
    return invalid('due_at', 'A task cannot be due before it starts.');
  return fields;
}

const FIELDS: readonly (keyof TaskFields)[] = [
  'title',
  'description',
  'priority',
  'status',
  'assignees',
  'labels',
  'startsAt',
  'dueAt',
  'remindAt',
  'contactId',
  'supportTicketId',
  'estimatedMinutes',
];

function readInto<Field extends keyof TaskFields>(
  fields: Partial<TaskFields>,
  field: Field,
  request: BoardRequest,
  board: Board,
): SiteError | undefined {
  const [name, read] = READERS[field];
  if (!request.given.has(name)) return undefined;
  const value: TaskFields[Field] | SiteError = read(request, board, name);
  if (isSiteError(value)) return value;
  fields[field] = value;
  return undefined;
}

function isSiteError(value: unknown): value is SiteError {
  return typeof value === 'object' && value !== null && isRefusal(value);
}

/** Whether someone can be given work on a board. */
export function isAssignable(user: BoardRequest['user'], board: Board): boolean {
  return user !== null && isMember(user, board);
}

export function asPriority(word: string | undefined): TaskPriority {
  return word === 'low' || word === 'high' || word === 'urgent' ? word : 'medium';
}

export function asStatus(word: string | undefined): TaskStatus {
  return word === 'closed' ? word : 'open';
}
