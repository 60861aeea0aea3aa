import type { Json, JsonObject } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { isSiteError, ok, restError } from '../../rest-server/responses.ts';
import { countBy } from './counts.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createView,
  enumParam,
  findBoardOfPath,
  type HandlerResult,
  type ItemView,
  invalidArgument,
  permit,
  refuseConflict,
} from './resource.ts';
import {
  allTasksOnBoard,
  type Board,
  type BoardState,
  type Contact,
  findUser,
  findUserName,
  type Member,
  type MemberRole,
  recordActivity,
  removeId,
  toTimestamp,
} from './state.ts';

export function showPerson(state: BoardState, userId: number | null): JsonObject | null {
  if (userId === null) return null;
  const user = state.users.find(({ id }) => id === userId);
  return { id: userId, name: user?.name ?? 'A former member' };
}

const MEMBER_ROLES: readonly MemberRole[] = ['manager', 'member', 'viewer'];

export const memberView: ItemView<Member> = createView<Member, BoardRequest>(
  'board-user',
  (request) => request,
  { id: ({ userId }) => userId, name: ({ userId }, { state }) => showPerson(state, userId)?.['name'] ?? '' },
);

/** The members of a board, which its managers change. */
const memberResource: BoardResource<Member, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ params }, board) =>
    board.members.find(({ userId }) => userId === params.integer('user_id', 0)) ??
    restError(404, 'member_not_found', 'This user is not on the board.'),
  createPresenter: memberView.createPresenter,
});

/** The members of a board and their roles. */
export const memberOperations: BoardOperations = {
  'GET /projects/{board_id:str}/users': memberResource.listAll(({ params }, board) => {
    const requested = params.string('role');
    return board.members.filter(({ role }) => requested === undefined || role === requested);
  }),
  'POST /projects/{board_id:int}/user/{user_id:int}/remove': {
    // Every member may leave.
    permission: (request) =>
      request.params.integer('user_id') === request.user?.id
        ? permit.anyMember(request)
        : permit.managers(request),
    handle: memberResource.withItem((request, member, board) => {
      const { state } = request;
      const { userId: id } = member;
      const managers = board.members.filter(({ role }) => role === 'manager');
      if (member.role === 'manager' && managers.length === 1) return createLastManagerError();
      board.members.splice(board.members.indexOf(member), 1);
      for (const task of allTasksOnBoard(state, board.id)) removeId(task.assignees, id);
      for (const stage of state.stages.values()) {
        if (stage.boardId === board.id) removeId(stage.defaultAssignees, id);
      }
      const text = `removed ${findUserName(state, id)}`;
      recordActivity(state, { boardId: board.id, action: 'removed', subject: 'member', text }, request);
      return ok({ removed: true, user: showPerson(state, id) });
    }),
  },
  'POST /projects/{board_id:str}/add-members': memberResource.withParents(addMembers),
  'GET /projects/{board_id:int}/assignees': memberResource.withParents(({ state }, board) => {
    const open = allTasksOnBoard(state, board.id).filter(
      ({ archivedAt, status }) => archivedAt === null && status === 'open',
    );
    const counts = new Map(
      countBy(
        open.flatMap(({ assignees }) => assignees),
        (id) => id,
      ),
    );
    return ok(
      board.members.map(
        ({ userId }): Json => ({
          ...showPerson(state, userId),
          open_task_count: counts.get(userId) ?? 0,
        }),
      ),
    );
  }),
};

function addMembers(request: BoardRequest, board: Board): HandlerResult {
  const { state, params, now } = request;
  const ids = [...new Set(params.integers('user_ids'))];
  const role = enumParam(params, 'role', MEMBER_ROLES) ?? 'member';
  const unknown = ids.find((id) => isSiteError(findUser(state, id)));
  if (unknown !== undefined) {
    return invalidArgument('user_ids', `There is no user ${unknown} on this site.`);
  }
  const managers = board.members.filter((member) => member.role === 'manager');
  if (role !== 'manager' && managers.every(({ userId }) => ids.includes(userId)))
    return createLastManagerError();
  for (const id of ids) {
    const member = board.members.find(({ userId }) => userId === id);
    if (member?.role === role) continue;
    const name = findUserName(state, id);
    recordActivity(
      state,
      {
        boardId: board.id,
        action: member === undefined ? 'added' : 'updated',
        subject: 'member',
        text: member === undefined ? `added ${name}` : `made ${name} a ${role}`,
        oldValue: member?.role ?? null,
        newValue: role,
      },
      request,
    );
    if (member === undefined) board.members.push({ userId: id, role, joinedAt: toTimestamp(now) });
    else member.role = role;
  }
  return ok({ members: board.members.map(memberView.createPresenter(request)) });
}

function createLastManagerError(): HandlerResult {
  return refuseConflict('last_manager', 'A board needs a manager: make somebody else one first.');
}

/** Finds the contact whose number is in the parameter `name`. It need not be linked to a board. */
export function findContact({ state, params }: BoardRequest, name: string): Contact | SiteError {
  return (
    state.contacts.get(params.integer(name, 0)) ??
    restError(404, 'contact_not_found', 'There is no such contact.')
  );
}

const contactResource = new BoardResource({
  findParents: findBoardOfPath,
  findItem({ state, params }, board) {
    const contact = state.contacts.get(params.integer('contact_id', 0));
    return contact !== undefined && board.contactIds.includes(contact.id)
      ? contact
      : restError(404, 'contact_not_found', 'There is no such contact on this board.');
  },
  createPresenter:
    () =>
    ({ id, name, email, company }) => ({ id, name, email, company }),
});

/** Contacts that are linked to a board. */
export const contactOperations: BoardOperations = {
  'POST /projects/{board_id:int}/crm-contact': contactResource.create(
    '/projects/{board_id}/crm-contacts',
    (request, board) => {
      const contact = request.state.contacts.get(request.params.integer('contact_id', 0));
      if (contact === undefined) return invalidArgument('contact_id', 'There is no such contact.');
      if (board.contactIds.includes(contact.id)) {
        return refuseConflict('contact_exists', 'The contact belongs to this board already.');
      }
      board.contactIds.push(contact.id);
      logContact(request, board, 'added', contact);
      return contact;
    },
  ),
  'GET /projects/{board_id:int}/crm-contacts': contactResource.listPage(({ state }, board) =>
    board.contactIds.flatMap((id) => state.contacts.get(id) ?? []),
  ),
  'DELETE /projects/{board_id:int}/crm-contact/{contact_id:int}': contactResource.remove(
    (request, contact, board) => {
      removeId(board.contactIds, contact.id);
      logContact(request, board, 'removed', contact);
      return undefined;
    },
  ),
};

function logContact(
  request: BoardRequest,
  { id }: Board,
  action: 'added' | 'removed',
  { name }: Contact,
): void {
  const text = `${action} the contact ${name}`;
  recordActivity(request.state, { boardId: id, action, subject: 'contact', text }, request);
}
