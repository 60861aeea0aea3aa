import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { PERIOD, readPeriod, within } from '../rest/period.ts';
import { type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { showTaskActivity, TASK_ACTIVITY_SCHEMA } from './task-routes.ts';

/** What was done on a board, the newest first. */
export const boardActivities: BoardRoute = route(
  '/projects/{board_id:int}/activities',
  [
    {
      methods: ['GET'],
      args: {
        ...PAGING,
        ...PERIOD,
        action: { description: 'Only what was done so.', type: 'string', enum: ACTIVITY_ACTIONS },
        subject: {
          description: 'Only what was done to such things.',
          type: 'string',
          enum: ACTIVITY_SUBJECTS,
        },
        user_id: { description: 'Only what one user did.', type: 'integer', minimum: 1 },
      },
      permission: insiders,
      handle: withBoard((request, board) => {
        const { state, params } = request;
        const period = readPeriod(request);
        if ('kind' in period) return period;
        const action = choice(params, 'action', ACTIVITY_ACTIONS);
        const subject = choice(params, 'subject', ACTIVITY_SUBJECTS);
        const userId = params.integer('user_id');
        const found = [...state.activities.values()].filter(
          (activity) =>
            activity.boardId === board.id &&
            within(period, activity.at) &&
            (action === undefined || activity.action === action) &&
            (subject === undefined || activity.subject === subject) &&
            (userId === undefined || activity.userId === userId),
        );
        found.sort((one, other) => other.at.localeCompare(one.at) || other.id - one.id);
        return answerPage(request, found, (activity) => showTaskActivity(state, activity));
      }),
    },
  ],
  TASK_ACTIVITY_SCHEMA,
);
