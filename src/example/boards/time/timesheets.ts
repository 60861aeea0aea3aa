import type { ArgumentSchemas } from '../../site/declarations.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import { isSiteError, type TimeTrack, toDay } from '../model/index.ts';
import { readScope, SCOPE_ARGS } from '../reports/report.ts';
import type { BoardRequest, BoardRoute, GetEndpoint, HandlerResult } from '../rest/index.ts';
import {
  declareGet,
  PAGING_ARGS,
  pageResponse,
  permit,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { committedTracksInScope, sumTimeBy, TIME_SUM_PROPERTIES } from './sums.ts';

const ARGS: ArgumentSchemas = {
  ...PAGING_ARGS,
  ...SCOPE_ARGS,
  user_ids: schema.ids('Only the time of these users.', { maxItems: 100 }),
  billable: schema.boolean('Only time that a customer pays for, or only other time.'),
};

/** A GET that responds with the time tracks that match the arguments. */
function createTimesheetEndpoint(
  respond: (request: BoardRequest, tracks: readonly TimeTrack[]) => HandlerResult,
): GetEndpoint {
  return {
    args: ARGS,
    permission: withFeature('time_tracking', permit.signedIn),
    handle(request) {
      const scope = readScope(request);
      if (isSiteError(scope)) return scope;
      const { params, state } = request;
      const users = new Set(params.integers('user_ids'));
      const tracks = committedTracksInScope(state, scope)
        .filter(({ userId }) => users.size === 0 || users.has(userId))
        .filter(({ billable }) => !params.has('billable') || billable === params.boolean('billable'));
      return respond(request, tracks);
    },
  };
}

/** Time by task and by user, the most first. */
export const timesheetRoutes: readonly BoardRoute[] = [
  declareGet(
    '/projects/timesheet/by-tasks',
    responseSchema('timesheet-task', 'The time that was committed to one task.', {
      task_id: schema.integer('Number of the task.'),
      title: schema.string('What is to be done.'),
      board_id: schema.integer('Number of its board.'),
      board_title: schema.string('Title of its board.'),
      estimated_minutes: schema.integer('How long it should take.'),
      ...TIME_SUM_PROPERTIES,
      people: schema.array('Whose time it is.', PERSON_SCHEMA),
    }),
    createTimesheetEndpoint((request, tracks) => {
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
  ),
  declareGet(
    '/projects/timesheet/by-users',
    responseSchema('timesheet-user', 'The time that one person has committed.', {
      user: PERSON_SCHEMA,
      ...TIME_SUM_PROPERTIES,
      task_count: schema.integer('Tasks that the time went to.'),
      days: schema.objects('The time by the day on which it began, the first day first.', {
        date: schema.string('The day, in UTC.', { format: 'date' }),
        ...TIME_SUM_PROPERTIES,
      }),
    }),
    createTimesheetEndpoint((request, tracks) => {
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
  ),
];
