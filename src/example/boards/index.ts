import type { SiteDefinition } from '../site/definition.ts';
import { DEMO_USERS } from '../site/users.ts';
import { boardRoutes } from './boards/routes.ts';
import { labels } from './labels/routes.ts';
import type { BoardState } from './model/types.ts';
import { answerOutside, OEMBED } from './pages.ts';
import { reportRoutes } from './reports/routes.ts';
import type { BoardRoute } from './rest/route.ts';
import { roadmapRoutes } from './roadmap/routes.ts';
import { ajaxOptions, associatedUsers } from './search/options.ts';
import { searchRoutes } from './search/routes.ts';
import { createBoardState } from './seed/generator.ts';
import { adminRoutes } from './settings/admin-routes.ts';
import { dashboardSettings, notificationSettings, taskTabs } from './settings/user.ts';
import { stageRoutes } from './stages/routes.ts';
import { crossBoardTaskRoutes } from './tasks/cross-board.ts';
import { taskRoutes } from './tasks/routes.ts';
import { timeTrackRoutes } from './time/routes.ts';
import { timesheetRoutes } from './time/timesheets.ts';

export type { BoardState } from './model/types.ts';

/** In the order in which the site registers them. */
const ROUTES: readonly BoardRoute[] = [
  ...timeTrackRoutes,
  ...timesheetRoutes,
  ...roadmapRoutes,
  ...crossBoardTaskRoutes,
  taskTabs,
  ...searchRoutes,
  associatedUsers,
  ajaxOptions,
  ...notificationSettings,
  ...dashboardSettings,
  ...reportRoutes,
  ...boardRoutes,
  ...labels,
  ...stageRoutes,
  ...taskRoutes,
  ...adminRoutes,
];

/** Site B: boards of tasks with stages, labels, comments and times, and roadmaps of ideas that are voted on. */
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
  oembed: OEMBED,
  outside: answerOutside,
};
