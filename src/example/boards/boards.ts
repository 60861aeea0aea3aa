import type { JsonObject } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { created, isSiteError, ok } from '../../rest-server/responses.ts';
import { labelView } from './labels.ts';
import { findContact, memberView, showPerson } from './people.ts';
import {
  type BoardHandler,
  type BoardOperations,
  type BoardPermission,
  type BoardRequest,
  BoardResource,
  canReadBoard,
  createView,
  createWordFilter,
  enumParam,
  enumParams,
  hasRight,
  invalidArgument,
  isMemberOrAdmin,
  permit,
  readableBoards,
  readRequiredText,
  refuseConflict,
  roleOnBoard,
} from './resource.ts';
import { stageView } from './stages.ts';
import {
  type ActivityEntry,
  activeStages,
  activeTasksInStage,
  addBoard,
  addDefaultLabels,
  addDefaultStages,
  addLabel,
  addStage,
  allTasksOnBoard,
  BOARD_COLORS,
  type Board,
  type BoardState,
  CURRENCIES,
  CURRENCY_CODES,
  createUniqueSlug,
  defaultUserSettings,
  deleteBoardRecords,
  findBoard,
  HEX_COLOR,
  type Label,
  labelsOnBoard,
  nextId,
  parseInstant,
  recordActivity,
  removeId,
  type SiteFeature,
  type Stage,
  type Task,
  toTimestamp,
  userSettings,
} from './state.ts';

/** Properties that managers change, as arguments name them. */
const BOARD_PROPERTIES = ['title', 'description', 'currency', 'color'] as const;
type BoardProperty = (typeof BOARD_PROPERTIES)[number];

/** Checks by property, for values that no schema checks. Each returns the message of an error. */
const CHECKS: Readonly<Record<BoardProperty, (value: string) => string | undefined>> = {
  title: (value) =>
    value.trim() === '' || value.length > 200 ? 'A title has between 1 and 200 characters.' : undefined,
  description: () => undefined,
  currency: (value) =>
    CURRENCY_CODES.includes(value) ? undefined : `A currency is one of ${CURRENCY_CODES.join(', ')}.`,
  color: (value) => (HEX_COLOR.test(value) ? undefined : 'A colour is written as #4c6ef5.'),
};

/** @param argument the name under which the client sent the value */
function checkBoardProperty(property: BoardProperty, value: string, argument: string): SiteError | undefined {
  const message = CHECKS[property](value);
  return message === undefined ? undefined : invalidArgument(argument, message);
}

/** Sets a checked property; returns the entry for the history, or `undefined` when the value is the same. */
function changeBoardProperty(
  board: Board,
  property: BoardProperty,
  value: string,
): ActivityEntry | undefined {
  const isColor = property === 'color';
  const oldValue = isColor ? board.background.color : board[property];
  const newValue = property === 'title' ? value.trim() : value;
  if (isColor) board.background = { isImage: false, color: newValue, imageUrl: null };
  else board[property] = newValue;
  if (oldValue === newValue) return undefined;
  const text =
    property === 'description'
      ? 'rewrote the description of the board'
      : `changed the ${property} of the board to ${newValue}`;
  return { action: 'updated', subject: isColor ? 'background' : 'board', text, oldValue, newValue };
}

const BOARD_KINDS = ['kanban', 'roadmap'] as const;

const activeTasks = ({ state }: BoardRequest, { id }: Board): Task[] =>
  allTasksOnBoard(state, id).filter(({ archivedAt }) => archivedAt === null);

