import { groupBy } from '../../../base/group-by.ts';
import type { JsonObject } from '../../../base/json.ts';
import { ok, pageResponse, refuseUser } from '../../rest-server/responses.ts';
import {
  ACTIVITY_ACTIONS,
  ACTIVITY_SUBJECTS,
  type BoardHandler,
  type BoardOperations,
} from './declarations.ts';
import { isMemberOrAdmin } from './permissions.ts';
import { type DayPeriod, isWithinPeriod, readPeriod, sumOf } from './resource.ts';
import {
  type Board,
  type BoardRequest,
  type BoardState,
  TASK_PRIORITIES,
  type Task,
  type TimeTrack,
  toDay,
  toTimestamp,
} from './state.ts';
import { isOverdue } from './tasks.ts';

/** Counts items by a property; missing values count 0. */
function countByValue<T>(
  items: readonly T[],
  values: readonly string[],
  valueIn: (item: T) => string,
): Record<string, number> {
  return Object.fromEntries(
    values.map((value) => [value, items.filter((item) => valueIn(item) === value).length]),
  );
}

interface ReportScope {
  readonly boards: ReadonlyMap<number, Board>;
  readonly period: DayPeriod;
}

function readScope(request: BoardRequest): ReportScope {
  const period = readPeriod(request);
  const { state, user, params } = request;
  const requested = new Set(params.integers('board_ids'));
  const boards = state.boards.where(
    (board) => isMemberOrAdmin(user, board) && (requested.size === 0 || requested.has(board.id)),
  );
  // The error is the same for a missing board, so it doesn't reveal which boards exist.
  if (boards.length < requested.size) {
    refuseUser(user, 'rest_forbidden', 'Sorry, one of these boards is not yours to look into.');
  }
  return { boards: new Map(boards.map((board) => [board.id, board])), period };
}

function showByBoard<Item extends { readonly boardId: number }>(
  { boards }: ReportScope,
  items: readonly Item[],
  show: (ofBoard: readonly Item[]) => JsonObject,
): JsonObject[] {
  return [...boards.values()].map(({ id, title }) => ({
    board_id: id,
    title,
    ...show(items.filter(({ boardId }) => boardId === id)),
  }));
}

function committedTracksInScope({ timeTracks }: BoardState, { boards, period }: ReportScope): TimeTrack[] {
  return timeTracks.where(
    ({ status, boardId, startedAt }) =>
      status === 'committed' && boards.has(boardId) && isWithinPeriod(period, startedAt),
  );
}

const minutesOf = (tracks: readonly TimeTrack[]): number => sumOf(tracks, ({ minutes }) => minutes);

function sumTime(tracks: readonly TimeTrack[]): JsonObject {
  const billable = tracks.filter((track) => track.billable);
  return { minutes: minutesOf(tracks), billable_minutes: minutesOf(billable), tracks: tracks.length };
}

function sumTimeByDay(tracks: readonly TimeTrack[]): JsonObject[] {
  return [...groupBy(tracks, ({ startedAt }) => toDay(startedAt))]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([date, ofDay]) => ({ date, ...sumTime(ofDay) }));
}

/** Time tracks by key, those with the most time first. */
function timesheet(
  keyOf: (track: TimeTrack) => number,
  show: (key: number, tracks: readonly TimeTrack[], state: BoardState) => JsonObject,
): BoardHandler {
  return (request) => {
    const { params, state } = request;
    const users = params.integers('user_ids');
    const tracks = committedTracksInScope(state, readScope(request))
      .filter(({ userId }) => users.length === 0 || users.includes(userId))
      .filter(({ billable }) => !params.has('billable') || billable === params.boolean('billable'));
    const rows = [...groupBy(tracks, keyOf)].sort(([, one], [, other]) => minutesOf(other) - minutesOf(one));
    return pageResponse(request, rows, ([key, ofKey]) => show(key, ofKey, state));
  };
}

function report(compute: (request: BoardRequest, scope: ReportScope) => JsonObject): BoardHandler {
  return (request) => {
    const [from = null, to = null] = [request.params.string('from'), request.params.string('to')];
    return ok({ from, to, ...compute(request, readScope(request)) });
  };
}

