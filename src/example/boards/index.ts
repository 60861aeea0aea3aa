import type { SiteDefinition } from '../site/definition.ts';
import { DEMO_USERS } from '../site/users.ts';
import { boardRoutes } from './boards/routes.ts';
import { labelRoutes } from './labels/routes.ts';
import type { BoardState } from './model/index.ts';
import { boardOembed, findBoardPage } from './pages.ts';
import { reportRoutes } from './reports/routes.ts';
import type { BoardRoute } from './rest/index.ts';
import { roadmapRoutes } from './roadmap/routes.ts';
import { globalSearchRoute } from './search/global-search.ts';
import { ajaxOptionsRoute, associatedUsersRoute } from './search/select-options.ts';
import { createBoardState } from './seed/generator.ts';
import { adminRoutes } from './settings/admin-routes.ts';
import { globalNotificationRoutes } from './settings/notifications.ts';
import { dashboardRoutes, taskTabsRoute } from './settings/user.ts';
import { stageRoutes } from './stages/routes.ts';
import { unscopedTaskRoutes } from './tasks/cross-board.ts';
import { taskRoutes } from './tasks/routes.ts';
import { timeTrackRoutes } from './time/routes.ts';
import { timesheetRoutes } from './time/timesheets.ts';

export type { BoardState } from './model/index.ts';

/** All routes, in the order in which the site registers them. */
const ROUTES: readonly BoardRoute[] = [
  ...timeTrackRoutes,
  ...timesheetRoutes,
  ...roadmapRoutes,
  ...unscopedTaskRoutes,
  taskTabsRoute,
  globalSearchRoute,
  associatedUsersRoute,
  ajaxOptionsRoute,
  ...globalNotificationRoutes,
  ...dashboardRoutes,
  ...reportRoutes,
  ...boardRoutes,
  ...labelRoutes,
  ...stageRoutes,
  ...taskRoutes,
  ...adminRoutes,
];

/** The board site: boards of tasks with stages, labels, comments and time tracks, and roadmaps of ideas with votes. */
export const boardDefinition: SiteDefinition<BoardState> = {
  name: 'Example Boards',
  description: 'Tasks, roadmaps and the time they take',
  users: DEMO_USERS,
  namespaces: [
    'oembed/1.0',
    'boards/v2',
    'ext-b/v1',
    'crm/v1',
    'crm/v2',
    'boards',
    'crm',
    'mcp',
    'core/v2',
    'core-site-health/v1',
    'core-block-editor/v1',
    'core-abilities/v1',
  ],
  declarations: [{ namespace: 'boards/v2', routes: ROUTES }],
  createState: createBoardState,
  oembed: boardOembed,
  findPage: findBoardPage,
};
