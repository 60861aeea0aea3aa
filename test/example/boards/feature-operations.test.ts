import { reportRoutes } from '../../../src/example/boards/reports/routes.ts';
import { roadmapRoutes } from '../../../src/example/boards/roadmap/routes.ts';
import { globalSearchRoute } from '../../../src/example/boards/search/global-search.ts';
import { unscopedTaskRoutes } from '../../../src/example/boards/tasks/cross-board.ts';
import { timeTrackRoutes } from '../../../src/example/boards/time/routes.ts';
import { timesheetRoutes } from '../../../src/example/boards/time/timesheets.ts';
import { CROSS_BOARD_CASES, ROADMAP_CASES, TIME_CASES } from './feature-cases.ts';
import { testOperations } from './operation-cases.ts';

testOperations('the operations on time', [...timeTrackRoutes, ...timesheetRoutes], TIME_CASES);

testOperations('the operations on roadmaps', roadmapRoutes, ROADMAP_CASES);

testOperations(
  'the operations across boards',
  [...unscopedTaskRoutes, globalSearchRoute, ...reportRoutes],
  CROSS_BOARD_CASES,
);
