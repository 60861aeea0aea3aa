import { ok, restError } from '../../site/responses.ts';
import { findContact } from '../contacts/routes.ts';
import { activeStages, allTasksOnBoard, isSiteError, type Task } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import {
  canReadBoard,
  canReadTask,
  declareGet,
  invalidArgument,
  isMemberOrAdmin,
  PAGING_ARGS,
  pageResponse,
  permit,
  readableBoards,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { PRIORITY_RANKS } from './filters.ts';
import { taskResource, taskView } from './resource.ts';

/** Orders by priority, then by due date. */
function byUrgency(one: Task, other: Task): number {
  return (
    PRIORITY_RANKS[other.priority] - PRIORITY_RANKS[one.priority] ||
    (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') ||
    one.id - other.id
  );
}

const STAGE = {
  id: schema.integer('Number of the stage.'),
  title: schema.string('Its title.'),
  slug: schema.string('Its name in addresses.'),
  position: schema.integer('Its place on the board, from 1.'),
};

function showStages({ state }: BoardRequest, boardId: number) {
  return activeStages(state, boardId).map(({ id, title, slug, position }) => ({ id, title, slug, position }));
}

const NO_STAGE = { id: 0, title: '', slug: '', position: 0 } as const;

/** Routes below `/tasks` that do not name a board. */
export const unscopedTaskRoutes: readonly BoardRoute[] = [
  declareGet(
    '/tasks/top-in-boards',
    responseSchema('top-tasks-of-board', 'What wants doing first on one board.', {
      board_id: schema.integer('Number of the board.'),
      title: schema.string('Title of the board.'),
      open_tasks: schema.integer('Open tasks on it.'),
      tasks: schema.objects(
        'The first of them: the most urgent, then what is due first.',
        taskView.properties,
      ),
    }),
    {
      args: {
        per_board: schema.integer('Tasks shown of each board.', { default: 5, minimum: 1, maximum: 20 }),
        mine: schema.boolean('Only tasks that the caller is assigned to.', { default: false }),
      },
      permission: permit.signedIn,
      handle(request) {
        const { state, user, params } = request;
        const show = taskView.createPresenter(request);
        const boards = [...state.boards.values()].filter(
          (board) => board.archivedAt === null && isMemberOrAdmin(user, board),
        );
        return ok(
          boards.map(({ id, title }) => {
            const open = allTasksOnBoard(state, id)
              .filter(({ status, archivedAt }) => status === 'open' && archivedAt === null)
              .filter(({ assignees }) => !params.boolean('mine') || assignees.includes(user?.id ?? 0))
              .sort(byUrgency);
            const top = open.slice(0, params.integer('per_board', 5));
            return { board_id: id, title, open_tasks: open.length, tasks: top.map(show) };
          }),
        );
      },
    },
  ),
  declareGet('/tasks/crm-associated-tasks/{associated_id:int}', taskResource.schema, {
    args: PAGING_ARGS,
    permission: withFeature('crm', permit.signedIn),
    handle(request) {
      const { state, user } = request;
      const contact = findContact(request, 'associated_id');
      if (isSiteError(contact)) return contact;
      const found = [...state.tasks.values()].filter(({ boardId, contactId, archivedAt }) => {
        const board = state.boards.get(boardId);
        return (
          contactId === contact.id &&
          archivedAt === null &&
          board !== undefined &&
          isMemberOrAdmin(user, board)
        );
      });
      return taskResource.respondPage(request, found);
    },
  }),
  declareGet(
    '/tasks/stage/{task_id:str}',
    responseSchema('task-place', 'Where a task stands, and where it could go.', {
      task_id: schema.integer('Number of the task.'),
      board_id: schema.integer('Number of its board.'),
      position: schema.integer('Place in its stage, from 1; 0 while it is archived.'),
      stage: schema.object('Stage that it stands in.', STAGE),
      stages: schema.objects('All stages of the board, in their order.', STAGE),
    }),
    {
      permission: permit.everyone,
      handle(request) {
        const { state, user, params } = request;
        const name = params.string('task_id', '');
        const task = /^\d{1,15}$/.test(name) ? state.tasks.get(Number(name)) : undefined;
        const board = task && state.boards.get(task.boardId);
        // The client does not learn whether a task exists that they may not read.
        if (!task || !board || !canReadBoard(user, board) || !canReadTask(request, board, task)) {
          return restError(404, 'task_not_found', 'There is no such task that you may see.');
        }
        const { id, title, slug, position } = state.stages.get(task.stageId) ?? NO_STAGE;
        return ok({
          task_id: task.id,
          board_id: board.id,
          position: task.position,
          stage: { id, title, slug, position },
          stages: showStages(request, board.id),
        });
      },
    },
  ),
  declareGet(
    '/tasks/boards-by-type/{type:str}',
    responseSchema('board-of-type', 'A board, as one of a list to choose from.', {
      id: schema.integer('Number of the board.'),
      title: schema.string('Its title.'),
      type: schema.enumeration('Kind of the board.', ['kanban', 'roadmap']),
      stages: schema.objects('Its stages, in their order.', STAGE),
    }),
    {
      args: PAGING_ARGS,
      permission: permit.signedIn,
      handle(request) {
        const { state, user, params } = request;
        const type = params.string('type');
        if (type !== 'kanban' && type !== 'roadmap') {
          return invalidArgument('type', 'type is not one of kanban and roadmap.');
        }
        const boards = readableBoards(state, user).filter(
          ({ kind, archivedAt }) => kind === type && archivedAt === null,
        );
        return pageResponse(request, boards, ({ id, title, kind }) => ({
          id,
          title,
          type: kind,
          stages: showStages(request, id),
        }));
      },
    },
  ),
];
