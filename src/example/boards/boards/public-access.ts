import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Feature } from '../model/settings.ts';
import { record } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { isMember, may, permit } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';

const ACCESS_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  enabled: { description: 'Whether people without an account see the board.', type: 'boolean' },
  show_comments: { description: 'Whether they see comments that are not private.', type: 'boolean' },
  show_assignees: { description: 'Whether they see who does what.', type: 'boolean' },
};

const ACCESS_SCHEMA: JsonObject = answersWhole('public-access', 'What strangers may see of a board.', {
  board_id: { description: 'Number of the board.', type: 'integer', readonly: true },
  ...ACCESS_PROPERTIES,
});

function showAccess({ id, publicAccess }: Board): JsonObject {
  return {
    board_id: id,
    enabled: publicAccess.enabled,
    show_comments: publicAccess.showComments,
    show_assignees: publicAccess.showAssignees,
  };
}

/** Opening a board to everybody, and the menu that each caller gets. */
export const publicAccess: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/toggle-public-access',
    [
      {
        methods: ['PUT'],
        args: {
          ...ACCESS_PROPERTIES,
          enabled: {
            description: 'Whether people without an account see the board. Absent: the other of what it is.',
            type: 'boolean',
          },
        },
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const { params } = request;
          const access = board.publicAccess;
          const was = access.enabled;
          access.enabled = params.boolean(
            'enabled',
            params.has('show_comments') || params.has('show_assignees') ? was : !was,
          );
          access.showComments = params.boolean('show_comments', access.showComments);
          access.showAssignees = params.boolean('show_assignees', access.showAssignees);
          noteAccess(request, board, was);
          return ok(showAccess(board));
        }),
      },
    ],
    ACCESS_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/public-access-settings',
    [
      {
        methods: ['GET'],
        permission: insiders,
        handle: withBoard((_request, board) => ok(showAccess(board))),
      },
    ],
    ACCESS_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/board-menu-items',
    [
      {
        methods: ['GET'],
        permission: permit.viewers,
        handle: withBoard((request, board) => ok(menuOf(request, board))),
      },
    ],
    answersWhole('menu-item', 'An entry of the menu of a board.', {
      key: { description: 'Which entry: `members`.', type: 'string' },
      title: { description: 'What it is called.', type: 'string' },
      href: { description: 'Address of what it shows.', type: 'string', format: 'uri' },
    }),
  ),
];

function noteAccess(request: BoardRequest, board: Board, was: boolean): void {
  const { enabled } = board.publicAccess;
  const text =
    enabled === was
      ? 'changed what strangers see'
      : enabled
        ? 'opened the board to everybody'
        : 'closed the board to strangers';
  record(
    request.state,
    {
      boardId: board.id,
      action: 'updated',
      subject: 'settings',
      text,
      oldValue: String(was),
      newValue: String(enabled),
    },
    request,
  );
}

interface MenuItem {
  readonly key: string;
  readonly title: string;
  /** Below the board. */
  readonly path: string;
  readonly for: 'everybody' | 'members' | 'managers';
  /** The module that has to be on. */
  readonly feature?: Feature;
}

const MENU: readonly MenuItem[] = [
  { key: 'tasks', title: 'Tasks', path: '/tasks', for: 'everybody' },
  { key: 'labels', title: 'Labels', path: '/labels', for: 'everybody' },
  { key: 'activities', title: 'Activities', path: '/activities', for: 'members' },
  { key: 'members', title: 'Members', path: '/users', for: 'members' },
  { key: 'archived-tasks', title: 'Archived tasks', path: '/archived-tasks', for: 'members' },
  { key: 'archived-stages', title: 'Archived stages', path: '/archived-stages', for: 'members' },
  { key: 'contacts', title: 'Contacts', path: '/crm-contacts', for: 'members', feature: 'crm' },
  { key: 'notifications', title: 'Notifications', path: '/notification-settings', for: 'members' },
  { key: 'public-access', title: 'Public access', path: '/public-access-settings', for: 'managers' },
];

function menuOf({ state, user, link }: BoardRequest, board: Board): JsonObject[] {
  const allowed = {
    everybody: true,
    members: isMember(user, board),
    managers: may(user, board, 'manage'),
  };
  return MENU.filter(
    (item) => allowed[item.for] && (item.feature === undefined || state.settings.features[item.feature]),
  ).map(({ key, title, path }) => ({ key, title, href: link(`/boards/v2/projects/${board.id}${path}`) }));
}
