import { groupBy } from '../../group-by.ts';
import type { JsonObject } from '../../json.ts';
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
  type Stage,
  TASK_PRIORITIES,
  type Task,
  type Timestamp,
  type TimeTrack,
  toDay,
  toTimestamp,
} from './state.ts';
import { isOverdue } from './tasks.ts';

/** Groups items by key, with the highest count or sum first. */
function rankBy<T, Key>(
  items: Iterable<T>,
  keyOf: (item: T) => Key,
  amountOf: (group: readonly T[]) => number = (group) => group.length,
): [Key, readonly T[]][] {
  return [...groupBy(items, keyOf)].sort(([, one], [, other]) => amountOf(other) - amountOf(one));
}

/** Counts items by a property with known values, in the order of the values; missing values count 0. */
function countByValue<T>(
  items: readonly T[],
  values: readonly string[],
  valueIn: (item: T) => string,
): Record<string, number> {
  return Object.fromEntries(
    values.map((value) => [value, items.filter((item) => valueIn(item) === value).length]),
  );
}

/** Counts the timestamps of each column by day, in the order of the days. Days without timestamps are omitted. */
function countByDay(
  period: DayPeriod,
  columns: Readonly<Record<string, readonly (Timestamp | null)[]>>,
): JsonObject[] {
  const counted = Object.entries(columns).map(([column, timestamps]) => {
    const days = timestamps.flatMap((at) => (at !== null && isWithinPeriod(period, at) ? toDay(at) : []));
    return [column, groupBy(days, (day) => day)] as const;
  });
  const days = new Set(counted.flatMap(([, byDay]) => [...byDay.keys()]));
  return [...days].sort().map((date) => ({
    date,
    ...Object.fromEntries(counted.map(([column, byDay]) => [column, byDay.get(date)?.length ?? 0])),
  }));
}

/** The boards and the period of a report or a timesheet. */
interface ReportScope {
  /** Boards of which the client is a member, or the requested ones of them. */
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
  // The error is the same for a missing board, so that the client does not learn which boards exist.
  if (boards.length < requested.size) {
    refuseUser(user, 'rest_forbidden', 'Sorry, one of these boards is not yours to look into.');
  }
  return { boards: new Map(boards.map((board) => [board.id, board])), period };
}

function committedTracksInScope({ timeTracks }: BoardState, { boards, period }: ReportScope): TimeTrack[] {
  return timeTracks.where(
    ({ status, boardId, startedAt }) =>
      status === 'committed' && boards.has(boardId) && isWithinPeriod(period, startedAt),
  );
}

const minutesOf = (tracks: readonly TimeTrack[]): number => sumOf(tracks, ({ minutes }) => minutes);

/** Sums of time tracks, as reports and timesheets show them. */
function sumTime(tracks: readonly TimeTrack[]): JsonObject {
  const billable = tracks.filter((track) => track.billable);
  return { minutes: minutesOf(tracks), billable_minutes: minutesOf(billable), tracks: tracks.length };
}

/** Sums by day, in the order of the days. */
function sumTimeByDay(tracks: readonly TimeTrack[]): JsonObject[] {
  return [...groupBy(tracks, ({ startedAt }) => toDay(startedAt))]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([date, ofDay]) => ({ date, ...sumTime(ofDay) }));
}

/** A handler that shows time tracks that match the arguments by key, those with the most time first. */
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
    const rows = rankBy(tracks, keyOf, minutesOf);
    return pageResponse(request, rows, ([key, ofKey]) => show(key, ofKey, state));
  };
}

/** A handler of a report, which is computed on every request from the content of the boards. */
function report(compute: (request: BoardRequest, scope: ReportScope) => JsonObject): BoardHandler {
  return (request) => {
    const [from = null, to = null] = [request.params.string('from'), request.params.string('to')];
    return ok({ from, to, ...compute(request, readScope(request)) });
  };
}

/** The tasks of a scope that are not archived and were created before its last day ended. */
function tasksInScope({ tasks }: BoardState, { boards, period }: ReportScope): Task[] {
  return tasks.where(
    ({ boardId, archivedAt, createdAt }) =>
      boards.has(boardId) && archivedAt === null && toDay(createdAt) <= period.to,
  );
}

function countTasks(tasks: readonly Task[], now: Timestamp) {
  return {
    open: tasks.filter(({ status }) => status === 'open').length,
    closed: tasks.filter(({ status }) => status === 'closed').length,
    overdue: tasks.filter((task) => isOverdue(task, now)).length,
  };
}

/** The stages of boards that are not archived, in the order of the boards, with the number of the tasks in each. */
function countByStage(
  { stages }: BoardState,
  boards: ReadonlyMap<number, Board>,
  count: (stage: Stage) => JsonObject,
): JsonObject[] {
  return stages
    .where(({ boardId, archivedAt }) => boards.has(boardId) && archivedAt === null)
    .sort((one, other) => one.boardId - other.boardId || one.position - other.position)
    .map((stage) => ({
      board_id: stage.boardId,
      stage_id: stage.id,
      title: stage.title,
      ...count(stage),
    }));
}

