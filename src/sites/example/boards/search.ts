import { ok, pageResponse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { canReadComment, canReadTask, isMemberOrAdmin, readableBoards } from './permissions.ts';
import { createWordFilter } from './resource.ts';
import type { Board, BoardRequest } from './state.ts';

function listResults(request: BoardRequest) {
  const { state, user } = request;
  const boards = new Map(readableBoards(state, user).map((board) => [board.id, board]));
  const tasks = state.tasks.where((task) => boards.has(task.boardId) && canReadTask(request, task));
  const comments = state.comments.where(
    (comment) => tasks.some(({ id }) => id === comment.taskId) && canReadComment(request, comment),
  );
  const results = [
    ...[...boards.values()].map((board) => ({ ...board, kind: 'board', boardId: board.id, taskId: null })),
    ...tasks.map((task) => ({ ...task, kind: task.type, taskId: null })),
    ...comments.map(({ text, ...comment }) => {
      const { title = '' } = state.tasks.get(comment.taskId) ?? {};
      return { ...comment, kind: 'comment', title, description: text };
    }),
  ];
  return results.map(({ kind, id, title, description, boardId, taskId, updatedAt }) => ({
    kind,
    id,
    title,
    text: description,
    board_id: boardId,
    board_title: boards.get(boardId)?.title ?? '',
    task_id: taskId,
    updated_at: updatedAt,
  }));
}

type SelectOption = Pick<Board, 'id' | 'title'>;

/** Boards, stages and labels of the client's boards; all for an administrator. */
const OPTIONS: Readonly<Record<string, (request: BoardRequest) => readonly SelectOption[]>> = {
  stages: (request) => ownBoards(request).flatMap(({ id }) => request.state.activeStages(id)),
  labels: (request) => ownBoards(request).flatMap(({ id }) => request.state.labelsOnBoard(id)),
  users: ({ state }) => state.users.map(({ id, name }) => ({ id, title: name })),
};

function ownBoards({ state, user, params }: BoardRequest): SelectOption[] {
  const boardId = params.integer('board_id');
  return readableBoards(state, user).filter(
    (board) =>
      board.archivedAt === null &&
      isMemberOrAdmin(user, board) &&
      (boardId === undefined || board.id === boardId),
  );
}

export const searchOperations: BoardOperations = {
  search(request) {
    const { params } = request;
    const matches = createWordFilter(request);
    const kinds = params.strings('kinds');
    const boardId = params.integer('board_id');
    const found = listResults(request).filter(
      ({ kind, title, text, board_id }) =>
        kinds.includes(kind) && matches(`${title}\n${text}`) && board_id === (boardId ?? board_id),
    );
    found.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
    return pageResponse(request, found, (result) => result);
  },

  listOptions(request) {
    const { params } = request;
    const options = (OPTIONS[params.string('option_key', '')] ?? ownBoards)(request);
    const matches = createWordFilter(request);
    const found = options.filter(({ title }) => matches(title)).slice(0, params.integer('limit', 20));
    return ok(found.map(({ id, title }) => ({ id, title })));
  },

  listAssociatedUsers(request) {
    const { state, params } = request;
    const user = state.findUser(params.string('id'));
    const teams = [...state.boards.values()]
      .map(({ members }) => members.map(({ userId }) => userId))
      .filter((members) => members.includes(user.id));
    const others = [...new Set(teams.flat())]
      .filter((id) => id !== user.id)
      .sort((one, other) => one - other);
    return pageResponse(request, others, (id) => ({
      ...state.showPerson(id),
      shared_board_count: teams.filter((members) => members.includes(id)).length,
    }));
  },
};