/** A board in lists. Only members and administrators see its creator. */
const boardView = createView<Board, BoardRequest>('board', (request) => request, {
  type: ({ kind }) => kind,
  status: ({ archivedAt }) => (archivedAt === null ? 'active' : 'archived'),
  background: ({ background: { isImage, color, imageUrl } }) => ({
    is_image: isImage,
    color,
    image_url: imageUrl,
  }),
  is_public: ({ publicAccess }) => publicAccess.enabled,
  is_pinned: ({ id }, { state, user }) =>
    state.settingsByUser.get(user?.id ?? 0)?.pinnedBoards.includes(id) ?? false,
  role: (board, { user }) => roleOnBoard(user, board) ?? null,
  stage_count: ({ id }, { state }) => activeStages(state, id).length,
  task_count: (board, request) => activeTasks(request, board).length,
  completed_task_count: (board, request) =>
    activeTasks(request, board).filter(({ status }) => status === 'closed').length,
  member_count: ({ members }) => members.length,
  created_by: (board, { state, user }) =>
    isMemberOrAdmin(user, board) ? showPerson(state, board.createdBy) : null,
});

/** Boards, shown as in lists. */
export const boardResource: BoardResource<Board, []> = new BoardResource({
  findParents: () => [],
  findItem: ({ state, params }) => findBoard(state, params.string('board_id')),
  createPresenter: boardView.createPresenter,
  logChange: (request, { id }, entry) =>
    recordActivity(request.state, { boardId: id, subject: 'board', ...entry }, request),
});

/** Boards, shown with their stages, labels and members. */
const detailedBoardResource = boardResource.with({
  createPresenter: (request) => {
    const { state, user } = request;
    const show = boardView.createPresenter(request);
    return (board) => ({
      ...show(board),
      stages: activeStages(state, board.id).map(stageView.createPresenter(request)),
      labels: labelsOnBoard(state, board.id).map(labelView.createPresenter(request)),
      members: isMemberOrAdmin(user, board) ? board.members.map(memberView.createPresenter(request)) : [],
    });
  },
});

const ORDERS = ['updated_at', 'created_at', 'title'] as const;

/** The default of `orderby` by the setting `sort` of the user's dashboard. */
const DASHBOARD_ORDERS = { recent: 'updated_at', created: 'created_at', title: 'title' } as const;

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

/** Boards by name, for menus. */
const shortBoardResource = boardResource.with({
  createPresenter:
    () =>
    ({ id, title, kind }) => ({ id, title, type: kind }),
});

function activeBoards({ state, user }: BoardRequest): Board[] {
  return readableBoards(state, user).filter((board) => board.archivedAt === null);
}

/** An operation that lists the boards of a user setting in its order, without boards that the client can no longer read. */
function listUserBoards(name: 'recentBoards' | 'pinnedBoards'): BoardHandler {
  return boardResource.listAll((request) => {
    const active = new Map(activeBoards(request).map((board) => [board.id, board]));
    const ids = request.user === null ? [] : userSettings(request.state, request.user.id)[name];
    return ids.flatMap((id) => active.get(id) ?? []).slice(0, request.params.integer('limit', 10));
  });
}

/** Moves a board to the front of those that the client has viewed. */
function remember({ state, user }: BoardRequest, board: Board): void {
  if (user === null) return;
  const { recentBoards } = userSettings(state, user.id);
  removeId(recentBoards, board.id);
  recentBoards.unshift(board.id);
  recentBoards.splice(10);
}

/** Users with an account who may read the board: pins belong to a user. */
const pinners: BoardPermission = (request) => permit.signedIn(request) ?? permit.viewers(request);

/** The public access of boards. */
const publicAccessResource = boardResource.with({
  createPresenter:
    () =>
    ({ id, publicAccess: { enabled, showComments, showAssignees } }) => ({
      board_id: id,
      enabled,
      show_comments: showComments,
      show_assignees: showAssignees,
    }),
});

interface MenuItem {
  readonly key: string;
  readonly title: string;
  /** Relative to the path of the board. */
  readonly path: string;
  readonly for: 'everybody' | 'members' | 'managers';
  /** Feature without which the item is hidden. */
  readonly feature?: SiteFeature;
}

