import type { BoardRoute } from './routes.ts';
import { archivedStages, stageArchiving, stageRestoring } from './stage-archive.ts';
import { stageDragging, stageRepositioning } from './stage-order.ts';
import { stageEmptying, stageMoving, stageSorting } from './stage-tasks.ts';
import { stageCreation, stagePositions, stageUpdates, stageView } from './stages.ts';

/** Everything about stages, in the order in which the site registers it. */
export const stageRoutes: readonly BoardRoute[] = [
  stageMoving,
  stageCreation,
  stageSorting,
  stageEmptying,
  stageRepositioning,
  ...stageUpdates,
  stageArchiving,
  stageView,
  stageRestoring,
  stageDragging,
  archivedStages,
  stagePositions,
];
