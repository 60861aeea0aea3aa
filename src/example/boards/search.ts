import { hasRole, ok, pageResponse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import {
  canReadComment,
  canReadTask,
  isMemberOrAdmin,
  readableBoards,
  requireFeature,
} from './permissions.ts';
import { createSubstringFilter, refuseArgument } from './resource.ts';
import type { Board, BoardRequest } from './state.ts';

/** Something that the client may read, with the text that is searched. */
interface SearchDocument {
  readonly kind: 'board' | 'task' | 'idea' | 'comment';
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly board: Board;
  readonly taskId: number | null;
  readonly at: string;
}

function* searchDocuments(request: BoardRequest, kinds: ReadonlySet<string>): Generator<SearchDocument> {
  const { state, user } = request;
  const boards = new Map(readableBoards(state, user).map((board) => [board.id, board]));
  if (kinds.has('board')) {
    for (const board of boards.values()) {
      const { id, title, description: text, updatedAt: at } = board;
      yield { kind: 'board', id, title, text, board, taskId: null, at };
    }
  }
  for (const task of state.tasks.values()) {
    const board = boards.get(task.boardId);
    if (board === undefined || !kinds.has(task.type) || !canReadTask(request, task)) continue;
    const { id, title, description: text, updatedAt: at, type: kind } = task;
    yield { kind, id, title, text, board, taskId: null, at };
  }
  if (!kinds.has('comment')) return;
  for (const comment of state.comments.values()) {
    const board = boards.get(comment.boardId);
    const task = state.tasks.get(comment.taskId);
    if (board === undefined || task === undefined) continue;
    if (!canReadComment(request, comment) || !canReadTask(request, task)) continue;
    const { id, text, updatedAt: at } = comment;
    yield { kind: 'comment', id, title: task.title, text, board, taskId: task.id, at };
  }
}

/** 3 for a title that begins with the words, 2 for a title with all words, 1 for title and text together, else 0. */
function rank({ kind, title, text }: SearchDocument, words: readonly string[]): number {
  const name = kind === 'comment' ? '' : title.toLowerCase();
  const all = `${name}\n${text.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (!words.every((word) => name.includes(word))) return 1;
  return name.startsWith(words.join(' ')) ? 3 : 2;
}

/** About 160 characters around the first word. */
function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const indexes = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const start = indexes.length === 0 ? 0 : Math.max(0, Math.min(...indexes) - 60);
  const end = Math.min(text.length, start + 160);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

type SelectOption = Pick<Board, 'id' | 'title'>;

/** Options by key; boards, stages, labels and contacts only of boards of the client, or all for an administrator. */
const OPTIONS: Readonly<Record<string, (request: BoardRequest) => readonly SelectOption[]>> = {
  stages: (request) => ownBoards(request).flatMap(({ id }) => request.state.activeStages(id)),
  labels: (request) => ownBoards(request).flatMap(({ id }) => request.state.labelsOnBoard(id)),
  users: ({ state }) => state.users.map(({ id, name }) => ({ id, title: name })),
  contacts(request) {
    requireFeature(request, 'crm');
    const { state, user } = request;
    const own = new Set(
      state.boards.where((board) => isMemberOrAdmin(user, board)).flatMap(({ contactIds }) => contactIds),
    );
    return state.contacts
      .where(({ id }) => own.has(id) || hasRole(user, 'administrator'))
      .map(({ id, name, company }) => ({ id, title: `${name}, ${company}` }));
  },
  pages: ({ state }) => state.pages,
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
  // Searches everything that the client may read: best match first, then newest.
  search(request) {
    const { params } = request;
    const words = params.string('search', '').toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) refuseArgument('search', 'There is nothing to look for.');
    const boardId = params.integer('board_id');
    const results = [...searchDocuments(request, new Set(params.strings('kinds')))]
      .filter(({ board }) => boardId === undefined || board.id === boardId)
      .map((document) => ({ document, rank: rank(document, words) }))
      .filter((result) => result.rank > 0)
      .sort((one, other) => other.rank - one.rank || other.document.at.localeCompare(one.document.at));
    return pageResponse(request, results, ({ document: { kind, id, title, text, board, taskId, at } }) => ({
      kind,
      id,
      title,
      excerpt: excerpt(text, words),
      board_id: board.id,
      board_title: board.title,
      task_id: taskId,
      updated_at: at,
    }));
  },

  // The options of a select box, filtered while the user types.
  listOptions(request) {
    const { params } = request;
    const options = (OPTIONS[params.string('option_key', '')] ?? ownBoards)(request);
    const selected = new Set(params.integers('values'));
    const matches = createSubstringFilter(request);
    const found = options.filter(({ id, title }) => !selected.has(id) && matches(title));
    const shown = [
      ...options.filter(({ id }) => selected.has(id)),
      ...found.slice(0, params.integer('limit', 20)),
    ];
    return ok(shown.map(({ id, title }) => ({ id, title })));
  },

  // The users who are members of the same boards as a user.
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
