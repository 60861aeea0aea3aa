import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import { DASHBOARD_WIDGETS, type PersonalSettings, TASK_TABS } from '../model/settings.ts';
import { personal } from '../model/state.ts';
import { choice, choices } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { NOTIFICATION_SWITCHES, readSwitches } from './board-notifications.ts';

const LAYOUTS = ['grid', 'list'] as const;
const SORTS = ['recent', 'title', 'created'] as const;

const mine = ({ state, user }: BoardRequest): PersonalSettings => personal(state, user?.id ?? 0);

const NOTIFICATIONS: JsonObject = answersWhole(
  'notification-settings',
  'What a user is told of, on boards for which they chose nothing else.',
  NOTIFICATION_SWITCHES,
);

/** What a user is told of. */
export const notificationSettings: readonly BoardRoute[] = [
  route(
    '/update-global-notification-settings',
    [
      {
        methods: ['POST'],
        args: NOTIFICATION_SWITCHES,
        permission: permit.signedIn,
        handle: (request) => {
          Object.assign(mine(request).notifications, readSwitches(request));
          return ok({ ...mine(request).notifications });
        },
      },
    ],
    NOTIFICATIONS,
  ),
  route(
    '/get-global-notification-settings',
    [
      {
        methods: ['GET'],
        permission: permit.signedIn,
        handle: (request) => ok({ ...mine(request).notifications }),
      },
    ],
    NOTIFICATIONS,
  ),
];

const DASHBOARD_FIELDS: Args = {
  layout: { description: 'How boards are laid out.', type: 'string', enum: LAYOUTS },
  sort: { description: 'What they are sorted by.', type: 'string', enum: SORTS },
  widgets: {
    description: 'What else shows, in its order.',
    type: 'array',
    items: { type: 'string', enum: DASHBOARD_WIDGETS },
    uniqueItems: true,
  },
  show_archived: { description: 'Whether archived boards show.', type: 'boolean' },
};

const DASHBOARD: JsonObject = answersWhole(
  'dashboard-view',
  'How a user sees their boards.',
  DASHBOARD_FIELDS,
);

/** How a user sees their boards. */
export const dashboardSettings: readonly BoardRoute[] = [
  route(
    '/update-dashboard-view-settings',
    [
      {
        methods: ['PUT'],
        args: DASHBOARD_FIELDS,
        permission: permit.signedIn,
        handle: (request) => {
          const { params } = request;
          const { dashboard } = mine(request);
          dashboard.layout = choice(params, 'layout', LAYOUTS) ?? dashboard.layout;
          dashboard.sort = choice(params, 'sort', SORTS) ?? dashboard.sort;
          if (params.has('widgets')) dashboard.widgets = choices(params, 'widgets', DASHBOARD_WIDGETS);
          dashboard.showArchived = params.boolean('show_archived', dashboard.showArchived);
          return ok(showDashboard(request));
        },
      },
    ],
    DASHBOARD,
  ),
  route(
    '/get-dashboard-view-settings',
    [{ methods: ['GET'], permission: permit.signedIn, handle: (request) => ok(showDashboard(request)) }],
    DASHBOARD,
  ),
];

function showDashboard(request: BoardRequest): JsonObject {
  const { layout, sort, widgets, showArchived } = mine(request).dashboard;
  return { layout, sort, widgets, show_archived: showArchived };
}

const TABS: JsonObject = {
  description: 'The tabs of an open task that show, in their order.',
  type: 'array',
  items: { type: 'string', enum: TASK_TABS },
  minItems: 1,
  uniqueItems: true,
};

/** Which tabs a user sees on a task. */
export const taskTabs: BoardRoute = route(
  '/tasks/task-tabs/config',
  [
    {
      methods: ['GET'],
      permission: permit.signedIn,
      handle: (request) => ok({ tabs: mine(request).taskTabs }),
    },
    {
      methods: ['POST'],
      args: { tabs: { ...TABS, required: true } },
      permission: permit.signedIn,
      handle: (request) => {
        mine(request).taskTabs = choices(request.params, 'tabs', TASK_TABS);
        return ok({ tabs: mine(request).taskTabs });
      },
    },
  ],
  answersWhole('task-tabs', 'What a user sees on a task.', { tabs: TABS }),
);
