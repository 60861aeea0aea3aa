import { PERSON, showPerson } from '../members/person.ts';
import { moment } from '../model/state.ts';
import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS, type BoardState, type Task } from '../model/types.ts';
import { dayOf, within } from '../rest/period.ts';
import type { BoardRoute } from '../rest/route.ts';
import type { Scope } from '../rest/scope.ts';
import { TASK_PRIORITIES } from '../tasks/args.ts';
import { isOverdue } from '../tasks/view.ts';
import { SUM_PROPERTIES, showSum, sumBy, sumOf, tracksIn } from '../time/sums.ts';
import { tally, tallyDays, tallyWords } from './counts.ts';
import { report } from './report.ts';
import { BOARD_ID, BOARD_TITLE, count, countsOf, DATE, listOf } from './schema.ts';

/** The tasks of a scope that are not archived. What was made after its last day does not count. */
function tasksIn({ tasks }: BoardState, { boards, period }: Scope): Task[] {
  return [...tasks.values()].filter(
    ({ boardId, archivedAt, createdAt }) =>
      boards.has(boardId) && archivedAt === null && dayOf(createdAt) <= period.to,
  );
}

const TASK_COUNTS = {
  open: count('Tasks that are open.'),
  closed: count('Tasks that are closed.'),
  overdue: count('Open tasks that are past their due date.'),
} as const;

function countTasks(tasks: readonly Task[], now: string) {
  return {
    open: tasks.filter(({ status }) => status === 'open').length,
    closed: tasks.filter(({ status }) => status === 'closed').length,
    overdue: tasks.filter((task) => isOverdue(task, now)).length,
  };
}

export const timesheetReport: BoardRoute = report(
  'timesheet',
  'Where the time went.',
  {
    ...SUM_PROPERTIES,
    by_day: listOf('By the day on which it began.', { date: DATE, ...SUM_PROPERTIES }),
    by_user: listOf('By person, the most first.', { user: PERSON, ...SUM_PROPERTIES }),
    by_board: listOf('By board, the most first.', {
      board_id: BOARD_ID,
      title: BOARD_TITLE,
      ...SUM_PROPERTIES,
    }),
  },
  ({ state }, scope) => {
    const tracks = tracksIn(state, scope);
    return {
      ...showSum(sumOf(tracks)),
      by_day: sumBy(tracks, ({ startedAt }) => dayOf(startedAt))
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([date, sum]) => ({ date, ...showSum(sum) })),
      by_user: sumBy(tracks, ({ userId }) => userId).map(([userId, sum]) => ({
        user: showPerson(state, userId),
        ...showSum(sum),
      })),
      by_board: sumBy(tracks, ({ boardId }) => boardId).map(([id, sum]) => ({
        board_id: id,
        title: scope.boards.get(id)?.title ?? '',
        ...showSum(sum),
      })),
    };
  },
);

export const overviewReport: BoardRoute = report(
  'overview',
  'How things stand.',
  {
    boards: count('Boards that the report looks at.'),
    members: count('People on them.'),
    tasks: count('Tasks on them that are not archived, made until the last day.'),
    ...TASK_COUNTS,
    created: count('Tasks made in these days.'),
    completed: count('Tasks completed in these days.'),
    comments: count('Comments written in these days.'),
    minutes: count('Minutes committed in these days.'),
  },
  ({ state, now }, scope) => {
    const tasks = tasksIn(state, scope);
    const { boards, period } = scope;
    return {
      boards: boards.size,
      members: new Set([...boards.values()].flatMap(({ members }) => members.map(({ userId }) => userId)))
        .size,
      tasks: tasks.length,
      ...countTasks(tasks, moment(now)),
      created: tasks.filter(({ createdAt }) => within(period, createdAt)).length,
      completed: tasks.filter(({ completedAt }) => within(period, completedAt)).length,
      comments: [...state.comments.values()].filter(
        ({ boardId, createdAt }) => boards.has(boardId) && within(period, createdAt),
      ).length,
      minutes: sumOf(tracksIn(state, scope)).minutes,
    };
  },
);

