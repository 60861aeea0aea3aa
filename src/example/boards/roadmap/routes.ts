import type { BoardRoute } from '../rest/route.ts';
import { ideaComments } from './comments.ts';
import { ideaCreation, ideaStage, ideaVote } from './ideas.ts';
import { ideaItem, ideaLists, ideasOfStage } from './lists.ts';
import { roadmapSettingsRoutes } from './settings.ts';

/** Everything about roadmaps and their ideas, in the order in which the site registers it. */
export const roadmapRoutes: readonly BoardRoute[] = [
  ideasOfStage,
  ideaCreation,
  ideaItem,
  ...ideaComments,
  ideaVote,
  ...ideaLists,
  ideaStage,
  ...roadmapSettingsRoutes,
];
