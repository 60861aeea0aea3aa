import type { SiteError } from '../../rest-server/declarations.ts';
import { isSiteError, restError } from '../../rest-server/responses.ts';
import {
  type BoardHandler,
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  canReadBoard,
  createView,
  invalidArgument,
  readRequiredText,
} from './resource.ts';
import { type Board, type Folder, findBoard, nextId, removeId, toTimestamp } from './state.ts';

const folderView = createView<Folder, BoardRequest>('folder', (request) => request, {
  color: (folder) => folder.color,
  board_ids: ({ boardIds }, { state, user }) =>
    boardIds.filter((id) => {
      const board = state.boards.get(id);
      return board !== undefined && canReadBoard(user, board);
    }),
});

/** Folders: every user sees them with the boards that they may read, administrators change them. */
const folderResource = new BoardResource<Folder, []>({
  findParents: () => [],
  findItem: ({ state, params }) =>
    state.folders.get(params.integer('folder_id', 0)) ??
    restError(404, 'folder_not_found', 'There is no such folder.'),
  createPresenter: folderView.createPresenter,
});

export const folderOperations: BoardOperations = {
  'GET /admin/folders': folderResource.listAll(({ state }) => [...state.folders.values()]),
  'POST /admin/folders': folderResource.create('/admin/folders/{id}', (request) => {
    const { state, user, params, now } = request;
    const title = readTitle(request, '');
    if (isSiteError(title)) return title;
    const folder: Folder = {
      id: nextId(state, 'folders'),
      title,
      description: params.string('description', ''),
      color: params.string('color', '#868e96'),
      boardIds: [],
      createdBy: user?.id ?? 0,
      createdAt: toTimestamp(now),
    };
    state.folders.set(folder.id, folder);
    return folder;
  }),
  'GET /admin/folders/{folder_id:int}': folderResource.read(),
  'PUT /admin/folders/{folder_id:int}': folderResource.change((request, folder) => {
    const title = readTitle(request, folder.title);
    if (isSiteError(title)) return title;
    folder.title = title;
    folder.description = request.params.string('description', folder.description);
    folder.color = request.params.string('color', folder.color);
    return undefined;
  }),
  'DELETE /admin/folders/{folder_id:int}': folderResource.remove(({ state }, { id }) => {
    state.folders.delete(id);
    return undefined;
  }),
  'POST /admin/folders/{folder_id:int}/add-board': changeBoards(({ boardIds }, { id }) => {
    if (!boardIds.includes(id)) boardIds.push(id);
  }),
  'POST /admin/folders/{folder_id:int}/remove-board': changeBoards(({ boardIds }, { id }) => {
    removeId(boardIds, id);
  }),
};

function readTitle(request: BoardRequest, otherwise: string): string | SiteError {
  return readRequiredText(request, 'title', 'A folder needs a title.', otherwise);
}

/** Adds or removes the board of the argument `board_id`; doing so twice changes nothing. */
function changeBoards(apply: (folder: Folder, board: Board) => void): BoardHandler {
  return folderResource.change(({ state, params }, folder) => {
    const board = findBoard(state, params.integer('board_id'));
    if (isSiteError(board)) return invalidArgument('board_id', board.message);
    apply(folder, board);
    return undefined;
  });
}
