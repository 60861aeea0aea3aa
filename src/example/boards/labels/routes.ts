import type { JsonObject } from '../../../json.ts';
import { created, ok, refuse } from '../../site/answers.ts';
import { color } from '../boards/args.ts';
import { addLabel } from '../boards/create.ts';
import { LABEL_SCHEMA } from '../boards/schema.ts';
import { labelsOf, showLabel } from '../boards/view.ts';
import { findLabel, findTask, isRefusal, record } from '../model/state.ts';
import type { ActivityAction, Label } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRequest, type BoardRoute, route, withBoard, withLabel } from '../rest/route.ts';
import * as changes from '../tasks/changes.ts';
import { TASK_SCHEMA } from '../tasks/schema.ts';
import { showTask } from '../tasks/view.ts';

const TITLE: JsonObject = {
  description: 'Text of the label. Empty for a colour alone.',
  type: 'string',
  maxLength: 60,
};
const TEXT_COLOR = 'Colour of the text.';
const BACK_COLOR = 'Colour behind the text.';

/** The labels of a board. */
export const labels: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:str}/labels',
    [
      {
        methods: ['GET'],
        args: { search: { description: 'Part of the text.', type: 'string', maxLength: 60 } },
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const part = request.params.string('search', '').toLowerCase();
          const found = labelsOf(request.state, board.id).filter(({ title }) =>
            title.toLowerCase().includes(part),
          );
          return ok(found.map((label) => showLabel(request, label)));
        }),
      },
      {
        methods: ['POST'],
        args: {
          title: { ...TITLE, default: '' },
          color: color(TEXT_COLOR, { default: '#ffffff' }),
          background_color: color(BACK_COLOR, { required: true }),
        },
        permission: permit.members,
        handle: withBoard((request, board) => {
          const { state, params, link } = request;
          const label = addLabel(state, board, {
            title: params.string('title', ''),
            color: params.string('color', '#ffffff'),
            backgroundColor: params.string('background_color', '#4c6ef5'),
          });
          note(request, label, 'created', `made the label “${label.title}”`);
          return created(showLabel(request, label), link(`/boards/v2/projects/${board.id}/labels`));
        }),
      },
    ],
    LABEL_SCHEMA,
  ),
  route(
    '/projects/{board_id:str}/labels/used-in-tasks',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          const used = new Set(
            [...request.state.tasks.values()]
              .filter((task) => task.boardId === board.id && task.archivedAt === null)
              .flatMap((task) => task.labels),
          );
          const found = labelsOf(request.state, board.id).filter(({ id }) => used.has(id));
          return answerPage(request, found, (label) => showLabel(request, label));
        }),
      },
    ],
    LABEL_SCHEMA,
  ),
  route(
    '/projects/{board_id:str}/labels/task',
    [
      {
        methods: ['POST'],
        args: {
          task_id: { description: 'Number of the task.', type: 'integer', minimum: 1, required: true },
          label_id: {
            description: 'Number of the label to put on it. It may be there already.',
            type: 'integer',
            minimum: 1,
            required: true,
          },
        },
        permission: permit.members,
        handle: withBoard((request, board) => {
          const { state, params } = request;
          const task = findTask(state, board.id, params.integer('task_id'));
          if (isRefusal(task)) return invalid('task_id', task.message);
          const label = findLabel(state, board.id, params.integer('label_id'));
          if (isRefusal(label)) return invalid('label_id', label.message);
          changes.addLabel(request, task, label.id);
          return ok(showTask(request, task));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    '/projects/{board_id:str}/labels/{label_id:str}',
    [
      {
        methods: ['PUT'],
        args: { title: TITLE, color: color(TEXT_COLOR), background_color: color(BACK_COLOR) },
        permission: permit.members,
        handle: withLabel((request, label) => {
          const { params } = request;
          label.title = params.string('title', label.title);
          label.color = params.string('color', label.color);
          label.backgroundColor = params.string('background_color', label.backgroundColor);
          note(request, label, 'updated', `changed the label “${label.title}”`);
          return ok(showLabel(request, label));
        }),
      },
      {
        methods: ['DELETE'],
        permission: permit.members,
        handle: withLabel((request, label) => {
          const previous = showLabel(request, label);
          for (const task of request.state.tasks.values()) changes.takeOut(task.labels, label.id);
          request.state.labels.delete(label.id);
          note(request, label, 'deleted', `deleted the label “${label.title}”`);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    LABEL_SCHEMA,
  ),
  ...taskLabels(),
];

/** The labels of one task. */
function taskLabels(): BoardRoute[] {
  const path = '/projects/{board_id:str}/tasks/{task_id:str}/labels';
  return [
    route(
      path,
      [
        {
          methods: ['GET'],
          permission: permit.viewers,
          handle: withBoard((request, board) => {
            const task = findTask(request.state, board.id, request.params.string('task_id'));
            return isRefusal(task) ? task : ok(task.labels.flatMap((id) => shown(request, id)));
          }),
        },
      ],
      LABEL_SCHEMA,
    ),
    route(
      `${path}/{label_id:str}`,
      [
        {
          methods: ['DELETE'],
          permission: permit.members,
          handle: withLabel((request, label, board) => {
            const task = findTask(request.state, board.id, request.params.string('task_id'));
            if (isRefusal(task)) return task;
            if (!task.labels.includes(label.id)) {
              return refuse(404, 'label_not_found', 'The task does not carry this label.');
            }
            changes.removeLabel(request, task, label.id);
            return ok({ deleted: true, previous: showLabel(request, label) });
          }),
        },
      ],
      LABEL_SCHEMA,
    ),
  ];
}

function shown(request: BoardRequest, id: number): JsonObject[] {
  const label = request.state.labels.get(id);
  return label === undefined ? [] : [showLabel(request, label)];
}

function note(request: BoardRequest, label: Label, action: ActivityAction, text: string): void {
  record(request.state, { boardId: label.boardId, action, subject: 'label', text }, request);
}