const MENU: readonly MenuItem[] = [
  { key: 'tasks', title: 'Tasks', path: '/tasks', for: 'everybody' },
  { key: 'labels', title: 'Labels', path: '/labels', for: 'everybody' },
  { key: 'activities', title: 'Activities', path: '/activities', for: 'members' },
  { key: 'members', title: 'Members', path: '/users', for: 'members' },
  { key: 'archived-tasks', title: 'Archived tasks', path: '/archived-tasks', for: 'members' },
  { key: 'archived-stages', title: 'Archived stages', path: '/archived-stages', for: 'members' },
  { key: 'contacts', title: 'Contacts', path: '/crm-contacts', for: 'members', feature: 'crm' },
  { key: 'notifications', title: 'Notifications', path: '/notification-settings', for: 'members' },
  { key: 'public-access', title: 'Public access', path: '/public-access-settings', for: 'managers' },
];

function menuItems({ state, user, link }: BoardRequest, board: Board): JsonObject[] {
  const isAllowed = {
    everybody: true,
    members: isMemberOrAdmin(user, board),
    managers: hasRight(user, board, 'manage'),
  };
  return MENU.filter(
    (item) => isAllowed[item.for] && (item.feature === undefined || state.settings.features[item.feature]),
  ).map(({ key, title, path }) => ({ key, title, href: link(`/boards/v2/projects/${board.id}${path}`) }));
}

const PARTS = ['stages', 'labels', 'tasks', 'members'] as const;

