import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { placeTask, renumber, tasksOf } from '../model/positions.ts';
import { findStage, isRefusal } from '../model/state.ts';
import type { Board, Stage, Task, TaskPriority } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import {
  type Answer,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
  withStage,
} from '../rest/route.ts';
import { setStatus } from '../tasks/changes.ts';
import { archiveTask } from '../tasks/moves.ts';
import { answersWhole, TASK_PROPERTIES } from '../tasks/schema.ts';
import { taskView } from '../tasks/view.ts';
import { noteStage } from './changes.ts';

const BOARD = '/projects/{board_id:int}';
const STAGE_ID: JsonObject = { type: 'integer', minimum: 1, required: true };

/** Moving all tasks of a stage to the end of another, in their order. */
export const stageMoving: BoardRoute = route(
  `${BOARD}/stage-move-all-task`,
  [
    {
      methods: ['PUT'],
      args: {
        from_stage_id: { ...STAGE_ID, description: 'Number of the stage that is emptied.' },
        to_stage_id: { ...STAGE_ID, description: 'Number of the stage that takes them.' },
      },
      permission: permit.members,
      handle: withBoard(moveAll),
    },
  ],
  answersWhole('moved-tasks', 'What was moved.', {
    from_stage_id: { description: 'Where they stood.', type: 'integer' },
    to_stage_id: { description: 'Where they stand.', type: 'integer' },
    moved: { description: 'How many were moved.', type: 'integer' },
  }),
);

function moveAll(request: BoardRequest, board: Board): Answer {
  const { state, params } = request;
  const from = findStage(state, board.id, params.integer('from_stage_id'));
  if (isRefusal(from)) return invalid('from_stage_id', from.message);
  const to = findStage(state, board.id, params.integer('to_stage_id'));
  if (isRefusal(to)) return invalid('to_stage_id', to.message);
  if (from.id === to.id) return invalid('to_stage_id', 'The tasks stand there already.');
  if (to.archivedAt !== null) return conflict('stage_archived', 'The stage is archived.');
  const moving = tasksOf(state, from.id);
  const isOpen = ({ status }: Task): boolean => status === 'open';
  const open = tasksOf(state, to.id).filter(isOpen).length + moving.filter(isOpen).length;
  if (to.taskLimit !== null && to.defaultStatus !== 'closed' && open > to.taskLimit) {
    return conflict('stage_full', `“${to.title}” takes no more than ${to.taskLimit} open tasks.`);
  }
  for (const task of moving) {
    placeTask(state, task, to.id);
    if (to.defaultStatus !== null) setStatus(request, task, to.defaultStatus);
  }
  noteStage(request, to, 'moved', `moved ${moving.length} tasks from ${from.title} to ${to.title}`);
  return ok({ from_stage_id: from.id, to_stage_id: to.id, moved: moving.length });
}

const RANKS: Readonly<Record<TaskPriority, number>> = { low: 0, medium: 1, high: 2, urgent: 3 };

/** What tasks can be put in order by. Null sorts last in either direction. */
const KEYS = {
  title: (task: Task) => task.title.toLowerCase(),
  priority: (task: Task) => RANKS[task.priority],
  due_at: (task: Task) => task.dueAt,
  created_at: (task: Task) => task.createdAt,
  updated_at: (task: Task) => task.updatedAt,
} as const satisfies Record<string, (task: Task) => string | number | null>;

const ORDERS = ['title', 'priority', 'due_at', 'created_at', 'updated_at'] as const;

/** Putting the tasks of a stage in order, for everybody. */
export const stageSorting: BoardRoute = route(
  `${BOARD}/stage/{stage_id:int}/sort-task`,
  [
    {
      methods: ['PUT'],
      args: {
        orderby: { description: 'What they are sorted by.', type: 'string', enum: ORDERS, required: true },
        order: { description: 'Direction.', type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      },
      permission: permit.members,
      handle: withStage((request, stage) => {
        const { state, params } = request;
        const orderby = choice(params, 'orderby', ORDERS) ?? 'title';
        const sign = params.string('order') === 'desc' ? -1 : 1;
        const key = KEYS[orderby];
        const sorted = tasksOf(state, stage.id).sort((one, other) => compare(key(one), key(other), sign));
        renumber(sorted);
        noteStage(
          request,
          stage,
          'moved',
          `sorted the tasks of ${stage.title} by ${orderby.replace('_at', '')}`,
        );
        return ok({ stage_id: stage.id, tasks: sorted.map(taskView(request)) });
      }),
    },
  ],
  answersWhole('sorted-tasks', 'The tasks of a stage.', {
    stage_id: { description: 'Number of the stage.', type: 'integer' },
    tasks: {
      description: 'Its tasks in their new order.',
      type: 'array',
      items: { type: 'object', properties: TASK_PROPERTIES },
    },
  }),
);

function compare(one: string | number | null, other: string | number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -sign : one > other ? sign : 0;
}

/** Archiving every task that stands in a stage. */
export const stageEmptying: BoardRoute = route(
  `${BOARD}/stage/{stage_id:int}/archive-all-task`,
  [{ methods: ['PUT'], permission: permit.members, handle: withStage(archiveAll) }],
  answersWhole('archived-tasks', 'What was archived.', {
    stage_id: { description: 'Number of the stage.', type: 'integer' },
    archived: { description: 'How many were archived.', type: 'integer' },
  }),
);

function archiveAll(request: BoardRequest, stage: Stage): Answer {
  const standing = tasksOf(request.state, stage.id);
  for (const task of standing) archiveTask(request, task);
  return ok({ stage_id: stage.id, archived: standing.length });
}
