import type { SiteError } from '../../site/declarations.ts';
import type { Stage, Task } from '../model/index.ts';
import {
  activeStages,
  activeTasksInStage,
  archiveItem,
  deleteTaskRecords,
  placeItem,
  placeTask,
  renumberPositions,
  toTimestamp,
} from '../model/index.ts';
import { type BoardRequest, refuseConflict } from '../rest/index.ts';
import { logTask, setTaskStatus } from './changes.ts';

/** Moves a task within its stage, or to another stage, whose default status it takes. */
export function moveTask(
  request: BoardRequest,
  task: Task,
  stage: Stage,
  position?: number,
): SiteError | undefined {
  const { state } = request;
  if (task.archivedAt !== null)
    return refuseConflict('task_archived', 'The task is archived: restore it first.');
  if (stage.archivedAt !== null) return refuseConflict('stage_archived', 'The stage is archived.');
  if (task.stageId === stage.id) {
    placeTask(state, task, stage.id, position);
    const text = `moved “${task.title}” to place ${task.position}`;
    logTask(request, task, { action: 'moved', text });
    return undefined;
  }
  const error = checkTaskLimit(request, stage);
  if (error !== undefined) return error;
  const from = state.stages.get(task.stageId)?.title ?? null;
  placeTask(state, task, stage.id, position);
  const text = `moved “${task.title}” from ${from ?? 'nowhere'} to ${stage.title}`;
  logTask(request, task, { action: 'moved', text, oldValue: from, newValue: stage.title });
  if (stage.defaultStatus !== null) setTaskStatus(request, task, stage.defaultStatus);
  return undefined;
}

/** Refuses another open task in a stage that has reached its limit. */
export function checkTaskLimit({ state }: BoardRequest, stage: Stage): SiteError | undefined {
  const open = activeTasksInStage(state, stage.id).filter(({ status }) => status === 'open').length;
  return stage.taskLimit !== null && open >= stage.taskLimit ? createStageFullError(stage) : undefined;
}

export function createStageFullError({ title, taskLimit }: Stage): SiteError {
  return refuseConflict('stage_full', `“${title}” takes no more than ${taskLimit} open tasks.`);
}

export function archiveTask(request: BoardRequest, task: Task): SiteError | undefined {
  if (task.archivedAt !== null) return refuseConflict('task_archived', 'The task is archived already.');
  archiveItem(task, toTimestamp(request.now));
  renumberPositions(activeTasksInStage(request.state, task.stageId));
  logTask(request, task, { action: 'archived', text: `archived “${task.title}”` });
  return undefined;
}

/** Restores a task to the end of its stage, or of the first stage when its own is archived. */
export function restoreTask(request: BoardRequest, task: Task): SiteError | undefined {
  const { state } = request;
  if (task.archivedAt === null) return refuseConflict('task_not_archived', 'The task is not archived.');
  const last = state.stages.get(task.stageId);
  const stage = last?.archivedAt === null ? last : activeStages(state, task.boardId)[0];
  if (stage === undefined) return refuseConflict('stage_archived', 'The board has no stage for it.');
  task.archivedAt = null;
  task.stageId = stage.id;
  placeItem(activeTasksInStage(state, stage.id), task);
  logTask(request, task, { action: 'restored', text: `restored “${task.title}” to ${stage.title}` });
  return undefined;
}

/** Deletes a task with everything on it. The history of the board keeps its entries. */
export function deleteTask(request: BoardRequest, task: Task): undefined {
  const { state } = request;
  deleteTaskRecords(state, task.id);
  renumberPositions(activeTasksInStage(state, task.stageId));
  const text = `deleted “${task.title}”`;
  logTask(request, task, { action: 'deleted', taskId: null, text, oldValue: task.title });
}
