import { ok } from '../../site/answers.ts';
import { removeFrom } from '../model/removal.ts';
import { personal } from '../model/state.ts';
import { type Permission, permit } from '../rest/permissions.ts';
import { type BoardEndpoint, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard } from './view.ts';

/** Users who see the board: pins are a user's own. */
const watchers: Permission = (request) => permit.signedIn(request) ?? permit.viewers(request);

/** Pinning a board for oneself, which may be asked twice. */
export const pins: readonly BoardRoute[] = [
  route('/projects/{board_id:str}/pin-board', [endpoint(true)], BOARD_SCHEMA),
  route('/projects/{board_id:str}/unpin-board', [endpoint(false)], BOARD_SCHEMA),
];

function endpoint(isPinned: boolean): BoardEndpoint {
  return {
    methods: ['PUT'],
    permission: watchers,
    handle: withBoard((request, board) => {
      const { pinnedBoards } = personal(request.state, request.user?.id ?? 0);
      if (!isPinned) removeFrom(pinnedBoards, board.id);
      else if (!pinnedBoards.includes(board.id)) pinnedBoards.unshift(board.id);
      return ok(showBoard(request, board));
    }),
  };
}
