import type { JsonObject } from '../../../json.ts';
import { showPerson } from '../members/person.ts';
import { moment } from '../model/state.ts';
import type { Board, BoardState, Comment, Task } from '../model/types.ts';
import { isMember } from '../rest/permissions.ts';
import type { BoardRequest } from '../rest/route.ts';

/** Whether someone who sees the board may read a comment: strangers only public ones, and only where the board says so. */
export function mayReadComment({ user }: BoardRequest, board: Board, comment: Comment): boolean {
  return isMember(user, board) || (comment.privacy === 'public' && board.publicAccess.showComments);
}

/** Archived tasks, and ideas that wait for a manager, are seen by members and by who made them. */
export function maySeeTask({ user }: BoardRequest, board: Board, task: Task): boolean {
  return task.archivedAt === null || isMember(user, board) || task.createdBy === user?.id;
}

/** Whether the caller may see who does what on a board. */
export function mayReadPeople({ user }: BoardRequest, board: Board): boolean {
  return isMember(user, board) || board.publicAccess.showAssignees;
}

/** A writer of tasks for one request. What is counted over all tasks is counted once. */
export function taskView(request: BoardRequest): (task: Task) => JsonObject {
  const { state, user, now } = request;
  const comments = countByTask(state.comments.values(), (comment) => {
    const board = state.boards.get(comment.boardId);
    return board !== undefined && mayReadComment(request, board, comment) ? 1 : 0;
  });
  const minutes = countByTask(state.timeTracks.values(), (track) => track.minutes);
  const pinned = new Set(user === null ? [] : state.personal.get(user.id)?.pinnedTasks);
  const today = moment(now);

  return (task) => {
    const board = state.boards.get(task.boardId);
    const people = board !== undefined && mayReadPeople(request, board);
    return {
      id: task.id,
      board_id: task.boardId,
      stage_id: task.stageId,
      type: task.type,
      title: task.title,
      slug: task.slug,
      description: task.description,
      status: task.status,
      priority: task.priority,
      position: task.position,
      assignees: people ? task.assignees.map((id) => showPerson(state, id)) : [],
      labels: labelsOn(state, task),
      starts_at: task.startsAt,
      due_at: task.dueAt,
      remind_at: task.remindAt,
      is_overdue: isOverdue(task, today),
      cover: task.cover === null ? null : { color: task.cover.color, image_url: task.cover.imageUrl },
      contact_id: people ? task.contactId : null,
      support_ticket_id: people ? task.supportTicketId : null,
      estimated_minutes: task.estimatedMinutes,
      worked_minutes: minutes.get(task.id) ?? 0,
      comment_count: comments.get(task.id) ?? 0,
      is_pinned: pinned.has(task.id),
      created_by: people ? showPerson(state, task.createdBy) : null,
      created_at: task.createdAt,
      updated_at: task.updatedAt,
      completed_at: task.completedAt,
      archived_at: task.archivedAt,
    };
  };
}

export function showTask(request: BoardRequest, task: Task): JsonObject {
  return taskView(request)(task);
}

export function isOverdue(task: Task, now: string): boolean {
  return task.status === 'open' && task.archivedAt === null && task.dueAt !== null && task.dueAt < now;
}

export function labelsOn(state: BoardState, task: Task): JsonObject[] {
  return task.labels.flatMap((id) => {
    const label = state.labels.get(id);
    return label === undefined
      ? []
      : [{ id, title: label.title, color: label.color, background_color: label.backgroundColor }];
  });
}

export function countByTask<T extends { readonly taskId: number }>(
  items: Iterable<T>,
  worth: (item: T) => number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item.taskId, (counts.get(item.taskId) ?? 0) + worth(item));
  return counts;
}