export const tasksReport: BoardRoute = report(
  'tasks',
  'What is to be done, and what was.',
  {
    total: count('Tasks that are not archived, made until the last day.'),
    ...TASK_COUNTS,
    by_priority: countsOf('By how much they matter.', TASK_PRIORITIES),
    by_board: listOf('By board.', { board_id: BOARD_ID, title: BOARD_TITLE, ...TASK_COUNTS }),
    by_stage: listOf('By stage, in the order of the boards.', {
      board_id: BOARD_ID,
      stage_id: count('Number of the stage.'),
      title: { description: 'Title of the stage.', type: 'string' },
      tasks: count('Tasks in it.'),
    }),
    by_assignee: listOf('By who works on them, the most first.', {
      user: PERSON,
      tasks: count('Their open tasks.'),
    }),
    by_day: listOf('By day.', {
      date: DATE,
      created: count('Tasks made.'),
      completed: count('Tasks completed.'),
    }),
  },
  ({ state, now }, scope) => {
    const tasks = tasksIn(state, scope);
    const at = moment(now);
    const stages = [...state.stages.values()]
      .filter(({ boardId, archivedAt }) => scope.boards.has(boardId) && archivedAt === null)
      .sort((one, other) => one.boardId - other.boardId || one.position - other.position);
    const open = tasks.filter(({ status }) => status === 'open');
    return {
      total: tasks.length,
      ...countTasks(tasks, at),
      by_priority: tallyWords(tasks, TASK_PRIORITIES, ({ priority }) => priority),
      by_board: [...scope.boards.values()].map(({ id, title }) => ({
        board_id: id,
        title,
        ...countTasks(
          tasks.filter(({ boardId }) => boardId === id),
          at,
        ),
      })),
      by_stage: stages.map(({ id, boardId, title }) => ({
        board_id: boardId,
        stage_id: id,
        title,
        tasks: tasks.filter(({ stageId }) => stageId === id).length,
      })),
      by_assignee: tally(
        open.flatMap(({ assignees }) => assignees),
        (userId) => userId,
      ).map(([userId, tasksOfUser]) => ({ user: showPerson(state, userId), tasks: tasksOfUser })),
      by_day: tallyDays(scope.period, {
        created: tasks.map(({ createdAt }) => createdAt),
        completed: tasks.map(({ completedAt }) => completedAt),
      }),
    };
  },
);

export const activityReport: BoardRoute = report(
  'activity',
  'What people did.',
  {
    total: count('Activities in these days.'),
    by_action: countsOf('By what was done.', ACTIVITY_ACTIONS),
    by_subject: countsOf('By what it was done to.', ACTIVITY_SUBJECTS),
    by_user: listOf('By person, the busiest first.', { user: PERSON, activities: count('What they did.') }),
    by_board: listOf('By board, the busiest first.', {
      board_id: BOARD_ID,
      title: BOARD_TITLE,
      activities: count('What happened on it.'),
    }),
    by_day: listOf('By day.', { date: DATE, activities: count('What happened on it.') }),
  },
  ({ state }, { boards, period }) => {
    const done = [...state.activities.values()].filter(
      ({ boardId, at }) => boards.has(boardId) && within(period, at),
    );
    return {
      total: done.length,
      by_action: tallyWords(done, ACTIVITY_ACTIONS, ({ action }) => action),
      by_subject: tallyWords(done, ACTIVITY_SUBJECTS, ({ subject }) => subject),
      by_user: tally(done, ({ userId }) => userId).map(([userId, activities]) => ({
        user: showPerson(state, userId),
        activities,
      })),
      by_board: tally(done, ({ boardId }) => boardId).map(([id, activities]) => ({
        board_id: id,
        title: boards.get(id)?.title ?? '',
        activities,
      })),
      by_day: tallyDays(period, { activities: done.map(({ at }) => at) }),
    };
  },
);
