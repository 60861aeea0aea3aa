import type { Json } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { isSiteError, ok } from '../../rest-server/responses.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createBoardLogger,
  createView,
  enumParam,
  findBoardOfPath,
  type HandlerResult,
  type ItemView,
  invalidArgument,
  isMemberOrAdmin,
  refuseConflict,
} from './resource.ts';
import {
  activeStages,
  activeTasksInStage,
  addStage,
  archiveItem,
  type Board,
  findStage,
  findTask,
  HEX_COLOR,
  placeItem,
  placeTask,
  recordActivity,
  renumberPositions,
  type Stage,
  type Task,
  toTimestamp,
  userSettings,
} from './state.ts';
import { compareSortKeys, PRIORITY_RANKS } from './task-routes.ts';
import { archiveTask, createStageFullError, setTaskStatus, taskView } from './tasks.ts';

export const stageView: ItemView<Stage> = createView<Stage, BoardRequest>('stage', (request) => request, {
  default_assignees: ({ boardId, defaultAssignees }, { state, user }) => {
    const board = state.boards.get(boardId);
    return board !== undefined && isMemberOrAdmin(user, board) ? [...defaultAssignees] : [];
  },
  task_count: ({ id }, { state }) => activeTasksInStage(state, id).length,
  is_folded: ({ id }, { state, user }) =>
    state.settingsByUser.get(user?.id ?? 0)?.foldedStages.has(id) ?? false,
});

/** The stages of a board, which its managers change. */
const stageResource: BoardResource<Stage, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => findStage(state, board.id, params.string('stage_id')),
  createPresenter: stageView.createPresenter,
  logChange: createBoardLogger('stage'),
});

/** Names of the arguments that change a property of a stage. */
const STAGE_PROPERTIES = ['title', 'color', 'default_status', 'default_assignees', 'task_limit'] as const;
type StageProperty = (typeof STAGE_PROPERTIES)[number];

/** Members of a stage that a checked value sets. */
type StageChange = Partial<
  Pick<Stage, 'title' | 'color' | 'defaultStatus' | 'defaultAssignees' | 'taskLimit'>
>;

/** Checks the value of a property and converts it; returns the message of an error for an unusable value. */
type StagePropertyReader = (value: Json, request: BoardRequest, board: Board) => StageChange | string;

const READERS: Readonly<Record<StageProperty, StagePropertyReader>> = {
  title(value) {
    const title = typeof value === 'string' ? value.trim() : '';
    return title === '' || title.length > 100 ? 'A title has between 1 and 100 characters.' : { title };
  },
  color: (value) =>
    typeof value === 'string' && HEX_COLOR.test(value) ? { color: value } : 'A colour is written as #ffd43b.',
  default_status: (value) =>
    value === null || value === 'open' || value === 'closed'
      ? { defaultStatus: value }
      : 'A status is open, closed or null.',
  default_assignees(value, { state }, board) {
    if (!Array.isArray(value)) return 'The assignees are a list of numbers.';
    const ids = [...new Set(value.map(Number))];
    const invalid = ids.find(
      (id) => !isMemberOrAdmin(state.users.find((user) => user.id === id) ?? null, board),
    );
    return invalid === undefined
      ? { defaultAssignees: ids }
      : `User ${invalid} is not a member of this board.`;
  },
  task_limit(value) {
    const limit = value === null || value === '' ? null : Number(value);
    return limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= 1000)
      ? { taskLimit: limit }
      : 'A limit lies between 1 and 1000, or is null for none.';
  },
};

/** @param argument the name under which the client sent the value */
function readStageProperty(
  request: BoardRequest,
  board: Board,
  property: StageProperty,
  argument: string = property,
): StageChange | SiteError {
  const change = READERS[property](request.params.get(argument) ?? null, request, board);
  return typeof change === 'string' ? invalidArgument(argument, change) : change;
}

/** Reads every property that the client sent, so that nothing is changed when one of them is refused. */
function readStageChange(request: BoardRequest, board: Board): StageChange | SiteError {
  let changes: StageChange = {};
  for (const property of STAGE_PROPERTIES) {
    if (!request.suppliedNames.has(property)) continue;
    const change = readStageProperty(request, board, property);
    if (isSiteError(change)) return change;
    changes = { ...changes, ...change };
  }
  return changes;
}

function showOrder(request: BoardRequest, { id }: Board): HandlerResult {
  return ok({ stages: activeStages(request.state, id).map(stageView.createPresenter(request)) });
}

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

