import type { SiteError } from '../../site/declare.ts';
import { archive, place, placeTask, renumber, stagesOf, tasksOf } from '../model/positions.ts';
import { removeTask } from '../model/removal.ts';
import { moment } from '../model/state.ts';
import type { Stage, Task } from '../model/types.ts';
import { conflict } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';
import { note, setStatus } from './changes.ts';

/** Moves within a stage or to another one, whose own status the task takes. Refused where the stage is full. */
export function moveTask(
  request: BoardRequest,
  task: Task,
  stage: Stage,
  position?: number,
): SiteError | undefined {
  if (task.archivedAt !== null) return conflict('task_archived', 'The task is archived: restore it first.');
  if (stage.archivedAt !== null) return conflict('stage_archived', 'The stage is archived.');
  const from = request.state.stages.get(task.stageId);
  if (task.stageId === stage.id) {
    placeTask(request.state, task, stage.id, position);
    note(request, task, { action: 'moved', text: `moved “${task.title}” to place ${task.position}` });
    return undefined;
  }
  const full = refuseFull(request, stage);
  if (full !== undefined) return full;
  placeTask(request.state, task, stage.id, position);
  note(request, task, {
    action: 'moved',
    text: `moved “${task.title}” from ${from?.title ?? 'nowhere'} to ${stage.title}`,
    oldValue: from?.title ?? null,
    newValue: stage.title,
  });
  if (stage.defaultStatus !== null) setStatus(request, task, stage.defaultStatus);
  return undefined;
}

/** Whether another open task fits. */
export function refuseFull({ state }: BoardRequest, stage: Stage): SiteError | undefined {
  const open = tasksOf(state, stage.id).filter(({ status }) => status === 'open').length;
  return stage.taskLimit !== null && open >= stage.taskLimit
    ? conflict('stage_full', `“${stage.title}” takes no more than ${stage.taskLimit} open tasks.`)
    : undefined;
}

export function archiveTask(request: BoardRequest, task: Task): SiteError | undefined {
  if (task.archivedAt !== null) return conflict('task_archived', 'The task is archived already.');
  archive(task, moment(request.now));
  renumber(tasksOf(request.state, task.stageId));
  note(request, task, { action: 'archived', text: `archived “${task.title}”` });
  return undefined;
}

/** Returns to the end of its stage; to that of the first one where its own is archived. */
export function restoreTask(request: BoardRequest, task: Task): SiteError | undefined {
  const { state } = request;
  if (task.archivedAt === null) return conflict('task_not_archived', 'The task is not archived.');
  const own = state.stages.get(task.stageId);
  const stage = own?.archivedAt === null ? own : stagesOf(state, task.boardId)[0];
  if (stage === undefined) return conflict('stage_archived', 'The board has no stage for it.');
  task.archivedAt = null;
  task.stageId = stage.id;
  place(tasksOf(state, stage.id), task);
  note(request, task, { action: 'restored', text: `restored “${task.title}” to ${stage.title}` });
  return undefined;
}

/** For good, with all that hangs on it. What was done stays in the board's history. */
export function deleteTask(request: BoardRequest, task: Task): void {
  const { state } = request;
  removeTask(state, task.id);
  renumber(tasksOf(state, task.stageId));
  note(request, task, {
    action: 'deleted',
    taskId: null,
    text: `deleted “${task.title}”`,
    oldValue: task.title,
  });
}
