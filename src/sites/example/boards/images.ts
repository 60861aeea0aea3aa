import { created, refuse } from '../../rest-server/responses.ts';
import { readImageInfo } from '../site/image-info.ts';
import { boardResource } from './boards.ts';
import type { BoardOperations } from './declarations.ts';
import { createView } from './resource.ts';
import {
  type ActivityEntry,
  type Board,
  type BoardRequest,
  type StoredImage,
  slugify,
  type Task,
  toTimestamp,
} from './state.ts';
import { addTask, logTask, readStage, taskResource } from './tasks.ts';

/** Bytes. */
const MAX_IMAGE_SIZE = 5 * 1024 * 1024;

/** Reads the form field `file`, else the first file of the form, else the body. */
function storeImage(request: BoardRequest, board: Board): StoredImage {
  const { state, user, files, body, headers, now } = request;
  const file = files.find(({ field }) => field === 'file') ?? files[0];
  const isRaw = /^image\//i.test(headers.get('content-type') ?? '');
  const bytes = file?.bytes ?? (isRaw ? body : null);
  if (bytes === null || bytes.length === 0) {
    return refuse(400, 'rest_upload_no_data', 'No picture was sent: send a form with a field `file`.');
  }
  if (bytes.length > MAX_IMAGE_SIZE) {
    refuse(413, 'rest_upload_file_too_big', 'This picture is larger than 5 MB.');
  }
  const { mime: mimeType } =
    readImageInfo(bytes) ??
    refuse(400, 'rest_upload_unknown_type', 'Only PNG, JPEG, GIF and WebP pictures can be sent.');
  const extension = mimeType === 'image/jpeg' ? 'jpg' : mimeType.replace('image/', '');
  const name = `${slugify((file?.name ?? 'picture').replace(/\.[^.]*$/, ''))}.${extension}`;
  return state.images.add((id) => ({
    id,
    boardId: board.id,
    name,
    mimeType,
    size: bytes.length,
    path: `/boards-uploads/${id}/${name}`,
    bytes: Uint8Array.from(bytes),
    uploadedBy: user?.id ?? 0,
    uploadedAt: toTimestamp(now),
  }));
}

const showImage = createView<StoredImage>('image', { url: ({ path }, { address }) => address(path) });

function readColorOrImage(
  { state, params, address }: BoardRequest,
  board: Board,
): Exclude<Task['cover'], null> {
  const color = params.string('color');
  if (color !== undefined) return { color, imageUrl: null };
  const image = state.images.get(params.integer('image_id', 0));
  if (image?.boardId === board.id) return { color: null, imageUrl: address(image.path) };
  return refuse(404, 'image_not_found', 'There is no such picture on this board.');
}

function logBackground(action: string): ActivityEntry {
  return { action, subject: 'background', text: 'changed the background of the board' };
}

/** `whiteboard-photo.png` → `Whiteboard photo` */
function toTitle(fileName: string): string {
  const words = fileName.replace(/\.[^.]*$/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function setCover(task: Task, cover: Task['cover']): ActivityEntry {
  task.cover = cover;
  const verb = cover === null ? 'took away' : 'changed';
  return {
    action: cover === null ? 'removed' : 'updated',
    subject: 'cover',
    text: `${verb} the cover of “${task.title}”`,
  };
}

export const imageOperations: BoardOperations = {
  setBackground: boardResource.change((request, board) => {
    const { color, imageUrl } = readColorOrImage(request, board);
    board.color = color ?? board.color;
    board.imageUrl = imageUrl;
    return logBackground('updated');
  }),
  uploadBackground: boardResource.withItem((request, board) => {
    const image = storeImage(request, board);
    board.imageUrl = request.address(image.path);
    boardResource.logChange(request, board, logBackground('uploaded'));
    return created(showImage(image, request), board.imageUrl);
  }),

  addTaskFromImage: taskResource.create((request, board) => {
    const stage = readStage(request, board);
    const image = storeImage(request, board);
    const title = request.params.string('title', '').trim() || toTitle(image.name);
    const task = addTask(request, board, stage, { title });
    task.cover = { color: null, imageUrl: request.address(image.path) };
    return task;
  }),

  setCover: taskResource.change((request, task, board) => setCover(task, readColorOrImage(request, board))),
  uploadCover: taskResource.change((request, task, board) => {
    const { path } = storeImage(request, board);
    return setCover(task, { color: null, imageUrl: request.address(path) });
  }),
  removeCover: taskResource.change((_request, task) =>
    task.cover === null ? undefined : setCover(task, null),
  ),

  uploadImage: taskResource.withItem((request, task, board) => {
    const image = storeImage(request, board);
    const text = `sent the picture ${image.name} to “${task.title}”`;
    logTask(request, task, { action: 'uploaded', text });
    return created(showImage(image, request), request.address(image.path));
  }),
};
