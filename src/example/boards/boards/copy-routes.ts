import { ok } from '../../site/answers.ts';
import { findBoard, isRefusal, record } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { choices } from '../rest/choices.ts';
import { canSee, isMember, permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { TITLE } from './args.ts';
import { copyBoard, type Parts } from './copy.ts';
import { addBoard } from './create.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showWholeBoard } from './view.ts';

const PARTS = ['stages', 'labels', 'tasks', 'members'] as const;

const WHAT = {
  description: 'What is copied. Tasks come with their stages; archived ones stay behind.',
  type: 'array',
  items: { type: 'string', enum: PARTS },
  uniqueItems: true,
};

/** Making a board like another, and taking over what another has. */
export const boardCopies: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/duplicate-board',
    [
      {
        methods: ['POST'],
        args: {
          title: { ...TITLE, description: 'Name of the new board. Absent: the old one with “(copy)”.' },
          include: { ...WHAT, default: ['stages', 'labels', 'tasks'] },
        },
        permission: (request) => insiders(request) ?? permit.boardCreators(request),
        handle: withBoard(duplicate),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/import-from-board',
    [
      {
        methods: ['POST'],
        args: {
          source_board_id: {
            description: 'Number of the board to take from, which the caller must be on.',
            type: 'integer',
            minimum: 1,
            required: true,
          },
          include: { ...WHAT, default: ['stages', 'labels'] },
        },
        permission: permit.managers,
        handle: withBoard(importFrom),
      },
    ],
    BOARD_SCHEMA,
  ),
];

function duplicate(request: BoardRequest, source: Board): Answer {
  const { state, params } = request;
  const board = addBoard(
    state,
    {
      title: params.string('title', '').trim() || `${source.title.slice(0, 193)} (copy)`,
      kind: source.kind,
      description: source.description,
      currency: source.currency,
      color: source.background.color,
    },
    request,
  );
  board.background = source.background;
  copyBoard(request, source, board, wantedParts(request));
  return ok(showWholeBoard(request, board));
}

function importFrom(request: BoardRequest, board: Board): Answer {
  const { state, user, params } = request;
  const source = findBoard(state, params.integer('source_board_id'));
  // What the caller cannot see does not exist for them.
  if (isRefusal(source) || !canSee(user, source)) {
    return invalid('source_board_id', 'There is no such board.');
  }
  if (!isMember(user, source)) return invalid('source_board_id', 'You are not on that board.');
  if (source.id === board.id) return invalid('source_board_id', 'A board cannot take from itself.');
  copyBoard(request, source, board, wantedParts(request));
  record(
    state,
    {
      boardId: board.id,
      action: 'imported',
      subject: 'board',
      text: `imported from the board “${source.title}”`,
      oldValue: null,
      newValue: source.title,
    },
    request,
  );
  return ok(showWholeBoard(request, board));
}

function wantedParts({ params }: BoardRequest): Parts {
  const wanted = new Set(choices(params, 'include', PARTS));
  return {
    stages: wanted.has('stages') || wanted.has('tasks'),
    labels: wanted.has('labels'),
    tasks: wanted.has('tasks'),
    members: wanted.has('members'),
  };
}
