import type { JsonObject } from '../../../json.ts';
import type { Args, SiteError } from '../../site/declare.ts';
import { moment } from '../model/state.ts';
import type { Task } from '../model/types.ts';
import { isMember } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';
import { STATUS, TASK_PRIORITIES } from './args.ts';
import { isOverdue, mayReadPeople } from './view.ts';

const DUE = ['overdue', 'today', 'week', 'none'] as const;

function manyOf(item: JsonObject, description: string): JsonObject {
  return { description, type: 'array', items: item, maxItems: 100 };
}

const NUMBER: JsonObject = { type: 'integer', minimum: 1 };

/** What narrows a list of tasks. All that is given must hold; of one list, any of its values. */
export const TASK_FILTERS: Args = {
  search: {
    description: 'Words that the title or the description holds, in any case.',
    type: 'string',
    maxLength: 200,
  },
  stage_ids: manyOf(NUMBER, 'Only tasks in one of these stages.'),
  assignees: manyOf(NUMBER, 'Only tasks of one of these users.'),
  labels: manyOf(NUMBER, 'Only tasks that carry one of these labels.'),
  priorities: manyOf({ type: 'string', enum: TASK_PRIORITIES }, 'Only tasks of one of these priorities.'),
  status: { ...STATUS, description: 'Only tasks that are open, or closed.' },
  due: {
    description: 'Only tasks that are overdue, due today, due within seven days, or never due.',
    type: 'string',
    enum: DUE,
  },
  include_archived: { description: 'Archived tasks too, for members.', type: 'boolean', default: false },
};

type Filter = (request: BoardRequest) => (task: Task) => boolean;

/** By the parameter that each obeys. */
const FILTERS: Readonly<Record<string, Filter>> = {
  search: ({ params }) => {
    const words = params.string('search', '').toLowerCase().split(/\s+/);
    return ({ title, description }) => {
      const text = `${title}\n${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
  },
  stage_ids: ({ params }) => {
    const wanted = new Set(params.integers('stage_ids'));
    return ({ stageId }) => wanted.has(stageId);
  },
  assignees: (request) => {
    const wanted = new Set(request.params.integers('assignees'));
    return ({ boardId, assignees }) => {
      const board = request.state.boards.get(boardId);
      // Who may not see the people of a board cannot find out by filtering either.
      return board !== undefined && mayReadPeople(request, board) && assignees.some((id) => wanted.has(id));
    };
  },
  labels: ({ params }) => {
    const wanted = new Set(params.integers('labels'));
    return ({ labels }) => labels.some((id) => wanted.has(id));
  },
  priorities: ({ params }) => {
    const wanted = new Set(params.strings('priorities'));
    return ({ priority }) => wanted.has(priority);
  },
  status: ({ params }) => {
    const wanted = params.string('status');
    return ({ status }) => status === wanted;
  },
  due: ({ params, now }) => {
    const [at, week] = [moment(now), moment(new Date(now.getTime() + 7 * 86_400_000))];
    switch (params.string('due')) {
      case 'overdue':
        return (task) => isOverdue(task, at);
      case 'today':
        return ({ dueAt }) => dueAt?.slice(0, 10) === at.slice(0, 10);
      case 'week':
        return ({ dueAt }) => dueAt !== null && dueAt >= at && dueAt <= week;
      default:
        return ({ dueAt }) => dueAt === null;
    }
  },
};

export function filterTasks(request: BoardRequest, tasks: readonly Task[]): Task[] | SiteError {
  const { state, params } = request;
  for (const id of params.integers('stage_ids')) {
    const boardId = tasks[0]?.boardId;
    const stage = state.stages.get(id);
    if (boardId !== undefined && stage?.boardId !== boardId)
      return invalid('stage_ids', `There is no stage ${id} on this board.`);
  }
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) =>
    params.has(name) ? [filter(request)] : [],
  );
  const archivedToo = params.boolean('include_archived');
  return tasks.filter(
    (task) =>
      (shows(request, task) || (archivedToo && isInsider(request, task))) &&
      filters.every((holds) => holds(task)),
  );
}

/** Whether a task is on the board for all to see: neither it nor its stage is archived. */
function shows({ state }: BoardRequest, { archivedAt, stageId }: Task): boolean {
  return archivedAt === null && state.stages.get(stageId)?.archivedAt === null;
}

function isInsider({ state, user }: BoardRequest, { boardId }: Task): boolean {
  const board = state.boards.get(boardId);
  return board !== undefined && isMember(user, board);
}

/** The order of a list of tasks. */
export const ORDERING: Args = {
  orderby: {
    description: 'What the list is sorted by; `position` is as on the board. Tasks without a date come last.',
    type: 'string',
    enum: ['position', 'title', 'priority', 'due', 'created', 'updated'],
    default: 'position',
  },
  order: { description: 'Direction.', type: 'string', enum: ['asc', 'desc'], default: 'asc' },
};

const RANKS = { low: 1, medium: 2, high: 3, urgent: 4 } as const;

const KEYS: Readonly<Record<string, (request: BoardRequest) => (task: Task) => string | number | null>> = {
  position:
    ({ state }) =>
    (task) =>
      (state.stages.get(task.stageId)?.position ?? 0) * 1e6 + task.position,
  title:
    () =>
    ({ title }) =>
      title.toLowerCase(),
  priority:
    () =>
    ({ priority }) =>
      RANKS[priority],
  due:
    () =>
    ({ dueAt }) =>
      dueAt,
  created:
    () =>
    ({ createdAt }) =>
      createdAt,
  updated:
    () =>
    ({ updatedAt }) =>
      updatedAt,
};

export function orderTasks(request: BoardRequest, tasks: readonly Task[]): Task[] {
  const keyOf = KEYS[request.params.string('orderby', 'position')]?.(request) ?? (({ id }: Task) => id);
  const sign = request.params.string('order') === 'desc' ? -1 : 1;
  return tasks
    .map((task) => ({ task, key: keyOf(task) }))
    .sort((one, other) => compare(one.key, other.key, sign) || one.task.id - other.task.id)
    .map(({ task }) => task);
}

function compare(one: string | number | null, other: string | number | null, sign: number): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other ? -sign : sign;
}
