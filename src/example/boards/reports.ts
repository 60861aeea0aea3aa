import { groupBy } from '../../group-by.ts';
import type { JsonObject } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { forbiddenError, isSiteError, ok } from '../../rest-server/responses.ts';
import { countBy, countByDay, countByValue } from './counts.ts';
import { showPerson } from './people.ts';
import {
  type BoardHandler,
  type BoardOperations,
  type BoardRequest,
  type DayPeriod,
  type HandlerResult,
  isMemberOrAdmin,
  isWithinPeriod,
  pageResponse,
  readPeriod,
} from './resource.ts';
import { countVotesByIdea } from './roadmap.ts';
import {
  ACTIVITY_ACTIONS,
  ACTIVITY_SUBJECTS,
  type Board,
  type BoardState,
  TASK_PRIORITIES,
  type Task,
  type Timestamp,
  type TimeTrack,
  toDay,
  toTimestamp,
} from './state.ts';
import { isOverdue } from './tasks.ts';

/** The boards and the period of a report or a timesheet. */
interface ReportScope {
  /** Boards of which the client is a member, or the requested ones of them. */
  readonly boards: ReadonlyMap<number, Board>;
  readonly period: DayPeriod;
}

function readScope(request: BoardRequest): ReportScope | SiteError {
  const period = readPeriod(request);
  if (isSiteError(period)) return period;
  const { state, user, params } = request;
  const own = [...state.boards.values()].filter((board) => isMemberOrAdmin(user, board));
  const requested = new Set(params.integers('board_ids'));
  const boards = requested.size === 0 ? own : own.filter(({ id }) => requested.has(id));
  // The error is the same for a missing board, so that the client does not learn which boards exist.
  if (boards.length < requested.size) {
    return forbiddenError(user, 'rest_forbidden', 'Sorry, one of these boards is not yours to look into.');
  }
  return { boards: new Map(boards.map((board) => [board.id, board])), period };
}

/** Sums of time tracks, as reports and timesheets show them. */
interface TimeSum {
  readonly minutes: number;
  readonly billable_minutes: number;
  readonly tracks: number;
}

/** Returns the committed time tracks of a scope, without running ones. */
function committedTracksInScope({ timeTracks }: BoardState, { boards, period }: ReportScope): TimeTrack[] {
  return [...timeTracks.values()].filter(
    ({ status, boardId, startedAt }) =>
      status === 'committed' && boards.has(boardId) && isWithinPeriod(period, startedAt),
  );
}

function sumTime(tracks: readonly TimeTrack[]): TimeSum {
  const total = (of: readonly TimeTrack[]): number => of.reduce((sum, { minutes }) => sum + minutes, 0);
  return {
    minutes: total(tracks),
    billable_minutes: total(tracks.filter(({ billable }) => billable)),
    tracks: tracks.length,
  };
}

/** Sums by key, the most time first. */
function sumTimeBy<Key>(tracks: readonly TimeTrack[], keyOf: (track: TimeTrack) => Key): [Key, TimeSum][] {
  return [...groupBy(tracks, keyOf)]
    .map(([key, ofKey]): [Key, TimeSum] => [key, sumTime(ofKey)])
    .sort(([, one], [, other]) => other.minutes - one.minutes);
}

/** A handler that gets the time tracks that match the arguments. */
function withTracks(
  respond: (request: BoardRequest, tracks: readonly TimeTrack[]) => HandlerResult,
): BoardHandler {
  return (request) => {
    const scope = readScope(request);
    if (isSiteError(scope)) return scope;
    const { params, state } = request;
    const users = new Set(params.integers('user_ids'));
    const tracks = committedTracksInScope(state, scope)
      .filter(({ userId }) => users.size === 0 || users.has(userId))
      .filter(({ billable }) => !params.has('billable') || billable === params.boolean('billable'));
    return respond(request, tracks);
  };
}

/** A handler of a report, which is computed on every request from the content of the boards. */
function report(compute: (request: BoardRequest, scope: ReportScope) => JsonObject): BoardHandler {
  return (request) => {
    const scope = readScope(request);
    if (isSiteError(scope)) return scope;
    const [from = null, to = null] = [request.params.string('from'), request.params.string('to')];
    return ok({ from, to, ...compute(request, scope) });
  };
}

