import { ok, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { BoardResource, createView, createWordFilter, findBoardOfPath, findForArgument } from './resource.ts';
import { type Board, type Label, removeId } from './state.ts';
import { logTask, taskResource } from './tasks.ts';

export const labelResource: BoardResource<Label, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => state.findLabel(board.id, params.string('label_id')),
  logChange: (request, { boardId }, entry) =>
    request.state.record({ boardId, subject: 'label', ...entry }, request),
  show: createView<Label>('label', {
    task_count: ({ id, boardId }, { state }) =>
      state.tasks.where(
        (task) => task.boardId === boardId && task.archivedAt === null && task.labels.includes(id),
      ).length,
  }),
});

export const labelOperations: BoardOperations = {
  listLabels: labelResource.listAll((request, board) => {
    const matches = createWordFilter(request);
    return request.state.labelsOnBoard(board.id).filter(({ title }) => matches(title));
  }),
  addLabel: labelResource.create((request, board) => {
    const { state, params } = request;
    const label = state.labels.add((id) => ({
      id,
      boardId: board.id,
      title: params.string('title', ''),
      color: params.string('color', '#ffffff'),
      backgroundColor: params.string('background_color', '#4c6ef5'),
    }));
    labelResource.logChange(request, label, { action: 'created', text: `made the label “${label.title}”` });
    return label;
  }),
  listUsedLabels: labelResource.listPage(({ state }, board) => {
    const used = new Set(state.activeTasksOnBoard(board.id).flatMap((task) => task.labels));
    return state.labelsOnBoard(board.id).filter(({ id }) => used.has(id));
  }),
  labelTask: taskResource.withParents((request, board) => {
    const { state, params } = request;
    const task = findForArgument('task_id', () => state.findTask(board.id, params.integer('task_id')));
    const label = findForArgument('label_id', () => state.findLabel(board.id, params.integer('label_id')));
    if (!task.labels.includes(label.id)) {
      task.labels.push(label.id);
      const text = `put the label “${label.title}” on “${task.title}”`;
      logTask(request, task, { action: 'added', subject: 'label', text });
    }
    return ok(taskResource.show(task, request));
  }),
  updateLabel: labelResource.update((_request, label) => ({
    action: 'updated',
    text: `changed the label “${label.title}”`,
  })),
  deleteLabel: labelResource.remove(({ state }, { id, title }) => {
    for (const task of state.tasks.values()) removeId(task.labels, id);
    state.labels.delete(id);
    return { action: 'deleted', text: `deleted the label “${title}”` };
  }),

  listTaskLabels: labelResource.listAll(({ state, params }, board) =>
    state.labelsOf(state.findTask(board.id, params.string('task_id'))),
  ),
  unlabelTask: labelResource.withItem((request, label, board) => {
    const task = request.state.findTask(board.id, request.params.string('task_id'));
    if (!removeId(task.labels, label.id)) {
      refuse(404, 'label_not_found', 'The task does not carry this label.');
    }
    const text = `took the label “${label.title}” off “${task.title}”`;
    logTask(request, task, { action: 'removed', subject: 'label', text });
    return ok({ deleted: true, previous: labelResource.show(label, request) });
  }),
};
