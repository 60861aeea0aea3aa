import type { Args } from '../../site/declare.ts';
import { PERSON, showPerson } from '../members/person.ts';
import { isRefusal } from '../model/state.ts';
import type { TimeTrack } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { type Answer, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { readScope, SCOPE } from '../rest/scope.ts';
import { whileOn } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';
import { SUM_PROPERTIES, showSum, sumBy, tracksIn } from './sums.ts';

const ARGS: Args = {
  ...PAGING,
  ...SCOPE,
  user_ids: {
    description: 'Only the time of these users.',
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: 100,
  },
  billable: { description: 'Only time that a customer pays for, or only other time.', type: 'boolean' },
};

const BY_TASK = answersWhole('timesheet-task', 'The time that was committed to one task.', {
  task_id: { description: 'Number of the task.', type: 'integer' },
  title: { description: 'What is to be done.', type: 'string' },
  board_id: { description: 'Number of its board.', type: 'integer' },
  board_title: { description: 'Title of its board.', type: 'string' },
  estimated_minutes: { description: 'How long it should take.', type: 'integer' },
  ...SUM_PROPERTIES,
  people: { description: 'Whose time it is.', type: 'array', items: PERSON },
});

const BY_USER = answersWhole('timesheet-user', 'The time that one person has committed.', {
  user: PERSON,
  ...SUM_PROPERTIES,
  task_count: { description: 'Tasks that the time went to.', type: 'integer' },
  days: {
    description: 'The time by the day on which it began, the first day first.',
    type: 'array',
    items: {
      type: 'object',
      properties: {
        date: { description: 'The day, in UTC.', type: 'string', format: 'date' },
        ...SUM_PROPERTIES,
      },
    },
  },
});

/** The tracks that were asked for. */
function withTracks(answer: (request: BoardRequest, tracks: TimeTrack[]) => Answer) {
  return (request: BoardRequest): Answer => {
    const scope = readScope(request);
    if (isRefusal(scope)) return scope;
    const { params, state } = request;
    const users = new Set(params.integers('user_ids'));
    const found = tracksIn(state, scope)
      .filter(({ userId }) => users.size === 0 || users.has(userId))
      .filter(({ billable }) => !params.has('billable') || billable === params.boolean('billable'));
    return answer(request, found);
  };
}

/** Time by task and by person, the most first. */
export const timesheetRoutes: readonly BoardRoute[] = [
  route(
    '/projects/timesheet/by-tasks',
    [
      {
        methods: ['GET'],
        args: ARGS,
        permission: whileOn('time_tracking', permit.signedIn),
        handle: withTracks((request, tracks) => {
          const { state } = request;
          return answerPage(
            request,
            sumBy(tracks, ({ taskId }) => taskId),
            ([taskId, sum]) => {
              const task = state.tasks.get(taskId);
              const people = new Set(
                tracks.filter((track) => track.taskId === taskId).map(({ userId }) => userId),
              );
              return {
                task_id: taskId,
                title: task?.title ?? '',
                board_id: task?.boardId ?? 0,
                board_title: state.boards.get(task?.boardId ?? 0)?.title ?? '',
                estimated_minutes: task?.estimatedMinutes ?? 0,
                ...showSum(sum),
                people: [...people].map((userId) => showPerson(state, userId)),
              };
            },
          );
        }),
      },
    ],
    BY_TASK,
  ),
  route(
    '/projects/timesheet/by-users',
    [
      {
        methods: ['GET'],
        args: ARGS,
        permission: whileOn('time_tracking', permit.signedIn),
        handle: withTracks((request, tracks) =>
          answerPage(
            request,
            sumBy(tracks, ({ userId }) => userId),
            ([userId, sum]) => {
              const own = tracks.filter((track) => track.userId === userId);
              const days = sumBy(own, ({ startedAt }) => startedAt.slice(0, 10));
              return {
                user: showPerson(request.state, userId),
                ...showSum(sum),
                task_count: new Set(own.map(({ taskId }) => taskId)).size,
                days: days
                  .sort(([one], [other]) => one.localeCompare(other))
                  .map(([date, each]) => ({ date, ...showSum(each) })),
              };
            },
          ),
        ),
      },
    ],
    BY_USER,
  ),
];
