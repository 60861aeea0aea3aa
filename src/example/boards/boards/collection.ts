import { created } from '../../site/answers.ts';
import type { Board } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit, visibleBoards } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { CURRENCY, color, DESCRIPTION, KIND, STAGE_TITLES, TITLE } from './args.ts';
import { addBoard, addUsualLabels, addUsualStages } from './create.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard, showWholeBoard } from './view.ts';

const ORDERS = ['updated_at', 'created_at', 'title'] as const;

/** Listing boards, and making one. */
export const boards: BoardRoute = route(
  '/projects',
  [
    {
      methods: ['GET'],
      args: {
        ...PAGING,
        search: { description: 'Words of the title or the description.', type: 'string', maxLength: 200 },
        type: { ...KIND, description: 'Only boards of one type.' },
        status: {
          description: 'Whether archived boards are listed, or they alone.',
          type: 'string',
          enum: ['active', 'archived', 'all'],
          default: 'active',
        },
        folder_id: { description: 'Only boards in a folder.', type: 'integer', minimum: 1 },
        orderby: {
          description: 'What they are sorted by.',
          type: 'string',
          enum: ORDERS,
          default: 'updated_at',
        },
        order: { description: 'Direction.', type: 'string', enum: ['asc', 'desc'], default: 'desc' },
      },
      handle: (request) => answerPage(request, wantedBoards(request), (board) => showBoard(request, board)),
    },
    {
      methods: ['POST'],
      args: {
        title: { ...TITLE, required: true },
        description: { ...DESCRIPTION, default: '' },
        type: { ...KIND, default: 'kanban' },
        currency: {
          ...CURRENCY,
          description: 'Currency of its amounts. Absent: the one of the general settings.',
        },
        color: color('Colour behind the board: `#4c6ef5`.'),
        stages: STAGE_TITLES,
        folder_id: { description: 'Folder to put it into.', type: 'integer', minimum: 1 },
      },
      permission: permit.boardCreators,
      handle: createBoard,
    },
  ],
  BOARD_SCHEMA,
);

function createBoard(request: BoardRequest): Answer {
  const { state, params } = request;
  const title = params.string('title', '').trim();
  if (title === '') return invalid('title', 'A board needs a title.');
  const folder = state.folders.get(params.integer('folder_id', 0));
  if (params.has('folder_id') && folder === undefined) {
    return invalid('folder_id', 'There is no such folder.');
  }
  const board = addBoard(
    state,
    {
      title,
      kind: choice(params, 'type', ['kanban', 'roadmap']) ?? 'kanban',
      description: params.string('description'),
      currency: params.string('currency'),
      color: params.string('color'),
    },
    request,
  );
  addUsualStages(state, board, params.strings('stages'));
  addUsualLabels(state, board);
  folder?.boardIds.push(board.id);
  return created(showWholeBoard(request, board), request.link(`/boards/v2/projects/${board.id}`));
}

/** Those that the caller may see and asked for, in order. */
function wantedBoards({ state, user, params }: BoardRequest): Board[] {
  const words = params.string('search', '').toLowerCase().split(/\s+/);
  const type = params.string('type');
  const status = params.string('status', 'active');
  const folder = params.integer('folder_id');
  const inFolder = folder === undefined ? undefined : (state.folders.get(folder)?.boardIds ?? []);
  const found = visibleBoards(state, user).filter((board) => {
    const text = `${board.title} ${board.description}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (type === undefined || board.kind === type) &&
      (status === 'all' || (board.archivedAt === null) === (status === 'active')) &&
      (inFolder?.includes(board.id) ?? true)
    );
  });
  const key = KEYS[choice(params, 'orderby', ORDERS) ?? 'updated_at'];
  const sign = params.string('order') === 'asc' ? 1 : -1;
  return found.sort((one, other) => sign * compare(key(one), key(other)) || one.id - other.id);
}

const KEYS: Readonly<Record<(typeof ORDERS)[number], (board: Board) => string>> = {
  updated_at: (board) => board.updatedAt,
  created_at: (board) => board.createdAt,
  title: (board) => board.title.toLowerCase(),
};

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
