import type { SiteError } from '../../rest-server/declarations.ts';
import { created, isSiteError, restError } from '../../rest-server/responses.ts';
import { boardResource } from './boards.ts';
import {
  type BoardOperations,
  type BoardRequest,
  createView,
  type ItemView,
  invalidArgument,
} from './resource.ts';
import {
  type ActivityEntry,
  type Board,
  type BoardBackground,
  nextId,
  type StoredImage,
  slugify,
  type Task,
  type TaskCover,
  toTimestamp,
} from './state.ts';
import { addTask, logTask, readStage, taskResource } from './tasks.ts';

/** Maximum size of an image, in bytes. */
const MAX_IMAGE_SIZE = 5 * 1024 * 1024;

/** Maximum size of all images together, in bytes; the site stores them in memory. */
const MAX_TOTAL_SIZE = 64 * 1024 * 1024;

type Signature = readonly [type: string, extension: string, bytes: readonly (number | null)[]];

/** Image types by their first bytes. The name and the type that the client sends are not trusted. */
const SIGNATURES: readonly Signature[] = [
  ['image/png', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 'jpg', [0xff, 0xd8, 0xff]],
  ['image/gif', 'gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 'webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
];

/** Stores the image of a request: the form field `file`, else the first file of the form, else the body. */
function storeImage(request: BoardRequest, board: Board): StoredImage | SiteError {
  const { state, user, files, body, headers, now } = request;
  const file = files.find(({ field }) => field === 'file') ?? files[0];
  const isRaw = /^image\//i.test(headers.get('content-type') ?? '');
  const bytes = file?.bytes ?? (isRaw ? body : null);
  if (bytes === null || bytes.length === 0) {
    return restError(400, 'rest_upload_no_data', 'No picture was sent: send a form with a field `file`.');
  }
  if (bytes.length > MAX_IMAGE_SIZE) {
    return restError(413, 'rest_upload_file_too_big', 'This picture is larger than 5 MB.');
  }
  const stored = [...state.images.values()].reduce((sum, { size }) => sum + size, 0);
  if (stored + bytes.length > MAX_TOTAL_SIZE) {
    return restError(400, 'rest_upload_limited_space', 'Not enough space to upload.');
  }
  const signature = SIGNATURES.find(([, , first]) =>
    first.every((byte, index) => byte === null || bytes[index] === byte),
  );
  if (signature === undefined) {
    return restError(400, 'rest_upload_unknown_type', 'Only PNG, JPEG, GIF and WebP pictures can be sent.');
  }
  const [mimeType, extension] = signature;
  const id = nextId(state, 'images');
  const name = `${slugify((file?.name ?? 'picture').replace(/\.[^.]*$/, ''))}.${extension}`;
  const image: StoredImage = {
    id,
    boardId: board.id,
    name,
    mimeType,
    size: bytes.length,
    path: `/boards-uploads/${id}/${name}`,
    // The bytes of the request may be a view of a larger buffer, which a copy does not keep alive.
    bytes: Uint8Array.from(bytes),
    uploadedBy: user?.id ?? 0,
    uploadedAt: toTimestamp(now),
  };
  state.images.set(id, image);
  return image;
}

const imageView: ItemView<StoredImage> = createView<StoredImage, BoardRequest>(
  'image',
  (request) => request,
  {
    mime_type: ({ mimeType }) => mimeType,
    url: ({ path }, { address }) => address(path),
    uploaded_at: ({ uploadedAt }) => uploadedAt,
  },
);

function setBackgroundImage(board: Board, imageUrl: string): ActivityEntry {
  return setBackground(board, { isImage: true, color: board.background.color, imageUrl });
}

function setBackground(board: Board, background: BoardBackground): ActivityEntry {
  const oldValue = board.background.imageUrl ?? board.background.color;
  board.background = background;
  return {
    action: background.isImage ? 'uploaded' : 'updated',
    subject: 'background',
    text: 'changed the background of the board',
    oldValue,
    newValue: background.imageUrl ?? background.color,
  };
}

/** Converts a file name to a title: `whiteboard-photo.png` becomes `Whiteboard photo`. */
function toTitle(fileName: string): string {
  const words = fileName.replace(/\.[^.]*$/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function imageCover({ address }: BoardRequest, { path }: StoredImage): TaskCover {
  return { color: null, imageUrl: address(path) };
}

function setCover(task: Task, cover: TaskCover | null): ActivityEntry {
  task.cover = cover;
  return {
    action: cover === null ? 'removed' : 'updated',
    subject: 'cover',
    text: `${cover === null ? 'took away' : 'changed'} the cover of “${task.title}”`,
    newValue: cover?.imageUrl ?? cover?.color ?? null,
  };
}

const COVER_SOURCES = ['color', 'image_id', 'image_url'] as const;

/** Uploading an image that a text on the task uses. */
const upload = taskResource.withItem((request, task, board) => {
  const image = storeImage(request, board);
  if (isSiteError(image)) return image;
  const text = `sent the picture ${image.name} to “${task.title}”`;
  logTask(request, task, { action: 'uploaded', text });
  return created(imageView.createPresenter(request)(image), request.address(image.path));
});

export const imageOperations: BoardOperations = {
  // Setting the background of a board: a colour, an uploaded image, or a new upload.
  'PUT /projects/{board_id:int}/upload/background': boardResource.change(
    ({ state, params, address }, board) => {
      const newColor = params.string('color');
      if ((newColor === undefined) !== params.has('image_id')) {
        return restError(400, 'background_ambiguous', 'Give either a color or an image_id.');
      }
      if (newColor !== undefined) {
        return setBackground(board, { isImage: false, color: newColor, imageUrl: null });
      }
      const image = state.images.get(params.integer('image_id', 0));
      return image?.boardId === board.id
        ? setBackgroundImage(board, address(image.path))
        : restError(404, 'image_not_found', 'There is no such picture on this board.');
    },
  ),
  'POST /projects/{board_id:int}/upload/background-image': boardResource.withItem((request, board) => {
    const image = storeImage(request, board);
    if (isSiteError(image)) return image;
    boardResource.logChange(request, board, setBackgroundImage(board, request.address(image.path)));
    return created(imageView.createPresenter(request)(image), request.address(image.path));
  }),

  // Creating a task from an image, such as a screenshot, which becomes its cover.
  'POST /projects/{board_id:int}/tasks/create-task-from-image': taskResource.create(
    '/projects/{board_id}/tasks/{id}',
    (request, board) => {
      const stage = readStage(request, board);
      if (isSiteError(stage)) return stage;
      const image = storeImage(request, board);
      if (isSiteError(image)) return image;
      const title = request.params.string('title', '').trim() || toTitle(image.name);
      const task = addTask(request, { board, stage, values: { title } });
      if (!isSiteError(task)) task.cover = imageCover(request, image);
      return task;
    },
  ),

  // Setting the cover of a task: a colour, an uploaded image, or the URL of an image.
  'POST /projects/{board_id:str}/tasks/update-cover-photo/{task_id:int}': taskResource.change(
    (request, task, board) => {
      const { params, state } = request;
      if (COVER_SOURCES.filter((name) => params.has(name)).length !== 1) {
        return invalidArgument('color', 'A cover is a color, an image_id or an image_url: name one of them.');
      }
      const image = state.images.get(params.integer('image_id', 0));
      if (params.has('image_id') && image?.boardId !== board.id) {
        return invalidArgument('image_id', 'There is no such picture on this board.');
      }
      const imageUrl = params.string('image_url') ?? null;
      const cover = { color: params.string('color') ?? null, imageUrl };
      return setCover(task, image === undefined ? cover : imageCover(request, image));
    },
  ),

  'POST /projects/{board_id:int}/tasks/{task_id:int}/comment-image-upload': upload,
  'POST /projects/{board_id:int}/tasks/{task_id:int}/task-cover-image-upload': taskResource.change(
    (request, task, board) => {
      const image = storeImage(request, board);
      return isSiteError(image) ? image : setCover(task, imageCover(request, image));
    },
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/remove-task-cover': taskResource.change(
    (_request, task) => (task.cover === null ? undefined : setCover(task, null)),
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/core-editor-media-file-upload': upload,
};
