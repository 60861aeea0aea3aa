import { ok } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { findTask, findUser, isRefusal } from '../model/state.ts';
import type { Board, Task } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { POSITION, PRIORITY, STAGE_ID, STATUS, TASK_IDS } from './args.ts';
import { addLabel, assign, changeTask, removeLabel, setStatus, unassign } from './changes.ts';
import { stageFor } from './create.ts';
import { asPriority, asStatus, isAssignable, momentOrNone } from './fields.ts';
import { archiveTask, deleteTask, moveTask, restoreTask } from './moves.ts';
import { answersWhole } from './schema.ts';

/** Does one thing to one of many tasks; a refusal leaves the others alone. */
type Step = (task: Task) => SiteError | undefined;

const BULK = answersWhole('bulk-result', 'What became of many tasks.', {
  action: { description: 'What was done.', type: 'string' },
  done: { description: 'Numbers of the tasks it was done to.', type: 'array', items: { type: 'integer' } },
  refused: {
    description: 'The others, and why.',
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { description: 'Number that was given.', type: 'integer' },
        code: { description: 'A stable name: `task_not_found`.', type: 'string' },
        message: { description: 'For a person.', type: 'string' },
      },
    },
  },
});

function toEach(request: BoardRequest, board: Board, action: string, step: Step): Answer {
  const done: number[] = [];
  const refused: { id: number; code: string; message: string }[] = [];
  for (const id of new Set(request.params.integers('task_ids'))) {
    const task = findTask(request.state, board.id, id);
    const refusal = isRefusal(task) ? task : step(task);
    if (refusal === undefined) done.push(id);
    else refused.push({ id, code: refusal.code, message: refusal.message });
  }
  return ok({ action, done, refused });
}

const ACTIONS = [
  'move',
  'archive',
  'restore',
  'delete',
  'assign',
  'unassign',
  'add-label',
  'remove-label',
  'set-priority',
  'set-status',
  'set-due-date',
] as const;
type Action = (typeof ACTIONS)[number];

/** How each action reads what it needs. Nothing is done where that is not right. */
const STEPS: Readonly<Record<Action, (request: BoardRequest, board: Board) => Step | SiteError>> = {
  move(request, board) {
    const missing = needs(request, 'stage_id');
    const stage = missing ?? stageFor(request, board);
    if (isRefusal(stage)) return stage;
    // The first lands at the position, each other one behind it.
    let position = request.params.integer('position');
    return (task) => {
      const refused = moveTask(request, task, stage, position);
      if (refused === undefined && position !== undefined) position = task.position + 1;
      return refused;
    };
  },
  archive: (request) => (task) => archiveTask(request, task),
  restore: (request) => (task) => restoreTask(request, task),
  delete: (request) => (task) => void deleteTask(request, task),
  assign(request, board) {
    const user = needs(request, 'user_id') ?? findUser(request.state, request.params.integer('user_id'));
    if (isRefusal(user)) return user.status === 404 ? invalid('user_id', user.message) : user;
    return isAssignable(user, board)
      ? (task) => void assign(request, task, user.id)
      : invalid('user_id', 'This user is not a member of the board.');
  },
  unassign: (request) =>
    needs(request, 'user_id') ??
    ((task) => void unassign(request, task, request.params.integer('user_id', 0))),
  'add-label'(request, board) {
    const label = request.state.labels.get(request.params.integer('label_id', 0));
    const missing = needs(request, 'label_id');
    if (missing !== undefined) return missing;
    return label?.boardId === board.id
      ? (task) => void addLabel(request, task, label.id)
      : invalid('label_id', 'There is no such label on this board.');
  },
  'remove-label': (request) =>
    needs(request, 'label_id') ??
    ((task) => void removeLabel(request, task, request.params.integer('label_id', 0))),
  'set-priority': (request) =>
    needs(request, 'priority') ??
    ((task) => void changeTask(request, task, { priority: asPriority(request.params.string('priority')) })),
  'set-status': (request) =>
    needs(request, 'status') ??
    ((task) => void setStatus(request, task, asStatus(request.params.string('status')))),
  'set-due-date'(request, board) {
    const dueAt = momentOrNone(request, board, 'due_at');
    if (dueAt !== null && typeof dueAt !== 'string') return dueAt;
    return (task) =>
      dueAt !== null && task.startsAt !== null && dueAt < task.startsAt
        ? invalid('due_at', 'A task cannot be due before it starts.')
        : void changeTask(request, task, { dueAt });
  },
};

function needs({ params }: BoardRequest, name: string): SiteError | undefined {
  return params.has(name) ? undefined : invalid(name, `This action needs ${name}.`);
}

/** One thing done to many tasks. */
export const taskBulk: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/tasks/bulk-actions',
    [
      {
        methods: ['POST'],
        args: {
          action: { description: 'What is done to each.', type: 'string', enum: ACTIONS, required: true },
          task_ids: TASK_IDS,
          stage_id: { ...STAGE_ID, description: 'For `move`: the stage to move to.' },
          position: { ...POSITION, description: 'For `move`: where the first of them lands.' },
          user_id: { description: 'For `assign` and `unassign`: whom.', type: 'integer', minimum: 1 },
          label_id: {
            description: 'For `add-label` and `remove-label`: which.',
            type: 'integer',
            minimum: 1,
          },
          priority: { ...PRIORITY, description: 'For `set-priority`: how much they matter.' },
          status: { ...STATUS, description: 'For `set-status`: whether they are done.' },
          due_at: {
            description: 'For `set-due-date`: when they have to be done. Null takes it away.',
            type: ['string', 'null'],
            format: 'date-time',
          },
        },
        permission: permit.members,
        handle: withBoard((request, board) => {
          const action = choice(request.params, 'action', ACTIONS) ?? 'archive';
          const step = STEPS[action](request, board);
          return typeof step === 'function' ? toEach(request, board, action, step) : step;
        }),
      },
    ],
    BULK,
  ),
  route(
    '/projects/{board_id:int}/bulk-restore-tasks',
    [
      {
        methods: ['PUT'],
        args: { task_ids: { ...TASK_IDS, description: 'Numbers of archived tasks.' } },
        permission: permit.members,
        handle: withBoard((request, board) =>
          toEach(request, board, 'restore', (task) => restoreTask(request, task)),
        ),
      },
    ],
    BULK,
  ),
  route(
    '/projects/{board_id:int}/bulk-delete-tasks',
    [
      {
        methods: ['DELETE'],
        args: { task_ids: { ...TASK_IDS, description: 'Numbers of the tasks, archived or not.' } },
        permission: permit.managers,
        handle: withBoard((request, board) =>
          toEach(request, board, 'delete', (task) => void deleteTask(request, task)),
        ),
      },
    ],
    BULK,
  ),
];
