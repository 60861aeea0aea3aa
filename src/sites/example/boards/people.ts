import { ok, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import {
  BoardResource,
  createView,
  enumParam,
  findBoardOfPath,
  findForArgument,
  refuseArgument,
} from './resource.ts';
import {
  type Board,
  type BoardRequest,
  type Contact,
  type Member,
  type MemberRole,
  removeId,
  toTimestamp,
} from './state.ts';

const MEMBER_ROLES: readonly MemberRole[] = ['manager', 'member', 'viewer'];

export const memberResource: BoardResource<Member, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ params }, board) =>
    board.members.find(({ userId }) => userId === params.integer('user_id', 0)) ??
    refuse(404, 'member_not_found', 'This user is not on the board.'),
  show: createView<Member>('board-user', {
    id: ({ userId }) => userId,
    name: ({ userId }, { state }) => state.showPerson(userId)?.['name'] ?? '',
  }),
});

/** Refuses a change that leaves no manager. */
function requireOtherManager({ members }: Board, changed: readonly number[]): void {
  if (members.every(({ role, userId }) => role !== 'manager' || changed.includes(userId))) {
    refuse(409, 'last_manager', 'A board needs a manager: make somebody else one first.');
  }
}

function setRole(request: BoardRequest, board: Board, userId: number, role: MemberRole): void {
  const member = board.members.find((each) => each.userId === userId);
  if (member?.role === role) return;
  const name = request.state.findUserName(userId);
  const [action, text] =
    member === undefined ? ['added', `added ${name}`] : ['updated', `made ${name} a ${role}`];
  request.state.record({ boardId: board.id, subject: 'member', action, text }, request);
  if (member === undefined) board.members.push({ userId, role, joinedAt: toTimestamp(request.now) });
  else member.role = role;
}

export function findContact({ state, params }: BoardRequest, name: string): Contact {
  return (
    state.contacts.get(params.integer(name, 0)) ??
    refuse(404, 'contact_not_found', 'There is no such contact.')
  );
}

const contactResource = new BoardResource<Contact, [Board]>({
  findParents: findBoardOfPath,
  findItem({ state, params }, board) {
    const contact = state.contacts.get(params.integer('contact_id', 0));
    if (contact !== undefined && board.contactIds.includes(contact.id)) return contact;
    return refuse(404, 'contact_not_found', 'There is no such contact on this board.');
  },
  show: createView<Contact>('contact'),
});

export const peopleOperations: BoardOperations = {
  listMembers: memberResource.listAll(({ params }, board) => {
    const requested = params.string('role');
    return board.members.filter(({ role }) => requested === undefined || role === requested);
  }),
  removeMember: memberResource.withItem((request, member, board) => {
    const { state } = request;
    const { userId: id } = member;
    requireOtherManager(board, [id]);
    board.members.splice(board.members.indexOf(member), 1);
    for (const task of state.allTasksOnBoard(board.id)) removeId(task.assignees, id);
    const text = `removed ${state.findUserName(id)}`;
    state.record({ boardId: board.id, action: 'removed', subject: 'member', text }, request);
    return ok({ removed: true, user: state.showPerson(id) });
  }),
  addMembers: memberResource.withParents((request, board) => {
    const { state, params } = request;
    const ids = [...new Set(params.integers('user_ids'))];
    const role = enumParam(params, 'role', MEMBER_ROLES) ?? 'member';
    for (const id of ids) {
      if (state.getUser(id) === undefined) refuseArgument('user_ids', `There is no user ${id} on this site.`);
    }
    if (role !== 'manager') requireOtherManager(board, ids);
    for (const id of ids) setRole(request, board, id, role);
    return ok({ members: memberResource.showAll(board.members, request) });
  }),
  listAssignees: memberResource.withParents(({ state }, board) => {
    const open = state.openTasksOnBoard(board.id);
    return ok(
      board.members.map(({ userId }) => ({
        ...state.showPerson(userId),
        open_task_count: open.filter(({ assignees }) => assignees.includes(userId)).length,
      })),
    );
  }),

  linkContact: contactResource.create((request, board) => {
    const contact = findForArgument('contact_id', () => findContact(request, 'contact_id'));
    if (board.contactIds.includes(contact.id)) {
      return refuse(409, 'contact_exists', 'The contact belongs to this board already.');
    }
    board.contactIds.push(contact.id);
    logContact(request, board, 'added', contact);
    return contact;
  }),
  listContacts: contactResource.listPage(({ state }, board) =>
    board.contactIds.flatMap((id) => state.contacts.get(id) ?? []),
  ),
  unlinkContact: contactResource.remove((request, contact, board) => {
    removeId(board.contactIds, contact.id);
    logContact(request, board, 'removed', contact);
    return undefined;
  }),
};

function logContact(request: BoardRequest, { id }: Board, action: string, { name }: Contact): void {
  const text = `${action} the contact ${name}`;
  request.state.record({ boardId: id, action, subject: 'contact', text }, request);
}