export const reportOperations: BoardOperations = {
  // Time by task and by user, the most first.
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
      by_user: rankBy(tracks, ({ userId }) => userId, minutesOf).map(([userId, ofUser]) => ({
        user: state.showPerson(userId),
        ...sumTime(ofUser),
      })),
      by_board: rankBy(tracks, ({ boardId }) => boardId, minutesOf).map(([id, ofBoard]) => ({
        board_id: id,
        title: scope.boards.get(id)?.title ?? '',
        ...sumTime(ofBoard),
      })),
    };
  }),

  reportOverview: report(({ state, now }, scope) => {
    const tasks = tasksInScope(state, scope);
    const { boards, period } = scope;
    const users = [...boards.values()].flatMap(({ members }) => members.map(({ userId }) => userId));
    return {
      boards: boards.size,
      members: new Set(users).size,
      tasks: tasks.length,
      ...countTasks(tasks, toTimestamp(now)),
      created: tasks.filter(({ createdAt }) => isWithinPeriod(period, createdAt)).length,
      completed: tasks.filter(({ completedAt }) => isWithinPeriod(period, completedAt)).length,
      comments: state.comments.where(
        ({ boardId, createdAt }) => boards.has(boardId) && isWithinPeriod(period, createdAt),
      ).length,
      minutes: minutesOf(committedTracksInScope(state, scope)),
    };
  }),

  reportTasks: report(({ state, now }, scope) => {
    const known = tasksInScope(state, scope);
    const tasks = known.filter(({ createdAt }) => isWithinPeriod(scope.period, createdAt));
    const at = toTimestamp(now);
    const open = tasks.filter(({ status }) => status === 'open');
    const assignments = open.flatMap(({ assignees }) => assignees);
    return {
      total: tasks.length,
      ...countTasks(tasks, at),
      by_priority: countByValue(tasks, TASK_PRIORITIES, ({ priority }) => priority),
      by_board: [...scope.boards.values()].map(({ id, title }) => {
        const ofBoard = tasks.filter(({ boardId }) => boardId === id);
        return { board_id: id, title, ...countTasks(ofBoard, at) };
      }),
      by_stage: countByStage(state, scope.boards, ({ id }) => ({
        tasks: tasks.filter(({ stageId }) => stageId === id).length,
      })),
      by_assignee: rankBy(assignments, (userId) => userId).map(([userId, ofUser]) => ({
        user: state.showPerson(userId),
        tasks: ofUser.length,
      })),
      by_day: countByDay(scope.period, {
        created: known.map(({ createdAt }) => createdAt),
        completed: known.map(({ completedAt }) => completedAt),
      }),
    };
  }),

  reportActivity: report(({ state }, { boards, period }) => {
    const inPeriod = state.activities.where(
      ({ boardId, at }) => boards.has(boardId) && isWithinPeriod(period, at),
    );
    return {
      total: inPeriod.length,
      by_action: countByValue(inPeriod, ACTIVITY_ACTIONS, ({ action }) => action),
      by_subject: countByValue(inPeriod, ACTIVITY_SUBJECTS, ({ subject }) => subject),
      by_user: rankBy(inPeriod, ({ userId }) => userId).map(([userId, ofUser]) => ({
        user: state.showPerson(userId),
        activities: ofUser.length,
      })),
      by_board: rankBy(inPeriod, ({ boardId }) => boardId).map(([id, ofBoard]) => ({
        board_id: id,
        title: boards.get(id)?.title ?? '',
        activities: ofBoard.length,
      })),
      by_day: countByDay(period, { activities: inPeriod.map(({ at }) => at) }),
    };
  }),

  reportRoadmap: report(({ state }, scope) => {
    const { period } = scope;
    const boards = new Map([...scope.boards].filter(([, { kind }]) => kind === 'roadmap'));
    const all = state.tasks.where(({ boardId }) => boards.has(boardId));
    const shown = all.filter(({ archivedAt }) => archivedAt === null);
    const boardOf = new Map(all.map(({ id, boardId }) => [id, boardId]));
    const ideas = shown.filter(({ createdAt }) => isWithinPeriod(period, createdAt));
    const votes = state.votes.filter(({ ideaId, at }) => boardOf.has(ideaId) && isWithinPeriod(period, at));
    const comments = state.comments.where(
      ({ taskId, createdAt }) => boardOf.has(taskId) && isWithinPeriod(period, createdAt),
    );
    return {
      roadmaps: boards.size,
      ideas: ideas.length,
      votes: votes.length,
      comments: comments.length,
      voters: new Set(votes.map(({ userId }) => userId)).size,
      awaiting_approval: all.length - shown.length,
      by_roadmap: [...boards.values()].map(({ id, title }) => ({
        board_id: id,
        title,
        ideas: ideas.filter(({ boardId }) => boardId === id).length,
        votes: votes.filter(({ ideaId }) => boardOf.get(ideaId) === id).length,
        comments: comments.filter(({ taskId }) => boardOf.get(taskId) === id).length,
      })),
      by_stage: countByStage(state, boards, ({ id }) => ({
        ideas: shown.filter(({ stageId }) => stageId === id).length,
      })),
      by_day: countByDay(period, {
        ideas: ideas.map(({ createdAt }) => createdAt),
        votes: votes.map(({ at }) => at),
        comments: comments.map(({ createdAt }) => createdAt),
      }),
      top_ideas: shown
        .map((idea) => ({
          id: idea.id,
          board_id: idea.boardId,
          title: idea.title,
          votes: state.countVotes(idea),
        }))
        .sort((one, other) => other.votes - one.votes || one.id - other.id)
        .slice(0, 10),
    };
  }),
};
