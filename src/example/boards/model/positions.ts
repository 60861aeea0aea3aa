import type { BoardState, Stage, Task } from './types.ts';

/** What stands in an ordered list. */
interface Placed {
  readonly id: number;
  position: number;
  archivedAt: string | null;
}

/** Numbers a list as it stands, from 1. */
export function renumber(ordered: readonly Placed[]): void {
  for (const [index, item] of ordered.entries()) item.position = index + 1;
}

/**
 * Puts an item into a list at a position (1 is first; anything beyond the end, or nothing, is last) and renumbers.
 * The list may hold the item already.
 */
export function place<T extends Placed>(list: readonly T[], item: T, position?: number): void {
  const others = list.filter((other) => other.id !== item.id);
  const index = Math.min(Math.max((position ?? others.length + 1) - 1, 0), others.length);
  renumber([...others.slice(0, index), item, ...others.slice(index)]);
}

const byPosition = (one: Placed, other: Placed): number => one.position - other.position || one.id - other.id;

/** The stages of a board in their order, without archived ones. */
export function stagesOf(state: BoardState, boardId: number): Stage[] {
  return [...state.stages.values()]
    .filter((stage) => stage.boardId === boardId && stage.archivedAt === null)
    .sort(byPosition);
}

/** The tasks of a stage in their order, without archived ones. */
export function tasksOf(state: BoardState, stageId: number): Task[] {
  return [...state.tasks.values()]
    .filter((task) => task.stageId === stageId && task.archivedAt === null)
    .sort(byPosition);
}

/** Every task of a board by number, archived ones among them. */
export function tasksOnBoard(state: BoardState, boardId: number): Task[] {
  return [...state.tasks.values()].filter((task) => task.boardId === boardId);
}

/** Moves a task to a place of a stage, and closes the gap where it was. */
export function placeTask(state: BoardState, task: Task, stageId: number, position?: number): void {
  const from = task.stageId;
  task.stageId = stageId;
  place(tasksOf(state, stageId), task, position);
  if (from !== stageId) renumber(tasksOf(state, from));
}

/** Hides an item; whoever calls renumbers what is left (`renumber(tasksOf(…))`). */
export function archive(item: Placed, at: string): void {
  item.archivedAt = at;
  item.position = 0;
}
