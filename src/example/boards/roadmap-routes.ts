import { ideaComments } from './idea-comments.ts';
import { ideaItem, ideaLists, ideasOfStage } from './idea-lists.ts';
import { ideaCreation, ideaStage, ideaVote } from './ideas.ts';
import { roadmapSettingsRoutes } from './roadmap-settings.ts';
import type { BoardRoute } from './routes.ts';

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