export const boardOperations: BoardOperations = {
  // The route that lists boards and creates a board.
  'GET /projects': detailedBoardResource.withParents((request) =>
    boardResource.respondPage(request, selectBoards(request)),
  ),
  'POST /projects': detailedBoardResource.create('/projects/{id}', (request) => {
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
  }),

  // The first steps of a new user: creating a first board, or skipping it.
  'POST /projects/onboard': detailedBoardResource.create('/projects/{id}', (request) => {
    const settings = userSettings(request.state, request.user?.id ?? 0);
    if (settings.onboardingStatus === 'done') {
      return refuseConflict('already_onboarded', 'You have made your first board already.');
    }
    settings.onboardingStatus = 'done';
    return createBoard(request, request.params.string('title', '').trim() || 'My first board');
  }),
  'PUT /projects/skip-onboarding': boardResource.withParents(({ state, user }) => {
    const settings = userSettings(state, user?.id ?? 0);
    if (settings.onboardingStatus === 'pending') settings.onboardingStatus = 'skipped';
    return ok({ status: settings.onboardingStatus });
  }),

  // Lists of boards, each a selection from those that the client may read, and values to choose for a board.
  'GET /projects/get-default-board-colors': boardResource.withParents(() =>
    ok(BOARD_COLORS.map((color) => ({ ...color }))),
  ),
  'GET /projects/list-of-boards': shortBoardResource.listAll((request) => {
    const type = request.params.string('type');
    return activeBoards(request).filter(
      (board) => isMemberOrAdmin(request.user, board) && (type === undefined || board.kind === type),
    );
  }),
  'GET /projects/user-accessible-boards': boardResource.listPage(activeBoards),
  'GET /projects/currencies': boardResource.withParents(() =>
    ok(CURRENCIES.map((currency) => ({ ...currency }))),
  ),
  'GET /projects/user-admin-in-boards': shortBoardResource.listAll((request) =>
    activeBoards(request).filter((board) => hasRight(request.user, board, 'manage')),
  ),
  'GET /projects/recent-boards': listUserBoards('recentBoards'),
  'GET /projects/pinned-boards': listUserBoards('pinnedBoards'),
  'GET /projects/crm-associated-boards/{associated_id:int}': boardResource.listPage((request) => {
    const contact = findContact(request, 'associated_id');
    if (isSiteError(contact)) return contact;
    // Only members may learn which contacts are linked to a board.
    return activeBoards(request).filter(
      (board) => board.contactIds.includes(contact.id) && isMemberOrAdmin(request.user, board),
    );
  }),

  // Reading, changing and deleting one board.
  'GET /projects/{board_id:int}': detailedBoardResource.withItem((request, board) => {
    remember(request, board);
    return ok(detailedBoardResource.show(request, board));
  }),
  'PUT /projects/{board_id:int}': detailedBoardResource.change((request, board) => {
    const values = BOARD_PROPERTIES.flatMap((name): [BoardProperty, string][] => {
      const value = request.params.string(name);
      return value === undefined ? [] : [[name, value]];
    });
    for (const [name, value] of values) {
      const error = checkBoardProperty(name, value, name);
      if (error !== undefined) return error;
    }
    for (const [name, value] of values) {
      const entry = changeBoardProperty(board, name, value);
      if (entry !== undefined) boardResource.logChange(request, board, entry);
    }
    return undefined;
  }),
  'DELETE /projects/{board_id:int}': detailedBoardResource.withItem((request, board) => {
    const previous = boardResource.show(request, board);
    deleteBoardRecords(request.state, board.id);
    return ok({ deleted: true, previous });
  }),
  'GET /projects/{board_id:int}/has-data-changed': boardResource.withItem(({ params }, { changedAt }) => {
    const since = parseInstant(params.string('since', ''));
    return since === undefined
      ? invalidArgument('since', 'since is not a moment of the calendar.')
      : ok({ changed: changedAt > since, updated_at: new Date(changedAt).toISOString() });
  }),
  'PUT /projects/{board_id:int}/update-board-properties': boardResource.change(({ params }, board) => {
    const property = enumParam(params, 'property', BOARD_PROPERTIES) ?? 'title';
    const value = params.string('value', '');
    return checkBoardProperty(property, value, 'value') ?? changeBoardProperty(board, property, value);
  }),

  // Pinning a board for oneself; pinning twice changes nothing.
  'PUT /projects/{board_id:str}/pin-board': {
    permission: pinners,
    handle: boardResource.change(({ state, user }, board) => {
      const { pinnedBoards } = userSettings(state, user?.id ?? 0);
      if (!pinnedBoards.includes(board.id)) pinnedBoards.unshift(board.id);
      return undefined;
    }),
  },
  'PUT /projects/{board_id:str}/unpin-board': {
    permission: pinners,
    handle: boardResource.change(({ state, user }, board) => {
      removeId(userSettings(state, user?.id ?? 0).pinnedBoards, board.id);
      return undefined;
    }),
  },

  // Archiving hides a board from lists and from clients who are not members; archiving twice changes nothing.
  'PUT /projects/{board_id:int}/archive-board': boardResource.change(({ now }, board) => {
    if (board.archivedAt !== null) return undefined;
    board.archivedAt = toTimestamp(now);
    return { action: 'archived', text: `archived the board “${board.title}”` };
  }),
  'PUT /projects/{board_id:int}/restore-board': boardResource.change((_request, board) => {
    if (board.archivedAt === null) return undefined;
    board.archivedAt = null;
    return { action: 'restored', text: `restored the board “${board.title}”` };
  }),

  // The public access of a board, and the menu items that a client may see.
  'PUT /projects/{board_id:int}/toggle-public-access': publicAccessResource.change(
    ({ params }, { publicAccess: access }) => {
      const was = access.enabled;
      const isToggled = !params.has('show_comments') && !params.has('show_assignees');
      access.enabled = params.boolean('enabled', isToggled ? !was : was);
      access.showComments = params.boolean('show_comments', access.showComments);
      access.showAssignees = params.boolean('show_assignees', access.showAssignees);
      const opened = access.enabled ? 'opened the board to everybody' : 'closed the board to strangers';
      return {
        action: 'updated',
        subject: 'settings',
        text: access.enabled === was ? 'changed what strangers see' : opened,
        oldValue: String(was),
        newValue: String(access.enabled),
      };
    },
  ),
  'GET /projects/{board_id:int}/public-access-settings': publicAccessResource.read(),
  'GET /projects/{board_id:int}/board-menu-items': boardResource.withItem((request, board) =>
    ok(menuItems(request, board)),
  ),

  // Copying a board, and importing parts of another one.
  'POST /projects/{board_id:int}/duplicate-board': {
    permission: (request) => permit.anyMember(request) ?? permit.boardCreators(request),
    handle: detailedBoardResource.withItem((request, source) => {
      const { state, params } = request;
      const title = params.string('title', '').trim() || `${source.title.slice(0, 193)} (copy)`;
      const board = addBoard(state, { ...source, title, color: source.background.color }, request);
      board.background = source.background;
      copyBoard(request, source, board);
      const location = request.link(`/boards/v2/projects/${board.id}`);
      return created(detailedBoardResource.show(request, board), location);
    }),
  },
  'POST /projects/{board_id:int}/import-from-board': detailedBoardResource.change((request, board) => {
    const { state, user, params } = request;
    const source = findBoard(state, params.integer('source_board_id'));
    // A client does not learn of boards that they may not read.
    if (isSiteError(source) || !canReadBoard(user, source)) {
      return invalidArgument('source_board_id', 'There is no such board.');
    }
    if (!isMemberOrAdmin(user, source))
      return invalidArgument('source_board_id', 'You are not on that board.');
    if (source.id === board.id) {
      return invalidArgument('source_board_id', 'A board cannot take from itself.');
    }
    copyBoard(request, source, board);
    return {
      action: 'imported',
      text: `imported from the board “${source.title}”`,
      newValue: source.title,
    };
  }),
};

