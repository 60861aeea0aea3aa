import type { BoardRoute } from '../rest/index.ts';
import { roadmapReport } from './roadmap-report.ts';
import { activityReport, overviewReport, tasksReport, timesheetReport } from './work-reports.ts';

/** Routes of reports, in the order in which the site registers them. */
export const reportRoutes: readonly BoardRoute[] = [
  timesheetReport,
  overviewReport,
  tasksReport,
  activityReport,
  roadmapReport,
];
