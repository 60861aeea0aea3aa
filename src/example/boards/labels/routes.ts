import { ok, restError } from '../../site/responses.ts';
import { addLabel } from '../boards/create.ts';
import {
  allTasksOnBoard,
  findLabel,
  findTask,
  isSiteError,
  labelsOnBoard,
  removeId,
} from '../model/index.ts';
import type { BoardRoute } from '../rest/index.ts';
import { createSubstringFilter, invalidArgument, PAGING_ARGS, schema } from '../rest/index.ts';
import { labelTask, unlabelTask } from '../tasks/changes.ts';
import { taskResource } from '../tasks/resource.ts';
import { labelResource } from './resource.ts';

const TITLE = schema.string('Text of the label. Empty for a colour alone.', { maxLength: 60 });
const TEXT_COLOR = 'Colour of the text.';
const BACKGROUND_COLOR = 'Colour behind the text.';

/** Labels of a board. */
const boardLabels: readonly BoardRoute[] = [
  labelResource.route('/projects/{board_id:str}/labels', {
    GET: {
      args: { search: schema.string('Part of the text.', { maxLength: 60 }) },
      listAll(request, board) {
        const matches = createSubstringFilter(request);
        return labelsOnBoard(request.state, board.id).filter(({ title }) => matches(title));
      },
    },
    POST: {
      args: {
        title: { ...TITLE, default: '' },
        color: schema.color(TEXT_COLOR, { default: '#ffffff' }),
        background_color: schema.color(BACKGROUND_COLOR, { required: true }),
      },
      create(request, board) {
        const { state, params } = request;
        const label = addLabel(state, board, {
          title: params.string('title', ''),
          color: params.string('color', '#ffffff'),
          backgroundColor: params.string('background_color', '#4c6ef5'),
        });
        labelResource.logChange(request, label, {
          action: 'created',
          text: `made the label “${label.title}”`,
        });
        return label;
      },
      location: (_label, board) => `/projects/${board.id}/labels`,
    },
  }),
  labelResource.get('/projects/{board_id:str}/labels/used-in-tasks', {
    args: PAGING_ARGS,
    listPaged({ state }, board) {
      const active = allTasksOnBoard(state, board.id).filter(({ archivedAt }) => archivedAt === null);
      const used = new Set(active.flatMap((task) => task.labels));
      return labelsOnBoard(state, board.id).filter(({ id }) => used.has(id));
    },
  }),
  taskResource.post('/projects/{board_id:str}/labels/task', {
    args: {
      task_id: schema.id('Number of the task.', { required: true }),
      label_id: schema.id('Number of the label to put on it. It may be there already.', { required: true }),
    },
    handleCollection(request, board) {
      const { state, params } = request;
      const task = findTask(state, board.id, params.integer('task_id'));
      if (isSiteError(task)) return invalidArgument('task_id', task.message);
      const label = findLabel(state, board.id, params.integer('label_id'));
      if (isSiteError(label)) return invalidArgument('label_id', label.message);
      labelTask(request, task, label.id);
      return ok(taskResource.show(request, task));
    },
  }),
  labelResource.route('/projects/{board_id:str}/labels/{label_id:str}', {
    PUT: {
      args: {
        title: TITLE,
        color: schema.color(TEXT_COLOR),
        background_color: schema.color(BACKGROUND_COLOR),
      },
      change({ params }, label) {
        label.title = params.string('title', label.title);
        label.color = params.string('color', label.color);
        label.backgroundColor = params.string('background_color', label.backgroundColor);
        return { action: 'updated', text: `changed the label “${label.title}”` };
      },
    },
    DELETE: {
      remove({ state }, { id, title }) {
        for (const task of state.tasks.values()) removeId(task.labels, id);
        state.labels.delete(id);
        return { action: 'deleted', text: `deleted the label “${title}”` };
      },
    },
  }),
];

const TASK_LABELS = '/projects/{board_id:str}/tasks/{task_id:str}/labels';

/** Labels of one task. */
const taskLabels: readonly BoardRoute[] = [
  labelResource.get(TASK_LABELS, {
    listAll({ state, params }, board) {
      const task = findTask(state, board.id, params.string('task_id'));
      return isSiteError(task) ? task : task.labels.flatMap((id) => state.labels.get(id) ?? []);
    },
  }),
  labelResource.delete(`${TASK_LABELS}/{label_id:str}`, {
    handleItem(request, label, board) {
      const task = findTask(request.state, board.id, request.params.string('task_id'));
      if (isSiteError(task)) return task;
      if (!task.labels.includes(label.id)) {
        return restError(404, 'label_not_found', 'The task does not carry this label.');
      }
      unlabelTask(request, task, label.id);
      return ok({ deleted: true, previous: labelResource.show(request, label) });
    },
  }),
];

export const labelRoutes: readonly BoardRoute[] = [...boardLabels, ...taskLabels];
