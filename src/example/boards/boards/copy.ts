import type { JsonObject } from '../../../json.ts';
import { created } from '../../site/responses.ts';
import type { Board, Label, Stage, Task } from '../model/index.ts';
import {
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  createUniqueSlug,
  findBoard,
  isSiteError,
  labelsOnBoard,
  nextId,
  toTimestamp,
} from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import { canReadBoard, enumParams, invalidArgument, isMemberOrAdmin, permit, schema } from '../rest/index.ts';
import { BOARD_TITLE_ARG } from './args.ts';
import { addBoard, addStage, findOrAddLabel } from './create.ts';
import { detailedBoardResource } from './resource.ts';

const PARTS = ['stages', 'labels', 'tasks', 'members'] as const;

const INCLUDE: JsonObject = schema.array(
  'What is copied. Tasks come with their stages; archived ones stay behind.',
  { type: 'string', enum: PARTS },
  { uniqueItems: true },
);

/** Copying a board, and importing parts of another one. */
export const boardCopyRoutes: readonly BoardRoute[] = [
  detailedBoardResource.post('/projects/{board_id:int}/duplicate-board', {
    args: {
      title: {
        ...BOARD_TITLE_ARG,
        description: 'Name of the new board. Absent: the old one with “(copy)”.',
      },
      include: { ...INCLUDE, default: ['stages', 'labels', 'tasks'] },
    },
    permission: (request) => permit.anyMember(request) ?? permit.boardCreators(request),
    allowsArchivedBoard: true,
    handleItem(request, source) {
      const { state, params } = request;
      const title = params.string('title', '').trim() || `${source.title.slice(0, 193)} (copy)`;
      const board = addBoard(state, { ...source, title, color: source.background.color }, request);
      board.background = source.background;
      copyBoard(request, source, board);
      const location = request.link(`/boards/v2/projects/${board.id}`);
      return created(detailedBoardResource.show(request, board), location);
    },
  }),
  detailedBoardResource.post('/projects/{board_id:int}/import-from-board', {
    args: {
      source_board_id: schema.id('Number of the board to take from, which the caller must be on.', {
        required: true,
      }),
      include: { ...INCLUDE, default: ['stages', 'labels'] },
    },
    change(request, board) {
      const { state, user, params } = request;
      const source = findBoard(state, params.integer('source_board_id'));
      // A client does not learn of boards that they may not read.
      if (isSiteError(source) || !canReadBoard(user, source)) {
        return invalidArgument('source_board_id', 'There is no such board.');
      }
      if (!isMemberOrAdmin(user, source))
        return invalidArgument('source_board_id', 'You are not on that board.');
      if (source.id === board.id) {
        return invalidArgument('source_board_id', 'A board cannot take from itself.');
      }
      copyBoard(request, source, board);
      return {
        action: 'imported',
        text: `imported from the board “${source.title}”`,
        newValue: source.title,
      };
    },
  }),
];

/** Adds the requested parts of one board to another. Comments, times, votes and history are not copied. */
function copyBoard(request: BoardRequest, from: Board, to: Board): void {
  const { state, now, params } = request;
  const parts = new Set(enumParams(params, 'include', PARTS));
  if (parts.has('members')) {
    for (const { userId, role } of from.members) {
      if (!hasMember(to, userId)) to.members.push({ userId, role, joinedAt: toTimestamp(now) });
    }
  }
  const labels = new Map<number, Label>();
  if (parts.has('labels')) {
    for (const label of labelsOnBoard(state, from.id)) labels.set(label.id, findOrAddLabel(state, to, label));
  }
  if (!parts.has('stages') && !parts.has('tasks')) return;
  for (const { id, title, color, defaultStatus, taskLimit, defaultAssignees } of activeStages(
    state,
    from.id,
  )) {
    const stage = addStage(state, to, {
      title,
      color,
      defaultStatus,
      taskLimit,
      defaultAssignees: defaultAssignees.filter((userId) => hasMember(to, userId)),
    });
    if (!parts.has('tasks')) continue;
    for (const task of activeTasksInStage(state, id)) copyTask(request, task, { board: to, stage, labels });
  }
}

interface CopyTarget {
  readonly board: Board;
  readonly stage: Stage;
  /** By the number of the label that is copied. */
  readonly labels: ReadonlyMap<number, Label>;
}

function copyTask(
  { state, user, now }: BoardRequest,
  task: Task,
  { board, stage, labels }: CopyTarget,
): void {
  const at = toTimestamp(now);
  const slugs = new Set(allTasksOnBoard(state, board.id).map(({ slug }) => slug));
  const copy: Task = {
    ...task,
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: board.kind === 'roadmap' ? 'idea' : 'task',
    slug: createUniqueSlug(task.title, slugs),
    position: activeTasksInStage(state, stage.id).length + 1,
    assignees: task.assignees.filter((id) => hasMember(board, id)),
    labels: task.labels.flatMap((id) => labels.get(id)?.id ?? []),
    supportTicketId: null,
    createdBy: user?.id ?? 0,
    createdAt: at,
    updatedAt: at,
  };
  state.tasks.set(copy.id, copy);
}

function hasMember({ members }: Board, userId: number): boolean {
  return members.some((member) => member.userId === userId);
}
