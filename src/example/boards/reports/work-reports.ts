import type { JsonObject } from '../../../json.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import type { BoardState, Task, Timestamp } from '../model/index.ts';
import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS, TASK_PRIORITIES, toDay, toTimestamp } from '../model/index.ts';
import { type BoardRoute, isWithinPeriod, schema } from '../rest/index.ts';
import { isOverdue } from '../tasks/resource.ts';
import { committedTracksInScope, sumTime, sumTimeBy, TIME_SUM_PROPERTIES } from '../time/sums.ts';
import { countBy, countByDay, countByValue } from './counts.ts';
import { declareReport, type ReportScope } from './report.ts';

/** The tasks of a scope that are not archived and were created before its last day ended. */
function tasksInScope({ tasks }: BoardState, { boards, period }: ReportScope): Task[] {
  return [...tasks.values()].filter(
    ({ boardId, archivedAt, createdAt }) =>
      boards.has(boardId) && archivedAt === null && toDay(createdAt) <= period.to,
  );
}

const BOARD_ID = schema.integer('Number of the board.');
const BOARD_TITLE = schema.string('Title of the board.');
const DATE = schema.string('The day, in UTC.', { format: 'date' });

/** Schema of counts by value: `{ low: 3, high: 1 }`. */
function countsSchema(description: string, values: readonly string[]): JsonObject {
  return schema.object(description, Object.fromEntries(values.map((value) => [value, { type: 'integer' }])));
}

const TASK_COUNTS = {
  open: schema.integer('Tasks that are open.'),
  closed: schema.integer('Tasks that are closed.'),
  overdue: schema.integer('Open tasks that are past their due date.'),
} as const;

function countTasks(tasks: readonly Task[], now: Timestamp) {
  return {
    open: tasks.filter(({ status }) => status === 'open').length,
    closed: tasks.filter(({ status }) => status === 'closed').length,
    overdue: tasks.filter((task) => isOverdue(task, now)).length,
  };
}

export const timesheetReport: BoardRoute = declareReport(
  'timesheet',
  'Where the time went.',
  {
    ...TIME_SUM_PROPERTIES,
    by_day: schema.objects('By the day on which it began.', { date: DATE, ...TIME_SUM_PROPERTIES }),
    by_user: schema.objects('By person, the most first.', { user: PERSON_SCHEMA, ...TIME_SUM_PROPERTIES }),
    by_board: schema.objects('By board, the most first.', {
      board_id: BOARD_ID,
      title: BOARD_TITLE,
      ...TIME_SUM_PROPERTIES,
    }),
  },
  ({ state }, scope) => {
    const tracks = committedTracksInScope(state, scope);
    return {
      ...sumTime(tracks),
      by_day: sumTimeBy(tracks, ({ startedAt }) => toDay(startedAt))
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([date, sum]) => ({ date, ...sum })),
      by_user: sumTimeBy(tracks, ({ userId }) => userId).map(([userId, sum]) => ({
        user: showPerson(state, userId),
        ...sum,
      })),
      by_board: sumTimeBy(tracks, ({ boardId }) => boardId).map(([id, sum]) => ({
        board_id: id,
        title: scope.boards.get(id)?.title ?? '',
        ...sum,
      })),
    };
  },
);

export const overviewReport: BoardRoute = declareReport(
  'overview',
  'How things stand.',
  {
    boards: schema.integer('Boards that the report looks at.'),
    members: schema.integer('People on them.'),
    tasks: schema.integer('Tasks on them that are not archived, made until the last day.'),
    ...TASK_COUNTS,
    created: schema.integer('Tasks made in these days.'),
    completed: schema.integer('Tasks completed in these days.'),
    comments: schema.integer('Comments written in these days.'),
    minutes: schema.integer('Minutes committed in these days.'),
  },
  ({ state, now }, scope) => {
    const tasks = tasksInScope(state, scope);
    const { boards, period } = scope;
    return {
      boards: boards.size,
      members: new Set([...boards.values()].flatMap(({ members }) => members.map(({ userId }) => userId)))
        .size,
      tasks: tasks.length,
      ...countTasks(tasks, toTimestamp(now)),
      created: tasks.filter(({ createdAt }) => isWithinPeriod(period, createdAt)).length,
      completed: tasks.filter(({ completedAt }) => isWithinPeriod(period, completedAt)).length,
      comments: [...state.comments.values()].filter(
        ({ boardId, createdAt }) => boards.has(boardId) && isWithinPeriod(period, createdAt),
      ).length,
      minutes: sumTime(committedTracksInScope(state, scope)).minutes,
    };
  },
);

