import { roadmapReport } from './report-roadmap.ts';
import { activityReport, overviewReport, tasksReport, timesheetReport } from './report-work.ts';
import type { BoardRoute } from './routes.ts';

/** What is computed from everything that happened, in the order in which the site registers it. */
export const reportRoutes: readonly BoardRoute[] = [
  timesheetReport,
  overviewReport,
  tasksReport,
  activityReport,
  roadmapReport,
];
