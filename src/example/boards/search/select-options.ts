import { forbiddenError, hasRole, ok } from '../../site/responses.ts';
import { showPerson } from '../members/person.ts';
import { activeStages, findUser, isSiteError, labelsOnBoard } from '../model/index.ts';
import { countBy } from '../reports/counts.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import {
  createSubstringFilter,
  declareGet,
  enumParam,
  isMemberOrAdmin,
  PAGING_ARGS,
  pageResponse,
  permit,
  readableBoards,
  responseSchema,
  schema,
} from '../rest/index.ts';

interface SelectOption {
  readonly id: number;
  readonly title: string;
}

const OPTION_KEYS = ['boards', 'stages', 'labels', 'users', 'contacts', 'pages'] as const;

/** Options by key; boards, stages and labels only of boards of the client, or of all for an administrator. */
const OPTIONS: Readonly<
  Record<(typeof OPTION_KEYS)[number], (request: BoardRequest) => readonly SelectOption[]>
> = {
  boards: ownBoards,
  stages: (request) => ownBoards(request).flatMap(({ id }) => activeStages(request.state, id)),
  labels: (request) => ownBoards(request).flatMap(({ id }) => labelsOnBoard(request.state, id)),
  users: ({ state }) => state.users.map(({ id, name }) => ({ id, title: name })),
  contacts: ({ state }) =>
    [...state.contacts.values()].map(({ id, name, company }) => ({ id, title: `${name}, ${company}` })),
  pages: ({ state }) => state.pages,
};

function ownBoards({ state, user, params }: BoardRequest): SelectOption[] {
  const boardId = params.integer('board_id');
  return readableBoards(state, user).filter(
    (board) =>
      board.archivedAt === null &&
      isMemberOrAdmin(user, board) &&
      (boardId === undefined || board.id === boardId),
  );
}

/** The options of a select box, filtered while the user types. */
export const ajaxOptionsRoute: BoardRoute = declareGet(
  '/ajax-options',
  responseSchema('option', 'Something that can be chosen.', {
    id: schema.integer('Its number.'),
    title: schema.string('What it is called.'),
  }),
  {
    args: {
      option_key: schema.enumeration('What is chosen from.', OPTION_KEYS, { required: true }),
      board_id: schema.id('Only stages and labels of one board.'),
      search: schema.string('Part of the title.', { maxLength: 100 }),
      values: schema.array(
        'Numbers of what is chosen already, which comes first whatever is searched.',
        { type: 'integer' },
        { maxItems: 100 },
      ),
      limit: schema.integer('At most so many besides.', { default: 20, minimum: 1, maximum: 100 }),
    },
    permission: permit.signedIn,
    handle(request) {
      const { params } = request;
      const options = OPTIONS[enumParam(params, 'option_key', OPTION_KEYS) ?? 'boards'](request);
      const selected = new Set(params.integers('values'));
      const matches = createSubstringFilter(request);
      const found = options.filter(({ id, title }) => !selected.has(id) && matches(title));
      const shown = [
        ...options.filter(({ id }) => selected.has(id)),
        ...found.slice(0, params.integer('limit', 20)),
      ];
      return ok(shown.map(({ id, title }) => ({ id, title })));
    },
  },
);

/** The users who are members of the same boards as a user. */
export const associatedUsersRoute: BoardRoute = declareGet(
  '/member-associated-users/{id:str}',
  responseSchema('associated-user', 'Somebody who works on the same boards.', {
    id: schema.integer('Number of the user.'),
    name: schema.string('Name as shown.'),
    shared_board_count: schema.integer('Boards that both are on.'),
  }),
  {
    args: PAGING_ARGS,
    permission(request) {
      const { user, params } = request;
      const isAllowed = hasRole(user, 'administrator') || params.string('id') === String(user?.id);
      return permit.signedIn(request) ?? (isAllowed ? undefined : forbiddenError(user));
    },
    handle(request) {
      const { state, params } = request;
      const user = findUser(state, params.string('id'));
      if (isSiteError(user)) return user;
      const ids = [...state.boards.values()]
        .map(({ members }) => members.map(({ userId }) => userId))
        .filter((members) => members.includes(user.id))
        .flat();
      const shared = countBy(ids, (id) => id)
        .filter(([id]) => id !== user.id)
        .sort(([one], [other]) => one - other);
      return pageResponse(request, shared, ([id, count]) => ({
        ...showPerson(state, id),
        shared_board_count: count,
      }));
    },
  },
);
