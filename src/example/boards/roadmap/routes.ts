import type { BoardRoute } from '../rest/index.ts';
import { ideaCommentRoutes } from './comments.ts';
import { ideaCreationRoute, ideaItemRoute, ideaStageRoute, ideaVoteRoute } from './ideas.ts';
import { ideaListRoutes, stageIdeasRoute } from './lists.ts';
import { roadmapSettingsRoutes } from './settings.ts';

/** Routes of roadmaps and their ideas, in the order in which the site registers them. */
export const roadmapRoutes: readonly BoardRoute[] = [
  stageIdeasRoute,
  ideaCreationRoute,
  ideaItemRoute,
  ...ideaCommentRoutes,
  ideaVoteRoute,
  ...ideaListRoutes,
  ideaStageRoute,
  ...roadmapSettingsRoutes,
];
