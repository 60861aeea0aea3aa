import type { JsonObject } from '../../json.ts';
import { created, ok, refuse } from '../../rest-server/responses.ts';
import { parseInstant } from '../site/dates.ts';
import type { BoardHandler, BoardOperations } from './declarations.ts';
import { labelResource } from './labels.ts';
import { findContact, memberResource } from './people.ts';
import { hasRight, isMemberOrAdmin, readableBoards, roleOnBoard } from './permissions.ts';
import {
  assignFields,
  BoardResource,
  createView,
  createWordFilter,
  enumParam,
  findForArgument,
  readRequiredText,
  refuseArgument,
} from './resource.ts';
import { stageResource } from './stages.ts';
import {
  type ActivityEntry,
  BOARD_COLORS,
  type Board,
  type BoardRequest,
  type BoardState,
  CURRENCIES,
  createUniqueSlug,
  type Folder,
  HEX_COLOR,
  type Label,
  removeId,
  type Stage,
  type Task,
  toTimestamp,
} from './state.ts';
import tables from './tables.json' with { type: 'json' };

/** Properties that managers change, as arguments name them. */
const BOARD_PROPERTIES = ['title', 'description', 'currency', 'color'] as const;
type BoardProperty = (typeof BOARD_PROPERTIES)[number];

const CODES: readonly string[] = CURRENCIES.map(({ code }) => code);

/** Checks of values that no schema checks, with the message of the error. */
const CHECKS: Readonly<
  Record<BoardProperty, readonly [isValid: (value: string) => boolean, message: string]>
> = {
  title: [(value) => value.trim() !== '' && value.length <= 200, 'A title has between 1 and 200 characters.'],
  description: [() => true, ''],
  currency: [(value) => CODES.includes(value), `A currency is one of ${CODES.join(', ')}.`],
  color: [(value) => HEX_COLOR.test(value), 'A colour is written as #4c6ef5.'],
};

