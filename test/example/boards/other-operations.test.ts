import { crossBoardTaskRoutes } from '../../../src/example/boards/cross-board-tasks.ts';
import { reportRoutes } from '../../../src/example/boards/reports.ts';
import { roadmapRoutes } from '../../../src/example/boards/roadmap-routes.ts';
import { searchRoutes } from '../../../src/example/boards/search.ts';
import { timeTrackRoutes } from '../../../src/example/boards/time-tracks.ts';
import { timesheetRoutes } from '../../../src/example/boards/timesheets.ts';
import { CROSS_BOARD_CASES, ROADMAP_CASES, TIME_CASES } from './other-cases.ts';
import { testOperations } from './table.ts';

testOperations('the operations on time', [...timeTrackRoutes, ...timesheetRoutes], TIME_CASES);

testOperations('the operations on roadmaps', roadmapRoutes, ROADMAP_CASES);

testOperations(
  'the operations across boards',
  [...crossBoardTaskRoutes, ...searchRoutes, ...reportRoutes],
  CROSS_BOARD_CASES,
);
