import { ok } from '../../site/responses.ts';
import { findContact } from '../contacts/routes.ts';
import { BOARD_COLORS, type Board, CURRENCIES, isSiteError, userSettings } from '../model/index.ts';
import type { BoardRequest, BoardRoute, ResourceOperation } from '../rest/index.ts';
import {
  createResource,
  hasRight,
  isMemberOrAdmin,
  PAGING_ARGS,
  permit,
  readableBoards,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { BOARD_KIND_ARG, BOARD_KINDS } from './args.ts';
import { boardResource } from './resource.ts';

/** Boards by name, for menus. */
const shortBoardResource = createResource<Board, readonly []>({
  ...boardResource,
  schema: responseSchema('short-board', 'A board by name, for menus.', {
    id: schema.integer('Number of the board.'),
    title: schema.string('Name of the board.'),
    type: schema.enumeration('Kind of the board.', BOARD_KINDS),
  }),
  createPresenter:
    () =>
    ({ id, title, kind }) => ({ id, title, type: kind }),
});

/** Lists of boards, each a selection from those that the client may read, and values to choose for a board. */
export const boardListRoutes: readonly BoardRoute[] = [
  boardResource.get('/projects/get-default-board-colors', {
    schema: responseSchema('board-color', 'A colour for boards.', {
      name: schema.string('What it is called.'),
      value: schema.color('The colour: `#4c6ef5`.'),
    }),
    handleCollection: () => ok(BOARD_COLORS.map(([name, value]) => ({ name, value }))),
  }),
  shortBoardResource.get('/projects/list-of-boards', {
    args: { type: { ...BOARD_KIND_ARG, description: 'Only boards of one type.' } },
    listAll(request) {
      const type = request.params.string('type');
      return activeBoards(request).filter(
        (board) => isMemberOrAdmin(request.user, board) && (type === undefined || board.kind === type),
      );
    },
  }),
  boardResource.get('/projects/user-accessible-boards', { args: PAGING_ARGS, listPaged: activeBoards }),
  boardResource.get('/projects/currencies', {
    schema: responseSchema('currency', 'A currency for the amounts of a board.', {
      code: schema.string('ISO 4217: `EUR`.'),
      name: schema.string('What it is called.'),
      symbol: schema.string('Its sign: `€`.'),
    }),
    handleCollection: () =>
      ok(Object.entries(CURRENCIES).map(([code, [name, symbol]]) => ({ code, name, symbol }))),
  }),
  shortBoardResource.get('/projects/user-admin-in-boards', {
    listAll: (request) => activeBoards(request).filter((board) => hasRight(request.user, board, 'manage')),
  }),
  boardResource.get('/projects/recent-boards', listUserBoards('recentBoards')),
  boardResource.get('/projects/pinned-boards', listUserBoards('pinnedBoards')),
  boardResource.get('/projects/crm-associated-boards/{associated_id:int}', {
    args: PAGING_ARGS,
    permission: withFeature('crm', permit.signedIn),
    listPaged(request) {
      const contact = findContact(request, 'associated_id');
      if (isSiteError(contact)) return contact;
      // Only members may learn which contacts are linked to a board.
      return activeBoards(request).filter(
        (board) => board.contactIds.includes(contact.id) && isMemberOrAdmin(request.user, board),
      );
    },
  }),
];

function activeBoards({ state, user }: BoardRequest): Board[] {
  return readableBoards(state, user).filter((board) => board.archivedAt === null);
}

/** An operation that lists the boards of a user setting in its order, without boards that the client can no longer read. */
function listUserBoards(name: 'recentBoards' | 'pinnedBoards'): ResourceOperation<Board, readonly []> {
  return {
    args: { limit: schema.integer('At most so many.', { default: 10, minimum: 1, maximum: 50 }) },
    listAll(request) {
      const active = new Map(activeBoards(request).map((board) => [board.id, board]));
      const ids = request.user === null ? [] : userSettings(request.state, request.user.id)[name];
      return ids.flatMap((id) => active.get(id) ?? []).slice(0, request.params.integer('limit', 10));
    },
  };
}
