import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/responses.ts';
import type { Board, SiteFeature } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import { createResource, hasRight, isMemberOrAdmin, permit, responseSchema, schema } from '../rest/index.ts';
import { boardResource } from './resource.ts';

const ACCESS_ARGS = {
  enabled: schema.boolean('Whether people without an account see the board.'),
  show_comments: schema.boolean('Whether they see comments that are not private.'),
  show_assignees: schema.boolean('Whether they see who does what.'),
};

/** The public access of boards. */
const publicAccessResource = createResource<Board, readonly []>({
  ...boardResource,
  schema: responseSchema('public-access', 'What strangers may see of a board.', {
    board_id: schema.readOnly(schema.integer('Number of the board.')),
    ...ACCESS_ARGS,
  }),
  readPermission: permit.anyMember,
  createPresenter:
    () =>
    ({ id, publicAccess: { enabled, showComments, showAssignees } }) => ({
      board_id: id,
      enabled,
      show_comments: showComments,
      show_assignees: showAssignees,
    }),
});

/** The public access of a board, and the menu items that a client may see. */
export const publicAccessRoutes: readonly BoardRoute[] = [
  publicAccessResource.put('/projects/{board_id:int}/toggle-public-access', {
    args: {
      ...ACCESS_ARGS,
      enabled: schema.boolean(
        'Whether people without an account see the board. Absent: the other of what it is.',
      ),
    },
    change({ params }, { publicAccess: access }) {
      const was = access.enabled;
      const isToggled = !params.has('show_comments') && !params.has('show_assignees');
      access.enabled = params.boolean('enabled', isToggled ? !was : was);
      access.showComments = params.boolean('show_comments', access.showComments);
      access.showAssignees = params.boolean('show_assignees', access.showAssignees);
      const opened = access.enabled ? 'opened the board to everybody' : 'closed the board to strangers';
      return {
        action: 'updated',
        subject: 'settings',
        text: access.enabled === was ? 'changed what strangers see' : opened,
        oldValue: String(was),
        newValue: String(access.enabled),
      };
    },
  }),
  publicAccessResource.get('/projects/{board_id:int}/public-access-settings'),
  boardResource.get('/projects/{board_id:int}/board-menu-items', {
    schema: responseSchema('menu-item', 'An entry of the menu of a board.', {
      key: schema.string('Which entry: `members`.'),
      title: schema.string('What it is called.'),
      href: schema.uri('Address of what it shows.'),
    }),
    permission: permit.viewers,
    handleItem: (request, board) => ok(menuItems(request, board)),
  }),
];

interface MenuItem {
  readonly key: string;
  readonly title: string;
  /** Relative to the path of the board. */
  readonly path: string;
  readonly for: 'everybody' | 'members' | 'managers';
  /** Feature without which the item is hidden. */
  readonly feature?: SiteFeature;
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

function menuItems({ state, user, link }: BoardRequest, board: Board): JsonObject[] {
  const isAllowed = {
    everybody: true,
    members: isMemberOrAdmin(user, board),
    managers: hasRight(user, board, 'manage'),
  };
  return MENU.filter(
    (item) => isAllowed[item.for] && (item.feature === undefined || state.settings.features[item.feature]),
  ).map(({ key, title, path }) => ({ key, title, href: link(`/boards/v2/projects/${board.id}${path}`) }));
}
