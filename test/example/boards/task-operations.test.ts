import { findRoutes, testOperations } from './operation-cases.ts';
import { TASK_CASES } from './task-cases.ts';

const TASK_ROUTES = findRoutes(/./, '/projects/(?P<board_id>[\\d]+)/tasks', '/admin/feature-modules');

testOperations('the operations on tasks', TASK_ROUTES, TASK_CASES);
