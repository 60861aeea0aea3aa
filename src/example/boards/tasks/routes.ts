import { taskActivities } from '../activities/task-routes.ts';
import { commentRoutes } from '../comments/routes.ts';
import type { BoardRoute } from '../rest/route.ts';
import { taskAssistant } from './assistant.ts';
import { taskBulk } from './bulk.ts';
import { taskCopy } from './copy.ts';
import { taskCover, taskFromImage, taskUploads } from './images.ts';
import { taskCreation, taskItems } from './item.ts';
import { taskLists } from './lists.ts';
import { taskOwning, taskPlacing, taskStatus } from './steps.ts';

/** Everything about tasks, in the order in which the site registers it. */
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
  ...taskOwning,
  taskCopy,
  ...taskUploads,
  ...taskActivities,
  ...commentRoutes,
];
