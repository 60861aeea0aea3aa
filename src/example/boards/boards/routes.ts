import { boardActivities } from '../activities/activity.ts';
import { contactRoutes } from '../contacts/routes.ts';
import { memberRoutes } from '../members/routes.ts';
import type { BoardRoute } from '../rest/index.ts';
import { boardNotifications } from '../settings/notifications.ts';
import { backgrounds } from './backgrounds.ts';
import { boardCollection, onboarding } from './collection.ts';
import { boardCopies } from './copy.ts';
import { boardArchive, boardItems, pins } from './item.ts';
import { boardLists } from './lists.ts';
import { publicAccess } from './public-access.ts';

/** Routes of boards, in the order in which the site registers them. */
export const boardRoutes: readonly BoardRoute[] = [
  boardCollection,
  ...boardLists,
  ...onboarding,
  ...boardItems,
  ...pins,
  ...memberRoutes,
  boardActivities,
  ...boardArchive,
  ...publicAccess,
  ...boardNotifications,
  ...boardCopies,
  ...backgrounds,
  ...contactRoutes,
];