/** The tasks of a scope that are not archived and were created before its last day ended. */
function tasksInScope({ tasks }: BoardState, { boards, period }: ReportScope): Task[] {
  return [...tasks.values()].filter(
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

export const reportOperations: BoardOperations = {
  // Time by task and by user, the most first.
  'GET /projects/timesheet/by-tasks': withTracks((request, tracks) => {
    const { state } = request;
    const byTask = sumTimeBy(tracks, ({ taskId }) => taskId);
    return pageResponse(request, byTask, ([taskId, sum]) => {
      const { title = '', boardId = 0, estimatedMinutes = 0 } = state.tasks.get(taskId) ?? {};
      const ofTask = tracks.filter((track) => track.taskId === taskId);
      const users = new Set(ofTask.map(({ userId }) => userId));
      return {
        task_id: taskId,
        title,
        board_id: boardId,
        board_title: state.boards.get(boardId)?.title ?? '',
        estimated_minutes: estimatedMinutes,
        ...sum,
        people: [...users].map((userId) => showPerson(state, userId)),
      };
    });
  }),
  'GET /projects/timesheet/by-users': withTracks((request, tracks) => {
    const byUser = sumTimeBy(tracks, ({ userId }) => userId);
    return pageResponse(request, byUser, ([userId, sum]) => {
      const ofUser = tracks.filter((track) => track.userId === userId);
      const days = sumTimeBy(ofUser, ({ startedAt }) => toDay(startedAt));
      return {
        user: showPerson(request.state, userId),
        ...sum,
        task_count: new Set(ofUser.map(({ taskId }) => taskId)).size,
        days: days
          .sort(([one], [other]) => one.localeCompare(other))
          .map(([date, ofDay]) => ({ date, ...ofDay })),
      };
    });
  }),

  'GET /reports/timesheet': report(({ state }, scope) => {
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
  }),

  'GET /reports/overview': report(({ state, now }, scope) => {
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
  }),

  'GET /reports/tasks': report(({ state, now }, scope) => {
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
  }),

  'GET /reports/activity': report(({ state }, { boards, period }) => {
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
  }),

  'GET /reports/roadmap': report(({ state }, { boards, period }) => {
    const roadmaps = [...boards.values()].filter(({ kind }) => kind === 'roadmap');
    const ids = new Set(roadmaps.map(({ id }) => id));
    const all = [...state.tasks.values()].filter(({ boardId }) => ids.has(boardId));
    const shown = all.filter(({ archivedAt }) => archivedAt === null);
    const boardOf = new Map(all.map(({ id, boardId }) => [id, boardId]));
    const ideas = shown.filter(({ createdAt }) => isWithinPeriod(period, createdAt));
    const votes = state.votes.filter(({ ideaId, at }) => boardOf.has(ideaId) && isWithinPeriod(period, at));
    const comments = [...state.comments.values()].filter(
      ({ taskId, createdAt }) => boardOf.has(taskId) && isWithinPeriod(period, createdAt),
    );
    const voteCounts = countVotesByIdea(state);
    return {
      roadmaps: roadmaps.length,
      ideas: ideas.length,
      votes: votes.length,
      comments: comments.length,
      voters: new Set(votes.map(({ userId }) => userId)).size,
      awaiting_approval: all.length - shown.length,
      by_roadmap: roadmaps.map(({ id, title }) => ({
        board_id: id,
        title,
        ideas: ideas.filter(({ boardId }) => boardId === id).length,
        votes: votes.filter(({ ideaId }) => boardOf.get(ideaId) === id).length,
        comments: comments.filter(({ taskId }) => boardOf.get(taskId) === id).length,
      })),
      by_stage: [...state.stages.values()]
        .filter(({ boardId, archivedAt }) => ids.has(boardId) && archivedAt === null)
        .sort((one, other) => one.boardId - other.boardId || one.position - other.position)
        .map(({ id, boardId, title }) => ({
          board_id: boardId,
          stage_id: id,
          title,
          ideas: shown.filter(({ stageId }) => stageId === id).length,
        })),
      by_day: countByDay(period, {
        ideas: ideas.map(({ createdAt }) => createdAt),
        votes: votes.map(({ at }) => at),
        comments: comments.map(({ createdAt }) => createdAt),
      }),
      top_ideas: shown
        .map(({ id, boardId, title }) => ({ id, board_id: boardId, title, votes: voteCounts.get(id) ?? 0 }))
        .sort((one, other) => other.votes - one.votes || one.id - other.id)
        .slice(0, 10),
    };
  }),
};
