import type { JsonObject } from '../../../json.ts';
import { created, ok, refuse } from '../../site/answers.ts';
import type { Args, SiteError } from '../../site/declare.ts';
import { color } from '../boards/args.ts';
import { removeFrom } from '../model/removal.ts';
import { findBoard, isRefusal, moment, nextId } from '../model/state.ts';
import type { Board, Folder } from '../model/types.ts';
import { canSee, permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type Answer, type BoardEndpoint, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { whileOn } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';

const FIELDS: Args = {
  title: { description: 'Name of the folder.', type: 'string', minLength: 1, maxLength: 100 },
  description: { description: 'What it is for.', type: 'string', maxLength: 1000 },
  color: color('Colour of the folder: `#1098ad`.'),
};

const SCHEMA: JsonObject = answersWhole('folder', 'A folder for boards.', {
  id: { description: 'Number of the folder.', type: 'integer', readonly: true },
  ...FIELDS,
  board_ids: {
    description: 'Numbers of its boards that the caller may see, in their order.',
    type: 'array',
    items: { type: 'integer' },
    readonly: true,
  },
  created_at: { description: 'When it was made.', type: 'string', format: 'date-time', readonly: true },
});

const BOARD_ID: Args = {
  board_id: { description: 'Number of the board.', type: 'integer', minimum: 1, required: true },
};

const readers = whileOn('folders', permit.signedIn);
const writers = whileOn('folders', permit.administrators);
const ITEM = '/admin/folders/{folder_id:int}';

/** Folders, which every user sees with those boards that they may see; administrators arrange them. Boards can be put in and taken out twice. */
export const folders: readonly BoardRoute[] = [
  route(
    '/admin/folders',
    [
      {
        methods: ['GET'],
        permission: readers,
        handle: (request) => ok([...request.state.folders.values()].map((folder) => show(request, folder))),
      },
      {
        methods: ['POST'],
        args: { ...FIELDS, title: { ...FIELDS['title'], required: true } },
        permission: writers,
        handle: createFolder,
      },
    ],
    SCHEMA,
  ),
  route(
    ITEM,
    [
      {
        methods: ['GET'],
        permission: readers,
        handle: withFolder((request, folder) => ok(show(request, folder))),
      },
      {
        methods: ['PUT'],
        args: FIELDS,
        permission: writers,
        handle: withFolder((request, folder) => {
          const title = titleOf(request, folder.title);
          if (typeof title !== 'string') return title;
          folder.title = title;
          folder.description = request.params.string('description', folder.description);
          folder.color = request.params.string('color', folder.color);
          return ok(show(request, folder));
        }),
      },
      {
        methods: ['DELETE'],
        permission: writers,
        handle: withFolder((request, folder) => {
          const previous = show(request, folder);
          request.state.folders.delete(folder.id);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    SCHEMA,
  ),
  route(
    `${ITEM}/add-board`,
    [
      {
        methods: ['POST'],
        args: BOARD_ID,
        permission: writers,
        handle: withFolderAndBoard((request, folder, board) => {
          if (!folder.boardIds.includes(board.id)) folder.boardIds.push(board.id);
          return ok(show(request, folder));
        }),
      },
    ],
    SCHEMA,
  ),
  route(
    `${ITEM}/remove-board`,
    [
      {
        methods: ['POST'],
        args: BOARD_ID,
        permission: writers,
        handle: withFolderAndBoard((request, folder, board) => {
          removeFrom(folder.boardIds, board.id);
          return ok(show(request, folder));
        }),
      },
    ],
    SCHEMA,
  ),
];

function createFolder(request: BoardRequest): Answer {
  const { state, user, params, now, link } = request;
  const title = titleOf(request, '');
  if (typeof title !== 'string') return title;
  const folder: Folder = {
    id: nextId(state, 'folders'),
    title,
    description: params.string('description', ''),
    color: params.string('color', '#868e96'),
    boardIds: [],
    createdBy: user?.id ?? 0,
    createdAt: moment(now),
  };
  state.folders.set(folder.id, folder);
  return created(show(request, folder), link(`/boards/v2/admin/folders/${folder.id}`));
}

function titleOf({ params }: BoardRequest, otherwise: string): string | SiteError {
  const title = params.string('title', otherwise).trim();
  return title === '' ? invalid('title', 'A folder needs a title.') : title;
}

function show({ state, user }: BoardRequest, folder: Folder): JsonObject {
  const visible = folder.boardIds.filter((id) => {
    const board = state.boards.get(id);
    return board !== undefined && canSee(user, board);
  });
  return {
    id: folder.id,
    title: folder.title,
    description: folder.description,
    color: folder.color,
    board_ids: visible,
    created_at: folder.createdAt,
  };
}

function withFolder(handle: (request: BoardRequest, folder: Folder) => Answer): BoardEndpoint['handle'] {
  return (request) => {
    const folder = request.state.folders.get(request.params.integer('folder_id', 0));
    return folder === undefined
      ? refuse(404, 'folder_not_found', 'There is no such folder.')
      : handle(request, folder);
  };
}

function withFolderAndBoard(
  handle: (request: BoardRequest, folder: Folder, board: Board) => Answer,
): BoardEndpoint['handle'] {
  return withFolder((request, folder) => {
    const board = findBoard(request.state, request.params.integer('board_id'));
    return isRefusal(board) ? invalid('board_id', board.message) : handle(request, folder, board);
  });
}
