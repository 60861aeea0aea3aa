import { forbid, refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import type { Feature } from '../model/settings.ts';
import { findBoard, isRefusal } from '../model/state.ts';
import type { Board, Task } from '../model/types.ts';
import { isMember, may, type Permission, permit } from '../rest/permissions.ts';
import { type Answer, type BoardEndpoint, type BoardRequest, withTask } from '../rest/route.ts';
import { maySeeTask } from './view.ts';

/** Members of any role: what is not for the public, however open the board. */
export const insiders: Permission = (request) => {
  const refused = permit.viewers(request);
  if (refused !== undefined) return refused;
  const board = findBoard(request.state, request.params.string('board_id'));
  return isRefusal(board) || isMember(request.user, board) ? undefined : forbid(request.user);
};

/** Those who have a right, while an administrator leaves the module on. */
export function whileOn(feature: Feature, permission: Permission): Permission {
  return (request) =>
    request.state.settings.features[feature]
      ? permission(request)
      : refuse(403, 'feature_disabled', `The module ${feature} is switched off on this site.`);
}

/** Only who wrote something, and managers of its board. */
export function ownedBy(ownerId: number, { user }: BoardRequest, board: Board): SiteError | undefined {
  return user?.id === ownerId || may(user, board, 'manage')
    ? undefined
    : forbid(user, 'rest_forbidden', 'Sorry, this belongs to somebody else.');
}

/** The path's task, where the caller may see it: strangers are not told of archived ones. */
export function withVisibleTask(
  handle: (request: BoardRequest, task: Task, board: Board) => Answer,
): BoardEndpoint['handle'] {
  return withTask((request, task, board) =>
    maySeeTask(request, board, task)
      ? handle(request, task, board)
      : refuse(404, 'task_not_found', 'There is no such task on this board.'),
  );
}
