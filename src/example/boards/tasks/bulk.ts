import type { ArgumentSchemas, SiteError } from '../../site/declarations.ts';
import { ok } from '../../site/responses.ts';
import { type Board, findTask, findUser, isSiteError, type Task } from '../model/index.ts';
import type { BoardRequest, BoardRoute, HandlerResult } from '../rest/index.ts';
import {
  enumParam,
  invalidArgument,
  isMemberOrAdmin,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { PRIORITY_ARG, STAGE_ID_ARG, STATUS_ARG, TASK_IDS_ARG, TASK_POSITION_ARG } from './args.ts';
import { assignTask, changeTask, labelTask, setTaskStatus, unassignTask, unlabelTask } from './changes.ts';
import { readStage } from './create.ts';
import { isDueBeforeStart, readTaskDate, readTaskPriority, readTaskStatus } from './fields.ts';
import { archiveTask, deleteTask, moveTask, restoreTask } from './moves.ts';
import { taskResource } from './resource.ts';

/** Changes one of the tasks. An error concerns only this task. */
type TaskChange = (task: Task) => SiteError | undefined;

/** Reads the arguments of an action; an error refuses the whole request. */
type BulkAction = (request: BoardRequest, board: Board) => TaskChange | SiteError;

const ACTION_NAMES = [
  'move',
  'archive',
  'restore',
  'delete',
  'assign',
  'unassign',
  'add-label',
  'remove-label',
  'set-priority',
  'set-status',
  'set-due-date',
] as const;

const ACTIONS: Readonly<Record<(typeof ACTION_NAMES)[number], BulkAction>> = {
  move(request, board) {
    const stage = requireArgument(request, 'stage_id') ?? readStage(request, board);
    if (isSiteError(stage)) return stage;
    // The first task lands at the position, each other one behind the task before it.
    let position = request.params.integer('position');
    return (task) => {
      const error = moveTask(request, task, stage, position);
      if (error === undefined && position !== undefined) position = task.position + 1;
      return error;
    };
  },
  archive: (request) => (task) => archiveTask(request, task),
  restore: (request) => (task) => restoreTask(request, task),
  delete: (request) => (task) => deleteTask(request, task),
  assign(request, board) {
    const missing = requireArgument(request, 'user_id');
    if (missing !== undefined) return missing;
    const user = findUser(request.state, request.params.integer('user_id'));
    if (isSiteError(user)) return invalidArgument('user_id', user.message);
    return isMemberOrAdmin(user, board)
      ? (task) => assignTask(request, task, user.id)
      : invalidArgument('user_id', 'This user is not a member of the board.');
  },
  unassign: (request) =>
    requireArgument(request, 'user_id') ??
    ((task) => unassignTask(request, task, request.params.integer('user_id', 0))),
  'add-label'(request, board) {
    const missing = requireArgument(request, 'label_id');
    if (missing !== undefined) return missing;
    const label = request.state.labels.get(request.params.integer('label_id', 0));
    return label?.boardId === board.id
      ? (task) => labelTask(request, task, label.id)
      : invalidArgument('label_id', 'There is no such label on this board.');
  },
  'remove-label': (request) =>
    requireArgument(request, 'label_id') ??
    ((task) => unlabelTask(request, task, request.params.integer('label_id', 0))),
  'set-priority': (request) =>
    requireArgument(request, 'priority') ??
    ((task) => changeTask(request, task, { priority: readTaskPriority(request) })),
  'set-status': (request) =>
    requireArgument(request, 'status') ?? ((task) => setTaskStatus(request, task, readTaskStatus(request))),
  'set-due-date'(request) {
    // An explicit null removes the date.
    if (!request.suppliedNames.has('due_at')) return createMissingArgumentError('due_at');
    const dueAt = readTaskDate(request, 'due_at');
    if (isSiteError(dueAt)) return dueAt;
    return (task) =>
      isDueBeforeStart(task.startsAt, dueAt)
        ? invalidArgument('due_at', 'A task cannot be due before it starts.')
        : changeTask(request, task, { dueAt });
  },
};

function requireArgument({ params }: BoardRequest, name: string): SiteError | undefined {
  return params.has(name) ? undefined : createMissingArgumentError(name);
}

function createMissingArgumentError(name: string): SiteError {
  return invalidArgument(name, `This action needs ${name}.`);
}

const RESULT = responseSchema('bulk-result', 'What became of many tasks.', {
  action: schema.string('What was done.'),
  done: schema.array('Numbers of the tasks it was done to.', { type: 'integer' }),
  refused: schema.objects('The others, and why.', {
    id: schema.integer('Number that was given.'),
    code: schema.string('A stable name: `task_not_found`.'),
    message: schema.string('For a person.'),
  }),
});

function changeEach(request: BoardRequest, board: Board, action: string, change: TaskChange): HandlerResult {
  const done: number[] = [];
  const refused: { id: number; code: string; message: string }[] = [];
  for (const id of new Set(request.params.integers('task_ids'))) {
    const task = findTask(request.state, board.id, id);
    const error = isSiteError(task) ? task : change(task);
    if (isSiteError(error)) refused.push({ id, code: error.code, message: error.message });
    else done.push(id);
  }
  return ok({ action, done, refused });
}

const BULK_ARGS: ArgumentSchemas = {
  action: schema.enumeration('What is done to each.', ACTION_NAMES, { required: true }),
  task_ids: TASK_IDS_ARG,
  stage_id: { ...STAGE_ID_ARG, description: 'For `move`: the stage to move to.' },
  position: { ...TASK_POSITION_ARG, description: 'For `move`: where the first of them lands.' },
  user_id: schema.id('For `assign` and `unassign`: whom.'),
  label_id: schema.id('For `add-label` and `remove-label`: which.'),
  priority: { ...PRIORITY_ARG, description: 'For `set-priority`: how much they matter.' },
  status: { ...STATUS_ARG, description: 'For `set-status`: whether they are done.' },
  due_at: schema.nullable(
    schema.dateTime('For `set-due-date`: when they have to be done. Null takes it away.'),
  ),
};

/** Doing the same to several tasks. */
export const taskBulkRoutes: readonly BoardRoute[] = [
  taskResource.post('/projects/{board_id:int}/tasks/bulk-actions', {
    schema: RESULT,
    args: BULK_ARGS,
    handleCollection(request, board) {
      const action = enumParam(request.params, 'action', ACTION_NAMES) ?? 'archive';
      const change = ACTIONS[action](request, board);
      return isSiteError(change) ? change : changeEach(request, board, action, change);
    },
  }),
  taskResource.put('/projects/{board_id:int}/bulk-restore-tasks', {
    schema: RESULT,
    args: { task_ids: { ...TASK_IDS_ARG, description: 'Numbers of archived tasks.' } },
    handleCollection: (request, board) =>
      changeEach(request, board, 'restore', (task) => restoreTask(request, task)),
  }),
  taskResource.delete('/projects/{board_id:int}/bulk-delete-tasks', {
    schema: RESULT,
    args: { task_ids: { ...TASK_IDS_ARG, description: 'Numbers of the tasks, archived or not.' } },
    permission: permit.managers,
    handleCollection: (request, board) =>
      changeEach(request, board, 'delete', (task) => deleteTask(request, task)),
  }),
];