export const tasksReport: BoardRoute = declareReport(
  'tasks',
  'What is to be done, and what was.',
  {
    total: schema.integer('Tasks that are not archived, made until the last day.'),
    ...TASK_COUNTS,
    by_priority: countsSchema('By how much they matter.', TASK_PRIORITIES),
    by_board: schema.objects('By board.', { board_id: BOARD_ID, title: BOARD_TITLE, ...TASK_COUNTS }),
    by_stage: schema.objects('By stage, in the order of the boards.', {
      board_id: BOARD_ID,
      stage_id: schema.integer('Number of the stage.'),
      title: schema.string('Title of the stage.'),
      tasks: schema.integer('Tasks in it.'),
    }),
    by_assignee: schema.objects('By who works on them, the most first.', {
      user: PERSON_SCHEMA,
      tasks: schema.integer('Their open tasks.'),
    }),
    by_day: schema.objects('By day.', {
      date: DATE,
      created: schema.integer('Tasks made.'),
      completed: schema.integer('Tasks completed.'),
    }),
  },
  ({ state, now }, scope) => {
    const tasks = tasksInScope(state, scope);
    const at = toTimestamp(now);
    const stages = [...state.stages.values()]
      .filter(({ boardId, archivedAt }) => scope.boards.has(boardId) && archivedAt === null)
      .sort((one, other) => one.boardId - other.boardId || one.position - other.position);
    const open = tasks.filter(({ status }) => status === 'open');
    return {
      total: tasks.length,
      ...countTasks(tasks, at),
      by_priority: countByValue(tasks, TASK_PRIORITIES, ({ priority }) => priority),
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
      by_assignee: countBy(
        open.flatMap(({ assignees }) => assignees),
        (userId) => userId,
      ).map(([userId, tasksOfUser]) => ({ user: showPerson(state, userId), tasks: tasksOfUser })),
      by_day: countByDay(scope.period, {
        created: tasks.map(({ createdAt }) => createdAt),
        completed: tasks.map(({ completedAt }) => completedAt),
      }),
    };
  },
);

export const activityReport: BoardRoute = declareReport(
  'activity',
  'What people did.',
  {
    total: schema.integer('Activities in these days.'),
    by_action: countsSchema('By what was done.', ACTIVITY_ACTIONS),
    by_subject: countsSchema('By what it was done to.', ACTIVITY_SUBJECTS),
    by_user: schema.objects('By person, the busiest first.', {
      user: PERSON_SCHEMA,
      activities: schema.integer('What they did.'),
    }),
    by_board: schema.objects('By board, the busiest first.', {
      board_id: BOARD_ID,
      title: BOARD_TITLE,
      activities: schema.integer('What happened on it.'),
    }),
    by_day: schema.objects('By day.', { date: DATE, activities: schema.integer('What happened on it.') }),
  },
  ({ state }, { boards, period }) => {
    const inPeriod = [...state.activities.values()].filter(
      ({ boardId, at }) => boards.has(boardId) && isWithinPeriod(period, at),
    );
    return {
      total: inPeriod.length,
      by_action: countByValue(inPeriod, ACTIVITY_ACTIONS, ({ action }) => action),
      by_subject: countByValue(inPeriod, ACTIVITY_SUBJECTS, ({ subject }) => subject),
      by_user: countBy(inPeriod, ({ userId }) => userId).map(([userId, activities]) => ({
        user: showPerson(state, userId),
        activities,
      })),
      by_board: countBy(inPeriod, ({ boardId }) => boardId).map(([id, activities]) => ({
        board_id: id,
        title: boards.get(id)?.title ?? '',
        activities,
      })),
      by_day: countByDay(period, { activities: inPeriod.map(({ at }) => at) }),
    };
  },
);
