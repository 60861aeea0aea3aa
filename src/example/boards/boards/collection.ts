import { ok } from '../../site/responses.ts';
import { type Board, defaultUserSettings, isSiteError, userSettings } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import {
  createWordFilter,
  enumParam,
  invalidArgument,
  PAGING_ARGS,
  permit,
  readableBoards,
  readRequiredText,
  refuseConflict,
  responseSchema,
  schema,
} from '../rest/index.ts';
import {
  BOARD_DESCRIPTION_ARG,
  BOARD_KIND_ARG,
  BOARD_KINDS,
  BOARD_TITLE_ARG,
  CURRENCY_ARG,
  STAGE_TITLES_ARG,
} from './args.ts';
import { addBoard, addDefaultLabels, addDefaultStages } from './create.ts';
import { boardResource, detailedBoardResource } from './resource.ts';

const ORDERS = ['updated_at', 'created_at', 'title'] as const;

/** The default of `orderby` by the setting `sort` of the user's dashboard. */
const DASHBOARD_ORDERS = { recent: 'updated_at', created: 'created_at', title: 'title' } as const;

/** The route that lists boards and creates a board. */
export const boardCollectionRoute: BoardRoute = detailedBoardResource.route('/projects', {
  GET: {
    args: {
      ...PAGING_ARGS,
      search: schema.string('Words of the title or the description.', { maxLength: 200 }),
      type: { ...BOARD_KIND_ARG, description: 'Only boards of one type.' },
      status: schema.enumeration(
        'Whether archived boards are listed, or they alone. Absent: as the dashboard of the user shows them.',
        ['active', 'archived', 'all'],
      ),
      folder_id: schema.id('Only boards in a folder.'),
      orderby: schema.enumeration(
        'What they are sorted by. Absent: as in the dashboard of the user.',
        ORDERS,
      ),
      order: schema.enumeration('Direction. Absent: titles ascending, times descending.', ['asc', 'desc']),
    },
    permission: permit.everyone,
    handleCollection: (request) => boardResource.respondPage(request, selectBoards(request)),
  },
  POST: {
    args: {
      title: { ...BOARD_TITLE_ARG, required: true },
      description: { ...BOARD_DESCRIPTION_ARG, default: '' },
      type: { ...BOARD_KIND_ARG, default: 'kanban' },
      currency: {
        ...CURRENCY_ARG,
        description: 'Currency of its amounts. Absent: the one of the general settings.',
      },
      color: schema.color('Colour behind the board: `#4c6ef5`.'),
      stages: STAGE_TITLES_ARG,
      folder_id: schema.id('Folder to put it into.'),
    },
    permission: permit.boardCreators,
    create(request) {
      const { state, params } = request;
      const title = readRequiredText(request, 'title', 'A board needs a title.');
      if (isSiteError(title)) return title;
      const folder = state.folders.get(params.integer('folder_id', 0));
      if (params.has('folder_id') && folder === undefined) {
        return invalidArgument('folder_id', 'There is no such folder.');
      }
      const board = createBoard(request, title);
      folder?.boardIds.push(board.id);
      return board;
    },
    location: ({ id }) => `/projects/${id}`,
  },
});

/** Creates a board from the arguments, with default stages and labels. */
function createBoard(request: BoardRequest, title: string): Board {
  const { state, params } = request;
  const kind = enumParam(params, 'type', BOARD_KINDS) ?? 'kanban';
  const [description, currency] = [params.string('description'), params.string('currency')];
  const board = addBoard(
    state,
    { title, kind, description, currency, color: params.string('color') },
    request,
  );
  addDefaultStages(state, board, params.strings('stages'));
  addDefaultLabels(state, board);
  return board;
}

/** The boards that the client may read and that match the arguments, sorted. */
function selectBoards(request: BoardRequest): Board[] {
  const { state, user, params } = request;
  const matches = createWordFilter(request);
  const type = params.string('type');
  const { dashboard } = user === null ? defaultUserSettings() : userSettings(state, user.id);
  const status = params.string('status', dashboard.showArchived ? 'all' : 'active');
  const folder = params.integer('folder_id');
  const inFolder = folder === undefined ? undefined : (state.folders.get(folder)?.boardIds ?? []);
  const found = readableBoards(state, user).filter(
    ({ id, title, description, kind, archivedAt }) =>
      matches(`${title} ${description}`) &&
      (type === undefined || kind === type) &&
      (status === 'all' || (archivedAt === null) === (status === 'active')) &&
      (inFolder?.includes(id) ?? true),
  );
  const orderby = enumParam(params, 'orderby', ORDERS) ?? DASHBOARD_ORDERS[dashboard.sort];
  const sign = params.string('order', orderby === 'title' ? 'asc' : 'desc') === 'asc' ? 1 : -1;
  const key = SORT_KEYS[orderby];
  return found.sort((one, other) => sign * compare(key(one), key(other)) || one.id - other.id);
}

const SORT_KEYS: Readonly<Record<(typeof ORDERS)[number], (board: Board) => string>> = {
  updated_at: (board) => board.updatedAt,
  created_at: (board) => board.createdAt,
  title: (board) => board.title.toLowerCase(),
};

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The first steps of a new user: creating a first board, or skipping it. */
export const onboardingRoutes: readonly BoardRoute[] = [
  detailedBoardResource.post('/projects/onboard', {
    args: {
      title: { ...BOARD_TITLE_ARG, default: 'My first board' },
      type: { ...BOARD_KIND_ARG, default: 'kanban' },
      stages: STAGE_TITLES_ARG,
    },
    permission: permit.boardCreators,
    create(request) {
      const settings = userSettings(request.state, request.user?.id ?? 0);
      if (settings.onboardingStatus === 'done') {
        return refuseConflict('already_onboarded', 'You have made your first board already.');
      }
      settings.onboardingStatus = 'done';
      return createBoard(request, request.params.string('title', '').trim() || 'My first board');
    },
    location: ({ id }) => `/projects/${id}`,
  }),
  boardResource.put('/projects/skip-onboarding', {
    schema: responseSchema('onboarding', 'How far a user is with the first steps.', {
      status: schema.enumeration('Users start as `pending`.', ['pending', 'skipped', 'done']),
    }),
    permission: permit.signedIn,
    handleCollection({ state, user }) {
      const settings = userSettings(state, user?.id ?? 0);
      if (settings.onboardingStatus === 'pending') settings.onboardingStatus = 'skipped';
      return ok({ status: settings.onboardingStatus });
    },
  }),
];
