import type { BoardRoute } from '../rest/route.ts';
import { roadmapReport } from './roadmap.ts';
import { activityReport, overviewReport, tasksReport, timesheetReport } from './work.ts';

/** What is computed from everything that happened, in the order in which the site registers it. */
export const reportRoutes: readonly BoardRoute[] = [
  timesheetReport,
  overviewReport,
  tasksReport,
  activityReport,
  roadmapReport,
];
