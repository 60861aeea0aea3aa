import { taskActivities } from '../activities/activity.ts';
import { commentRoutes } from '../comments/routes.ts';
import type { BoardRoute } from '../rest/index.ts';
import { taskAssistant } from './assistant.ts';
import { taskBulk } from './bulk.ts';
import { taskCover, taskFromImage, taskUploads } from './images.ts';
import { taskAssigning, taskCopying, taskCreation, taskItems, taskPlacing, taskStatus } from './item.ts';
import { taskLists } from './lists.ts';

/** Routes of tasks, in the order in which the site registers them. */
export const taskRoutes: readonly BoardRoute[] = [
  ...taskLists,
  taskCreation,
  taskFromImage,
  ...taskItems,
  ...taskPlacing,
  ...taskBulk,
  taskCover,
  taskStatus,
  ...taskAssistant,
  ...taskAssigning,
  taskCopying,
  ...taskUploads,
  ...taskActivities,
  ...commentRoutes,
];
