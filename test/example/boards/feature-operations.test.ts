import { CROSS_BOARD_CASES, ROADMAP_CASES, TIME_CASES } from './feature-cases.ts';
import { findRoutes, testOperations } from './operation-cases.ts';

testOperations('the operations on time', findRoutes(/\/time-tracks\b|\/timesheet\//), TIME_CASES);

testOperations('the operations on roadmaps', findRoutes(/^(?:\/admin)?\/roadmaps?\//), ROADMAP_CASES);

testOperations(
  'the operations across boards',
  findRoutes(/^\/tasks\/(?!task-tabs)|^\/global-search$|^\/reports\//),
  CROSS_BOARD_CASES,
);
