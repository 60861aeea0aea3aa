import type { JsonObject } from '../../../base/json.ts';
import { ok, refuse } from '../../rest-server/responses.ts';
import { parseInstant } from '../site/dates.ts';
import type { BoardHandler, BoardOperations } from './declarations.ts';
import { labelResource } from './labels.ts';
import { findContact, memberResource } from './people.ts';
import { hasRight, isMemberOrAdmin, readableBoards, roleOnBoard } from './permissions.ts';
import {
  BoardResource,
  createView,
  createWordFilter,
  enumParam,
  findForArgument,
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
  type Folder,
  type Label,
  removeId,
  toTimestamp,
} from './state.ts';
import tables from './tables.json' with { type: 'json' };
import { addTask } from './tasks.ts';

const BOARD_KINDS = ['kanban', 'roadmap'] as const;

/** A board in lists. Only members and administrators see its creator. */
const showBoard = createView<Board>('board', {
  type: ({ kind }) => kind,
  status: ({ archivedAt }) => (archivedAt === null ? 'active' : 'archived'),
  background: ({ color, imageUrl }) => ({ is_image: imageUrl !== null, color, image_url: imageUrl }),
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

export const boardResource: BoardResource<Board, []> = new BoardResource({
  findParents: () => [],
  findItem: ({ state, params }) => state.findBoard(params.string('board_id')),
  show: showBoard,
  logChange: (request, { id }, entry) =>
    request.state.record({ boardId: id, subject: 'board', ...entry }, request),
});

const detailedBoardResource = boardResource.with({
  show: (board, request) => ({
    ...showBoard(board, request),
    stages: stageResource.showAll(request.state.activeStages(board.id), request),
    labels: labelResource.showAll(request.state.labelsOnBoard(board.id), request),
    members: isMemberOrAdmin(request.user, board) ? memberResource.showAll(board.members, request) : [],
  }),
});

function createBoard(request: BoardRequest, title: string): Board {
  const { state, params } = request;
  const [description, currency, color] = ['description', 'currency', 'color'].map((name) =>
    params.string(name),
  );
  const kind = enumParam(params, 'type', BOARD_KINDS) ?? 'kanban';
  const board = state.addBoard({ title, kind, description, currency, color }, request);
  state.addDefaultStages(board, params.strings('stages'));
  state.addDefaultLabels(board);
  return board;
}

/** The readable boards that match the arguments, sorted. */
function selectBoards(request: BoardRequest): Board[] {
  const { state, user, params } = request;
  const matches = createWordFilter(request);
  const type = params.string('type');
  const status = params.string('status');
  const folder = params.integer('folder_id');
  const inFolder = folder === undefined ? undefined : (state.folders.get(folder)?.boardIds ?? []);
  const found = readableBoards(state, user).filter(
    ({ id, title, description, kind, archivedAt }) =>
      matches(`${title} ${description}`) &&
      (type === undefined || kind === type) &&
      (status === 'all' || (archivedAt === null) === (status === 'active')) &&
      (inFolder?.includes(id) ?? true),
  );
  const orderby = params.string('orderby', '');
  const sign = params.string('order', orderby === 'title' ? 'asc' : 'desc') === 'asc' ? 1 : -1;
  const key = SORT_KEYS[orderby] ?? ((board) => board.updatedAt);
  return found.sort((one, other) => sign * key(one).localeCompare(key(other)) || one.id - other.id);
}

const SORT_KEYS: Readonly<Record<string, (board: Board) => string>> = {
  created_at: (board) => board.createdAt,
  title: (board) => board.title.toLowerCase(),
};

const shortBoardResource = boardResource.with({ show: ({ id, title, kind }) => ({ id, title, type: kind }) });

function activeBoards({ state, user }: BoardRequest): Board[] {
  return readableBoards(state, user).filter((board) => board.archivedAt === null);
}

/** The readable boards of a user setting, in its order. */
function listUserBoards(name: 'recentBoards' | 'pinnedBoards'): BoardHandler {
  return boardResource.listAll((request) => {
    const active = new Map(activeBoards(request).map((board) => [board.id, board]));
    const ids = request.state.settingsOf(request.user)[name];
    return ids.flatMap((id) => active.get(id) ?? []).slice(0, request.params.integer('limit', 10));
  });
}

const publicAccessResource = boardResource.with({
  show: ({ id, isPublic }) => ({ board_id: id, enabled: isPublic }),
});

function menuItems({ user, link }: BoardRequest, board: Board): JsonObject[] {
  return tables.menu
    .filter(({ isForEverybody }) => isForEverybody || isMemberOrAdmin(user, board))
    .map(({ key, title, path }) => ({ key, title, href: link(`/boards/v2/projects/${board.id}${path}`) }));
}

function pinBoard({ state, user }: BoardRequest, { id }: Board, isPinned: boolean): undefined {
  const { pinnedBoards } = state.settingsOf(user);
  if (!isPinned) removeId(pinnedBoards, id);
  else if (!pinnedBoards.includes(id)) pinnedBoards.unshift(id);
}

/** Hides a board from lists and from clients who are not members. */
function archiveBoard({ now }: BoardRequest, board: Board, isArchived: boolean): ActivityEntry | undefined {
  if ((board.archivedAt !== null) === isArchived) return undefined;
  board.archivedAt = isArchived ? toTimestamp(now) : null;
  const action = isArchived ? 'archived' : 'restored';
  return { action, text: `${action} the board “${board.title}”` };
}

/** A new colour takes the place of an image. */
function logProperties(board: Board, isRecoloured: boolean): ActivityEntry {
  if (isRecoloured) board.imageUrl = null;
  return { action: 'updated', text: `changed the board “${board.title}”` };
}

/** Comments, times, votes and history are not copied. */
function copyBoard(request: BoardRequest, from: Board, to: Board): void {
  const { state } = request;
  const labels = new Map(
    state.labelsOnBoard(from.id).map((label) => [label.id, findOrAddLabel(state, to, label).id]),
  );
  for (const source of state.activeStages(from.id)) {
    const { title, color, defaultStatus, taskLimit } = source;
    const stage = state.addStage(to, { title, color, defaultStatus });
    for (const task of state.activeTasksInStage(source.id)) {
      addTask(request, to, stage, {
        ...task,
        assignees: task.assignees.filter((id) => to.members.some(({ userId }) => userId === id)),
        labels: task.labels.flatMap((label) => labels.get(label) ?? []),
      });
    }
    stage.taskLimit = taskLimit;
  }
}

/** The board's label with the title and background of another. */
function findOrAddLabel(state: BoardState, board: Board, label: Label): Label {
  const { title, backgroundColor } = label;
  return (
    state
      .labelsOnBoard(board.id)
      .find((existing) => existing.title === title && existing.backgroundColor === backgroundColor) ??
    state.labels.add((id) => ({ ...label, id, boardId: board.id }))
  );
}

/** Users see folders with their readable boards; administrators change them. */
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

const readFolderBoard = ({ state, params }: BoardRequest): Board =>
  findForArgument('board_id', () => state.findBoard(params.integer('board_id')));

export const boardOperations: BoardOperations = {
  listBoards: boardResource.listPage(selectBoards),
  addBoard: detailedBoardResource.create((request) => {
    const { state, params } = request;
    const folder = state.folders.get(params.integer('folder_id', 0));
    if (params.has('folder_id') && folder === undefined) {
      refuseArgument('folder_id', 'There is no such folder.');
    }
    const board = createBoard(request, params.string('title', ''));
    folder?.boardIds.push(board.id);
    return board;
  }),

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
  updateBoard: detailedBoardResource.update(({ params }, board) => logProperties(board, params.has('color'))),
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
  updateBoardProperty: boardResource.updateProperty('boardFields', ({ params }, board) =>
    logProperties(board, params.string('property') === 'color'),
  ),

  pinBoard: boardResource.change((request, board) => pinBoard(request, board, true)),
  unpinBoard: boardResource.change((request, board) => pinBoard(request, board, false)),
  archiveBoard: boardResource.change((request, board) => archiveBoard(request, board, true)),
  restoreBoard: boardResource.change((request, board) => archiveBoard(request, board, false)),

  updatePublicAccess: publicAccessResource.change(({ params }, board) => {
    board.isPublic = params.boolean('enabled', !board.isPublic);
    const text = board.isPublic ? 'opened the board to everybody' : 'closed the board to strangers';
    return { action: 'updated', subject: 'settings', text };
  }),
  readPublicAccess: publicAccessResource.read(),
  listMenuItems: boardResource.withItem((request, board) => ok(menuItems(request, board))),

  duplicateBoard: detailedBoardResource.create((request) => {
    const [source] = boardResource.locate(request);
    const title = request.params.string('title', '').trim() || `${source.title.slice(0, 193)} (copy)`;
    const board = request.state.addBoard({ ...source, title }, request);
    board.imageUrl = source.imageUrl;
    copyBoard(request, source, board);
    return board;
  }),
  importFromBoard: detailedBoardResource.change((request, board) => {
    const { state, user, params } = request;
    const argument = 'source_board_id';
    const source = findForArgument(argument, () => state.findBoard(params.integer(argument)));
    if (!isMemberOrAdmin(user, source)) refuseArgument(argument, 'There is no such board.');
    if (source.id === board.id) refuseArgument(argument, 'A board cannot take from itself.');
    copyBoard(request, source, board);
    return { action: 'imported', text: `imported from the board “${source.title}”` };
  }),

  listFolders: folderResource.listAll(({ state }) => [...state.folders.values()]),
  addFolder: folderResource.create((request) => {
    const { state, user, params, now } = request;
    return state.folders.add((id) => ({
      id,
      title: params.string('title', ''),
      description: params.string('description', ''),
      color: params.string('color', '#868e96'),
      boardIds: [],
      createdBy: user?.id ?? 0,
      createdAt: toTimestamp(now),
    }));
  }),
  readFolder: folderResource.read(),
  updateFolder: folderResource.update(),
  deleteFolder: folderResource.remove(({ state }, { id }) => {
    state.folders.delete(id);
    return undefined;
  }),

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