export const stageOperations: BoardOperations = {
  // Reordering all stages of a board at once.
  'PUT /projects/{board_id:int}/re-position-stages': stageResource.withParents((request, board) => {
    const { state, params } = request;
    const active = new Map(activeStages(state, board.id).map((stage) => [stage.id, stage]));
    const ids = params.integers('stage_ids');
    const ordered = ids.flatMap((id) => active.get(id) ?? []);
    if (ordered.length !== active.size || ids.length !== active.size) {
      return invalidArgument('stage_ids', 'Name every stage of the board that is not archived once.');
    }
    renumberPositions(ordered);
    const text = `put the stages in the order ${ordered.map(({ title }) => title).join(', ')}`;
    recordActivity(state, { boardId: board.id, action: 'moved', subject: 'stage', text }, request);
    return showOrder(request, board);
  }),

  // Moving one stage to another position.
  'PUT /projects/{board_id:int}/drag-stage': stageResource.withParents((request, board) => {
    const { state, params } = request;
    const stage = findStage(state, board.id, params.integer('stage_id'));
    if (isSiteError(stage)) return invalidArgument('stage_id', stage.message);
    if (stage.archivedAt !== null) return refuseConflict('stage_archived', 'The stage is archived.');
    placeItem(activeStages(state, board.id), stage, params.integer('position'));
    const text = `moved the stage “${stage.title}” to place ${stage.position}`;
    stageResource.logChange(request, stage, { action: 'moved', text });
    return showOrder(request, board);
  }),

  // Moving all tasks of a stage to the end of another one, in their order.
  'PUT /projects/{board_id:int}/stage-move-all-task': stageResource.withParents(moveAll),

  // Sorting the tasks of a stage, for all users.
  'PUT /projects/{board_id:int}/stage/{stage_id:int}/sort-task': stageResource.withItem((request, stage) => {
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
  }),

  // Archiving every task of a stage.
  'PUT /projects/{board_id:int}/stage/{stage_id:int}/archive-all-task': stageResource.withItem(
    (request, stage) => {
      const tasks = activeTasksInStage(request.state, stage.id);
      for (const task of tasks) archiveTask(request, task);
      return ok({ stage_id: stage.id, archived: tasks.length });
    },
  ),

  'POST /projects/{board_id:int}/stage-create': stageResource.create(
    '/projects/{board_id}',
    (request, board) => {
      const { state, params } = request;
      const change = readStageChange(request, board);
      if (isSiteError(change)) return change;
      const stage = addStage(state, board, { title: params.string('title', '').trim(), ...change });
      placeItem(activeStages(state, board.id), stage, params.integer('position'));
      stageResource.logChange(request, stage, { action: 'created', text: `made the stage “${stage.title}”` });
      return stage;
    },
  ),

  'PUT /projects/{board_id:int}/update-stage/{stage_id:str}': stageResource.change(
    (request, stage, board) => {
      const change = readStageChange(request, board);
      if (isSiteError(change)) return change;
      Object.assign(stage, change);
      return { action: 'updated', text: `changed the stage “${stage.title}”` };
    },
  ),
  'PUT /projects/{board_id:int}/update-stage-property/{stage_id:str}': stageResource.change(
    (request, stage, board) => {
      const property = enumParam(request.params, 'property', STAGE_PROPERTIES) ?? 'title';
      const change = readStageProperty(request, board, property, 'value');
      if (isSiteError(change)) return change;
      Object.assign(stage, change);
      return {
        action: 'updated',
        text: `changed the ${property.replace('_', ' ')} of “${stage.title}”`,
      };
    },
  ),

  // Archiving hides a stage with the tasks in it.
  'PUT /projects/{board_id:int}/archive-stage/{stage_id:str}': stageResource.change(
    ({ state, now }, stage, board) => {
      if (stage.archivedAt !== null) return undefined;
      if (activeStages(state, board.id).length === 1) {
        return refuseConflict('last_stage', 'A board needs a stage: make another one first.');
      }
      const tasks = activeTasksInStage(state, stage.id);
      stage.archivedTaskIds = tasks.map(({ id }) => id);
      for (const item of [...tasks, stage]) archiveItem(item, toTimestamp(now));
      renumberPositions(activeStages(state, board.id));
      return { action: 'archived', text: `archived the stage “${stage.title}”` };
    },
  ),

  // Collapsing a stage concerns only the user who does it.
  'PUT /projects/{board_id:int}/stage-view/{stage_id:str}': stageResource.change(
    ({ state, user, params }, { id }) => {
      const { foldedStages } = userSettings(state, user?.id ?? 0);
      if (params.boolean('folded', !foldedStages.has(id))) foldedStages.add(id);
      else foldedStages.delete(id);
      return undefined;
    },
  ),

  // Restores a stage with the tasks that were archived with it.
  'PUT /projects/{board_id:int}/restore-stage/{stage_id:str}': stageResource.change(
    ({ state, params }, stage, board) => {
      if (stage.archivedAt === null) return undefined;
      stage.archivedAt = null;
      placeItem(activeStages(state, board.id), stage, params.integer('position'));
      // Tasks that were restored by themselves or deleted since then do not return.
      const tasks = stage.archivedTaskIds.flatMap((id) => state.tasks.get(id) ?? []);
      for (const task of tasks) {
        if (task.stageId !== stage.id || task.archivedAt === null) continue;
        task.archivedAt = null;
        placeItem(activeTasksInStage(state, stage.id), task);
      }
      stage.archivedTaskIds = [];
      return { action: 'restored', text: `restored the stage “${stage.title}”` };
    },
  ),

  'GET /projects/{board_id:int}/archived-stages': stageResource.listAll(({ state }, board) =>
    [...state.stages.values()]
      .filter(({ boardId, archivedAt }) => boardId === board.id && archivedAt !== null)
      .sort((one, other) => (other.archivedAt ?? '').localeCompare(one.archivedAt ?? '')),
  ),

  'GET /projects/{board_id:int}/stage-task-available-positions/{stage_id:int}': stageResource.withItem(
    ({ state, params }, stage, board) => {
      const task = params.has('task_id') ? findTask(state, board.id, params.integer('task_id')) : undefined;
      if (isSiteError(task)) return task;
      const tasks = activeTasksInStage(state, stage.id);
      const length = tasks.some(({ id }) => id === task?.id) ? tasks.length : tasks.length + 1;
      return ok({ stage_id: stage.id, positions: Array.from({ length }, (_, index) => index + 1) });
    },
  ),
};