/** @param argument the name under which the client sent the value */
function checkBoardProperty(property: BoardProperty, value: string, argument: string): void {
  const [isValid, message] = CHECKS[property];
  if (!isValid(value)) refuseArgument(argument, message);
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

/** A board in lists. Only members and administrators see its creator. */
const showBoard = createView<Board>('board', {
  type: ({ kind }) => kind,
  status: ({ archivedAt }) => (archivedAt === null ? 'active' : 'archived'),
  background: ({ background: { isImage, color, imageUrl } }) => ({
    is_image: isImage,
    color,
    image_url: imageUrl,
  }),
  is_public: ({ publicAccess }) => publicAccess.enabled,
  is_pinned: ({ id }, { state, user }) => state.settingsOf(user).pinnedBoards.includes(id),
  role: (board, { user }) => roleOnBoard(user, board) ?? null,
  stage_count: ({ id }, { state }) => state.activeStages(id).length,
  task_count: ({ id }, { state }) => state.activeTasksOnBoard(id).length,
  completed_task_count: ({ id }, { state }) =>
    state.activeTasksOnBoard(id).length - state.openTasksOnBoard(id).length,
  member_count: ({ members }) => members.length,
  created_by: (board, { state, user }) =>
    isMemberOrAdmin(user, board) ? state.showPerson(board.createdBy) : null,
});

/** Boards, shown as in lists. */
export const boardResource: BoardResource<Board, []> = new BoardResource({
  findParents: () => [],
  findItem: ({ state, params }) => state.findBoard(params.string('board_id')),
  show: showBoard,
  logChange: (request, { id }, entry) =>
    request.state.record({ boardId: id, subject: 'board', ...entry }, request),
});

/** Boards, shown with their stages, labels and members. */
const detailedBoardResource = boardResource.with({
  show: (board, request) => ({
    ...showBoard(board, request),
    stages: stageResource.showAll(request.state.activeStages(board.id), request),
    labels: labelResource.showAll(request.state.labelsOnBoard(board.id), request),
    members: isMemberOrAdmin(request.user, board) ? memberResource.showAll(board.members, request) : [],
  }),
});

/** The default of `orderby` by the setting `sort` of the user's dashboard. */
const DASHBOARD_ORDERS: Readonly<Record<string, string>> = { created: 'created_at', title: 'title' };

/** Creates a board from the arguments, with default stages and labels. */
function createBoard(request: BoardRequest, title: string): Board {
  const { state, params } = request;
  const values = Object.fromEntries(BOARD_PROPERTIES.map((name) => [name, params.string(name)]));
  const kind = enumParam(params, 'type', BOARD_KINDS) ?? 'kanban';
  const board = state.addBoard({ ...values, title, kind }, request);
  state.addDefaultStages(board, params.strings('stages'));
  state.addDefaultLabels(board);
  return board;
}

/** The boards that the client may read and that match the arguments, sorted. */
function selectBoards(request: BoardRequest): Board[] {
  const { state, user, params } = request;
  const matches = createWordFilter(request);
  const type = params.string('type');
  const { dashboard } = state.settingsOf(user);
  const status = params.string('status', dashboard.show_archived ? 'all' : 'active');
  const folder = params.integer('folder_id');
  const inFolder = folder === undefined ? undefined : (state.folders.get(folder)?.boardIds ?? []);
  const found = readableBoards(state, user).filter(
    ({ id, title, description, kind, archivedAt }) =>
      matches(`${title} ${description}`) &&
      (type === undefined || kind === type) &&
      (status === 'all' || (archivedAt === null) === (status === 'active')) &&
      (inFolder?.includes(id) ?? true),
  );
  const orderby = params.string('orderby', DASHBOARD_ORDERS[dashboard.sort] ?? 'updated_at');
  const sign = params.string('order', orderby === 'title' ? 'asc' : 'desc') === 'asc' ? 1 : -1;
  const key = SORT_KEYS[orderby] ?? ((board) => board.updatedAt);
  return found.sort((one, other) => sign * compare(key(one), key(other)) || one.id - other.id);
}

const SORT_KEYS: Readonly<Record<string, (board: Board) => string>> = {
  created_at: (board) => board.createdAt,
  title: (board) => board.title.toLowerCase(),
};

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Boards by name, for menus. */
const shortBoardResource = boardResource.with({ show: ({ id, title, kind }) => ({ id, title, type: kind }) });

function activeBoards({ state, user }: BoardRequest): Board[] {
  return readableBoards(state, user).filter((board) => board.archivedAt === null);
}

/** An operation that lists the boards of a user setting in its order, without boards that the client can no longer read. */
function listUserBoards(name: 'recentBoards' | 'pinnedBoards'): BoardHandler {
  return boardResource.listAll((request) => {
    const active = new Map(activeBoards(request).map((board) => [board.id, board]));
    const ids = request.state.settingsOf(request.user)[name];
    return ids.flatMap((id) => active.get(id) ?? []).slice(0, request.params.integer('limit', 10));
  });
}

const publicAccessResource = boardResource.with({
  show: ({ id, publicAccess: { enabled, showComments, showAssignees } }) => ({
    board_id: id,
    enabled,
    show_comments: showComments,
    show_assignees: showAssignees,
  }),
});

/** The items of the menu of a board that the client may see. */
function menuItems({ state, user, link }: BoardRequest, board: Board): JsonObject[] {
  const isVisibleTo: Readonly<Record<string, boolean>> = {
    everybody: true,
    members: isMemberOrAdmin(user, board),
    managers: hasRight(user, board, 'manage'),
  };
  return tables.menu
    .filter(
      ({ audience = 'members', needsCrm }) =>
        isVisibleTo[audience] && (!needsCrm || state.settings.features.crm),
    )
    .map(({ key, title, path }) => ({ key, title, href: link(`/boards/v2/projects/${board.id}${path}`) }));
}

/** Sets whether a board is among those that the client has pinned; doing so twice changes nothing. */
function pinBoard({ state, user }: BoardRequest, { id }: Board, isPinned: boolean): undefined {
  const { pinnedBoards } = state.settingsOf(user);
  if (!isPinned) removeId(pinnedBoards, id);
  else if (!pinnedBoards.includes(id)) pinnedBoards.unshift(id);
}

/** Archiving hides a board from lists and from clients who are not members; archiving twice changes nothing. */
function archiveBoard({ now }: BoardRequest, board: Board, isArchived: boolean): ActivityEntry | undefined {
  if ((board.archivedAt !== null) === isArchived) return undefined;
  board.archivedAt = isArchived ? toTimestamp(now) : null;
  const action = isArchived ? 'archived' : 'restored';
  return { action, text: `${action} the board “${board.title}”` };
}

export const boardOperations: BoardOperations = {
  listBoards: boardResource.listPage(selectBoards),
  addBoard: detailedBoardResource.create((request) => {
    const { state, params } = request;
    const title = readRequiredText(request, 'title', 'A board needs a title.');
    const folder = state.folders.get(params.integer('folder_id', 0));
    if (params.has('folder_id') && folder === undefined) {
      refuseArgument('folder_id', 'There is no such folder.');
    }
    const board = createBoard(request, title);
    folder?.boardIds.push(board.id);
    return board;
  }),

  // The first steps of a new user: creating a first board, or skipping it.
  onboard: detailedBoardResource.create((request) => {
    const settings = request.state.settingsOf(request.user);
    if (settings.onboardingStatus === 'done') {
      refuse(409, 'already_onboarded', 'You have made your first board already.');
    }
    settings.onboardingStatus = 'done';
    return createBoard(request, request.params.string('title', '').trim() || 'My first board');
  }),
  skipOnboarding: ({ state, user }) => {
    const settings = state.settingsOf(user);
    if (settings.onboardingStatus === 'pending') settings.onboardingStatus = 'skipped';
    return ok({ status: settings.onboardingStatus });
  },

  // Lists of boards, each a selection from those that the client may read, and values to choose for a board.
  listBoardColors: () => ok(BOARD_COLORS),
  listBoardNames: shortBoardResource.listAll((request) => {
    const type = request.params.string('type');
    return activeBoards(request).filter(
      (board) => isMemberOrAdmin(request.user, board) && (type === undefined || board.kind === type),
    );
  }),
  listAccessibleBoards: boardResource.listPage(activeBoards),
  listCurrencies: () => ok(CURRENCIES),
  listManagedBoards: shortBoardResource.listAll((request) =>
    activeBoards(request).filter((board) => hasRight(request.user, board, 'manage')),
  ),
  listRecentBoards: listUserBoards('recentBoards'),
  listPinnedBoards: listUserBoards('pinnedBoards'),
  listBoardsOfContact: boardResource.listPage((request) => {
    const contact = findContact(request, 'associated_id');
    // Only members may learn which contacts are linked to a board.
    return activeBoards(request).filter(
      (board) => board.contactIds.includes(contact.id) && isMemberOrAdmin(request.user, board),
    );
  }),

  readBoard: detailedBoardResource.withItem((request, board) => {
    const { recentBoards } = request.state.settingsOf(request.user);
    removeId(recentBoards, board.id);
    recentBoards.unshift(board.id);
    recentBoards.splice(10);
    return ok(detailedBoardResource.show(board, request));
  }),
  updateBoard: detailedBoardResource.change((request, board) => {
    const values = BOARD_PROPERTIES.flatMap((name): [BoardProperty, string][] => {
      const value = request.params.string(name);
      return value === undefined ? [] : [[name, value]];
    });
    for (const [name, value] of values) checkBoardProperty(name, value, name);
    for (const [name, value] of values) {
      const entry = changeBoardProperty(board, name, value);
      if (entry !== undefined) boardResource.logChange(request, board, entry);
    }
    return undefined;
  }),
  deleteBoard: boardResource.remove(({ state }, { id }) => {
    state.deleteBoard(id);
    return undefined;
  }),
  checkForChanges: boardResource.withItem(({ params }, { changedAt }) => {
    const since =
      parseInstant(params.string('since', '')) ??
      refuseArgument('since', 'since is not a moment of the calendar.');
    return ok({ changed: changedAt > since, updated_at: new Date(changedAt).toISOString() });
  }),
  updateBoardProperty: boardResource.change(({ params }, board) => {
    const property = enumParam(params, 'property', BOARD_PROPERTIES) ?? 'title';
    const value = params.string('value', '');
    checkBoardProperty(property, value, 'value');
    return changeBoardProperty(board, property, value);
  }),

  pinBoard: boardResource.change((request, board) => pinBoard(request, board, true)),
  unpinBoard: boardResource.change((request, board) => pinBoard(request, board, false)),
  archiveBoard: boardResource.change((request, board) => archiveBoard(request, board, true)),
  restoreBoard: boardResource.change((request, board) => archiveBoard(request, board, false)),

  // The public access of a board, and the menu items that a client may see.
  updatePublicAccess: publicAccessResource.change((request, { publicAccess: access }) => {
    const { params } = request;
    const was = access.enabled;
    const isToggled = !params.has('show_comments') && !params.has('show_assignees');
    if (isToggled) access.enabled = !was;
    assignFields(request, access, ['enabled', 'show_comments', 'show_assignees']);
    const opened = access.enabled ? 'opened the board to everybody' : 'closed the board to strangers';
    return {
      action: 'updated',
      subject: 'settings',
      text: access.enabled === was ? 'changed what strangers see' : opened,
      oldValue: String(was),
      newValue: String(access.enabled),
    };
  }),
  readPublicAccess: publicAccessResource.read(),
  listMenuItems: boardResource.withItem((request, board) => ok(menuItems(request, board))),

  duplicateBoard: detailedBoardResource.withItem((request, source) => {
    const { state, params } = request;
    const title = params.string('title', '').trim() || `${source.title.slice(0, 193)} (copy)`;
    const board = state.addBoard({ ...source, title, color: source.background.color }, request);
    board.background = source.background;
    copyBoard(request, source, board);
    const location = request.link(`/boards/v2/projects/${board.id}`);
    return created(detailedBoardResource.show(board, request), location);
  }),
  importFromBoard: detailedBoardResource.change((request, board) => {
    const { state, user, params } = request;
    const argument = 'source_board_id';
    const source = findForArgument(argument, () => state.findBoard(params.integer(argument)));
    // A client does not learn of boards that they may not read.
    if (!hasRight(user, source, 'read')) refuseArgument(argument, 'There is no such board.');
    if (!isMemberOrAdmin(user, source)) refuseArgument(argument, 'You are not on that board.');
    if (source.id === board.id) refuseArgument(argument, 'A board cannot take from itself.');
    copyBoard(request, source, board);
    const text = `imported from the board “${source.title}”`;
    return { action: 'imported', text, newValue: source.title };
  }),
};

/** Adds the requested parts of one board to another. Comments, times, votes and history are not copied. */
function copyBoard(request: BoardRequest, from: Board, to: Board): void {
  const { state, now, params } = request;
  const parts = new Set(params.strings('include'));
  if (parts.has('members')) {
    for (const { userId, role } of from.members) {
      if (!hasMember(to, userId)) to.members.push({ userId, role, joinedAt: toTimestamp(now) });
    }
  }
  const labels = new Map<number, Label>();
  if (parts.has('labels')) {
    for (const label of state.labelsOnBoard(from.id)) labels.set(label.id, findOrAddLabel(state, to, label));
  }
  if (!parts.has('stages') && !parts.has('tasks')) return;
  for (const source of state.activeStages(from.id)) {
    const { title, color, defaultStatus, taskLimit } = source;
    const defaultAssignees = source.defaultAssignees.filter((userId) => hasMember(to, userId));
    const stage = state.addStage(to, { title, color, defaultStatus, taskLimit, defaultAssignees });
    if (!parts.has('tasks')) continue;
    for (const task of state.activeTasksInStage(source.id)) copyTask(request, task, to, stage, labels);
  }
}

/** @param labels copies by the number of the label that was copied */
function copyTask(
  { state, user, now }: BoardRequest,
  task: Task,
  board: Board,
  stage: Stage,
  labels: ReadonlyMap<number, Label>,
): void {
  const at = toTimestamp(now);
  state.tasks.add((id) => ({
    ...task,
    id,
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    slug: createUniqueSlug(task.title, state.allTasksOnBoard(board.id)),
    position: state.activeTasksInStage(stage.id).length + 1,
    assignees: task.assignees.filter((userId) => hasMember(board, userId)),
    labels: task.labels.flatMap((label) => labels.get(label)?.id ?? []),
    supportTicketId: null,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
  }));
}

function hasMember({ members }: Board, userId: number): boolean {
  return members.some((member) => member.userId === userId);
}

/** The label of a board with the title and background of another label; added when the board has none. */
function findOrAddLabel(state: BoardState, board: Board, label: Label): Label {
  const { title, backgroundColor } = label;
  return (
    state
      .labelsOnBoard(board.id)
      .find((existing) => existing.title === title && existing.backgroundColor === backgroundColor) ??
    state.labels.add((id) => ({ ...label, id, boardId: board.id }))
  );
}

/** Folders: every user sees them with the boards that they may read, administrators change them. */
const folderResource = new BoardResource<Folder, []>({
  findParents: () => [],
  findItem: ({ state, params }) =>
    state.folders.get(params.integer('folder_id', 0)) ??
    refuse(404, 'folder_not_found', 'There is no such folder.'),
  show: createView<Folder>('folder', {
    board_ids: ({ boardIds }, { state, user }) =>
      boardIds.filter((id) => {
        const board = state.boards.get(id);
        return board !== undefined && hasRight(user, board, 'read');
      }),
  }),
});

const readFolderTitle = (request: BoardRequest, otherwise: string): string =>
  readRequiredText(request, 'title', 'A folder needs a title.', otherwise);

/** The board of the argument `board_id`. */
const readFolderBoard = ({ state, params }: BoardRequest): Board =>
  findForArgument('board_id', () => state.findBoard(params.integer('board_id')));

export const folderOperations: BoardOperations = {
  listFolders: folderResource.listAll(({ state }) => [...state.folders.values()]),
  addFolder: folderResource.create((request) => {
    const { state, user, params, now } = request;
    const title = readFolderTitle(request, '');
    return state.folders.add((id) => ({
      id,
      title,
      description: params.string('description', ''),
      color: params.string('color', '#868e96'),
      boardIds: [],
      createdBy: user?.id ?? 0,
      createdAt: toTimestamp(now),
    }));
  }),
  readFolder: folderResource.read(),
  updateFolder: folderResource.change((request, folder) => {
    folder.title = readFolderTitle(request, folder.title);
    assignFields(request, folder, ['description', 'color']);
    return undefined;
  }),
  deleteFolder: folderResource.remove(({ state }, { id }) => {
    state.folders.delete(id);
    return undefined;
  }),

  // Adding or removing a board; doing so twice changes nothing.
  addBoardToFolder: folderResource.change((request, { boardIds }) => {
    const { id } = readFolderBoard(request);
    if (!boardIds.includes(id)) boardIds.push(id);
    return undefined;
  }),
  removeBoardFromFolder: folderResource.change((request, { boardIds }) => {
    removeId(boardIds, readFolderBoard(request).id);
    return undefined;
  }),
};
