import type { Label, Stage } from './board.ts';
import type { BoardState } from './state.ts';
import type { Task } from './task.ts';

/** An item of an ordered list. */
interface Ordered {
  readonly id: number;
  position: number;
  archivedAt: string | null;
}

/** Sets the positions of a list from 1, in its current order. */
export function renumberPositions(ordered: readonly Ordered[]): void {
  for (const [index, item] of ordered.entries()) item.position = index + 1;
}

/**
 * Inserts or moves an item and renumbers the list.
 *
 * @param position 1-based; the item becomes the last one when it is absent or beyond the end.
 */
export function placeItem<T extends Ordered>(list: readonly T[], item: T, position?: number): void {
  const others = list.filter((other) => other.id !== item.id);
  const index = Math.min(Math.max((position ?? others.length + 1) - 1, 0), others.length);
  renumberPositions([...others.slice(0, index), item, ...others.slice(index)]);
}

const byPosition = (one: Ordered, other: Ordered): number =>
  one.position - other.position || one.id - other.id;

/** Returns the stages of a board in their order, without archived ones. */
export function activeStages(state: BoardState, boardId: number): Stage[] {
  return [...state.stages.values()]
    .filter((stage) => stage.boardId === boardId && stage.archivedAt === null)
    .sort(byPosition);
}

/** Returns the labels of a board in the order of their numbers. */
export function labelsOnBoard(state: BoardState, boardId: number): Label[] {
  return [...state.labels.values()].filter((label) => label.boardId === boardId);
}

/** Returns the tasks of a stage in their order, without archived ones. */
export function activeTasksInStage(state: BoardState, stageId: number): Task[] {
  return [...state.tasks.values()]
    .filter((task) => task.stageId === stageId && task.archivedAt === null)
    .sort(byPosition);
}

/** Returns every task of a board, with archived ones, in the order of their numbers. */
export function allTasksOnBoard(state: BoardState, boardId: number): Task[] {
  return [...state.tasks.values()].filter((task) => task.boardId === boardId);
}

/** Moves a task to a position of a stage and renumbers the stage that it leaves. */
export function placeTask(state: BoardState, task: Task, stageId: number, position?: number): void {
  const from = task.stageId;
  task.stageId = stageId;
  placeItem(activeTasksInStage(state, stageId), task, position);
  if (from !== stageId) renumberPositions(activeTasksInStage(state, from));
}

/** Archives an item. The caller renumbers the remaining list: `renumberPositions(activeTasksInStage(…))`. */
export function archiveItem(item: Ordered, at: string): void {
  item.archivedAt = at;
  item.position = 0;
}
