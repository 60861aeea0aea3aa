import type { JsonObject } from '../../../json.ts';
import type { Board } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import {
  canReadComment,
  canReadTask,
  declareGet,
  enumParams,
  invalidArgument,
  PAGING_ARGS,
  pageResponse,
  permit,
  readableBoards,
  responseSchema,
  schema,
} from '../rest/index.ts';

const KINDS = ['board', 'task', 'idea', 'comment'] as const;
type SearchKind = (typeof KINDS)[number];

const RESULT = responseSchema('search-result', 'Something that holds the words that were looked for.', {
  kind: schema.enumeration('What it is.', KINDS),
  id: schema.integer('Its number.'),
  title: schema.string('Its title; of a comment, that of its task.'),
  excerpt: schema.string('The text around the first of the words.'),
  board_id: schema.integer('Board that it is on.'),
  board_title: schema.string('Title of that board.'),
  task_id: schema.nullable(schema.integer('Task that a comment stands on; null for anything else.')),
  updated_at: schema.dateTime('When it last changed.'),
});

/** Something that the client may read, with the text that is searched. */
interface SearchDocument {
  readonly kind: SearchKind;
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly board: Board;
  readonly taskId: number | null;
  readonly at: string;
}

function* searchDocuments(request: BoardRequest, kinds: ReadonlySet<SearchKind>): Generator<SearchDocument> {
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
    if (board === undefined || !kinds.has(task.type) || !canReadTask(request, board, task)) continue;
    const { id, title, description: text, updatedAt: at, type: kind } = task;
    yield { kind, id, title, text, board, taskId: null, at };
  }
  if (!kinds.has('comment')) return;
  for (const comment of state.comments.values()) {
    const board = boards.get(comment.boardId);
    const task = state.tasks.get(comment.taskId);
    if (board === undefined || task === undefined) continue;
    if (!canReadComment(request, board, comment) || !canReadTask(request, board, task)) continue;
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

function showResult(document: SearchDocument, words: readonly string[]): JsonObject {
  const { kind, id, title, text, board, taskId, at } = document;
  return {
    kind,
    id,
    title,
    excerpt: excerpt(text, words),
    board_id: board.id,
    board_title: board.title,
    task_id: taskId,
    updated_at: at,
  };
}

/** Searches everything that the client may read: best match first, then newest. */
export const globalSearchRoute: BoardRoute = declareGet('/global-search', RESULT, {
  args: {
    search: schema.string('Words that must all be there, in any case: `start page`.', {
      minLength: 2,
      maxLength: 200,
      required: true,
    }),
    kinds: schema.array('Where to look.', { type: 'string', enum: KINDS }, { default: KINDS }),
    board_id: schema.id('Only on one board.'),
    ...PAGING_ARGS,
  },
  permission: permit.signedIn,
  handle(request) {
    const { params } = request;
    const words = params.string('search', '').toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return invalidArgument('search', 'There is nothing to look for.');
    const boardId = params.integer('board_id');
    const results = [...searchDocuments(request, new Set(enumParams(params, 'kinds', KINDS)))]
      .filter(({ board }) => boardId === undefined || board.id === boardId)
      .map((document) => ({ document, rank: rank(document, words) }))
      .filter((result) => result.rank > 0)
      .sort((one, other) => other.rank - one.rank || other.document.at.localeCompare(one.document.at));
    return pageResponse(request, results, ({ document }) => showResult(document, words));
  },
});
