import type { JsonObject } from '../../json.ts';
import type { SiteUser } from '../../rest-server/declarations.ts';
import { isMemberOrAdmin } from './permissions.ts';
import {
  type ActivityEntry,
  type BoardRequest,
  type BoardState,
  type Notification,
  type NotificationEvent,
  type Task,
  toTimestamp,
} from './state.ts';

/** The events that actions on tasks are, for those who have switched them on. */
const EVENTS: Readonly<Record<string, NotificationEvent>> = {
  created: 'task_created',
  assigned: 'task_assigned',
  moved: 'task_moved',
  completed: 'task_completed',
  commented: 'comment_added',
  replied: 'comment_added',
};

/** Tells the people whom a change of a task concerns, except the one who made it. */
export function notifyOfChange(request: BoardRequest, task: Task, entry: ActivityEntry): void {
  const event = EVENTS[entry.action];
  if (event === undefined) return;
  const { state, user } = request;
  const text = `${state.findUserName(user?.id ?? 0)} ${entry.text}`;
  for (const id of listConcerned(state, task, event, entry)) notify(request, task, id, { event, text });
}

function listConcerned(
  { boards }: BoardState,
  { assignees, boardId, createdBy }: Task,
  event: NotificationEvent,
  { newValue }: ActivityEntry,
): ReadonlySet<number> {
  if (event === 'task_assigned') return new Set([Number(newValue)]);
  if (event === 'task_created') return new Set(boards.get(boardId)?.members.map(({ userId }) => userId));
  return new Set(event === 'comment_added' ? [...assignees, createdBy] : assignees);
}

/** Tells the members whom a text names by their logins: `@editor`. */
export function notifyOfMentions(request: BoardRequest, task: Task, text: string): void {
  const logins = new Set([...text.matchAll(/@([\w.-]{1,60})/g)].map(([, login]) => login));
  for (const { id, login } of request.state.users) {
    if (!logins.has(login)) continue;
    const name = request.state.findUserName(request.user?.id ?? 0);
    notify(request, task, id, { event: 'mentioned', text: `${name} named you on “${task.title}”` });
  }
}

/** The maximal number of notifications that a user has; older ones are dropped. */
const MAX_NOTIFICATIONS = 100;

/** Adds a notification of a member, unless the member has switched its event off or caused it. */
function notify(
  { state, user, now }: BoardRequest,
  { boardId, id: taskId }: Task,
  userId: number,
  { event, text }: Pick<Notification, 'event' | 'text'>,
): void {
  const recipient = state.getUser(userId);
  if (recipient === undefined || userId === user?.id) return;
  if (!canReceive(state, recipient, boardId, event)) return;
  const { outbox } = state.settingsOf(recipient);
  outbox.unshift({ event, text, boardId, taskId, at: toTimestamp(now) });
  outbox.splice(MAX_NOTIFICATIONS);
}

/** Whether a user is on a board and has its event switched on there. Reminders of a task have no switch. */
function canReceive(
  state: BoardState,
  user: SiteUser,
  boardId: number,
  event: Notification['event'],
): boolean {
  if (!isMemberOrAdmin(user, state.boards.get(boardId))) return false;
  if (event === 'reminder') return true;
  const { notifications, boardNotifications } = state.settingsOf(user);
  return { ...notifications, ...boardNotifications.get(boardId) }[event];
}

const DAY = 86_400_000;

/** The notifications that time makes of the open tasks of a user: a day before they are due, and when `remind_at` is. */
function listTimed({ state, now }: BoardRequest, user: SiteUser): Notification[] {
  const open = state.tasks.where(
    ({ assignees, status, archivedAt }) =>
      assignees.includes(user.id) && status === 'open' && archivedAt === null,
  );
  return open.flatMap(({ id: taskId, boardId, title, dueAt, remindAt }) => {
    const timed = [
      { event: 'due_soon', text: `“${title}” is due at ${dueAt}`, time: dueAt, ahead: DAY },
      { event: 'reminder', text: `A reminder of “${title}”`, time: remindAt, ahead: 0 },
    ] as const;
    return timed.flatMap(({ event, text, time, ahead }) => {
      const at = time === null ? Number.POSITIVE_INFINITY : Date.parse(time) - ahead;
      return at <= now.getTime() ? [{ event, text, boardId, taskId, at: toTimestamp(new Date(at)) }] : [];
    });
  });
}

/** What the client was told, newest first, of boards that the client is still on. */
export function listNotifications(request: BoardRequest): JsonObject[] {
  const { state, user } = request;
  if (user === null) return [];
  return [
    ...state
      .settingsOf(user)
      .outbox.filter(({ boardId }) => isMemberOrAdmin(user, state.boards.get(boardId))),
    ...listTimed(request, user).filter(({ boardId, event }) => canReceive(state, user, boardId, event)),
  ]
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, MAX_NOTIFICATIONS)
    .map(({ event, text, boardId, taskId, at }) => ({ event, text, board_id: boardId, task_id: taskId, at }));
}
