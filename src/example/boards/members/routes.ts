import { ok, refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { ROLE } from '../boards/args.ts';
import { MEMBER_PROPERTIES, MEMBER_SCHEMA } from '../boards/schema.ts';
import { showMember } from '../boards/view.ts';
import { tasksOnBoard } from '../model/positions.ts';
import { removeFrom } from '../model/removal.ts';
import { findUser, isRefusal, moment, record } from '../model/state.ts';
import type { Board, MemberRole } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';
import { PERSON, showPerson } from './person.ts';

const ROLES: readonly MemberRole[] = ['manager', 'member', 'viewer'];

/** The people of a board and what they are on it. */
export const members: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:str}/users',
    [
      {
        methods: ['GET'],
        args: { role: { description: 'Only people with a role.', type: 'string', enum: ROLES } },
        permission: insiders,
        handle: withBoard((request, board) => {
          const role = request.params.string('role');
          const found = board.members.filter((member) => role === undefined || member.role === role);
          return ok(found.map((member) => showMember(request, member)));
        }),
      },
    ],
    MEMBER_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/user/{user_id:int}/remove',
    [
      {
        methods: ['POST'],
        // Everybody may leave.
        permission: (request) =>
          request.params.integer('user_id') === request.user?.id
            ? insiders(request)
            : permit.managers(request),
        handle: withBoard(removeMember),
      },
    ],
    answersWhole('removed-member', 'Who left a board.', {
      removed: { description: 'Always true.', type: 'boolean' },
      user: PERSON,
    }),
  ),
  route(
    '/projects/{board_id:str}/add-members',
    [
      {
        methods: ['POST'],
        args: {
          user_ids: {
            description: 'Numbers of the users. Who is on the board already takes the role.',
            type: 'array',
            items: { type: 'integer', minimum: 1 },
            minItems: 1,
            maxItems: 50,
            required: true,
          },
          role: ROLE,
        },
        permission: permit.managers,
        handle: withBoard(addMembers),
      },
    ],
    answersWhole('board-members', 'Everybody on a board.', {
      members: {
        description: 'The people on it, those who came first before others.',
        type: 'array',
        items: { type: 'object', properties: MEMBER_PROPERTIES },
      },
    }),
  ),
  route(
    '/projects/{board_id:int}/assignees',
    [
      {
        methods: ['GET'],
        permission: insiders,
        handle: withBoard((request, board) => {
          const counts = new Map<number, number>();
          for (const task of tasksOnBoard(request.state, board.id)) {
            if (task.archivedAt !== null || task.status === 'closed') continue;
            for (const id of task.assignees) counts.set(id, (counts.get(id) ?? 0) + 1);
          }
          return ok(
            board.members.map(({ userId }) => ({
              ...showPerson(request.state, userId),
              open_task_count: counts.get(userId) ?? 0,
            })),
          );
        }),
      },
    ],
    answersWhole('assignee', 'Somebody who can be given work on a board.', {
      id: { description: 'Number of the user.', type: 'integer' },
      name: { description: 'Name as shown.', type: 'string' },
      open_task_count: { description: 'Open tasks of the board that are theirs.', type: 'integer' },
    }),
  ),
];

function addMembers(request: BoardRequest, board: Board): Answer {
  const { state, params, now } = request;
  const ids = [...new Set(params.integers('user_ids'))];
  const role = choice(params, 'role', ROLES) ?? 'member';
  const stranger = ids.find((id) => isRefusal(findUser(state, id)));
  if (stranger !== undefined) return invalid('user_ids', `There is no user ${stranger} on this site.`);
  const managers = board.members.filter((member) => member.role === 'manager');
  if (role !== 'manager' && managers.every((member) => ids.includes(member.userId))) return lastManager();
  for (const id of ids) {
    const member = board.members.find(({ userId }) => userId === id);
    if (member?.role === role) continue;
    const text =
      member === undefined ? `added ${nameOf(request, id)}` : `made ${nameOf(request, id)} a ${role}`;
    record(
      state,
      {
        boardId: board.id,
        action: member === undefined ? 'added' : 'updated',
        subject: 'member',
        text,
        oldValue: member?.role ?? null,
        newValue: role,
      },
      request,
    );
    if (member === undefined) board.members.push({ userId: id, role, joinedAt: moment(now) });
    else member.role = role;
  }
  return ok({ members: board.members.map((member) => showMember(request, member)) });
}

function removeMember(request: BoardRequest, board: Board): Answer {
  const { state, params } = request;
  const id = params.integer('user_id', 0);
  const member = board.members.find(({ userId }) => userId === id);
  if (member === undefined) return refuse(404, 'member_not_found', 'This user is not on the board.');
  const managers = board.members.filter(({ role }) => role === 'manager');
  if (member.role === 'manager' && managers.length === 1) return lastManager();
  board.members.splice(board.members.indexOf(member), 1);
  for (const task of tasksOnBoard(state, board.id)) removeFrom(task.assignees, id);
  for (const stage of state.stages.values()) {
    if (stage.boardId === board.id) removeFrom(stage.defaultAssignees, id);
  }
  record(
    state,
    { boardId: board.id, action: 'removed', subject: 'member', text: `removed ${nameOf(request, id)}` },
    request,
  );
  return ok({ removed: true, user: showPerson(state, id) });
}

function lastManager(): SiteError {
  return conflict('last_manager', 'A board needs a manager: make somebody else one first.');
}

function nameOf({ state }: BoardRequest, userId: number): string {
  const user = findUser(state, userId);
  return isRefusal(user) ? 'a former member' : user.name;
}
