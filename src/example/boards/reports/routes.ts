import type { BoardRoute } from '../rest/index.ts';
import { roadmapReport } from './roadmap.ts';
import { activityReport, overviewReport, tasksReport, timesheetReport } from './work.ts';

/** Routes of reports, in the order in which the site registers them. */
export const reportRoutes: readonly BoardRoute[] = [
  timesheetReport,
  overviewReport,
  tasksReport,
  activityReport,
  roadmapReport,
];
