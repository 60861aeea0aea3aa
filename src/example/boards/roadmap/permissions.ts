import { forbid, refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { findComment } from '../comments/changes.ts';
import type { RoadmapSettings } from '../model/settings.ts';
import { findBoard, isRefusal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { type Permission, permit, refusalOn } from '../rest/permissions.ts';
import type { BoardRequest } from '../rest/route.ts';
import { whileOn } from '../tasks/permissions.ts';

/** Who may see the roadmap: everybody where its public access is on. */
export const readers: Permission = whileOn('roadmaps', permit.viewers);

export const roadmapManagers: Permission = whileOn('roadmaps', permit.managers);

/** Users who may see the roadmap, while its settings let them; null asks for no setting. */
export function participants(
  setting: keyof RoadmapSettings | null,
  boardOf: (request: BoardRequest) => Board | SiteError,
): Permission {
  return whileOn('roadmaps', (request) => {
    const { state, user } = request;
    const board = boardOf(request);
    if (user === null) return forbid(user, 'rest_not_logged_in', 'You are not currently logged in.');
    if (isRefusal(board)) return board;
    const refused = refusalOn(user, board, 'see');
    if (refused !== undefined) return refused;
    return setting === null || state.settings.roadmap[setting]
      ? undefined
      : refuse(403, 'roadmap_closed', 'Sorry, the roadmap does not take that at the moment.');
  });
}

/** The board of the path. */
export function boardOfPath({ state, params }: BoardRequest): Board | SiteError {
  return findBoard(state, params.string('board_id'));
}

/** The board of the idea that the path names. */
export function boardOfIdea({ state, params }: BoardRequest): Board | SiteError {
  const idea = state.tasks.get(params.integer('idea_id', 0));
  return idea?.type === 'idea'
    ? findBoard(state, idea.boardId)
    : refuse(404, 'idea_not_found', 'There is no such idea.');
}

/** The board of the comment that the path names. */
export function boardOfComment({ state, params }: BoardRequest): Board | SiteError {
  const comment = findComment(state, params.integer('comment_id'));
  if (isRefusal(comment)) return comment;
  return state.tasks.get(comment.taskId)?.type === 'idea'
    ? findBoard(state, comment.boardId)
    : refuse(404, 'comment_not_found', 'There is no such comment on an idea.');
}
