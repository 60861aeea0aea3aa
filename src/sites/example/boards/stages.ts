import type { SiteResponse } from '../../rest-server/declarations.ts';
import { ok, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import {
  BoardResource,
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
  newestFirst,
  placeItem,
  renumberPositions,
  type Stage,
  type TaskStatus,
  toTimestamp,
} from './state.ts';
import { sortTasksBy } from './task-routes.ts';
import { archiveTask, checkTaskLimit, moveTask, taskResource } from './tasks.ts';

export const stageResource: BoardResource<Stage, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => state.findStage(board.id, params.string('stage_id')),
  logChange: (request, { boardId }, entry) =>
    request.state.record({ boardId, subject: 'stage', ...entry }, request),
  show: createView<Stage>('stage', {
    task_count: ({ id }, { state }) => state.activeTasksInStage(id).length,
    is_folded: ({ id }, { state, user }) => state.settingsOf(user).foldedStages.has(id),
  }),
});

function showOrder(request: BoardRequest, { id }: Board): SiteResponse {
  return ok({ stages: stageResource.showAll(request.state.activeStages(id), request) });
}

function readArgument({ state, params }: BoardRequest, board: Board, name: string): Stage {
  return findForArgument(name, () => state.findStage(board.id, params.integer(name)));
}

function requireActive({ archivedAt }: Stage): void {
  if (archivedAt !== null) refuse(409, 'stage_archived', 'The stage is archived.');
}

const logChange = (_request: BoardRequest, { title }: Stage) => ({
  action: 'updated',
  text: `changed the stage “${title}”`,
});

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
    const entry = { action: 'moved', subject: 'stage', text: 'put the stages in another order' };
    state.record({ boardId: board.id, ...entry }, request);
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

  moveAllTasks: stageResource.withParents((request, board) => {
    const { state } = request;
    const from = readArgument(request, board, 'from_stage_id');
    const to = readArgument(request, board, 'to_stage_id');
    if (from.id === to.id) refuseArgument('to_stage_id', 'The tasks stand there already.');
    requireActive(to);
    const moving = state.activeTasksInStage(from.id);
    const open = moving.filter(({ status }) => status === 'open');
    checkTaskLimit(request, to, open.length);
    for (const task of moving) moveTask(request, task, to);
    return ok({ from_stage_id: from.id, to_stage_id: to.id, moved: moving.length });
  }),

  sortStage: stageResource.withItem((request, stage) => {
    const { state, params } = request;
    const orderby = params.string('orderby', '').replace('_at', '');
    const sorted = sortTasksBy(state.activeTasksInStage(stage.id), orderby, params.string('order'));
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
    const stage = state.addStage(board, {
      title: params.string('title', ''),
      color: params.string('color'),
      defaultStatus: enumParam<TaskStatus>(params, 'default_status', ['open', 'closed']),
      taskLimit: params.integer('task_limit'),
    });
    placeItem(state.activeStages(board.id), stage, params.integer('position'));
    stageResource.logChange(request, stage, { action: 'created', text: `made the stage “${stage.title}”` });
    return stage;
  }),
  updateStage: stageResource.update(logChange),
  updateStageProperty: stageResource.updateProperty('stageFields', logChange),

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
      .sort(newestFirst(({ archivedAt }) => archivedAt)),
  ),
  listPositions: stageResource.withItem(({ state }, stage) => {
    const length = state.activeTasksInStage(stage.id).length + 1;
    return ok({ stage_id: stage.id, positions: Array.from({ length }, (_, index) => index + 1) });
  }),
};
