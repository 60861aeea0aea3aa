import type { ArgumentSchemas } from '../../site/declarations.ts';
import { boardResource } from '../boards/resource.ts';
import type { Board, NotificationEvent, NotificationSettings } from '../model/index.ts';
import { NOTIFICATION_EVENTS, userSettings } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import { createResource, permit, responseSchema, schema } from '../rest/index.ts';
import { createUserSettingsResource } from './resource.ts';

const EVENTS: Readonly<Record<NotificationEvent, string>> = {
  task_created: 'A task was made.',
  task_assigned: 'A task was given to them.',
  task_moved: 'A task of theirs was moved.',
  task_completed: 'A task of theirs was done.',
  comment_added: 'Somebody commented on a task of theirs.',
  mentioned: 'Somebody named them.',
  due_soon: 'A task of theirs is due within a day.',
};

/** One argument for each event. */
const EVENT_ARGS: ArgumentSchemas = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [event, schema.boolean(`Whether the user is told: ${EVENTS[event]}`)]),
);

/** The events whose argument the client sent. */
function readEvents({ params }: BoardRequest): Partial<NotificationSettings> {
  const sent = NOTIFICATION_EVENTS.filter((event) => params.has(event));
  return Object.fromEntries(sent.map((event) => [event, params.boolean(event)]));
}

/** The notification settings of the client for single boards. */
const boardNotificationResource = createResource<Board, readonly []>({
  ...boardResource,
  schema: responseSchema('board-notifications', 'What a user is told of one board.', {
    board_id: schema.readOnly(schema.integer('Number of the board.')),
    ...EVENT_ARGS,
    overrides: schema.readOnly(
      schema.array('Events in which the board differs from the global settings of the user.', {
        type: 'string',
        enum: NOTIFICATION_EVENTS,
      }),
    ),
  }),
  readPermission: permit.anyMember,
  writePermission: permit.anyMember,
  createPresenter: ({ state, user }) => {
    const { notifications, boardNotifications: all } = userSettings(state, user?.id ?? 0);
    return ({ id }) => {
      const ofBoard = all.get(id) ?? {};
      const overrides = NOTIFICATION_EVENTS.filter(
        (event) => (ofBoard[event] ?? notifications[event]) !== notifications[event],
      );
      return { board_id: id, ...notifications, ...ofBoard, overrides };
    };
  },
});

/** Notifications of one board: the global settings of the user, with the overrides of the board. */
export const boardNotificationRoutes: readonly BoardRoute[] = [
  boardNotificationResource.get('/projects/{board_id:int}/notification-settings'),
  boardNotificationResource.put('/projects/{board_id:int}/update-notification-settings', {
    args: {
      ...EVENT_ARGS,
      reset: schema.boolean('Whether to forget first what was chosen for this board.', { default: false }),
    },
    allowsArchivedBoard: true,
    change(request, { id }) {
      const { boardNotifications: all } = userSettings(request.state, request.user?.id ?? 0);
      const current = request.params.boolean('reset') ? {} : all.get(id);
      all.set(id, { ...current, ...readEvents(request) });
      return undefined;
    },
  }),
];

const globalSettings = createUserSettingsResource(
  responseSchema(
    'notification-settings',
    'What a user is told of, on boards for which they chose nothing else.',
    EVENT_ARGS,
  ),
  ({ notifications }) => ({ ...notifications }),
);

/** Notifications of the boards without overrides. */
export const globalNotificationRoutes: readonly BoardRoute[] = [
  globalSettings.post('/update-global-notification-settings', {
    args: EVENT_ARGS,
    change(request, { notifications }) {
      Object.assign(notifications, readEvents(request));
      return undefined;
    },
  }),
  globalSettings.get('/get-global-notification-settings'),
];
