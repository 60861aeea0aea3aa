import type { SiteError } from '../../site/declarations.ts';
import { forbiddenError, hasRole, restError } from '../../site/responses.ts';
import type { SiteUser } from '../../site/users.ts';
import type { Board, BoardState, Comment, MemberRole, SiteFeature, Task } from '../model/index.ts';
import { findBoard, isSiteError } from '../model/index.ts';
import type { BoardRequest } from './route.ts';

/** The rights of a user on a board: to read it, to edit its content, to administer it. */
export type BoardRight = 'read' | 'edit' | 'manage';

/** Roles that have a right. Administrators of the site have every right on every board. */
const ROLES: Readonly<Record<BoardRight, readonly MemberRole[]>> = {
  read: ['manager', 'member', 'viewer'],
  edit: ['manager', 'member'],
  manage: ['manager'],
};

export function roleOnBoard(user: SiteUser | null, board: Board): MemberRole | undefined {
  return board.members.find((member) => member.userId === user?.id)?.role;
}

/** Whether a user is a member of a board or an administrator of the site. */
export function isMemberOrAdmin(user: SiteUser | null, board: Board): boolean {
  return hasRole(user, 'administrator') || roleOnBoard(user, board) !== undefined;
}

/** Members may read a board. Everybody may while its public access is on, except an archived board. */
export function canReadBoard(user: SiteUser | null, board: Board): boolean {
  return hasRight(user, board, 'read');
}

export function hasRight(user: SiteUser | null, board: Board, right: BoardRight): boolean {
  if (hasRole(user, 'administrator')) return true;
  const role = roleOnBoard(user, board);
  if (role !== undefined && ROLES[right].includes(role)) return true;
  return right === 'read' && board.publicAccess.enabled && board.archivedAt === null;
}

/** The boards that a user may read, by number. */
export function readableBoards({ boards }: BoardState, user: SiteUser | null): Board[] {
  return [...boards.values()].filter((board) => canReadBoard(user, board));
}

/** Members read every comment; other readers read public ones, if the board shows comments. */
export function canReadComment({ user }: BoardRequest, board: Board, comment: Comment): boolean {
  return isMemberOrAdmin(user, board) || (comment.privacy === 'public' && board.publicAccess.showComments);
}

/** Archived tasks and ideas that await approval are visible to members and to their creator. */
export function canReadTask({ user }: BoardRequest, board: Board, task: Task): boolean {
  return task.archivedAt === null || isMemberOrAdmin(user, board) || task.createdBy === user?.id;
}

/** Whether the client may see assignees and authors of a board. */
export function canReadPeople({ user }: BoardRequest, board: Board): boolean {
  return isMemberOrAdmin(user, board) || board.publicAccess.showAssignees;
}

/** Returns an error for a client without permission: 401 without an account, else 403. */
export type BoardPermission = (request: BoardRequest) => SiteError | undefined;

/** Refuses a client without a right on a board. */
export function requireRight(user: SiteUser | null, board: Board, right: BoardRight): SiteError | undefined {
  return hasRight(user, board, right) ? undefined : forbiddenError(user);
}

/** Permission on the board of the path. A client without an account does not learn whether the board exists. */
function onBoard(right: BoardRight): BoardPermission {
  return ({ state, user, params }) => {
    const board = findBoard(state, params.string('board_id'));
    if (isSiteError(board)) return user === null ? forbiddenError(user) : board;
    return requireRight(user, board, right);
  };
}

const CREATORS = { administrators: 'administrator', editors: 'editor', everyone: 'subscriber' } as const;

/** Every client, with or without an account. */
const everyone: BoardPermission = () => undefined;

/** Clients who may read the board: its members, and everybody while its public access is on. */
const viewers = onBoard('read');

/** Members of the board with any role, for content that public access does not include. */
const anyMember: BoardPermission = (request) => {
  const error = viewers(request);
  if (error !== undefined) return error;
  const board = findBoard(request.state, request.params.string('board_id'));
  return isSiteError(board) || isMemberOrAdmin(request.user, board)
    ? undefined
    : forbiddenError(request.user);
};

/** Members of the board with the role `member` or `manager`. */
const members = onBoard('edit');

/** Managers of the board. */
const managers = onBoard('manage');

/** Administrators of the site. */
const administrators: BoardPermission = ({ user }) =>
  hasRole(user, 'administrator') ? undefined : forbiddenError(user);

/** Users with an account. */
const signedIn: BoardPermission = ({ user }) =>
  user === null ? restError(401, 'rest_not_logged_in', 'You are not currently logged in.') : undefined;

/** Users whom the general settings let create boards. */
const boardCreators: BoardPermission = ({ state, user }) =>
  hasRole(user, CREATORS[state.settings.general.board_creators])
    ? undefined
    : forbiddenError(user, 'rest_cannot_create', 'Sorry, you are not allowed to create boards.');

type PermissionName =
  | 'everyone'
  | 'viewers'
  | 'anyMember'
  | 'members'
  | 'managers'
  | 'administrators'
  | 'signedIn'
  | 'boardCreators';

/** The permissions of endpoints: `permission: permit.members`. */
export const permit: Readonly<Record<PermissionName, BoardPermission>> = {
  everyone,
  viewers,
  anyMember,
  members,
  managers,
  administrators,
  signedIn,
  boardCreators,
};

/** Adds the condition that the administrators have not switched a feature off. */
export function withFeature(feature: SiteFeature, permission: BoardPermission): BoardPermission {
  return (request) =>
    request.state.settings.features[feature]
      ? permission(request)
      : restError(403, 'feature_disabled', `The module ${feature} is switched off on this site.`);
}

/** Refuses everybody but the owner of an item and the managers of its board. */
export function requireOwner({ user }: BoardRequest, board: Board, ownerId: number): SiteError | undefined {
  return user?.id === ownerId || hasRight(user, board, 'manage')
    ? undefined
    : forbiddenError(user, 'rest_forbidden', 'Sorry, this belongs to somebody else.');
}