function tasksInScope({ tasks }: BoardState, { boards, period }: ReportScope): Task[] {
  return tasks.where(
    ({ boardId, archivedAt, createdAt }) =>
      boards.has(boardId) && archivedAt === null && isWithinPeriod(period, createdAt),
  );
}

function countTasks(tasks: readonly Task[], now: Date): JsonObject {
  return {
    ...countByValue(tasks, ['open', 'closed'], ({ status }) => status),
    overdue: tasks.filter((task) => isOverdue(task, toTimestamp(now))).length,
  };
}

export const reportOperations: BoardOperations = {
  timesheetByTasks: timesheet(
    ({ taskId }) => taskId,
    (taskId, tracks, state) => {
      const { title = '', boardId = 0, estimatedMinutes = 0 } = state.tasks.get(taskId) ?? {};
      const users = new Set(tracks.map(({ userId }) => userId));
      return {
        task_id: taskId,
        title,
        board_id: boardId,
        board_title: state.boards.get(boardId)?.title ?? '',
        estimated_minutes: estimatedMinutes,
        ...sumTime(tracks),
        people: [...users].map((userId) => state.showPerson(userId)),
      };
    },
  ),
  timesheetByUsers: timesheet(
    ({ userId }) => userId,
    (userId, tracks, state) => ({
      user: state.showPerson(userId),
      ...sumTime(tracks),
      task_count: new Set(tracks.map(({ taskId }) => taskId)).size,
      days: sumTimeByDay(tracks),
    }),
  ),

  reportTimesheet: report(({ state }, scope) => {
    const tracks = committedTracksInScope(state, scope);
    return {
      ...sumTime(tracks),
      by_day: sumTimeByDay(tracks),
      by_board: showByBoard(scope, tracks, sumTime),
    };
  }),

  reportOverview: report(({ state, now }, scope) => {
    const tasks = tasksInScope(state, scope);
    const users = [...scope.boards.values()].flatMap(({ members }) => members.map(({ userId }) => userId));
    return {
      boards: scope.boards.size,
      members: new Set(users).size,
      tasks: tasks.length,
      ...countTasks(tasks, now),
      minutes: minutesOf(committedTracksInScope(state, scope)),
    };
  }),

  reportTasks: report(({ state, now }, scope) => {
    const tasks = tasksInScope(state, scope);
    const open = tasks.filter(({ status }) => status === 'open');
    const byAssignee = groupBy(
      open.flatMap(({ assignees }) => assignees),
      (userId) => userId,
    );
    return {
      total: tasks.length,
      ...countTasks(tasks, now),
      by_priority: countByValue(tasks, TASK_PRIORITIES, ({ priority }) => priority),
      by_board: showByBoard(scope, tasks, (ofBoard) => countTasks(ofBoard, now)),
      by_assignee: [...byAssignee].map(([userId, { length }]) => ({
        user: state.showPerson(userId),
        tasks: length,
      })),
    };
  }),

  reportActivity: report(({ state }, scope) => {
    const activities = state.activities.where(
      ({ boardId, at }) => scope.boards.has(boardId) && isWithinPeriod(scope.period, at),
    );
    return {
      total: activities.length,
      by_action: countByValue(activities, ACTIVITY_ACTIONS, ({ action }) => action),
      by_subject: countByValue(activities, ACTIVITY_SUBJECTS, ({ subject }) => subject),
      by_board: showByBoard(scope, activities, ({ length }) => ({ activities: length })),
    };
  }),

  reportRoadmap: report(({ state }, scope) => {
    const ideas = tasksInScope(state, scope).filter(({ type }) => type === 'idea');
    const countIdeas = (counted: readonly Task[]) => ({
      ideas: counted.length,
      votes: sumOf(counted, (idea) => state.countVotes(idea)),
    });
    const boards = new Map([...scope.boards].filter(([, { kind }]) => kind === 'roadmap'));
    return {
      roadmaps: boards.size,
      ...countIdeas(ideas),
      by_roadmap: showByBoard({ ...scope, boards }, ideas, countIdeas),
    };
  }),
};
