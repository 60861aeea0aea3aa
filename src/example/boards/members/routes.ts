import type { Json } from '../../../json.ts';
import { ok } from '../../site/responses.ts';
import {
  allTasksOnBoard,
  type Board,
  findUser,
  findUserName,
  isSiteError,
  recordActivity,
  removeId,
  toTimestamp,
} from '../model/index.ts';
import { countBy } from '../reports/counts.ts';
import type { BoardRequest, BoardRoute, HandlerResult } from '../rest/index.ts';
import { enumParam, invalidArgument, permit, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { PERSON_SCHEMA, showPerson } from './person.ts';
import { MEMBER_ROLES, memberResource, memberView } from './resource.ts';

/** The members of a board and their roles. */
export const memberRoutes: readonly BoardRoute[] = [
  memberResource.get('/projects/{board_id:str}/users', {
    args: { role: schema.enumeration('Only people with a role.', MEMBER_ROLES) },
    listAll({ params }, board) {
      const requested = params.string('role');
      return board.members.filter(({ role }) => requested === undefined || role === requested);
    },
  }),
  memberResource.post('/projects/{board_id:int}/user/{user_id:int}/remove', {
    schema: responseSchema('removed-member', 'Who left a board.', {
      removed: schema.boolean('Always true.'),
      user: PERSON_SCHEMA,
    }),

    // Every member may leave.
    permission: (request) =>
      request.params.integer('user_id') === request.user?.id
        ? permit.anyMember(request)
        : permit.managers(request),
    handleItem(request, member, board) {
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
    },
  }),
  memberResource.post('/projects/{board_id:str}/add-members', {
    schema: responseSchema('board-members', 'Everybody on a board.', {
      members: schema.objects('The people on it, those who came first before others.', memberView.properties),
    }),
    args: {
      user_ids: schema.ids('Numbers of the users. Who is on the board already takes the role.', {
        minItems: 1,
        maxItems: 50,
        required: true,
      }),
      role: schema.enumeration(
        'Managers run the board, members work on it, viewers look at it.',
        MEMBER_ROLES,
        {
          default: 'member',
        },
      ),
    },
    handleCollection: addMembers,
  }),
  memberResource.get('/projects/{board_id:int}/assignees', {
    schema: responseSchema('assignee', 'Somebody who can be given work on a board.', {
      id: schema.integer('Number of the user.'),
      name: schema.string('Name as shown.'),
      open_task_count: schema.integer('Open tasks of the board that are theirs.'),
    }),
    handleCollection({ state }, board) {
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
    },
  }),
];

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
