import type { JsonObject } from '../../../json.ts';
import type { Board } from '../model/types.ts';
import { choices } from '../rest/choices.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit, visibleBoards } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { mayReadComment, maySeeTask } from '../tasks/view.ts';

const KINDS = ['board', 'task', 'idea', 'comment'] as const;
type Kind = (typeof KINDS)[number];

const RESULT = answersWhole('search-result', 'Something that holds the words that were looked for.', {
  kind: { description: 'What it is.', type: 'string', enum: KINDS },
  id: { description: 'Its number.', type: 'integer' },
  title: { description: 'Its title; of a comment, that of its task.', type: 'string' },
  excerpt: { description: 'The text around the first of the words.', type: 'string' },
  board_id: { description: 'Board that it is on.', type: 'integer' },
  board_title: { description: 'Title of that board.', type: 'string' },
  task_id: {
    description: 'Task that a comment stands on; null for anything else.',
    type: ['integer', 'null'],
  },
  updated_at: { description: 'When it last changed.', type: 'string', format: 'date-time' },
});

interface Found {
  readonly kind: Kind;
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly board: Board;
  readonly taskId: number | null;
  readonly at: string;
}

/** Everything that the caller may read, of the kinds that were asked for. */
function* readable(request: BoardRequest, kinds: ReadonlySet<Kind>): Generator<Found> {
  const { state, user } = request;
  const boards = new Map(visibleBoards(state, user).map((board) => [board.id, board]));
  if (kinds.has('board'))
    for (const board of boards.values()) {
      const { id, title, description: text, updatedAt: at } = board;
      yield { kind: 'board', id, title, text, board, taskId: null, at };
    }
  for (const task of state.tasks.values()) {
    const board = boards.get(task.boardId);
    if (board === undefined || !kinds.has(task.type) || !maySeeTask(request, board, task)) continue;
    const { id, title, description: text, updatedAt: at, type: kind } = task;
    yield { kind, id, title, text, board, taskId: null, at };
  }
  if (!kinds.has('comment')) return;
  for (const comment of state.comments.values()) {
    const board = boards.get(comment.boardId);
    const task = state.tasks.get(comment.taskId);
    if (board === undefined || task === undefined) continue;
    if (!mayReadComment(request, board, comment) || !maySeeTask(request, board, task)) continue;
    const { id, text, updatedAt: at } = comment;
    yield { kind: 'comment', id, title: task.title, text, board, taskId: task.id, at };
  }
}

/** 3 for a title that begins so, 2 for one that has all words, 1 where the text is needed, 0 for none. */
function rank({ kind, title, text }: Found, words: readonly string[]): number {
  const name = kind === 'comment' ? '' : title.toLowerCase();
  const whole = `${name}\n${text.toLowerCase()}`;
  if (!words.every((word) => whole.includes(word))) return 0;
  if (!words.every((word) => name.includes(word))) return 1;
  return name.startsWith(words.join(' ')) ? 3 : 2;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 60);
  const end = Math.min(text.length, start + 160);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function show({ kind, id, title, text, board, taskId, at }: Found, words: readonly string[]): JsonObject {
  return {
    kind,
    id,
    title,
    excerpt: excerptOf(text, words),
    board_id: board.id,
    board_title: board.title,
    task_id: taskId,
    updated_at: at,
  };
}

/** Looks through all that the caller may read: the best matches first, then the newest. */
export const searchRoutes: readonly BoardRoute[] = [
  route(
    '/global-search',
    [
      {
        methods: ['GET'],
        args: {
          search: {
            description: 'Words that must all be there, in any case: `start page`.',
            type: 'string',
            minLength: 2,
            maxLength: 200,
            required: true,
          },
          kinds: {
            description: 'Where to look.',
            type: 'array',
            items: { type: 'string', enum: KINDS },
            default: KINDS,
          },
          board_id: { description: 'Only on one board.', type: 'integer', minimum: 1 },
          ...PAGING,
        },
        permission: permit.signedIn,
        handle: (request) => {
          const { params } = request;
          const words = params
            .string('search', '')
            .toLowerCase()
            .split(/\s+/)
            .filter((word) => word !== '');
          if (words.length === 0) return invalid('search', 'There is nothing to look for.');
          const wanted = params.integer('board_id');
          const ranked = [...readable(request, new Set(choices(params, 'kinds', KINDS)))]
            .filter(({ board }) => wanted === undefined || board.id === wanted)
            .map((found) => ({ found, rank: rank(found, words) }))
            .filter((each) => each.rank > 0)
            .sort((one, other) => other.rank - one.rank || other.found.at.localeCompare(one.found.at));
          return answerPage(request, ranked, ({ found }) => show(found, words));
        },
      },
    ],
    RESULT,
  ),
];
