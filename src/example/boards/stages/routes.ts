import type { BoardRoute } from '../rest/route.ts';
import { archivedStages, stageArchiving, stageRestoring } from './archive.ts';
import { stageCreation, stagePositions, stageUpdates, stageView } from './item.ts';
import { stageDragging, stageRepositioning } from './order.ts';
import { stageEmptying, stageMoving, stageSorting } from './tasks.ts';

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
