import { activeTasksInStage, type Board, findStage, type Stage } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  createBoardLogger,
  createResource,
  createView,
  findBoardOfPath,
  isMemberOrAdmin,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';

export const stageView: ItemView<Stage> = createView<Stage, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the stage.')),
  board_id: schema.readOnly(schema.integer('Board that it belongs to.')),
  title: schema.string('Name of the stage.'),
  slug: schema.readOnly(schema.string('Name in addresses, unique on its board.')),
  position: schema.integer('Place on the board, from 1; 0 while it is archived.'),
  color: { type: 'string', format: 'hex-color', description: 'Colour of its head.' },
  default_status: schema.nullable(
    schema.enumeration('Status that tasks take when they come here; null leaves theirs.', [
      'open',
      'closed',
      null,
    ]),
  ),
  default_assignees: [
    schema.array('Numbers of the users who are assigned to tasks that are made here.', { type: 'integer' }),
    ({ boardId, defaultAssignees }, { state, user }) => {
      const board = state.boards.get(boardId);
      return board !== undefined && isMemberOrAdmin(user, board) ? [...defaultAssignees] : [];
    },
  ],
  task_limit: schema.nullable(schema.integer('Most tasks that may stand here; null for any number.')),
  task_count: [
    schema.readOnly(schema.integer('Tasks that stand here.')),
    ({ id }, { state }) => activeTasksInStage(state, id).length,
  ],
  is_folded: [
    schema.readOnly(schema.boolean('Whether the caller has folded it.')),
    ({ id }, { state, user }) => state.settingsByUser.get(user?.id ?? 0)?.foldedStages.has(id) ?? false,
  ],
  archived_at: schema.readOnly(
    schema.nullable(schema.dateTime('When it was archived; null while it shows.')),
  ),
});

/** The stages of a board, which its managers change. */
export const stageResource: BoardResource<Stage, readonly [Board]> = createResource<Stage, readonly [Board]>({
  schema: responseSchema('stage', 'A column of a board.', stageView.properties),
  readPermission: permit.anyMember,
  writePermission: permit.managers,
  findParents: findBoardOfPath,
  findItem: ({ state, params }, board) => findStage(state, board.id, params.string('stage_id')),
  createPresenter: stageView.createPresenter,
  logChange: createBoardLogger('stage'),
});