/** Adds the requested parts of one board to another. Comments, times, votes and history are not copied. */
function copyBoard(request: BoardRequest, from: Board, to: Board): void {
  const { state, now, params } = request;
  const parts = new Set(enumParams(params, 'include', PARTS));
  if (parts.has('members')) {
    for (const { userId, role } of from.members) {
      if (!hasMember(to, userId)) to.members.push({ userId, role, joinedAt: toTimestamp(now) });
    }
  }
  const labels = new Map<number, Label>();
  if (parts.has('labels')) {
    for (const label of labelsOnBoard(state, from.id)) labels.set(label.id, findOrAddLabel(state, to, label));
  }
  if (!parts.has('stages') && !parts.has('tasks')) return;
  for (const { id, title, color, defaultStatus, taskLimit, defaultAssignees } of activeStages(
    state,
    from.id,
  )) {
    const stage = addStage(state, to, {
      title,
      color,
      defaultStatus,
      taskLimit,
      defaultAssignees: defaultAssignees.filter((userId) => hasMember(to, userId)),
    });
    if (!parts.has('tasks')) continue;
    for (const task of activeTasksInStage(state, id)) copyTask(request, task, { board: to, stage, labels });
  }
}

interface CopyTarget {
  readonly board: Board;
  readonly stage: Stage;
  /** By the number of the label that is copied. */
  readonly labels: ReadonlyMap<number, Label>;
}

function copyTask(
  { state, user, now }: BoardRequest,
  task: Task,
  { board, stage, labels }: CopyTarget,
): void {
  const at = toTimestamp(now);
  const slugs = new Set(allTasksOnBoard(state, board.id).map(({ slug }) => slug));
  const copy: Task = {
    ...task,
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    slug: createUniqueSlug(task.title, slugs),
    position: activeTasksInStage(state, stage.id).length + 1,
    assignees: task.assignees.filter((id) => hasMember(board, id)),
    labels: task.labels.flatMap((id) => labels.get(id)?.id ?? []),
    supportTicketId: null,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
  };
  state.tasks.set(copy.id, copy);
}

function hasMember({ members }: Board, userId: number): boolean {
  return members.some((member) => member.userId === userId);
}

/** The label of a board with the title and background of another label; added when the board has none. */
function findOrAddLabel(state: BoardState, board: Board, label: Label): Label {
  const { title, backgroundColor } = label;
  return (
    labelsOnBoard(state, board.id).find(
      (existing) => existing.title === title && existing.backgroundColor === backgroundColor,
    ) ?? addLabel(state, board, label)
  );
}
