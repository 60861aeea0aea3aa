import type { SiteError } from '../../site/declarations.ts';
import type { Board, Stage, Task } from '../model/index.ts';
import {
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  createUniqueSlug,
  findStage,
  isSiteError,
  nextId,
  placeItem,
  toTimestamp,
} from '../model/index.ts';
import { type BoardRequest, invalidArgument, refuseConflict } from '../rest/index.ts';
import { logTask } from './changes.ts';
import type { TaskValues } from './fields.ts';
import { checkTaskLimit } from './moves.ts';

export function findFirstStage({ state }: BoardRequest, board: Board): Stage | SiteError {
  return (
    activeStages(state, board.id)[0] ?? refuseConflict('no_stage', 'The board has no stage: make one first.')
  );
}

/** The stage of the argument `stage_id`, which must not be archived; the first stage when it is absent. */
export function readStage(request: BoardRequest, board: Board): Stage | SiteError {
  const { state, params } = request;
  if (!params.has('stage_id')) return findFirstStage(request, board);
  const stage = findStage(state, board.id, params.integer('stage_id'));
  if (isSiteError(stage)) return invalidArgument('stage_id', 'There is no such stage on this board.');
  return stage.archivedAt === null ? stage : invalidArgument('stage_id', 'The stage is archived.');
}

/** A task to be created. An absent status and absent assignees default to those of the stage. */
export interface NewTask {
  readonly board: Board;
  readonly stage: Stage;
  readonly values: TaskValues & { readonly title: string };
  /** Absent: the last position of the stage. */
  readonly position?: number | undefined;
  readonly copiedFrom?: Task;
}

/** Adds a task to a stage; refused when the stage has reached its limit. */
export function addTask(
  request: BoardRequest,
  { board, stage, values, position, copiedFrom }: NewTask,
): Task | SiteError {
  const { state, user, now } = request;
  const at = toTimestamp(now);
  const status = values.status ?? stage.defaultStatus ?? 'open';
  const error = status === 'open' ? checkTaskLimit(request, stage) : undefined;
  if (error !== undefined) return error;
  const task: Task = {
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    title: values.title,
    slug: createUniqueSlug(values.title, new Set(allTasksOnBoard(state, board.id).map(({ slug }) => slug))),
    description: values.description ?? '',
    status,
    priority: values.priority ?? 'medium',
    position: 0,
    assignees: [...(values.assignees ?? stage.defaultAssignees)],
    labels: [...(values.labels ?? [])],
    startsAt: values.startsAt ?? null,
    dueAt: values.dueAt ?? null,
    remindAt: values.remindAt ?? null,
    cover: null,
    contactId: values.contactId ?? null,
    supportTicketId: values.supportTicketId ?? null,
    estimatedMinutes: values.estimatedMinutes ?? 0,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
    completedAt: status === 'closed' ? at : null,
    archivedAt: null,
  };
  state.tasks.set(task.id, task);
  placeItem(activeTasksInStage(state, stage.id), task, position);
  logTask(request, task, {
    ...(copiedFrom === undefined
      ? { action: 'created', text: `added “${task.title}” to ${stage.title}` }
      : { action: 'cloned', text: `copied “${copiedFrom.title}” to ${stage.title}` }),
    newValue: stage.title,
  });
  return task;
}
