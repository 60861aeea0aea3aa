import type { Json } from '../../json.ts';
import type { SiteResponse } from '../../rest-server/declarations.ts';
import { ok, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { isMemberOrAdmin } from './permissions.ts';
import {
  BoardResource,
  createBoardLogger,
  createView,
  enumParam,
  findBoardOfPath,
  findForArgument,
  refuseArgument,
} from './resource.ts';
import {
  archiveItem,
  type Board,
  type BoardRequest,
  HEX_COLOR,
  placeItem,
  renumberPositions,
  type Stage,
  type StageValues,
  toTimestamp,
} from './state.ts';
import { SORT_KEYS, sortTasksBy } from './task-routes.ts';
import { archiveTask, checkMembers, checkTaskLimit, setTaskStatus, taskResource } from './tasks.ts';

/** The stages of a board, which its managers change. */
export const stageResource: BoardResource<Stage, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => state.findStage(board.id, params.string('stage_id')),
  logChange: createBoardLogger('stage'),
  show: createView<Stage>('stage', {
    default_assignees: ({ boardId, defaultAssignees }, { state, user }) =>
      isMemberOrAdmin(user, state.boards.get(boardId)) ? [...defaultAssignees] : [],
    task_count: ({ id }, { state }) => state.activeTasksInStage(id).length,
    is_folded: ({ id }, { state, user }) => state.settingsOf(user).foldedStages.has(id),
  }),
});

/** Names of the arguments that change a property of a stage. */
const STAGE_PROPERTIES = ['title', 'color', 'default_status', 'default_assignees', 'task_limit'] as const;
type StageProperty = (typeof STAGE_PROPERTIES)[number];

/** Checks the value of a property and converts it; returns the message of an error for an unusable value. */
type StagePropertyReader = (value: Json) => Partial<StageValues> | string;

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
  default_assignees: (value) =>
    Array.isArray(value) ? { defaultAssignees: value.map(Number) } : 'The assignees are a list of numbers.',
  task_limit(value) {
    const limit = value === null || value === '' ? null : Number(value);
    return limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= 1000)
      ? { taskLimit: limit }
      : 'A limit lies between 1 and 1000, or is null for none.';
  },
};

/** @param argument the name under which the client sent the value */
function readStageProperty(
  { state, params }: BoardRequest,
  board: Board,
  property: StageProperty,
  argument: string = property,
): Partial<StageValues> {
  const change = READERS[property](params.get(argument) ?? null);
  if (typeof change === 'string') return refuseArgument(argument, change);
  const { defaultAssignees: ids } = change;
  return ids === undefined ? change : { defaultAssignees: checkMembers(state, board, argument, ids) };
}

/** Reads every property that the client sent, so that nothing is changed when one of them is refused. */
function readStageChange(request: BoardRequest, board: Board): Partial<StageValues> {
  const sent = STAGE_PROPERTIES.filter((property) => request.suppliedNames.has(property));
  const changes = sent.map((property) => readStageProperty(request, board, property));
  return Object.assign({}, ...changes);
}

function showOrder(request: BoardRequest, { id }: Board): SiteResponse {
  return ok({ stages: stageResource.showAll(request.state.activeStages(id), request) });
}

function readArgument({ state, params }: BoardRequest, board: Board, name: string): Stage {
  return findForArgument(name, () => state.findStage(board.id, params.integer(name)));
}

function requireActive({ archivedAt }: Stage): void {
  if (archivedAt !== null) refuse(409, 'stage_archived', 'The stage is archived.');
}

