import type { JsonObject } from '../../../json.ts';
import { forbid, hasRole, ok } from '../../site/answers.ts';
import { labelsOf } from '../boards/view.ts';
import { showPerson } from '../members/person.ts';
import { stagesOf } from '../model/positions.ts';
import { findUser, isRefusal } from '../model/state.ts';
import { choice } from '../rest/choices.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { isMember, permit, visibleBoards } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

interface Option {
  readonly id: number;
  readonly title: string;
}

/** What can be chosen from, as far as the caller is on the boards. */
const OPTIONS = {
  boards: mine,
  stages: (request: BoardRequest): Option[] => mine(request).flatMap(({ id }) => stagesOf(request.state, id)),
  labels: (request: BoardRequest): Option[] => mine(request).flatMap(({ id }) => labelsOf(request.state, id)),
  users: ({ state }: BoardRequest): Option[] => state.users.map(({ id, name }) => ({ id, title: name })),
  contacts: ({ state }: BoardRequest): Option[] =>
    [...state.contacts.values()].map(({ id, name, company }) => ({ id, title: `${name}, ${company}` })),
  pages: ({ state }: BoardRequest): Option[] => [...state.pages],
};

const KEYS = ['boards', 'stages', 'labels', 'users', 'contacts', 'pages'] as const;

/** What a selection offers while somebody types. */
export const ajaxOptions: BoardRoute = route(
  '/ajax-options',
  [
    {
      methods: ['GET'],
      args: {
        option_key: { description: 'What is chosen from.', type: 'string', enum: KEYS, required: true },
        board_id: { description: 'Only stages and labels of one board.', type: 'integer', minimum: 1 },
        search: { description: 'Part of the title.', type: 'string', maxLength: 100 },
        values: {
          description: 'Numbers of what is chosen already, which comes first whatever is searched.',
          type: 'array',
          items: { type: 'integer' },
          maxItems: 100,
        },
        limit: {
          description: 'At most so many besides.',
          type: 'integer',
          default: 20,
          minimum: 1,
          maximum: 100,
        },
      },
      permission: permit.signedIn,
      handle: (request) => {
        const { params } = request;
        const options = OPTIONS[choice(params, 'option_key', KEYS) ?? 'boards'](request);
        const chosen = new Set(params.integers('values'));
        const part = params.string('search', '').toLowerCase();
        const found = options.filter(
          ({ id, title }) => !chosen.has(id) && title.toLowerCase().includes(part),
        );
        const shown = [
          ...options.filter(({ id }) => chosen.has(id)),
          ...found.slice(0, params.integer('limit', 20)),
        ];
        return ok(shown.map(({ id, title }): JsonObject => ({ id, title })));
      },
    },
  ],
  answersWhole('option', 'Something that can be chosen.', {
    id: { description: 'Its number.', type: 'integer' },
    title: { description: 'What it is called.', type: 'string' },
  }),
);

function mine({ state, user, params }: BoardRequest): Option[] {
  const boardId = params.integer('board_id');
  return visibleBoards(state, user).filter(
    (board) =>
      board.archivedAt === null && isMember(user, board) && (boardId === undefined || board.id === boardId),
  );
}

/** The people whom somebody shares a board with. */
export const associatedUsers: BoardRoute = route(
  '/member-associated-users/{id:str}',
  [
    {
      methods: ['GET'],
      args: PAGING,
      permission: (request) =>
        permit.signedIn(request) ??
        (hasRole(request.user, 'administrator') || request.params.string('id') === String(request.user?.id)
          ? undefined
          : forbid(request.user)),
      handle: (request) => {
        const { state, params } = request;
        const user = findUser(state, params.string('id'));
        if (isRefusal(user)) return user;
        const shared = new Map<number, number>();
        for (const { members } of state.boards.values()) {
          if (members.every(({ userId }) => userId !== user.id)) continue;
          for (const { userId } of members) shared.set(userId, (shared.get(userId) ?? 0) + 1);
        }
        shared.delete(user.id);
        const ids = [...shared.keys()].sort((one, other) => one - other);
        return answerPage(request, ids, (id) => ({
          ...showPerson(state, id),
          shared_board_count: shared.get(id) ?? 0,
        }));
      },
    },
  ],
  answersWhole('associated-user', 'Somebody who works on the same boards.', {
    id: { description: 'Number of the user.', type: 'integer' },
    name: { description: 'Name as shown.', type: 'string' },
    shared_board_count: { description: 'Boards that both are on.', type: 'integer' },
  }),
);
