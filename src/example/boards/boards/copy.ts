import { stagesOf, tasksOf, tasksOnBoard } from '../model/positions.ts';
import { uniqueSlug } from '../model/slug.ts';
import { moment, nextId } from '../model/state.ts';
import type { Board, Label, Stage, Task } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { addStage, sameLabel } from './create.ts';
import { labelsOf } from './view.ts';

/** What of a board is copied. */
export interface Parts {
  readonly stages: boolean;
  readonly labels: boolean;
  readonly tasks: boolean;
  readonly members: boolean;
}

/** Adds the parts of one board to another. Comments, times, votes and history stay behind. */
export function copyBoard(request: BoardRequest, from: Board, to: Board, parts: Parts): void {
  const { state, now } = request;
  if (parts.members) {
    for (const { userId, role } of from.members) {
      if (to.members.every((member) => member.userId !== userId)) {
        to.members.push({ userId, role, joinedAt: moment(now) });
      }
    }
  }
  const labels = new Map<number, Label>();
  if (parts.labels) {
    for (const label of labelsOf(state, from.id)) labels.set(label.id, sameLabel(state, to, label));
  }
  if (!parts.stages) return;
  for (const stage of stagesOf(state, from.id)) {
    const copy = addStage(state, to, {
      title: stage.title,
      color: stage.color,
      defaultStatus: stage.defaultStatus,
      taskLimit: stage.taskLimit,
      defaultAssignees: stage.defaultAssignees.filter((id) => isOn(to, id)),
    });
    if (!parts.tasks) continue;
    for (const task of tasksOf(state, stage.id)) copyTask(request, task, { board: to, stage: copy, labels });
  }
}

interface Target {
  readonly board: Board;
  readonly stage: Stage;
  /** By the number of the label that is copied. */
  readonly labels: ReadonlyMap<number, Label>;
}

function copyTask({ state, user, now }: BoardRequest, task: Task, { board, stage, labels }: Target): void {
  const at = moment(now);
  const slugs = new Set(tasksOnBoard(state, board.id).map(({ slug }) => slug));
  const copy: Task = {
    ...task,
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    slug: uniqueSlug(task.title, slugs),
    position: tasksOf(state, stage.id).length + 1,
    assignees: task.assignees.filter((id) => isOn(board, id)),
    labels: task.labels.flatMap((id) => labels.get(id)?.id ?? []),
    supportTicketId: null,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
  };
  state.tasks.set(copy.id, copy);
}

function isOn(board: Board, userId: number): boolean {
  return board.members.some((member) => member.userId === userId);
}
