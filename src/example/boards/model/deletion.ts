import type { BoardState } from './state.ts';

/** Deletes a task with its comments, time tracks, votes and pins. The caller renumbers its stage and logs it. */
export function deleteTaskRecords(state: BoardState, taskId: number): void {
  state.tasks.delete(taskId);
  const isOfTask = (item: { readonly taskId: number }): boolean => item.taskId === taskId;
  removeWhere(state.comments, isOfTask);
  removeWhere(state.replies, isOfTask);
  removeWhere(state.timeTracks, isOfTask);
  const votes = state.votes.filter((vote) => vote.ideaId !== taskId);
  state.votes.splice(0, state.votes.length, ...votes);
  for (const { pinnedTasks } of state.settingsByUser.values()) removeId(pinnedTasks, taskId);
}

/** Deletes a board with everything on it, and removes it from folders, pins and settings. */
export function deleteBoardRecords(state: BoardState, boardId: number): void {
  for (const task of [...state.tasks.values()]) {
    if (task.boardId === boardId) deleteTaskRecords(state, task.id);
  }
  const isOfBoard = (item: { readonly boardId: number }): boolean => item.boardId === boardId;
  removeWhere(state.stages, isOfBoard);
  removeWhere(state.labels, isOfBoard);
  removeWhere(state.activities, isOfBoard);
  removeWhere(state.images, isOfBoard);
  for (const folder of state.folders.values()) removeId(folder.boardIds, boardId);
  for (const choices of state.settingsByUser.values()) {
    removeId(choices.pinnedBoards, boardId);
    removeId(choices.recentBoards, boardId);
    choices.boardNotifications.delete(boardId);
  }
  state.boards.delete(boardId);
}

function removeWhere<T>(collection: Map<number, T>, isGone: (item: T) => boolean): void {
  for (const [id, item] of collection) if (isGone(item)) collection.delete(id);
}

/** Removes a number from a list; `false` when the list does not contain it. */
export function removeId(list: number[], id: number): boolean {
  const index = list.indexOf(id);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}
