import { isJsonObject, type JsonObject } from '../../../json.ts';
import { labelView } from '../labels/resource.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import { memberView } from '../members/resource.ts';
import type { Board, Task } from '../model/index.ts';
import { activeStages, allTasksOnBoard, findBoard, labelsOnBoard, recordActivity } from '../model/index.ts';
import type { BoardRequest, BoardResource, BoardResourceDescription } from '../rest/index.ts';
import {
  createResource,
  createView,
  isMemberOrAdmin,
  permit,
  responseSchema,
  roleOnBoard,
  schema,
} from '../rest/index.ts';
import { stageView } from '../stages/resource.ts';

const BACKGROUND: JsonObject = {
  description: 'What shows behind the board.',
  type: 'object',
  properties: {
    is_image: schema.boolean('Whether it is a picture.'),
    color: {
      type: 'string',
      format: 'hex-color',
      description: 'Colour, which shows until the picture is there.',
    },
    image_url: schema.nullable(schema.uri('Address of the picture.')),
  },
};

const activeTasks = ({ state }: BoardRequest, { id }: Board): Task[] =>
  allTasksOnBoard(state, id).filter(({ archivedAt }) => archivedAt === null);

/** A board in lists. Only members and administrators see its creator. */
const boardView = createView<Board, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the board.')),
  title: schema.string('Name of the board.'),
  description: schema.string('What the board is for.'),
  type: [
    schema.readOnly(
      schema.enumeration('`kanban` boards hold tasks, `roadmap` boards ideas that are voted on.', [
        'kanban',
        'roadmap',
      ]),
    ),
    ({ kind }) => kind,
  ],
  status: [
    schema.readOnly(
      schema.enumeration('Archived boards are hidden until they are restored.', ['active', 'archived']),
    ),
    ({ archivedAt }) => (archivedAt === null ? 'active' : 'archived'),
  ],
  currency: schema.string('Currency of amounts on the board (ISO 4217): `EUR`.'),
  background: [
    BACKGROUND,
    ({ background: { isImage, color, imageUrl } }) => ({ is_image: isImage, color, image_url: imageUrl }),
  ],
  is_public: [
    schema.readOnly(schema.boolean('Whether people without an account see it.')),
    ({ publicAccess }) => publicAccess.enabled,
  ],
  is_pinned: [
    schema.readOnly(schema.boolean('Whether the caller has pinned it.')),
    ({ id }, { state, user }) => state.settingsByUser.get(user?.id ?? 0)?.pinnedBoards.includes(id) ?? false,
  ],
  role: [
    schema.readOnly(
      schema.nullable(
        schema.enumeration('What the caller is on it; null for a stranger.', [
          'manager',
          'member',
          'viewer',
          null,
        ]),
      ),
    ),
    (board, { user }) => roleOnBoard(user, board) ?? null,
  ],
  stage_count: [
    schema.readOnly(schema.integer('Stages that are not archived.')),
    ({ id }, { state }) => activeStages(state, id).length,
  ],
  task_count: [
    schema.readOnly(schema.integer('Tasks that are not archived.')),
    (board, request) => activeTasks(request, board).length,
  ],
  completed_task_count: [
    schema.readOnly(schema.integer('Those of them that are done.')),
    (board, request) => activeTasks(request, board).filter(({ status }) => status === 'closed').length,
  ],
  member_count: [schema.readOnly(schema.integer('People on the board.')), ({ members }) => members.length],
  created_by: [
    PERSON_SCHEMA,
    (board, { state, user }) => (isMemberOrAdmin(user, board) ? showPerson(state, board.createdBy) : null),
  ],
  created_at: schema.readOnly(schema.dateTime('When it was made.')),
  updated_at: schema.readOnly(schema.dateTime('When it last changed, or anything on it.')),
  archived_at: schema.readOnly(
    schema.nullable(schema.dateTime('When it was archived; null while it shows.')),
  ),
});

/** Further properties of a response with a single board. */
const CONTENTS = createView<Board, BoardRequest>((request) => request, {
  stages: [
    schema.readOnly(
      schema.requireAllProperties(
        schema.objects('Its stages in their order. Absent in lists.', stageView.properties),
      ),
    ),
    ({ id }, request) => activeStages(request.state, id).map(stageView.createPresenter(request)),
  ],
  labels: [
    schema.readOnly(
      schema.requireAllProperties(schema.objects('Its labels. Absent in lists.', labelView.properties)),
    ),
    ({ id }, request) => labelsOnBoard(request.state, id).map(labelView.createPresenter(request)),
  ],
  members: [
    schema.readOnly(
      schema.requireAllProperties(
        schema.objects('The people on it; empty for strangers. Absent in lists.', memberView.properties),
      ),
    ),
    (board, request) =>
      isMemberOrAdmin(request.user, board) ? board.members.map(memberView.createPresenter(request)) : [],
  ],
});

const IN_LISTS = responseSchema(
  'board',
  'A board, with what is on it where one is read.',
  boardView.properties,
);

const DESCRIPTION: BoardResourceDescription<Board, readonly []> = {
  schema: { ...IN_LISTS, properties: { ...memberOf(IN_LISTS, 'properties'), ...CONTENTS.properties } },
  readPermission: permit.signedIn,
  writePermission: permit.managers,
  findParents: () => [],
  findItem: ({ state, params }) => findBoard(state, params.string('board_id')),
  createPresenter: boardView.createPresenter,
  logChange: (request, { id }, entry) =>
    recordActivity(request.state, { boardId: id, subject: 'board', ...entry }, request),
};

function memberOf(schema: JsonObject, name: string): JsonObject {
  const member = schema[name];
  return isJsonObject(member) ? member : {};
}

/** Boards, shown as in lists. */
export const boardResource: BoardResource<Board, readonly []> = createResource<Board, readonly []>(
  DESCRIPTION,
);

/** Boards, shown with their stages, labels and members. */
export const detailedBoardResource: BoardResource<Board, readonly []> = createResource<Board, readonly []>({
  ...DESCRIPTION,
  readPermission: permit.viewers,
  createPresenter: (request) => {
    const [summary, contents] = [boardView.createPresenter(request), CONTENTS.createPresenter(request)];
    return (board) => ({ ...summary(board), ...contents(board) });
  },
});
