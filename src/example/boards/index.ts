import type { SiteDefinition } from '../site/definition.ts';
import { DEMO_USERS } from '../site/users.ts';
import { adminRoutes } from './admin-routes.ts';
import { boardRoutes } from './board-routes.ts';
import { crossBoardTaskRoutes } from './cross-board-tasks.ts';
import { labels } from './labels.ts';
import { ajaxOptions, associatedUsers } from './options.ts';
import { answerOutside, OEMBED } from './outside.ts';
import { reportRoutes } from './reports.ts';
import { roadmapRoutes } from './roadmap-routes.ts';
import type { BoardRoute } from './routes.ts';
import { searchRoutes } from './search.ts';
import { createBoardState } from './seed/generator.ts';
import { stageRoutes } from './stage-routes.ts';
import { taskRoutes } from './task-routes.ts';
import { timeTrackRoutes } from './time-tracks.ts';
import { timesheetRoutes } from './timesheets.ts';
import type { BoardState } from './types.ts';
import { dashboardSettings, notificationSettings, taskTabs } from './user-settings.ts';

export type { BoardState } from './types.ts';

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
