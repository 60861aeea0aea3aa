import { ok } from '../../site/responses.ts';
import type { Board, Task } from '../model/index.ts';
import { activeTasksInStage, findStage, isSiteError, placeTask, renumberPositions } from '../model/index.ts';
import type { BoardRequest, BoardRoute, HandlerResult } from '../rest/index.ts';
import { enumParam, invalidArgument, permit, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { setTaskStatus } from '../tasks/changes.ts';
import { compareSortKeys, PRIORITY_RANKS } from '../tasks/filters.ts';
import { archiveTask, createStageFullError } from '../tasks/moves.ts';
import { taskView } from '../tasks/resource.ts';
import { stageResource } from './resource.ts';

const BOARD = '/projects/{board_id:int}';
const ID = { minimum: 1, required: true };

/** Moving all tasks of a stage to the end of another one, in their order. */
export const stageMovingRoute: BoardRoute = stageResource.put(`${BOARD}/stage-move-all-task`, {
  schema: responseSchema('moved-tasks', 'What was moved.', {
    from_stage_id: schema.integer('Where they stood.'),
    to_stage_id: schema.integer('Where they stand.'),
    moved: schema.integer('How many were moved.'),
  }),
  args: {
    from_stage_id: { type: 'integer', ...ID, description: 'Number of the stage that is emptied.' },
    to_stage_id: { type: 'integer', ...ID, description: 'Number of the stage that takes them.' },
  },
  permission: permit.members,
  handleCollection: moveAll,
});

function moveAll(request: BoardRequest, board: Board): HandlerResult {
  const { state, params } = request;
  const from = findStage(state, board.id, params.integer('from_stage_id'));
  if (isSiteError(from)) return invalidArgument('from_stage_id', from.message);
  const to = findStage(state, board.id, params.integer('to_stage_id'));
  if (isSiteError(to)) return invalidArgument('to_stage_id', to.message);
  if (from.id === to.id) return invalidArgument('to_stage_id', 'The tasks stand there already.');
  if (to.archivedAt !== null) return refuseConflict('stage_archived', 'The stage is archived.');
  const moving = activeTasksInStage(state, from.id);
  const open = [...activeTasksInStage(state, to.id), ...moving].filter(({ status }) => status === 'open');
  if (to.taskLimit !== null && to.defaultStatus !== 'closed' && open.length > to.taskLimit) {
    return createStageFullError(to);
  }
  for (const task of moving) {
    placeTask(state, task, to.id);
    if (to.defaultStatus !== null) setTaskStatus(request, task, to.defaultStatus);
  }
  const text = `moved ${moving.length} tasks from ${from.title} to ${to.title}`;
  stageResource.logChange(request, to, { action: 'moved', text });
  return ok({ from_stage_id: from.id, to_stage_id: to.id, moved: moving.length });
}

const ORDERS = ['title', 'priority', 'due_at', 'created_at', 'updated_at'] as const;

/** Keys of the order of tasks. `null` comes last in both directions. */
const SORT_KEYS: Readonly<Record<(typeof ORDERS)[number], (task: Task) => string | number | null>> = {
  title: ({ title }) => title.toLowerCase(),
  priority: ({ priority }) => PRIORITY_RANKS[priority],
  due_at: ({ dueAt }) => dueAt,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
};

/** Sorting the tasks of a stage, for all users. */
export const stageSortingRoute: BoardRoute = stageResource.put(`${BOARD}/stage/{stage_id:int}/sort-task`, {
  schema: responseSchema('sorted-tasks', 'The tasks of a stage.', {
    stage_id: schema.integer('Number of the stage.'),
    tasks: schema.objects('Its tasks in their new order.', taskView.properties),
  }),
  args: {
    orderby: schema.enumeration('What they are sorted by.', ORDERS, { required: true }),
    order: schema.enumeration('Direction.', ['asc', 'desc'], { default: 'asc' }),
  },
  permission: permit.members,
  handleItem(request, stage) {
    const { state, params } = request;
    const orderby = enumParam(params, 'orderby', ORDERS) ?? 'title';
    const sign = params.string('order') === 'desc' ? -1 : 1;
    const key = SORT_KEYS[orderby];
    const sorted = activeTasksInStage(state, stage.id).sort((one, other) =>
      compareSortKeys(key(one), key(other), sign),
    );
    renumberPositions(sorted);
    const text = `sorted the tasks of ${stage.title} by ${orderby.replace('_at', '')}`;
    stageResource.logChange(request, stage, { action: 'moved', text });
    return ok({ stage_id: stage.id, tasks: sorted.map(taskView.createPresenter(request)) });
  },
});

/** Archiving every task of a stage. */
export const stageEmptyingRoute: BoardRoute = stageResource.put(
  `${BOARD}/stage/{stage_id:int}/archive-all-task`,
  {
    schema: responseSchema('archived-tasks', 'What was archived.', {
      stage_id: schema.integer('Number of the stage.'),
      archived: schema.integer('How many were archived.'),
    }),
    permission: permit.members,
    handleItem(request, stage) {
      const tasks = activeTasksInStage(request.state, stage.id);
      for (const task of tasks) archiveTask(request, task);
      return ok({ stage_id: stage.id, archived: tasks.length });
    },
  },
);
