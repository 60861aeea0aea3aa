import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { stagesOf, tasksOf, tasksOnBoard } from '../model/positions.ts';
import { findStage, isRefusal } from '../model/state.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardEndpoint, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { STAGE_ID } from './args.ts';
import { filterTasks, ORDERING, orderTasks, TASK_FILTERS } from './filters.ts';
import { insiders } from './permissions.ts';
import { showRow, TASK_ROW_SCHEMA } from './rows.ts';
import { answersWhole, TASK_PROPERTIES, TASK_SCHEMA } from './schema.ts';
import { taskView } from './view.ts';

const BOARD = '/projects/{board_id:int}';

/** What was archived last comes first. */
const archivedTasks: BoardEndpoint = {
  methods: ['GET'],
  args: PAGING,
  permission: insiders,
  handle: withBoard((request, board) => {
    const found = tasksOnBoard(request.state, board.id)
      .filter(({ archivedAt }) => archivedAt !== null)
      .sort(
        (one, other) => (other.archivedAt ?? '').localeCompare(one.archivedAt ?? '') || other.id - one.id,
      );
    return answerPage(request, found, taskView(request));
  }),
};

const COLUMN: JsonObject = {
  type: 'object',
  properties: {
    stage_id: { description: 'Number of the stage.', type: 'integer' },
    title: { description: 'Its title.', type: 'string' },
    position: { description: 'Its place on the board, from 1.', type: 'integer' },
    color: { description: 'Its colour.', type: 'string' },
    total: { description: 'Tasks in it, shown or not.', type: 'integer' },
    tasks: {
      description: 'The first tasks, in their order.',
      type: 'array',
      items: { type: 'object', properties: TASK_PROPERTIES },
    },
  },
};

const COLUMNS = answersWhole(
  'task-columns',
  'A board as it hangs on the wall: its stages with their tasks.',
  {
    board_id: { description: 'Number of the board.', type: 'integer' },
    total: { description: 'Tasks on the board that are not archived.', type: 'integer' },
    stages: { description: 'The stages in their order.', type: 'array', items: COLUMN },
  },
);

/** A board's tasks, in the several ways of looking at them. */
export const taskLists: readonly BoardRoute[] = [
  route(
    `${BOARD}/tasks`,
    [
      {
        methods: ['GET'],
        args: { ...PAGING, stage_id: { ...STAGE_ID, description: 'Only tasks of one stage.' } },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const { state, params } = request;
          const stages = stagesOf(state, board.id);
          const wanted = params.has('stage_id')
            ? stages.filter(({ id }) => id === params.integer('stage_id'))
            : stages;
          if (params.has('stage_id') && wanted.length === 0)
            return invalid('stage_id', 'There is no such stage on this board.');
          return answerPage(
            request,
            wanted.flatMap(({ id }) => tasksOf(state, id)),
            taskView(request),
          );
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/filtered`,
    [
      {
        methods: ['GET'],
        args: { ...PAGING, ...TASK_FILTERS, ...ORDERING },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const found = filterTasks(request, tasksOnBoard(request.state, board.id));
          return isRefusal(found)
            ? found
            : answerPage(request, orderTasks(request, found), taskView(request));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/table`,
    [
      {
        methods: ['GET'],
        args: { ...PAGING, ...TASK_FILTERS, ...ORDERING },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const found = filterTasks(request, tasksOnBoard(request.state, board.id));
          if (isRefusal(found)) return found;
          return answerPage(request, orderTasks(request, found), showRow(request, board));
        }),
      },
    ],
    TASK_ROW_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/by-stage`,
    [
      {
        methods: ['GET'],
        args: {
          per_stage: {
            description: 'Tasks shown of each stage: more are read by `tasks/stage-page`.',
            type: 'integer',
            default: 20,
            minimum: 1,
            maximum: 100,
          },
        },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const show = taskView(request);
          const stages = stagesOf(request.state, board.id).map((stage) => {
            const tasks = tasksOf(request.state, stage.id);
            return {
              stage_id: stage.id,
              title: stage.title,
              position: stage.position,
              color: stage.color,
              total: tasks.length,
              tasks: tasks.slice(0, request.params.integer('per_stage', 20)).map(show),
            };
          });
          return ok({
            board_id: board.id,
            total: stages.reduce((sum, { total }) => sum + total, 0),
            stages,
          });
        }),
      },
    ],
    COLUMNS,
  ),
  route(
    `${BOARD}/tasks/stage-page`,
    [
      {
        methods: ['GET'],
        args: { stage_id: { ...STAGE_ID, required: true }, ...PAGING },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const stage = findStage(request.state, board.id, request.params.integer('stage_id'));
          if (isRefusal(stage)) return stage;
          return answerPage(request, tasksOf(request.state, stage.id), taskView(request));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(`${BOARD}/tasks/archived`, [archivedTasks], TASK_SCHEMA),
  route(`${BOARD}/archived-tasks`, [archivedTasks], TASK_SCHEMA),
];
