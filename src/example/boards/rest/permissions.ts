import { forbid, hasRole, refuse } from '../../site/answers.ts';
import type { SiteError, SiteRequest } from '../../site/declare.ts';
import type { User } from '../../site/users.ts';
import { findBoard, isRefusal } from '../model/state.ts';
import type { Board, BoardState, MemberRole } from '../model/types.ts';

/** What someone may do on a board: look at it, work on it, run it. */
export type Right = 'see' | 'work' | 'manage';

/** Who has it by being a member. Administrators of the site have every right on every board. */
const ROLES: Readonly<Record<Right, readonly MemberRole[]>> = {
  see: ['manager', 'member', 'viewer'],
  work: ['manager', 'member'],
  manage: ['manager'],
};

export function roleOn(user: User | null, board: Board): MemberRole | undefined {
  return board.members.find((member) => member.userId === user?.id)?.role;
}

export function isMember(user: User | null, board: Board): boolean {
  return hasRole(user, 'administrator') || roleOn(user, board) !== undefined;
}

/** A board is for its members, unless its public access is on; archived ones are never public. */
export function canSee(user: User | null, board: Board): boolean {
  return may(user, board, 'see');
}

export function may(user: User | null, board: Board, right: Right): boolean {
  if (hasRole(user, 'administrator')) return true;
  const role = roleOn(user, board);
  if (role !== undefined && ROLES[right].includes(role)) return true;
  return right === 'see' && board.publicAccess.enabled && board.archivedAt === null;
}

/** 401 for anybody, 403 for a user without the right; undefined for who has it. */
export function refusalOn(user: User | null, board: Board, right: Right): SiteError | undefined {
  return may(user, board, right) ? undefined : forbid(user);
}

/** The boards that someone may see, by number. */
export function visibleBoards(state: BoardState, user: User | null): Board[] {
  return [...state.boards.values()].filter((board) => canSee(user, board));
}

export type Permission = (request: SiteRequest<BoardState>) => SiteError | undefined;

/** On the path's `board_id`. Strangers are told nothing of boards that do not exist. */
function onBoard(right: Right): Permission {
  return ({ state, user, params }) => {
    const board = findBoard(state, params.string('board_id'));
    if (isRefusal(board)) return user === null ? forbid(user) : board;
    return refusalOn(user, board, right);
  };
}

/** The permissions of every route: `permission: permit.members`. */
export const permit: {
  /** Anyone who may see the board: its members, everybody where its public access is on. */
  readonly viewers: Permission;
  /** Members and managers of the board. */
  readonly members: Permission;
  /** Managers of the board. */
  readonly managers: Permission;
  /** Administrators of the site. */
  readonly administrators: Permission;
  /** Any user. */
  readonly signedIn: Permission;
  /** Those whom the general settings let create boards. */
  readonly boardCreators: Permission;
} = {
  viewers: onBoard('see'),
  members: onBoard('work'),
  managers: onBoard('manage'),
  administrators: ({ user }) => (hasRole(user, 'administrator') ? undefined : forbid(user)),
  signedIn: ({ user }) =>
    user === null ? refuse(401, 'rest_not_logged_in', 'You are not currently logged in.') : undefined,
  boardCreators: ({ state, user }) =>
    hasRole(user, CREATORS[state.settings.general.board_creators])
      ? undefined
      : forbid(user, 'rest_cannot_create', 'Sorry, you are not allowed to create boards.'),
};

const CREATORS = { administrators: 'administrator', editors: 'editor', everyone: 'subscriber' } as const;
