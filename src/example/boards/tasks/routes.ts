import { taskActivityRoutes } from '../activities/routes.ts';
import { commentRoutes } from '../comments/routes.ts';
import type { BoardRoute } from '../rest/index.ts';
import { taskAssistantRoutes } from './assistant.ts';
import { taskBulkRoutes } from './bulk.ts';
import { taskCoverRoute, taskFromImageRoute, taskUploadRoutes } from './images.ts';
import {
  taskAssigningRoutes,
  taskCopyRoute,
  taskCreationRoute,
  taskItemRoutes,
  taskPlacingRoutes,
  taskStatusRoute,
} from './item.ts';
import { taskListRoutes } from './lists.ts';

/** Routes of tasks, in the order in which the site registers them. */
export const taskRoutes: readonly BoardRoute[] = [
  ...taskListRoutes,
  taskCreationRoute,
  taskFromImageRoute,
  ...taskItemRoutes,
  ...taskPlacingRoutes,
  ...taskBulkRoutes,
  taskCoverRoute,
  taskStatusRoute,
  ...taskAssistantRoutes,
  ...taskAssigningRoutes,
  taskCopyRoute,
  ...taskUploadRoutes,
  ...taskActivityRoutes,
  ...commentRoutes,
];