export const stageOperations: BoardOperations = {
  orderStages: stageResource.withParents((request, board) => {
    const { state, params } = request;
    const active = new Map(state.activeStages(board.id).map((stage) => [stage.id, stage]));
    const ids = params.integers('stage_ids');
    const ordered = ids.flatMap((id) => active.get(id) ?? []);
    if (ordered.length !== active.size || ids.length !== active.size) {
      refuseArgument('stage_ids', 'Name every stage of the board that is not archived once.');
    }
    renumberPositions(ordered);
    const text = `put the stages in the order ${ordered.map(({ title }) => title).join(', ')}`;
    state.record({ boardId: board.id, action: 'moved', subject: 'stage', text }, request);
    return showOrder(request, board);
  }),

  dragStage: stageResource.withParents((request, board) => {
    const stage = readArgument(request, board, 'stage_id');
    requireActive(stage);
    placeItem(request.state.activeStages(board.id), stage, request.params.integer('position'));
    const text = `moved the stage “${stage.title}” to place ${stage.position}`;
    stageResource.logChange(request, stage, { action: 'moved', text });
    return showOrder(request, board);
  }),

  // Moving all tasks of a stage to the end of another one, in their order.
  moveAllTasks: stageResource.withParents((request, board) => {
    const { state } = request;
    const from = readArgument(request, board, 'from_stage_id');
    const to = readArgument(request, board, 'to_stage_id');
    if (from.id === to.id) refuseArgument('to_stage_id', 'The tasks stand there already.');
    requireActive(to);
    const moving = state.activeTasksInStage(from.id);
    const open = moving.filter(({ status }) => status === 'open');
    if (to.defaultStatus !== 'closed') checkTaskLimit(request, to, open.length);
    for (const task of moving) {
      state.placeTask(task, to.id);
      if (to.defaultStatus !== null) setTaskStatus(request, task, to.defaultStatus);
    }
    const text = `moved ${moving.length} tasks from ${from.title} to ${to.title}`;
    stageResource.logChange(request, to, { action: 'moved', text });
    return ok({ from_stage_id: from.id, to_stage_id: to.id, moved: moving.length });
  }),

  // Sorting the tasks of a stage, for all users.
  sortStage: stageResource.withItem((request, stage) => {
    const { state, params } = request;
    const orderby = params.string('orderby', 'title').replace('_at', '');
    const tasks = state.activeTasksInStage(stage.id);
    const sorted = sortTasksBy(tasks, SORT_KEYS[orderby] ?? (({ id }) => id), params.string('order'));
    renumberPositions(sorted);
    const text = `sorted the tasks of ${stage.title} by ${orderby}`;
    stageResource.logChange(request, stage, { action: 'moved', text });
    return ok({ stage_id: stage.id, tasks: taskResource.showAll(sorted, request) });
  }),

  archiveStageTasks: stageResource.withItem((request, stage) => {
    const tasks = request.state.activeTasksInStage(stage.id);
    for (const task of tasks) archiveTask(request, task);
    return ok({ stage_id: stage.id, archived: tasks.length });
  }),

  addStage: stageResource.create((request, board) => {
    const { state, params } = request;
    const change = readStageChange(request, board);
    const stage = state.addStage(board, { title: params.string('title', '').trim(), ...change });
    placeItem(state.activeStages(board.id), stage, params.integer('position'));
    stageResource.logChange(request, stage, { action: 'created', text: `made the stage “${stage.title}”` });
    return stage;
  }),
  updateStage: stageResource.change((request, stage, board) => {
    Object.assign(stage, readStageChange(request, board));
    return { action: 'updated', text: `changed the stage “${stage.title}”` };
  }),
  updateStageProperty: stageResource.change((request, stage, board) => {
    const property = enumParam(request.params, 'property', STAGE_PROPERTIES) ?? 'title';
    Object.assign(stage, readStageProperty(request, board, property, 'value'));
    return { action: 'updated', text: `changed the ${property.replace('_', ' ')} of “${stage.title}”` };
  }),

  // Archiving hides a stage with the tasks in it.
  archiveStage: stageResource.change(({ state, now }, stage, board) => {
    if (stage.archivedAt !== null) return undefined;
    if (state.activeStages(board.id).length === 1) {
      refuse(409, 'last_stage', 'A board needs a stage: make another one first.');
    }
    const tasks = state.activeTasksInStage(stage.id);
    stage.archivedTaskIds = tasks.map(({ id }) => id);
    for (const item of [...tasks, stage]) archiveItem(item, toTimestamp(now));
    renumberPositions(state.activeStages(board.id));
    return { action: 'archived', text: `archived the stage “${stage.title}”` };
  }),

  // Collapsing a stage concerns only the user who does it.
  foldStage: stageResource.change(({ state, user, params }, { id }) => {
    const { foldedStages } = state.settingsOf(user);
    if (params.boolean('folded', !foldedStages.has(id))) foldedStages.add(id);
    else foldedStages.delete(id);
    return undefined;
  }),

  restoreStage: stageResource.change(({ state, params }, stage, board) => {
    if (stage.archivedAt === null) return undefined;
    stage.archivedAt = null;
    placeItem(state.activeStages(board.id), stage, params.integer('position'));
    // Tasks that were restored by themselves or deleted since then do not return.
    for (const task of stage.archivedTaskIds.flatMap((id) => state.tasks.get(id) ?? [])) {
      if (task.stageId !== stage.id || task.archivedAt === null) continue;
      task.archivedAt = null;
      placeItem(state.activeTasksInStage(stage.id), task);
    }
    stage.archivedTaskIds = [];
    return { action: 'restored', text: `restored the stage “${stage.title}”` };
  }),

  listArchivedStages: stageResource.listAll(({ state }, board) =>
    state.stages
      .where(({ boardId, archivedAt }) => boardId === board.id && archivedAt !== null)
      .sort((one, other) => (other.archivedAt ?? '').localeCompare(one.archivedAt ?? '')),
  ),
  listPositions: stageResource.withItem(({ state, params }, stage, board) => {
    const task = params.has('task_id') ? state.findTask(board.id, params.integer('task_id')) : undefined;
    const tasks = state.activeTasksInStage(stage.id);
    const length = tasks.some(({ id }) => id === task?.id) ? tasks.length : tasks.length + 1;
    return ok({ stage_id: stage.id, positions: Array.from({ length }, (_, index) => index + 1) });
  }),
};
