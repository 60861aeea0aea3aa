import { isSiteError, ok, restError } from '../../rest-server/responses.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createBoardLogger,
  createSubstringFilter,
  createView,
  findBoardOfPath,
  type ItemView,
  invalidArgument,
} from './resource.ts';
import {
  addLabel,
  allTasksOnBoard,
  type Board,
  findLabel,
  findTask,
  type Label,
  labelsOnBoard,
  removeId,
} from './state.ts';
import { labelTask, taskResource, unlabelTask } from './tasks.ts';

export const labelView: ItemView<Label> = createView<Label, BoardRequest>('label', (request) => request, {
  task_count: ({ id, boardId }, { state }) =>
    allTasksOnBoard(state, boardId).filter((task) => task.archivedAt === null && task.labels.includes(id))
      .length,
});

/** The labels of a board, which its members change. */
const labelResource: BoardResource<Label, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => findLabel(state, board.id, params.string('label_id')),
  createPresenter: labelView.createPresenter,
  logChange: createBoardLogger('label'),
});

export const labelOperations: BoardOperations = {
  // Labels of a board.
  'GET /projects/{board_id:str}/labels': labelResource.listAll((request, board) => {
    const matches = createSubstringFilter(request);
    return labelsOnBoard(request.state, board.id).filter(({ title }) => matches(title));
  }),
  'POST /projects/{board_id:str}/labels': labelResource.create(
    '/projects/{board_id}/labels',
    (request, board) => {
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
  ),
  'GET /projects/{board_id:str}/labels/used-in-tasks': labelResource.listPage(({ state }, board) => {
    const active = allTasksOnBoard(state, board.id).filter(({ archivedAt }) => archivedAt === null);
    const used = new Set(active.flatMap((task) => task.labels));
    return labelsOnBoard(state, board.id).filter(({ id }) => used.has(id));
  }),
  'POST /projects/{board_id:str}/labels/task': taskResource.withParents((request, board) => {
    const { state, params } = request;
    const task = findTask(state, board.id, params.integer('task_id'));
    if (isSiteError(task)) return invalidArgument('task_id', task.message);
    const label = findLabel(state, board.id, params.integer('label_id'));
    if (isSiteError(label)) return invalidArgument('label_id', label.message);
    labelTask(request, task, label.id);
    return ok(taskResource.show(request, task));
  }),
  'PUT /projects/{board_id:str}/labels/{label_id:str}': labelResource.change(({ params }, label) => {
    label.title = params.string('title', label.title);
    label.color = params.string('color', label.color);
    label.backgroundColor = params.string('background_color', label.backgroundColor);
    return { action: 'updated', text: `changed the label “${label.title}”` };
  }),
  'DELETE /projects/{board_id:str}/labels/{label_id:str}': labelResource.remove(
    ({ state }, { id, title }) => {
      for (const task of state.tasks.values()) removeId(task.labels, id);
      state.labels.delete(id);
      return { action: 'deleted', text: `deleted the label “${title}”` };
    },
  ),

  // Labels of one task.
  'GET /projects/{board_id:str}/tasks/{task_id:str}/labels': labelResource.listAll(
    ({ state, params }, board) => {
      const task = findTask(state, board.id, params.string('task_id'));
      return isSiteError(task) ? task : task.labels.flatMap((id) => state.labels.get(id) ?? []);
    },
  ),
  'DELETE /projects/{board_id:str}/tasks/{task_id:str}/labels/{label_id:str}': labelResource.withItem(
    (request, label, board) => {
      const task = findTask(request.state, board.id, request.params.string('task_id'));
      if (isSiteError(task)) return task;
      if (!task.labels.includes(label.id)) {
        return restError(404, 'label_not_found', 'The task does not carry this label.');
      }
      unlabelTask(request, task, label.id);
      return ok({ deleted: true, previous: labelResource.show(request, label) });
    },
  ),
};
