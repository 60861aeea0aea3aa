import { ok } from '../../site/answers.ts';
import { moment, record } from '../model/state.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRoute, route, withBoard } from '../rest/route.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard } from './view.ts';

/** Hiding a board from lists and strangers, and bringing it back; its members can still open it. Either may be asked twice. */
export const boardArchive: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/archive-board',
    [
      {
        methods: ['PUT'],
        permission: permit.managers,
        handle: withBoard((request, board) => {
          if (board.archivedAt !== null) return ok(showBoard(request, board));
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
          if (board.archivedAt === null) return ok(showBoard(request, board));
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
