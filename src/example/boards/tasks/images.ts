import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { IMAGE_SCHEMA, showImage, storeImage } from '../images/image.ts';
import { isRefusal } from '../model/state.ts';
import type { Cover, StoredImage, Task } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import {
  type BoardEndpoint,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
  withTask,
} from '../rest/route.ts';
import { STAGE_ID, TITLE } from './args.ts';
import { note } from './changes.ts';
import { makeTask, stageFor } from './create.ts';
import { TASK_SCHEMA } from './schema.ts';
import { showTask } from './view.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

const FILE: JsonObject = {
  description: 'The picture, as a part of a form: PNG, JPEG, GIF or WebP, at most 5 MB.',
  type: 'string',
  format: 'binary',
};

/** A task made of a picture: a screenshot, a photo of a whiteboard. */
export const taskFromImage: BoardRoute = route(
  '/projects/{board_id:int}/tasks/create-task-from-image',
  [
    {
      methods: ['POST'],
      args: {
        file: FILE,
        title: { ...TITLE, description: 'Title of the task. Absent: the name of the file, in words.' },
        stage_id: { ...STAGE_ID, description: 'Stage that it starts in. Absent: the first of the board.' },
      },
      permission: permit.members,
      handle: withBoard((request, board) => {
        const stage = stageFor(request, board);
        if (isRefusal(stage)) return stage;
        const image = storeImage(request, board);
        if (isRefusal(image)) return image;
        const title = request.params.string('title', '').trim() || inWords(image.name);
        const task = makeTask(request, board, stage, { title });
        if (isRefusal(task)) return task;
        task.cover = pictureCover(request, image);
        return ok(showTask(request, task));
      }),
    },
  ],
  TASK_SCHEMA,
);

/** `whiteboard-photo.png` is a “Whiteboard photo”. */
function inWords(fileName: string): string {
  const words = fileName.replace(/\.[^.]*$/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function pictureCover({ address }: BoardRequest, { path }: StoredImage): Cover {
  return { color: null, imageUrl: address(path) };
}

function setCover(request: BoardRequest, task: Task, cover: Cover | null): void {
  task.cover = cover;
  note(request, task, {
    action: cover === null ? 'removed' : 'updated',
    subject: 'cover',
    text: `${cover === null ? 'took away' : 'changed'} the cover of “${task.title}”`,
    newValue: cover?.imageUrl ?? cover?.color ?? null,
  });
}

/** What shows at the top of a task. */
export const taskCover: BoardRoute = route(
  '/projects/{board_id:str}/tasks/update-cover-photo/{task_id:int}',
  [
    {
      methods: ['POST'],
      args: {
        color: { description: 'A colour: `#ffd43b`.', type: 'string', format: 'hex-color' },
        image_id: { description: 'Or a picture that was sent to the board.', type: 'integer', minimum: 1 },
        image_url: {
          description: 'Or the address of any picture.',
          type: 'string',
          format: 'uri',
          pattern: '^https?://',
          maxLength: 2000,
        },
      },
      permission: permit.members,
      handle: withTask((request, task, board) => {
        const { params, state } = request;
        const given = ['color', 'image_id', 'image_url'].filter((name) => params.has(name));
        if (given.length !== 1)
          return invalid('color', 'A cover is a color, an image_id or an image_url: name one of them.');
        const image = state.images.get(params.integer('image_id', 0));
        if (params.has('image_id') && image?.boardId !== board.id)
          return invalid('image_id', 'There is no such picture on this board.');
        const color = params.string('color') ?? null;
        const imageUrl = params.string('image_url') ?? null;
        setCover(request, task, image === undefined ? { color, imageUrl } : pictureCover(request, image));
        return ok(showTask(request, task));
      }),
    },
  ],
  TASK_SCHEMA,
);

/** Keeps a picture for something that is written on the task. */
const keepImage: BoardEndpoint = {
  methods: ['POST'],
  args: { file: FILE },
  permission: permit.members,
  handle: withTask((request, task, board) => {
    const image = storeImage(request, board);
    if (isRefusal(image)) return image;
    note(request, task, { action: 'uploaded', text: `sent the picture ${image.name} to “${task.title}”` });
    return ok(showImage(request, image));
  }),
};

/** Pictures sent to a task. */
export const taskUploads: readonly BoardRoute[] = [
  route(`${TASK}/comment-image-upload`, [keepImage], IMAGE_SCHEMA),
  route(
    `${TASK}/task-cover-image-upload`,
    [
      {
        methods: ['POST'],
        args: { file: FILE },
        permission: permit.members,
        handle: withTask((request, task, board) => {
          const image = storeImage(request, board);
          if (isRefusal(image)) return image;
          setCover(request, task, pictureCover(request, image));
          return ok(showTask(request, task));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/remove-task-cover`,
    [
      {
        methods: ['POST'],
        permission: permit.members,
        handle: withTask((request, task) => {
          if (task.cover !== null) setCover(request, task, null);
          return ok(showTask(request, task));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(`${TASK}/core-editor-media-file-upload`, [keepImage], IMAGE_SCHEMA),
];
