import { taskRoutes } from '../../../src/example/boards/tasks/routes.ts';
import { testOperations } from './operation-cases.ts';
import { TASK_CASES } from './task-cases.ts';

testOperations('the operations on tasks', taskRoutes, TASK_CASES);
