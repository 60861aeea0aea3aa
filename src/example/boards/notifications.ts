import type { JsonObject } from '../../json.ts';
import type { SiteUser } from '../../rest-server/declarations.ts';
import { isMemberOrAdmin } from './permissions.ts';
import {
  type Activity,
  type BoardRequest,
  type BoardState,
  type NotificationEvent,
  type Timestamp,
  toTimestamp,
} from './state.ts';

/** What a user is told. Reminders of a task have no switch. */
interface Notification {
  readonly event: NotificationEvent | 'reminder';
  readonly text: string;
  readonly boardId: number;
  readonly taskId: number;
  readonly at: Timestamp;
}

/** The events that actions on tasks are, for those who have switched them on. */
const EVENTS: Readonly<Record<string, NotificationEvent>> = {
  created: 'task_created',
  assigned: 'task_assigned',
  moved: 'task_moved',
  completed: 'task_completed',
  commented: 'comment_added',
  replied: 'comment_added',
};

/** The maximal number of notifications that a user sees. */
const MAX_NOTIFICATIONS = 100;

/** What concerns the client, newest first: changes by others, texts that name the client, and dates of tasks. */
export function listNotifications({ state, user, now }: BoardRequest): JsonObject[] {
  if (user === null) return [];
  const { boardNotifications, notifications } = state.settingsOf(user);
  const isOn = (boardId: number, event: Notification['event']): boolean =>
    event === 'reminder' || { ...notifications, ...boardNotifications.get(boardId) }[event];
  const changes = state.activities.where((each) => each.userId !== user.id);
  return [
    ...changes.flatMap((activity) => toNotification(state, user, activity)),
    ...listMentions(state, user),
    ...listTimed(state, user, now),
  ]
    .filter(({ boardId, event }) => isMemberOrAdmin(user, state.boards.get(boardId)) && isOn(boardId, event))
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, MAX_NOTIFICATIONS)
    .map(({ event, text, boardId, taskId, at }) => ({ event, text, board_id: boardId, task_id: taskId, at }));
}

/** The notification of a change that concerns a user. */
function toNotification(state: BoardState, { id }: SiteUser, activity: Activity): readonly Notification[] {
  const { action, at, boardId, newValue, taskId, userId } = activity;
  const event = EVENTS[action];
  const task = state.tasks.get(taskId ?? 0);
  if (event === undefined || task === undefined) return [];
  const isConcerned =
    event === 'task_created' ||
    (event === 'task_assigned' ? newValue === String(id) : task.assignees.includes(id)) ||
    (event === 'comment_added' && task.createdBy === id);
  const text = `${state.findUserName(userId ?? 0)} ${activity.text}`;
  return isConcerned ? [{ event, text, boardId, taskId: task.id, at }] : [];
}

/** The comments and replies of others that name a user by the login: `@editor`. */
function listMentions(state: BoardState, { id, login }: SiteUser): Notification[] {
  const written = [...state.comments.values(), ...state.replies.values()];
  const naming = written.filter(({ authorId, text }) => authorId !== id && text.includes(`@${login}`));
  return naming.map(({ authorId, boardId, createdAt: at, taskId }) => {
    const title = state.tasks.get(taskId)?.title ?? '';
    const text = `${state.findUserName(authorId)} named you on “${title}”`;
    return { event: 'mentioned', text, boardId, taskId, at };
  });
}

const DAY = 86_400_000;

/** The notifications that time makes of the open tasks of a user: a day before they are due, and when `remind_at` is. */
function listTimed(state: BoardState, { id }: SiteUser, now: Date): Notification[] {
  const open = state.tasks.where(
    ({ assignees, status, archivedAt }) => assignees.includes(id) && status === 'open' && archivedAt === null,
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
