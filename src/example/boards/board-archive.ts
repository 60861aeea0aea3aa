import { ok } from '../site/answers.ts';
import { permit } from './access.ts';
import { BOARD_SCHEMA } from './board-schema.ts';
import { showBoard } from './board-view.ts';
import { conflict } from './refusals.ts';
import { type BoardRoute, route, withBoard } from './routes.ts';
import { moment, record } from './state.ts';

/** Hiding a board from lists and strangers, and bringing it back. Its members can still open it. */
export const boardArchive: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/archive-board',
    [
      {
        methods: ['PUT'],
        permission: permit.managers,
        handle: withBoard((request, board) => {
          if (board.archivedAt !== null) return conflict('board_archived', 'The board is archived already.');
          board.archivedAt = moment(request.now);
          const text = `archived the board “${board.title}”`;
          record(request.state, { boardId: board.id, action: 'archived', subject: 'board', text }, request);
          return ok(showBoard(request, board));
        }),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/restore-board',
    [
      {
        methods: ['PUT'],
        permission: permit.managers,
        handle: withBoard((request, board) => {
          if (board.archivedAt === null) return conflict('board_not_archived', 'The board is not archived.');
          board.archivedAt = null;
          const text = `restored the board “${board.title}”`;
          record(request.state, { boardId: board.id, action: 'restored', subject: 'board', text }, request);
          return ok(showBoard(request, board));
        }),
      },
    ],
    BOARD_SCHEMA,
  ),
];
