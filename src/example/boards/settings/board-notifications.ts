import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../model/settings.ts';
import { personal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';

const TEXTS: Readonly<Record<NotificationEvent, string>> = {
  task_created: 'A task was made.',
  task_assigned: 'A task was given to them.',
  task_moved: 'A task of theirs was moved.',
  task_completed: 'A task of theirs was done.',
  comment_added: 'Somebody commented on a task of theirs.',
  mentioned: 'Somebody named them.',
  due_soon: 'A task of theirs is due within a day.',
};

/** One switch an event. */
export const NOTIFICATION_SWITCHES: Args = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [
    event,
    { description: `Whether the user is told: ${TEXTS[event]}`, type: 'boolean' },
  ]),
);

/** What a caller gave of the switches. */
export function readSwitches({ params }: BoardRequest): Partial<Record<NotificationEvent, boolean>> {
  const given = NOTIFICATION_EVENTS.filter((event) => params.has(event));
  return Object.fromEntries(given.map((event) => [event, params.boolean(event)]));
}

const SCHEMA: JsonObject = answersWhole('board-notifications', 'What a user is told of one board.', {
  board_id: { description: 'Number of the board.', type: 'integer', readonly: true },
  ...NOTIFICATION_SWITCHES,
  overrides: {
    description: 'Events in which the board differs from the global settings of the user.',
    type: 'array',
    items: { type: 'string', enum: NOTIFICATION_EVENTS },
    readonly: true,
  },
});

/** What each member is told of a board: as in their global settings, but for what they chose here. */
export const boardNotifications: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/notification-settings',
    [
      {
        methods: ['GET'],
        permission: insiders,
        handle: withBoard((request, board) => ok(show(request, board))),
      },
    ],
    SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/update-notification-settings',
    [
      {
        methods: ['PUT'],
        args: {
          ...NOTIFICATION_SWITCHES,
          reset: {
            description: 'Whether to forget first what was chosen for this board.',
            type: 'boolean',
            default: false,
          },
        },
        permission: insiders,
        handle: withBoard((request, board) => {
          const { boardNotifications: chosen } = personal(request.state, request.user?.id ?? 0);
          const before = request.params.boolean('reset') ? {} : chosen.get(board.id);
          chosen.set(board.id, { ...before, ...readSwitches(request) });
          return ok(show(request, board));
        }),
      },
    ],
    SCHEMA,
  ),
];

function show({ state, user }: BoardRequest, board: Board): JsonObject {
  const { notifications, boardNotifications: chosen } = personal(state, user?.id ?? 0);
  const here = chosen.get(board.id) ?? {};
  const overrides = NOTIFICATION_EVENTS.filter(
    (event) => (here[event] ?? notifications[event]) !== notifications[event],
  );
  return { board_id: board.id, ...notifications, ...here, overrides };
}
