import { backgrounds } from './backgrounds.ts';
import { boardItems } from './board.ts';
import { boardActivities } from './board-activities.ts';
import { boardArchive } from './board-archive.ts';
import { boardCopies } from './board-copies.ts';
import { boardLists } from './board-lists.ts';
import { boardNotifications } from './board-notifications.ts';
import { boards } from './boards.ts';
import { contacts } from './contacts.ts';
import { members } from './members.ts';
import { onboarding } from './onboarding.ts';
import { pins } from './pins.ts';
import { publicAccess } from './public-access.ts';
import type { BoardRoute } from './routes.ts';

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
