import type { JsonObject } from '../../../json.ts';
import { showPerson } from '../members/person.ts';
import { stagesOf, tasksOf, tasksOnBoard } from '../model/positions.ts';
import type { Board, BoardState, Label, Member, Stage } from '../model/types.ts';
import { isMember, roleOn } from '../rest/permissions.ts';
import type { BoardRequest } from '../rest/route.ts';

/** A board as lists show it. Strangers do not learn who is on it. */
export function showBoard({ state, user }: BoardRequest, board: Board): JsonObject {
  const tasks = tasksOnBoard(state, board.id).filter((task) => task.archivedAt === null);
  const { isImage, color, imageUrl } = board.background;
  return {
    id: board.id,
    title: board.title,
    description: board.description,
    type: board.kind,
    status: board.archivedAt === null ? 'active' : 'archived',
    currency: board.currency,
    background: { is_image: isImage, color, image_url: imageUrl },
    is_public: board.publicAccess.enabled,
    is_pinned: user !== null && (state.personal.get(user.id)?.pinnedBoards.includes(board.id) ?? false),
    role: roleOn(user, board) ?? null,
    stage_count: stagesOf(state, board.id).length,
    task_count: tasks.length,
    completed_task_count: tasks.filter((task) => task.status === 'closed').length,
    member_count: board.members.length,
    created_by: isMember(user, board) ? showPerson(state, board.createdBy) : null,
    created_at: board.createdAt,
    updated_at: board.updatedAt,
    archived_at: board.archivedAt,
  };
}

/** A board with its stages, labels and people. */
export function showWholeBoard(request: BoardRequest, board: Board): JsonObject {
  const { state, user } = request;
  return {
    ...showBoard(request, board),
    stages: stagesOf(state, board.id).map((stage) => showStage(request, stage)),
    labels: labelsOf(state, board.id).map((label) => showLabel(request, label)),
    members: isMember(user, board) ? board.members.map((member) => showMember(request, member)) : [],
  };
}

export function showStage({ state, user }: BoardRequest, stage: Stage): JsonObject {
  const board = state.boards.get(stage.boardId);
  const isInside = board !== undefined && isMember(user, board);
  return {
    id: stage.id,
    board_id: stage.boardId,
    title: stage.title,
    slug: stage.slug,
    position: stage.position,
    color: stage.color,
    default_status: stage.defaultStatus,
    default_assignees: isInside ? [...stage.defaultAssignees] : [],
    task_limit: stage.taskLimit,
    task_count: tasksOf(state, stage.id).length,
    is_folded: user !== null && (state.personal.get(user.id)?.foldedStages.has(stage.id) ?? false),
    archived_at: stage.archivedAt,
  };
}

/** The labels of a board, by number. */
export function labelsOf(state: BoardState, boardId: number): Label[] {
  return [...state.labels.values()].filter((label) => label.boardId === boardId);
}

export function showLabel({ state }: BoardRequest, label: Label): JsonObject {
  const carriers = tasksOnBoard(state, label.boardId).filter(
    (task) => task.archivedAt === null && task.labels.includes(label.id),
  );
  return {
    id: label.id,
    board_id: label.boardId,
    title: label.title,
    color: label.color,
    background_color: label.backgroundColor,
    task_count: carriers.length,
  };
}

export function showMember({ state }: BoardRequest, { userId, role, joinedAt }: Member): JsonObject {
  return { ...showPerson(state, userId), role, joined_at: joinedAt };
}
