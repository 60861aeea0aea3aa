import type { SiteError } from '../../site/declarations.ts';
import { forbiddenError, restError } from '../../site/responses.ts';
import { findComment } from '../comments/changes.ts';
import { type Board, findBoard, isSiteError, type RoadmapSettings } from '../model/index.ts';
import type { BoardPermission, BoardRequest } from '../rest/index.ts';
import { findBoardOfPath, requireRight, withFeature } from '../rest/index.ts';

/** Finds the board to which a path leads. */
export type BoardFinder = (request: BoardRequest) => readonly [Board] | SiteError;

/**
 * Permission of users who may read the roadmap, while a setting of the roadmaps allows it.
 *
 * @param setting `null` when no setting forbids the operation
 */
export function permitRoadmapUsers(
  setting: keyof RoadmapSettings | null,
  findParent: BoardFinder,
): BoardPermission {
  return withFeature('roadmaps', (request) => {
    const { state, user } = request;
    const found = findParent(request);
    if (user === null) return forbiddenError(user, 'rest_not_logged_in', 'You are not currently logged in.');
    if (isSiteError(found)) return found;
    const error = requireRight(user, found[0], 'read');
    if (error !== undefined) return error;
    return setting === null || state.settings.roadmap[setting]
      ? undefined
      : restError(403, 'roadmap_closed', 'Sorry, the roadmap does not take that at the moment.');
  });
}

/** The board of the path, which must be a roadmap. */
export const findRoadmapOfPath: BoardFinder = (request) => {
  const found = findBoardOfPath(request);
  if (isSiteError(found)) return found;
  return found[0].kind === 'roadmap'
    ? found
    : restError(404, 'roadmap_not_found', 'This board is no roadmap.');
};

/** The board of the idea of the path. */
export const findBoardOfIdea: BoardFinder = ({ state, params }) => {
  const idea = state.tasks.get(params.integer('idea_id', 0));
  return idea?.type === 'idea'
    ? toParents(findBoard(state, idea.boardId))
    : restError(404, 'idea_not_found', 'There is no such idea.');
};

/** The board of the comment of the path, which must be on an idea. */
export const findBoardOfComment: BoardFinder = ({ state, params }) => {
  const comment = findComment(state, params.integer('comment_id'));
  if (isSiteError(comment)) return comment;
  return state.tasks.get(comment.taskId)?.type === 'idea'
    ? toParents(findBoard(state, comment.boardId))
    : restError(404, 'comment_not_found', 'There is no such comment on an idea.');
};

function toParents(board: Board | SiteError): readonly [Board] | SiteError {
  return isSiteError(board) ? board : [board];
}
