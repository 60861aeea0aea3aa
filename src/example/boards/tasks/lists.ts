import { ok } from '../../site/responses.ts';
import type { Board, Task } from '../model/index.ts';
import {
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  findStage,
  isSiteError,
  newestFirst,
  TASK_PRIORITIES,
  toTimestamp,
} from '../model/index.ts';
import type { BoardRequest, BoardRoute, ResourceOperation } from '../rest/index.ts';
import {
  canReadPeople,
  createResource,
  createView,
  findBoardOfPath,
  invalidArgument,
  PAGING_ARGS,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { STAGE_ID_ARG } from './args.ts';
import { selectTasks, TASK_FILTER_ARGS, TASK_ORDER_ARGS } from './filters.ts';
import { isOverdue, sumByTask, taskResource, taskView } from './resource.ts';

interface TaskRowContext {
  readonly request: BoardRequest;
  readonly minutes: ReadonlyMap<number, number>;
  readonly names: ReadonlyMap<number, string>;
  readonly showsPeople: boolean;
}

/** A task as a row of a table, with text in place of ids. */
const rowView = createView<Task, TaskRowContext>(
  (request) => {
    const board = findBoardOfPath(request);
    return {
      request,
      minutes: sumByTask(request.state.timeTracks.values(), (track) => track.minutes),
      names: new Map(request.state.users.map(({ id, name }) => [id, name])),
      showsPeople: !isSiteError(board) && canReadPeople(request, board[0]),
    };
  },
  {
    id: schema.integer('Number of the task.'),
    title: schema.string('What is to be done.'),
    stage: [
      schema.string('Title of its stage.'),
      ({ stageId }, { request }) => request.state.stages.get(stageId)?.title ?? '',
    ],
    status: schema.enumeration('Whether it is done.', ['open', 'closed']),
    priority: schema.enumeration('How much it matters.', TASK_PRIORITIES),
    assignees: [
      schema.array('Names of those who work on it.', { type: 'string' }),
      ({ assignees }, { names, showsPeople }) =>
        showsPeople ? assignees.flatMap((id) => names.get(id) ?? []) : [],
    ],
    labels: [
      schema.array('Texts of its labels.', { type: 'string' }),
      ({ labels }, { request }) => labels.flatMap((id) => request.state.labels.get(id)?.title ?? []),
    ],
    due_at: schema.nullable(schema.dateTime('When it has to be done.')),
    is_overdue: [
      schema.boolean('Whether it is open though it is due.'),
      (task, { request }) => isOverdue(task, toTimestamp(request.now)),
    ],
    estimated_minutes: schema.integer('How long it should take.'),
    worked_minutes: [
      schema.integer('Time that was committed to it.'),
      ({ id }, { minutes }) => minutes.get(id) ?? 0,
    ],
    updated_at: schema.dateTime('When it last changed.'),
  },
);

const taskRowResource = createResource<Task, readonly [Board]>({
  ...taskResource,
  schema: responseSchema('task-row', 'A task as a row of a table.', rowView.properties),
  createPresenter: rowView.createPresenter,
});

const BOARD = '/projects/{board_id:int}';

const filtered: ResourceOperation<Task, readonly [Board]> = {
  args: { ...PAGING_ARGS, ...TASK_FILTER_ARGS, ...TASK_ORDER_ARGS },
  listPaged: (request, board) => selectTasks(request, allTasksOnBoard(request.state, board.id)),
};

/** Most recently archived first. */
const archived: ResourceOperation<Task, readonly [Board]> = {
  args: PAGING_ARGS,
  permission: permit.anyMember,
  listPaged: ({ state }, board) =>
    allTasksOnBoard(state, board.id)
      .filter(({ archivedAt }) => archivedAt !== null)
      .sort(newestFirst(({ archivedAt }) => archivedAt)),
};

/** The tasks of a board in different lists. */
export const taskListRoutes: readonly BoardRoute[] = [
  taskResource.get(`${BOARD}/tasks`, {
    args: { ...PAGING_ARGS, stage_id: { ...STAGE_ID_ARG, description: 'Only tasks of one stage.' } },
    listPaged({ state, params }, board) {
      const stageId = params.integer('stage_id');
      const stages = activeStages(state, board.id).filter(
        ({ id }) => stageId === undefined || id === stageId,
      );
      return params.has('stage_id') && stages.length === 0
        ? invalidArgument('stage_id', 'There is no such stage on this board.')
        : stages.flatMap(({ id }) => activeTasksInStage(state, id));
    },
  }),
  taskResource.get(`${BOARD}/tasks/filtered`, filtered),
  taskRowResource.get(`${BOARD}/tasks/table`, filtered),
  taskResource.get(`${BOARD}/tasks/by-stage`, {
    schema: responseSchema('task-columns', 'A board as it hangs on the wall: its stages with their tasks.', {
      board_id: schema.integer('Number of the board.'),
      total: schema.integer('Tasks on the board that are not archived.'),
      stages: schema.objects('The stages in their order.', {
        stage_id: schema.integer('Number of the stage.'),
        title: schema.string('Its title.'),
        position: schema.integer('Its place on the board, from 1.'),
        color: schema.string('Its colour.'),
        total: schema.integer('Tasks in it, shown or not.'),
        tasks: schema.objects('The first tasks, in their order.', taskView.properties),
      }),
    }),
    args: {
      per_stage: schema.integer('Tasks shown of each stage: more are read by `tasks/stage-page`.', {
        default: 20,
        minimum: 1,
        maximum: 100,
      }),
    },
    handleCollection(request, board) {
      const show = taskView.createPresenter(request);
      const stages = activeStages(request.state, board.id).map(({ id, title, position, color }) => {
        const all = activeTasksInStage(request.state, id);
        const shown = all.slice(0, request.params.integer('per_stage', 20)).map(show);
        return { stage_id: id, title, position, color, total: all.length, tasks: shown };
      });
      const total = stages.reduce((sum, stage) => sum + stage.total, 0);
      return ok({ board_id: board.id, total, stages });
    },
  }),
  taskResource.get(`${BOARD}/tasks/stage-page`, {
    args: { stage_id: { ...STAGE_ID_ARG, required: true }, ...PAGING_ARGS },
    listPaged({ state, params }, board) {
      const stage = findStage(state, board.id, params.integer('stage_id'));
      return isSiteError(stage) ? stage : activeTasksInStage(state, stage.id);
    },
  }),
  taskResource.get(`${BOARD}/tasks/archived`, archived),
  taskResource.get(`${BOARD}/archived-tasks`, archived),
];
