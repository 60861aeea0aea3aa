import { ok } from '../../site/responses.ts';
import type { Board } from '../model/index.ts';
import { deleteBoardRecords, parseInstant, removeId, toTimestamp, userSettings } from '../model/index.ts';
import type { BoardPermission, BoardRequest, BoardRoute } from '../rest/index.ts';
import { enumParam, invalidArgument, permit, responseSchema, schema } from '../rest/index.ts';
import { BOARD_DESCRIPTION_ARG, BOARD_TITLE_ARG, CURRENCY_ARG } from './args.ts';
import { BOARD_PROPERTIES, type BoardProperty, changeBoardProperty, checkBoardProperty } from './changes.ts';
import { boardResource, detailedBoardResource } from './resource.ts';

/** Reading, changing and deleting one board. */
export const boardItemRoutes: readonly BoardRoute[] = [
  detailedBoardResource.route('/projects/{board_id:int}', {
    GET: {
      handleItem(request, board) {
        remember(request, board);
        return ok(detailedBoardResource.show(request, board));
      },
    },
    PUT: {
      args: {
        title: BOARD_TITLE_ARG,
        description: BOARD_DESCRIPTION_ARG,
        currency: CURRENCY_ARG,
        color: schema.color('Colour behind the board: `#4c6ef5`. Takes the place of a picture.'),
      },
      change(request, board) {
        const values = BOARD_PROPERTIES.flatMap((name): [BoardProperty, string][] => {
          const value = request.params.string(name);
          return value === undefined ? [] : [[name, value]];
        });
        for (const [name, value] of values) {
          const error = checkBoardProperty(name, value, name);
          if (error !== undefined) return error;
        }
        for (const [name, value] of values) {
          const entry = changeBoardProperty(board, name, value);
          if (entry !== undefined) boardResource.logChange(request, board, entry);
        }
        return undefined;
      },
    },
    DELETE: {
      allowsArchivedBoard: true,
      handleItem(request, board) {
        const previous = boardResource.show(request, board);
        deleteBoardRecords(request.state, board.id);
        return ok({ deleted: true, previous });
      },
    },
  }),
  boardResource.get('/projects/{board_id:int}/has-data-changed', {
    schema: responseSchema('board-change', 'Whether a board has changed, for callers that keep a copy.', {
      changed: schema.boolean('Whether anything on it changed since.'),
      updated_at: schema.dateTime('When it last changed, to the millisecond. Send it as the next `since`.'),
    }),
    args: {
      since: schema.dateTime('When the caller last looked: `2026-03-02T09:00:00Z`.', { required: true }),
    },
    permission: permit.viewers,
    handleItem({ params }, { changedAt }) {
      const since = parseInstant(params.string('since', ''));
      return since === undefined
        ? invalidArgument('since', 'since is not a moment of the calendar.')
        : ok({ changed: changedAt > since, updated_at: new Date(changedAt).toISOString() });
    },
  }),
  boardResource.put('/projects/{board_id:int}/update-board-properties', {
    args: {
      property: schema.enumeration('Which property.', BOARD_PROPERTIES, { required: true }),
      value: schema.string('What it becomes.', { required: true, maxLength: 5000 }),
    },
    change({ params }, board) {
      const property = enumParam(params, 'property', BOARD_PROPERTIES) ?? 'title';
      const value = params.string('value', '');
      return checkBoardProperty(property, value, 'value') ?? changeBoardProperty(board, property, value);
    },
  }),
];

/** Moves a board to the front of those that the client has viewed. */
function remember({ state, user }: BoardRequest, board: Board): void {
  if (user === null) return;
  const { recentBoards } = userSettings(state, user.id);
  removeId(recentBoards, board.id);
  recentBoards.unshift(board.id);
  recentBoards.splice(10);
}

/** Users with an account who may read the board: pins belong to a user. */
const pinners: BoardPermission = (request) => permit.signedIn(request) ?? permit.viewers(request);

/** Pinning a board for oneself; pinning twice changes nothing. */
export const pinRoutes: readonly BoardRoute[] = [
  boardResource.put('/projects/{board_id:str}/pin-board', {
    permission: pinners,
    allowsArchivedBoard: true,
    change({ state, user }, board) {
      const { pinnedBoards } = userSettings(state, user?.id ?? 0);
      if (!pinnedBoards.includes(board.id)) pinnedBoards.unshift(board.id);
      return undefined;
    },
  }),
  boardResource.put('/projects/{board_id:str}/unpin-board', {
    permission: pinners,
    allowsArchivedBoard: true,
    change({ state, user }, board) {
      removeId(userSettings(state, user?.id ?? 0).pinnedBoards, board.id);
      return undefined;
    },
  }),
];

/** Archiving hides a board from lists and from clients who are not members; archiving twice changes nothing. */
export const boardArchiveRoutes: readonly BoardRoute[] = [
  boardResource.put('/projects/{board_id:int}/archive-board', {
    allowsArchivedBoard: true,
    change({ now }, board) {
      if (board.archivedAt !== null) return undefined;
      board.archivedAt = toTimestamp(now);
      return { action: 'archived', text: `archived the board “${board.title}”` };
    },
  }),
  boardResource.put('/projects/{board_id:int}/restore-board', {
    allowsArchivedBoard: true,
    change(_request, board) {
      if (board.archivedAt === null) return undefined;
      board.archivedAt = null;
      return { action: 'restored', text: `restored the board “${board.title}”` };
    },
  }),
];
