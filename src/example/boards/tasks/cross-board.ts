import { ok, refuse } from '../../site/answers.ts';
import { stagesOf, tasksOnBoard } from '../model/positions.ts';
import type { Task } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { canSee, isMember, permit, visibleBoards } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { whileOn } from './permissions.ts';
import { answersWhole, TASK_PROPERTIES, TASK_SCHEMA } from './schema.ts';
import { maySeeTask, taskView } from './view.ts';

const PRIORITIES = { low: 1, medium: 2, high: 3, urgent: 4 } as const;

/** What wants doing first: the most urgent, then what is due first. */
function byUrgency(one: Task, other: Task): number {
  return (
    PRIORITIES[other.priority] - PRIORITIES[one.priority] ||
    (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') ||
    one.id - other.id
  );
}

const TOP = answersWhole('top-tasks-of-board', 'What wants doing first on one board.', {
  board_id: { description: 'Number of the board.', type: 'integer' },
  title: { description: 'Title of the board.', type: 'string' },
  open_tasks: { description: 'Open tasks on it.', type: 'integer' },
  tasks: {
    description: 'The first of them: the most urgent, then what is due first.',
    type: 'array',
    items: { type: 'object', properties: TASK_PROPERTIES },
  },
});

const STAGE = {
  id: { description: 'Number of the stage.', type: 'integer' },
  title: { description: 'Its title.', type: 'string' },
  slug: { description: 'Its name in addresses.', type: 'string' },
  position: { description: 'Its place on the board, from 1.', type: 'integer' },
} as const;

const PLACE = answersWhole('task-place', 'Where a task stands, and where it could go.', {
  task_id: { description: 'Number of the task.', type: 'integer' },
  board_id: { description: 'Number of its board.', type: 'integer' },
  position: { description: 'Place in its stage, from 1; 0 while it is archived.', type: 'integer' },
  stage: { description: 'Stage that it stands in.', type: 'object', properties: STAGE },
  stages: {
    description: 'All stages of the board, in their order.',
    type: 'array',
    items: { type: 'object', properties: STAGE },
  },
});

const CHOICE = answersWhole('board-of-type', 'A board, as one of a list to choose from.', {
  id: { description: 'Number of the board.', type: 'integer' },
  title: { description: 'Its title.', type: 'string' },
  type: { description: 'Kind of the board.', type: 'string', enum: ['kanban', 'roadmap'] },
  stages: {
    description: 'Its stages, in their order.',
    type: 'array',
    items: { type: 'object', properties: STAGE },
  },
});

function showStages({ state }: BoardRequest, boardId: number) {
  return stagesOf(state, boardId).map(({ id, title, slug, position }) => ({ id, title, slug, position }));
}

/** Tasks of all boards that the caller sees. */
export const crossBoardTaskRoutes: readonly BoardRoute[] = [
  route(
    '/tasks/top-in-boards',
    [
      {
        methods: ['GET'],
        args: {
          per_board: {
            description: 'Tasks shown of each board.',
            type: 'integer',
            default: 5,
            minimum: 1,
            maximum: 20,
          },
          mine: {
            description: 'Only tasks that the caller is assigned to.',
            type: 'boolean',
            default: false,
          },
        },
        permission: permit.signedIn,
        handle: (request) => {
          const { state, user, params } = request;
          const show = taskView(request);
          const boards = [...state.boards.values()].filter(
            (board) => board.archivedAt === null && isMember(user, board),
          );
          return ok(
            boards.map((board) => {
              const open = tasksOnBoard(state, board.id)
                .filter(({ status, archivedAt }) => status === 'open' && archivedAt === null)
                .filter(({ assignees }) => !params.boolean('mine') || assignees.includes(user?.id ?? 0))
                .sort(byUrgency);
              return {
                board_id: board.id,
                title: board.title,
                open_tasks: open.length,
                tasks: open.slice(0, params.integer('per_board', 5)).map(show),
              };
            }),
          );
        },
      },
    ],
    TOP,
  ),
  route(
    '/tasks/crm-associated-tasks/{associated_id:int}',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: whileOn('crm', permit.signedIn),
        handle: (request) => {
          const { state, user, params } = request;
          const contactId = params.integer('associated_id', 0);
          if (!state.contacts.has(contactId))
            return refuse(404, 'contact_not_found', 'There is no such contact.');
          const found = [...state.tasks.values()].filter((task) => {
            const board = state.boards.get(task.boardId);
            return task.contactId === contactId && task.archivedAt === null && board && isMember(user, board);
          });
          return answerPage(request, found, taskView(request));
        },
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    '/tasks/stage/{task_id:str}',
    [
      {
        methods: ['GET'],
        handle: (request) => {
          const { state, user, params } = request;
          const name = params.string('task_id', '');
          const task = /^\d{1,15}$/.test(name) ? state.tasks.get(Number(name)) : undefined;
          const board = task && state.boards.get(task.boardId);
          // A task of others and a task that does not exist are answered alike.
          if (
            task === undefined ||
            board === undefined ||
            !canSee(user, board) ||
            !maySeeTask(request, board, task)
          )
            return refuse(404, 'task_not_found', 'There is no such task that you may see.');
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
    ],
    PLACE,
  ),
  route(
    '/tasks/boards-by-type/{type:str}',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: permit.signedIn,
        handle: (request) => {
          const { state, user, params } = request;
          const type = params.string('type');
          if (type !== 'kanban' && type !== 'roadmap')
            return invalid('type', 'type is not one of kanban and roadmap.');
          const boards = visibleBoards(state, user).filter(
            ({ kind, archivedAt }) => kind === type && archivedAt === null,
          );
          return answerPage(request, boards, ({ id, title, kind }) => ({
            id,
            title,
            type: kind,
            stages: showStages(request, id),
          }));
        },
      },
    ],
    CHOICE,
  ),
];

const NO_STAGE = { id: 0, title: '', slug: '', position: 0 } as const;
