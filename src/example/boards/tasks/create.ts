import type { SiteError } from '../../site/declare.ts';
import { place, stagesOf, tasksOf, tasksOnBoard } from '../model/positions.ts';
import { uniqueSlug } from '../model/slug.ts';
import { findStage, isRefusal, moment, nextId } from '../model/state.ts';
import type { Board, Stage, Task } from '../model/types.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';
import { note } from './changes.ts';
import type { TaskFields } from './fields.ts';
import { refuseFull } from './moves.ts';

/** Where things begin on a board. */
export function firstStage({ state }: BoardRequest, board: Board): Stage | SiteError {
  return stagesOf(state, board.id)[0] ?? conflict('no_stage', 'The board has no stage: make one first.');
}

/** The stage that the caller named, which must take tasks; the board's first where none is named. */
export function stageFor(request: BoardRequest, board: Board): Stage | SiteError {
  const { state, params } = request;
  const name = 'stage_id';
  if (!params.has(name)) return firstStage(request, board);
  const stage = findStage(state, board.id, params.integer(name));
  if (isRefusal(stage)) return invalid(name, 'There is no such stage on this board.');
  return stage.archivedAt === null ? stage : invalid(name, 'The stage is archived.');
}

interface Making {
  /** Absent: the last of its stage. */
  readonly position?: number | undefined;
  /** What it is a copy of. */
  readonly from?: Task;
}

/** Puts a new task into a stage, with the stage's own people and status where the caller named none. */
export function makeTask(
  request: BoardRequest,
  board: Board,
  stage: Stage,
  fields: Partial<TaskFields> & Pick<TaskFields, 'title'>,
  { position, from }: Making = {},
): Task | SiteError {
  const { state, user, now } = request;
  const at = moment(now);
  const status = fields.status ?? stage.defaultStatus ?? 'open';
  const full = status === 'open' ? refuseFull(request, stage) : undefined;
  if (full !== undefined) return full;
  const task: Task = {
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    title: fields.title,
    slug: uniqueSlug(fields.title, new Set(tasksOnBoard(state, board.id).map(({ slug }) => slug))),
    description: fields.description ?? '',
    status,
    priority: fields.priority ?? 'medium',
    position: 0,
    assignees: [...(fields.assignees ?? stage.defaultAssignees)],
    labels: [...(fields.labels ?? [])],
    startsAt: fields.startsAt ?? null,
    dueAt: fields.dueAt ?? null,
    remindAt: fields.remindAt ?? null,
    cover: null,
    contactId: fields.contactId ?? null,
    supportTicketId: fields.supportTicketId ?? null,
    estimatedMinutes: fields.estimatedMinutes ?? 0,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
    completedAt: status === 'closed' ? at : null,
    archivedAt: null,
  };
  state.tasks.set(task.id, task);
  place(tasksOf(state, stage.id), task, position);
  note(request, task, {
    ...(from === undefined
      ? { action: 'created', text: `added “${task.title}” to ${stage.title}` }
      : { action: 'cloned', text: `copied “${from.title}” to ${stage.title}` }),
    newValue: stage.title,
  });
  return task;
}
