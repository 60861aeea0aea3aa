import { boardActivityRoute } from '../activities/routes.ts';
import { contactRoutes } from '../contacts/routes.ts';
import { memberRoutes } from '../members/routes.ts';
import type { BoardRoute } from '../rest/index.ts';
import { boardNotificationRoutes } from '../settings/notifications.ts';
import { backgroundRoutes } from './backgrounds.ts';
import { boardCollectionRoute, onboardingRoutes } from './collection.ts';
import { boardCopyRoutes } from './copy.ts';
import { boardArchiveRoutes, boardItemRoutes, pinRoutes } from './item.ts';
import { boardListRoutes } from './lists.ts';
import { publicAccessRoutes } from './public-access.ts';

/** Routes of boards, in the order in which the site registers them. */
export const boardRoutes: readonly BoardRoute[] = [
  boardCollectionRoute,
  ...boardListRoutes,
  ...onboardingRoutes,
  ...boardItemRoutes,
  ...pinRoutes,
  ...memberRoutes,
  boardActivityRoute,
  ...boardArchiveRoutes,
  ...publicAccessRoutes,
  ...boardNotificationRoutes,
  ...boardCopyRoutes,
  ...backgroundRoutes,
  ...contactRoutes,
];
