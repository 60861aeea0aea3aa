import type { ArgumentSchemas } from '../../site/declarations.ts';
import { created } from '../../site/responses.ts';
import { IMAGE_SCHEMA, imageView, storeImage } from '../images/store-image.ts';
import type { ActivityEntry, Board, StoredImage, Task, TaskCover } from '../model/index.ts';
import { isSiteError } from '../model/index.ts';
import type { BoardRequest, BoardRoute, ResourceOperation } from '../rest/index.ts';
import { invalidArgument, schema } from '../rest/index.ts';
import { START_STAGE_ARG, TASK_TITLE_ARG } from './args.ts';
import { logTask } from './changes.ts';
import { addTask, readStage } from './create.ts';
import { taskResource } from './resource.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

const FILE_ARGS: ArgumentSchemas = {
  file: schema.string('The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB.', {
    format: 'binary',
  }),
};

/** Creating a task from an image, such as a screenshot, which becomes its cover. */
export const taskFromImageRoute: BoardRoute = taskResource.post(
  '/projects/{board_id:int}/tasks/create-task-from-image',
  {
    args: {
      ...FILE_ARGS,
      title: {
        ...TASK_TITLE_ARG,
        description: 'Title of the task. Absent: the name of the file, in words.',
      },
      stage_id: START_STAGE_ARG,
    },
    create(request, board) {
      const stage = readStage(request, board);
      if (isSiteError(stage)) return stage;
      const image = storeImage(request, board);
      if (isSiteError(image)) return image;
      const title = request.params.string('title', '').trim() || toTitle(image.name);
      const task = addTask(request, { board, stage, values: { title } });
      if (!isSiteError(task)) task.cover = imageCover(request, image);
      return task;
    },
    location: ({ id }, board) => `/projects/${board.id}/tasks/${id}`,
  },
);

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

/** Setting the cover of a task: a colour, an uploaded image, or the URL of an image. */
export const taskCoverRoute: BoardRoute = taskResource.post(
  '/projects/{board_id:str}/tasks/update-cover-photo/{task_id:int}',
  {
    args: {
      color: schema.color('A colour: `#ffd43b`.'),
      image_id: schema.id('Or a picture that was sent to the board.'),
      image_url: schema.uri('Or the address of any picture.', { pattern: '^https?://', maxLength: 2000 }),
    },
    change(request, task, board) {
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
  },
);

/** Uploading an image that a text on the task uses. */
const upload: ResourceOperation<Task, readonly [Board]> = {
  args: FILE_ARGS,
  handleItem(request, task, board) {
    const image = storeImage(request, board);
    if (isSiteError(image)) return image;
    const text = `sent the picture ${image.name} to “${task.title}”`;
    logTask(request, task, { action: 'uploaded', text });
    return created(imageView.createPresenter(request)(image), request.address(image.path));
  },
};

export const taskUploadRoutes: readonly BoardRoute[] = [
  taskResource.post(`${TASK}/comment-image-upload`, { ...upload, schema: IMAGE_SCHEMA }),
  taskResource.post(`${TASK}/task-cover-image-upload`, {
    args: FILE_ARGS,
    change(request, task, board) {
      const image = storeImage(request, board);
      return isSiteError(image) ? image : setCover(task, imageCover(request, image));
    },
  }),
  taskResource.post(`${TASK}/remove-task-cover`, {
    change: (_request, task) => (task.cover === null ? undefined : setCover(task, null)),
  }),
  taskResource.post(`${TASK}/core-editor-media-file-upload`, { ...upload, schema: IMAGE_SCHEMA }),
];
