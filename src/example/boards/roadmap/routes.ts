import type { BoardRoute } from '../rest/index.ts';
import { ideaCommentRoutes } from './comments.ts';
import { ideaCreation, ideaItem, ideaStage, ideaVote } from './ideas.ts';
import { ideaLists, ideasOfStage } from './lists.ts';
import { roadmapSettings } from './settings.ts';

/** Routes of roadmaps and their ideas, in the order in which the site registers them. */
export const roadmapRoutes: readonly BoardRoute[] = [
  ideasOfStage,
  ideaCreation,
  ideaItem,
  ...ideaCommentRoutes,
  ideaVote,
  ...ideaLists,
  ideaStage,
  ...roadmapSettings,
];
