import { type Board, findStage, type Stage, tasksOf } from '../model/index.ts';
import {
  array,
  type BoardRequest,
  boardOfPath,
  boolean,
  createResource,
  createView,
  dateTime,
  enumeration,
  type ItemView,
  integer,
  isMember,
  logOnBoard,
  nullable,
  permit,
  type Resource,
  readOnly,
  responseSchema,
  string,
} from '../rest/index.ts';

export const stageView: ItemView<Stage> = createView<Stage, BoardRequest>((request) => request, {
  id: [readOnly(integer('Number of the stage.')), ({ id }) => id],
  board_id: [readOnly(integer('Board that it belongs to.')), ({ boardId }) => boardId],
  title: [string('Name of the stage.'), ({ title }) => title],
  slug: [readOnly(string('Name in addresses, unique on its board.')), ({ slug }) => slug],
  position: [integer('Place on the board, from 1; 0 while it is archived.'), ({ position }) => position],
  color: [{ type: 'string', format: 'hex-color', description: 'Colour of its head.' }, ({ color }) => color],
  default_status: [
    nullable(
      enumeration('Status that tasks take when they come here; null leaves theirs.', [
        'open',
        'closed',
        null,
      ]),
    ),
    ({ defaultStatus }) => defaultStatus,
  ],
  default_assignees: [
    array('Numbers of the users who are assigned to tasks that are made here.', { type: 'integer' }),
    ({ boardId, defaultAssignees }, { state, user }) => {
      const board = state.boards.get(boardId);
      return board !== undefined && isMember(user, board) ? [...defaultAssignees] : [];
    },
  ],
  task_limit: [
    nullable(integer('Most tasks that may stand here; null for any number.')),
    ({ taskLimit }) => taskLimit,
  ],
  task_count: [readOnly(integer('Tasks that stand here.')), ({ id }, { state }) => tasksOf(state, id).length],
  is_folded: [
    readOnly(boolean('Whether the caller has folded it.')),
    ({ id }, { state, user }) => state.personal.get(user?.id ?? 0)?.foldedStages.has(id) ?? false,
  ],
  archived_at: [
    readOnly(nullable(dateTime('When it was archived; null while it shows.'))),
    ({ archivedAt }) => archivedAt,
  ],
});

/** The stages of a board, which its managers change. */
export const stages: Resource<Stage, readonly [Board]> = createResource<Stage, readonly [Board]>({
  schema: responseSchema('stage', 'A column of a board.', stageView.properties),
  read: permit.anyMember,
  write: permit.managers,
  parents: boardOfPath,
  find: ({ state, params }, board) => findStage(state, board.id, params.string('stage_id')),
  present: stageView.present,
  log: logOnBoard('stage'),
});
