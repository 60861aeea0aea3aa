import type { Json } from '../../../base/json.ts';
import type { SiteUser, UserRole } from '../../rest-server/declarations.ts';
import { hasRole, refuse, refuseUser } from '../../rest-server/responses.ts';
import {
  type Board,
  type BoardRequest,
  type BoardState,
  type Comment,
  type MemberRole,
  type SiteSettings,
  type Task,
  toId,
} from './state.ts';

type BoardRight = 'read' | 'edit' | 'manage';

/** Roles that have a right; administrators of the site have all. */
const ROLES: Readonly<Record<BoardRight, readonly MemberRole[]>> = {
  read: ['manager', 'member', 'viewer'],
  edit: ['manager', 'member'],
  manage: ['manager'],
};

export function roleOnBoard(user: SiteUser | null, board: Board): MemberRole | undefined {
  return board.members.find((member) => member.userId === user?.id)?.role;
}

export function isMemberOrAdmin(user: SiteUser | null, board: Board | undefined): boolean {
  return board !== undefined && (hasRole(user, 'administrator') || roleOnBoard(user, board) !== undefined);
}

export function hasRight(user: SiteUser | null, board: Board, right: BoardRight): boolean {
  if (hasRole(user, 'administrator')) return true;
  const role = roleOnBoard(user, board);
  if (role !== undefined && ROLES[right].includes(role)) return true;
  return right === 'read' && board.isPublic && board.archivedAt === null;
}

export function readableBoards({ boards }: BoardState, user: SiteUser | null): Board[] {
  return boards.where((board) => hasRight(user, board, 'read'));
}

/** Whether the client sees people, private comments and archived tasks of the item's board. */
export function isInside({ state, user }: BoardRequest, { boardId }: { readonly boardId: number }): boolean {
  return isMemberOrAdmin(user, state.boards.get(boardId));
}

export function canReadComment(request: BoardRequest, comment: Comment): boolean {
  return comment.privacy === 'public' || isInside(request, comment);
}

export function canReadTask(request: BoardRequest, task: Task): boolean {
  return task.archivedAt === null || isInside(request, task);
}

export function requireOwner({ user }: BoardRequest, board: Board, ownerId: number): void {
  if (user?.id !== ownerId && !hasRight(user, board, 'manage')) {
    refuseUser(user, 'rest_forbidden', 'Sorry, this belongs to somebody else.');
  }
}

export function findBoardOfIdea({ state, params }: BoardRequest): Board {
  const idea = state.tasks.get(params.integer('idea_id', 0));
  if (idea?.type !== 'idea') return refuse(404, 'idea_not_found', 'There is no such idea.');
  return state.findBoard(idea.boardId);
}

export function findComment({ comments }: BoardState, id: number | undefined): Comment {
  return comments.get(id ?? 0) ?? refuse(404, 'comment_not_found', 'There is no such comment.');
}

export function findBoardOfComment({ state, params }: BoardRequest): Board {
  const { taskId, boardId } = findComment(state, params.integer('comment_id'));
  if (state.tasks.get(taskId)?.type === 'idea') return state.findBoard(boardId);
  return refuse(404, 'comment_not_found', 'There is no such comment on an idea.');
}

/** Refuses with 401 without an account, else with 403. */
export type BoardPermission = (request: BoardRequest) => void;

/** Permission on the board of the path. Its error doesn't reveal whether the board exists. */
function onBoard(isPermitted: (user: SiteUser | null, board: Board) => boolean): BoardPermission {
  return ({ state, user, params }) => {
    const id = params.string('board_id');
    if (user === null && !state.boards.has(toId(id))) refuseUser(user);
    if (!isPermitted(user, state.findBoard(id))) refuseUser(user);
  };
}

function signedIn({ user }: BoardRequest): void {
  if (user === null) refuse(401, 'rest_not_logged_in', 'You are not currently logged in.');
}

/** Permission of users who can read the roadmap, if the setting allows it. */
function onRoadmap(
  setting: keyof SiteSettings['roadmap'] | null,
  findParent: (request: BoardRequest) => Board,
): BoardPermission {
  return (request) => {
    const { state, user } = request;
    requireFeature(request, 'roadmaps');
    if (user === null) refuseUser(user, 'rest_not_logged_in', 'You are not currently logged in.');
    if (!hasRight(user, findParent(request), 'read')) refuseUser(user);
    if (setting !== null && !state.settings.roadmap[setting]) {
      refuse(403, 'roadmap_closed', 'Sorry, the roadmap does not take that at the moment.');
    }
  };
}

const findBoardOfPath = ({ state, params }: BoardRequest): Board =>
  state.findBoard(params.string('board_id'));

const CREATORS: Readonly<Record<string, UserRole>> = { editors: 'editor', everyone: 'subscriber' };

const viewers = onBoard((user, board) => hasRight(user, board, 'read'));

const anyMember = onBoard(isMemberOrAdmin);

const managers = onBoard((user, board) => hasRight(user, board, 'manage'));

const boardCreators: BoardPermission = ({ state, user }) => {
  if (hasRole(user, CREATORS[state.settings.general.board_creators] ?? 'administrator')) return;
  refuseUser(user, 'rest_cannot_create', 'Sorry, you are not allowed to create boards.');
};

export const PERMISSIONS: Readonly<Record<string, BoardPermission>> = {
  everyone: () => undefined,
  viewers,
  anyMember,
  members: onBoard((user, board) => hasRight(user, board, 'edit')),
  managers,
  administrators({ user }) {
    if (!hasRole(user, 'administrator')) refuseUser(user);
  },
  signedIn,
  boardCreators,
  pinners(request) {
    signedIn(request);
    viewers(request);
  },
  duplicators(request) {
    anyMember(request);
    boardCreators(request);
  },
  removers: (request) =>
    request.params.integer('user_id') === request.user?.id ? anyMember(request) : managers(request),
  themselves(request) {
    const { user, params } = request;
    signedIn(request);
    if (!hasRole(user, 'administrator') && params.string('id') !== String(user?.id)) refuseUser(user);
  },
  ideaAuthors: onRoadmap('accept_ideas', findBoardOfPath),
  voters: onRoadmap('allow_votes', findBoardOfIdea),
  ideaCommenters: onRoadmap('allow_comments', findBoardOfPath),
  ideaRepliers: onRoadmap('allow_comments', findBoardOfComment),
  ideaCommentOwners: onRoadmap(null, findBoardOfComment),
};

export function requireFeature({ state }: BoardRequest, feature: Json): void {
  const isOn = Object.entries(state.settings.features).find(([name]) => name === feature)?.[1];
  if (isOn !== true) {
    refuse(403, 'feature_disabled', `The module ${String(feature)} is switched off on this site.`);
  }
}
