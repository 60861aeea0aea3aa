import { boardActivities } from '../activities/board-routes.ts';
import { contacts } from '../contacts/routes.ts';
import { members } from '../members/routes.ts';
import type { BoardRoute } from '../rest/route.ts';
import { boardNotifications } from '../settings/board-notifications.ts';
import { boardArchive } from './archive.ts';
import { backgrounds } from './backgrounds.ts';
import { boards } from './collection.ts';
import { boardCopies } from './copy-routes.ts';
import { boardItems } from './item.ts';
import { boardLists } from './lists.ts';
import { onboarding } from './onboarding.ts';
import { pins } from './pins.ts';
import { publicAccess } from './public-access.ts';

/** Everything about boards themselves, in the order in which the site registers it. */
export const boardRoutes: readonly BoardRoute[] = [
  boards,
  ...boardLists,
  ...onboarding,
  ...boardItems,
  ...pins,
  ...members,
  boardActivities,
  ...boardArchive,
  ...publicAccess,
  ...boardNotifications,
  ...boardCopies,
  ...backgrounds,
  ...contacts,
];
