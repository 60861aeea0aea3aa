import { restError } from '../../site/responses.ts';
import type { Board, Member, MemberRole } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  createResource,
  createView,
  findBoardOfPath,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { showPerson } from './person.ts';

export const MEMBER_ROLES: readonly MemberRole[] = ['manager', 'member', 'viewer'];

export const memberView: ItemView<Member> = createView<Member, BoardRequest>((request) => request, {
  id: [schema.readOnly(schema.integer('Number of the user.')), ({ userId }) => userId],
  name: [
    schema.readOnly(schema.string('Name as shown.')),
    ({ userId }, { state }) => showPerson(state, userId)?.['name'] ?? '',
  ],
  role: schema.enumeration('Managers run a board, members work on it, viewers look at it.', MEMBER_ROLES),
  joined_at: schema.readOnly(schema.dateTime('When they came to the board.')),
});

/** The members of a board, which its managers change. */
export const memberResource: BoardResource<Member, readonly [Board]> = createResource<
  Member,
  readonly [Board]
>({
  schema: responseSchema('board-user', 'A person on a board.', memberView.properties),
  readPermission: permit.anyMember,
  writePermission: permit.managers,
  findParents: findBoardOfPath,
  findItem: ({ params }, board) =>
    board.members.find(({ userId }) => userId === params.integer('user_id', 0)) ??
    restError(404, 'member_not_found', 'This user is not on the board.'),
  createPresenter: memberView.createPresenter,
});
