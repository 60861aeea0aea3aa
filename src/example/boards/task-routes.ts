import { commentRoutes } from './comments.ts';
import type { BoardRoute } from './routes.ts';
import { taskActivities } from './task-activities.ts';
import { taskAssistant } from './task-assistant.ts';
import { taskBulk } from './task-bulk.ts';
import { taskCopy } from './task-copies.ts';
import { taskCover, taskFromImage, taskUploads } from './task-images.ts';
import { taskLists } from './task-lists.ts';
import { taskOwning, taskPlacing, taskStatus } from './task-steps.ts';
import { taskCreation, taskItems } from './tasks.ts';

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
