import { allTasksOnBoard, type Board, findLabel, type Label } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  createBoardLogger,
  createResource,
  createView,
  findBoardOfPath,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';

const COLOR = { type: 'string', format: 'hex-color' } as const;

export const labelView: ItemView<Label> = createView<Label, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the label.')),
  board_id: schema.readOnly(schema.integer('Board that it belongs to.')),
  title: schema.string('Its text; a label may be a colour alone.'),
  color: { ...COLOR, description: 'Colour of the text.' },
  background_color: { ...COLOR, description: 'Colour behind the text.' },
  task_count: [
    schema.readOnly(schema.integer('Tasks that carry it and are not archived.')),
    ({ id, boardId }, { state }) =>
      allTasksOnBoard(state, boardId).filter((task) => task.archivedAt === null && task.labels.includes(id))
        .length,
  ],
});

/** The labels of a board, which its members change. */
export const labelResource: BoardResource<Label, readonly [Board]> = createResource<Label, readonly [Board]>({
  schema: responseSchema('label', 'A mark for the tasks of a board.', labelView.properties),
  readPermission: permit.viewers,
  writePermission: permit.members,
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => findLabel(state, board.id, params.string('label_id')),
  createPresenter: labelView.createPresenter,
  logChange: createBoardLogger('label'),
});
