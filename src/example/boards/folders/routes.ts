import type { ArgumentSchemas, SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { Board, Folder } from '../model/index.ts';
import { findBoard, isSiteError, nextId, removeId, toTimestamp } from '../model/index.ts';
import type { BoardRequest, BoardRoute, ResourceOperation } from '../rest/index.ts';
import {
  canReadBoard,
  createResource,
  createView,
  invalidArgument,
  permit,
  readRequiredText,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';

const ARGS = {
  title: schema.string('Name of the folder.', { minLength: 1, maxLength: 100 }),
  description: schema.string('What it is for.', { maxLength: 1000 }),
  color: schema.color('Colour of the folder: `#1098ad`.'),
} as const satisfies ArgumentSchemas;

const folderView = createView<Folder, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the folder.')),
  title: ARGS.title,
  description: ARGS.description,
  color: [ARGS.color, (folder) => folder.color],
  board_ids: [
    schema.readOnly(
      schema.array('Numbers of its boards that the caller may see, in their order.', { type: 'integer' }),
    ),
    ({ boardIds }, { state, user }) =>
      boardIds.filter((id) => {
        const board = state.boards.get(id);
        return board !== undefined && canReadBoard(user, board);
      }),
  ],
  created_at: schema.readOnly(schema.dateTime('When it was made.')),
});

/** Folders: every user sees them with the boards that they may read, administrators change them. */
const folderResource = createResource<Folder, readonly []>({
  schema: responseSchema('folder', 'A folder for boards.', folderView.properties),
  readPermission: withFeature('folders', permit.signedIn),
  writePermission: withFeature('folders', permit.administrators),
  findParents: () => [],
  findItem: ({ state, params }) =>
    state.folders.get(params.integer('folder_id', 0)) ??
    restError(404, 'folder_not_found', 'There is no such folder.'),
  createPresenter: folderView.createPresenter,
});

const FOLDER = '/admin/folders/{folder_id:int}';

export const folderRoutes: readonly BoardRoute[] = [
  folderResource.route('/admin/folders', {
    GET: { listAll: ({ state }) => [...state.folders.values()] },
    POST: {
      args: { ...ARGS, title: { ...ARGS.title, required: true } },
      create(request) {
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
      },
      location: ({ id }) => `/admin/folders/${id}`,
    },
  }),
  folderResource.route(FOLDER, {
    GET: {},
    PUT: {
      args: ARGS,
      change(request, folder) {
        const title = readTitle(request, folder.title);
        if (isSiteError(title)) return title;
        folder.title = title;
        folder.description = request.params.string('description', folder.description);
        folder.color = request.params.string('color', folder.color);
        return undefined;
      },
    },
    DELETE: {
      remove({ state }, { id }) {
        state.folders.delete(id);
        return undefined;
      },
    },
  }),
  folderResource.post(
    `${FOLDER}/add-board`,
    changeBoards(({ boardIds }, { id }) => {
      if (!boardIds.includes(id)) boardIds.push(id);
    }),
  ),
  folderResource.post(
    `${FOLDER}/remove-board`,
    changeBoards(({ boardIds }, { id }) => {
      removeId(boardIds, id);
    }),
  ),
];

function readTitle(request: BoardRequest, otherwise: string): string | SiteError {
  return readRequiredText(request, 'title', 'A folder needs a title.', otherwise);
}

/** Adds or removes the board of the argument `board_id`; doing so twice changes nothing. */
function changeBoards(apply: (folder: Folder, board: Board) => void): ResourceOperation<Folder, readonly []> {
  return {
    args: { board_id: schema.id('Number of the board.', { required: true }) },
    change({ state, params }, folder) {
      const board = findBoard(state, params.integer('board_id'));
      if (isSiteError(board)) return invalidArgument('board_id', board.message);
      apply(folder, board);
      return undefined;
    },
  };
}
