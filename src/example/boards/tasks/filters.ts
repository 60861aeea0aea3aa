import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas, SiteError } from '../../site/declarations.ts';
import { TASK_PRIORITIES, type Task, type TaskPriority, toDay, toTimestamp } from '../model/index.ts';
import type { BoardRequest } from '../rest/index.ts';
import { canReadPeople, createWordFilter, invalidArgument, isMemberOrAdmin, schema } from '../rest/index.ts';
import { STATUS_ARG } from './args.ts';
import { isOverdue } from './resource.ts';

const anyOf = (items: JsonObject, description: string): JsonObject =>
  schema.array(description, items, { maxItems: 100 });

const ID: JsonObject = { type: 'integer', minimum: 1 };

/** Arguments that narrow a list of tasks. A task passes all of them; of an array, it matches one value. */
export const TASK_FILTER_ARGS: ArgumentSchemas = {
  search: schema.string('Words that the title or the description holds, in any case.', { maxLength: 200 }),
  stage_ids: anyOf(ID, 'Only tasks in one of these stages.'),
  assignees: anyOf(ID, 'Only tasks of one of these users.'),
  labels: anyOf(ID, 'Only tasks that carry one of these labels.'),
  priorities: anyOf({ type: 'string', enum: TASK_PRIORITIES }, 'Only tasks of one of these priorities.'),
  status: { ...STATUS_ARG, description: 'Only tasks that are open, or closed.' },
  due: schema.enumeration('Only tasks that are overdue, due today, due within seven days, or never due.', [
    'overdue',
    'today',
    'week',
    'none',
  ]),
  include_archived: schema.boolean('Archived tasks too, for members.', { default: false }),
};

type TaskFilter = (request: BoardRequest) => (task: Task) => boolean;

/** Filters by argument. */
const FILTERS: Readonly<Record<string, TaskFilter>> = {
  search(request) {
    const matches = createWordFilter(request);
    return ({ title, description }) => matches(`${title}\n${description}`);
  },
  stage_ids({ params }) {
    const ids = new Set(params.integers('stage_ids'));
    return ({ stageId }) => ids.has(stageId);
  },
  assignees(request) {
    const ids = new Set(request.params.integers('assignees'));
    return ({ boardId, assignees }) => {
      const board = request.state.boards.get(boardId);
      // A client who may not see the people of a board must not find them by filtering either.
      return board !== undefined && canReadPeople(request, board) && assignees.some((id) => ids.has(id));
    };
  },
  labels({ params }) {
    const ids = new Set(params.integers('labels'));
    return ({ labels }) => labels.some((id) => ids.has(id));
  },
  priorities({ params }) {
    const priorities = new Set(params.strings('priorities'));
    return ({ priority }) => priorities.has(priority);
  },
  status({ params }) {
    const requested = params.string('status');
    return ({ status }) => status === requested;
  },
  due({ params, now }) {
    const [at, week] = [toTimestamp(now), toTimestamp(new Date(now.getTime() + 7 * 86_400_000))];
    switch (params.string('due')) {
      case 'overdue':
        return (task) => isOverdue(task, at);
      case 'today':
        return ({ dueAt }) => dueAt !== null && toDay(dueAt) === toDay(at);
      case 'week':
        return ({ dueAt }) => dueAt !== null && dueAt >= at && dueAt <= week;
      default:
        return ({ dueAt }) => dueAt === null;
    }
  },
};

/** The tasks of a board that pass the filters of a request, sorted as it asks. */
export function selectTasks(request: BoardRequest, tasks: readonly Task[]): Task[] | SiteError {
  const { state, params } = request;
  const boardId = tasks[0]?.boardId;
  for (const id of params.integers('stage_ids')) {
    if (boardId !== undefined && state.stages.get(id)?.boardId !== boardId) {
      return invalidArgument('stage_ids', `There is no stage ${id} on this board.`);
    }
  }
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) =>
    params.has(name) ? [filter(request)] : [],
  );
  const includesArchived = params.boolean('include_archived');
  const found = tasks.filter(
    (task) =>
      (isActive(request, task) || (includesArchived && isOfMember(request, task))) &&
      filters.every((passes) => passes(task)),
  );
  return sortTasks(request, found);
}

/** Whether neither the task nor its stage is archived. */
function isActive({ state }: BoardRequest, { archivedAt, stageId }: Task): boolean {
  return archivedAt === null && state.stages.get(stageId)?.archivedAt === null;
}

function isOfMember({ state, user }: BoardRequest, { boardId }: Task): boolean {
  const board = state.boards.get(boardId);
  return board !== undefined && isMemberOrAdmin(user, board);
}

/** Arguments that sort a list of tasks. */
export const TASK_ORDER_ARGS: ArgumentSchemas = {
  orderby: schema.enumeration(
    'What the list is sorted by; `position` is as on the board. Tasks without a date come last.',
    ['position', 'title', 'priority', 'due', 'created', 'updated'],
    { default: 'position' },
  ),
  order: schema.enumeration('Direction.', ['asc', 'desc'], { default: 'asc' }),
};

/** Priorities as numbers that sort from the least to the most urgent. */
export const PRIORITY_RANKS: Readonly<Record<TaskPriority, number>> = {
  low: 1,
  medium: 2,
  high: 3,
  urgent: 4,
};

type SortKey = string | number | null;

const SORT_KEYS: Readonly<Record<string, (task: Task, request: BoardRequest) => SortKey>> = {
  position: ({ stageId, position }, { state }) => (state.stages.get(stageId)?.position ?? 0) * 1e6 + position,
  title: ({ title }) => title.toLowerCase(),
  priority: ({ priority }) => PRIORITY_RANKS[priority],
  due: ({ dueAt }) => dueAt,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
};

function sortTasks(request: BoardRequest, tasks: readonly Task[]): Task[] {
  const keyOf = SORT_KEYS[request.params.string('orderby', 'position')] ?? (({ id }: Task) => id);
  const sign = request.params.string('order') === 'desc' ? -1 : 1;
  return tasks
    .map((task) => ({ task, key: keyOf(task, request) }))
    .sort((one, other) => compareSortKeys(one.key, other.key, sign) || one.task.id - other.task.id)
    .map(({ task }) => task);
}

/** Compares two keys; `null` comes last in both directions. */
export function compareSortKeys(one: SortKey, other: SortKey, sign: 1 | -1): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other ? -sign : sign;
}
