import type { JsonObject } from '../../../json.ts';
import { ok, refuse } from '../../site/answers.ts';
import { BOARD_COLORS, CURRENCIES } from '../model/currencies.ts';
import { personal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { isMember, may, permit, visibleBoards } from '../rest/permissions.ts';
import { type BoardEndpoint, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { whileOn } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';
import { KIND } from './args.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard } from './view.ts';

const SHORT_BOARD: JsonObject = answersWhole('short-board', 'A board by name, for menus.', {
  id: { description: 'Number of the board.', type: 'integer' },
  title: { description: 'Name of the board.', type: 'string' },
  type: { description: 'Kind of the board.', type: 'string', enum: ['kanban', 'roadmap'] },
});

const LIMIT: JsonObject = {
  description: 'At most so many.',
  type: 'integer',
  default: 10,
  minimum: 1,
  maximum: 50,
};

/** Lists of boards for one user: each is a way to choose among those that they may see. */
export const boardLists: readonly BoardRoute[] = [
  route(
    '/projects/get-default-board-colors',
    [
      {
        methods: ['GET'],
        permission: permit.signedIn,
        handle: () => ok(BOARD_COLORS.map(([name, value]) => ({ name, value }))),
      },
    ],
    answersWhole('board-color', 'A colour for boards.', {
      name: { description: 'What it is called.', type: 'string' },
      value: { description: 'The colour: `#4c6ef5`.', type: 'string', format: 'hex-color' },
    }),
  ),
  route(
    '/projects/list-of-boards',
    [
      {
        methods: ['GET'],
        args: { type: { ...KIND, description: 'Only boards of one type.' } },
        permission: permit.signedIn,
        handle: (request) => {
          const type = request.params.string('type');
          const mine = activeBoards(request).filter(
            (board) => isMember(request.user, board) && (type === undefined || board.kind === type),
          );
          return ok(mine.map(showShortBoard));
        },
      },
    ],
    SHORT_BOARD,
  ),
  route(
    '/projects/user-accessible-boards',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: permit.signedIn,
        handle: (request) => answerPage(request, activeBoards(request), (board) => showBoard(request, board)),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/currencies',
    [
      {
        methods: ['GET'],
        permission: permit.signedIn,
        handle: () =>
          ok(Object.entries(CURRENCIES).map(([code, [name, sign]]) => ({ code, name, symbol: sign }))),
      },
    ],
    answersWhole('currency', 'A currency for the amounts of a board.', {
      code: { description: 'ISO 4217: `EUR`.', type: 'string' },
      name: { description: 'What it is called.', type: 'string' },
      symbol: { description: 'Its sign: `€`.', type: 'string' },
    }),
  ),
  route(
    '/projects/user-admin-in-boards',
    [
      {
        methods: ['GET'],
        permission: permit.signedIn,
        handle: (request) =>
          ok(
            activeBoards(request)
              .filter((board) => may(request.user, board, 'manage'))
              .map(showShortBoard),
          ),
      },
    ],
    SHORT_BOARD,
  ),
  route(
    '/projects/recent-boards',
    [
      {
        methods: ['GET'],
        args: { limit: LIMIT },
        permission: permit.signedIn,
        handle: chosen('recentBoards'),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/pinned-boards',
    [
      {
        methods: ['GET'],
        args: { limit: LIMIT },
        permission: permit.signedIn,
        handle: chosen('pinnedBoards'),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/crm-associated-boards/{associated_id:int}',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: whileOn('crm', permit.signedIn),
        handle: (request) => {
          const id = request.params.integer('associated_id', 0);
          if (!request.state.contacts.has(id)) {
            return refuse(404, 'contact_not_found', 'There is no such contact.');
          }
          // Whom a board is for is for its members alone.
          const found = activeBoards(request).filter(
            (board) => board.contactIds.includes(id) && isMember(request.user, board),
          );
          return answerPage(request, found, (board) => showBoard(request, board));
        },
      },
    ],
    BOARD_SCHEMA,
  ),
];

function activeBoards({ state, user }: BoardRequest): Board[] {
  return visibleBoards(state, user).filter((board) => board.archivedAt === null);
}

function showShortBoard({ id, title, kind }: Board): JsonObject {
  return { id, title, type: kind };
}

/** Boards that the caller has chosen, in that order, as far as they still may see them. */
function chosen(list: 'recentBoards' | 'pinnedBoards'): BoardEndpoint['handle'] {
  return (request) => {
    const visible = new Map(activeBoards(request).map((board) => [board.id, board]));
    const ids = request.user === null ? [] : personal(request.state, request.user.id)[list];
    const found = ids.flatMap((id) => visible.get(id) ?? []);
    return ok(found.slice(0, request.params.integer('limit', 10)).map((board) => showBoard(request, board)));
  };
}
