import type { JsonObject } from '../../../json.ts';
import { COMMENT_PROPERTIES, commentsOn, showComment } from '../comments/view.ts';
import { PERSON, showPerson } from '../members/person.ts';
import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS, type Activity, type BoardState } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { type BoardRoute, route, withTask } from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

const ACTIVITY_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the activity.', type: 'integer' },
  board_id: { description: 'Board that it happened on.', type: 'integer' },
  task_id: { description: 'Task that it happened to; null for the whole board.', type: ['integer', 'null'] },
  user: PERSON,
  action: { description: 'What was done.', type: 'string', enum: ACTIVITY_ACTIONS },
  subject: { description: 'To what.', type: 'string', enum: ACTIVITY_SUBJECTS },
  text: { description: 'In words: `moved “Draw the map” from To do to Done`.', type: 'string' },
  old_value: { description: 'What it was before.', type: ['string', 'null'] },
  new_value: { description: 'What it is since.', type: ['string', 'null'] },
  at: { description: 'When.', type: 'string', format: 'date-time' },
};

export const TASK_ACTIVITY_SCHEMA: JsonObject = answersWhole(
  'activity',
  'Something that was done, by whom and when.',
  ACTIVITY_PROPERTIES,
);

export function showTaskActivity(state: BoardState, activity: Activity): JsonObject {
  return {
    id: activity.id,
    board_id: activity.boardId,
    task_id: activity.taskId,
    user: showPerson(state, activity.userId),
    action: activity.action,
    subject: activity.subject,
    text: activity.text,
    old_value: activity.oldValue,
    new_value: activity.newValue,
    at: activity.at,
  };
}

function activitiesOf(state: BoardState, taskId: number): Activity[] {
  return [...state.activities.values()].filter((activity) => activity.taskId === taskId);
}

const TIMELINE = answersWhole('timeline-entry', 'A comment on a task, or something that was done to it.', {
  kind: { description: 'Which of the two.', type: 'string', enum: ['comment', 'activity'] },
  at: { description: 'When.', type: 'string', format: 'date-time' },
  comment: {
    description: 'The comment; null for an activity.',
    type: ['object', 'null'],
    properties: COMMENT_PROPERTIES,
  },
  activity: {
    description: 'The activity; null for a comment.',
    type: ['object', 'null'],
    properties: ACTIVITY_PROPERTIES,
  },
});

/** A task's history. The newest comes first. */
export const taskActivities: readonly BoardRoute[] = [
  route(
    `${TASK}/activities`,
    [
      {
        methods: ['GET'],
        args: {
          ...PAGING,
          action: { description: 'Only what was done so.', type: 'string', enum: ACTIVITY_ACTIONS },
          user_id: { description: 'Only what one user did.', type: 'integer', minimum: 1 },
        },
        permission: insiders,
        handle: withTask((request, task) => {
          const { state, params } = request;
          const action = choice(params, 'action', ACTIVITY_ACTIONS);
          const userId = params.integer('user_id');
          const found = activitiesOf(state, task.id)
            .filter((activity) => action === undefined || activity.action === action)
            .filter((activity) => userId === undefined || activity.userId === userId)
            .sort((one, other) => other.at.localeCompare(one.at) || other.id - one.id);
          return answerPage(request, found, (activity) => showTaskActivity(state, activity));
        }),
      },
    ],
    TASK_ACTIVITY_SCHEMA,
  ),
  route(
    `${TASK}/comments-and-activities`,
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: insiders,
        handle: withTask((request, task, board) => {
          const { state } = request;
          const comments = commentsOn(request, board, task).map((comment) => ({
            at: comment.createdAt,
            id: comment.id,
            show: () => ({ kind: 'comment', comment: showComment(request, comment), activity: null }),
          }));
          const activities = activitiesOf(state, task.id).map((activity) => ({
            at: activity.at,
            id: activity.id,
            show: () => ({ kind: 'activity', comment: null, activity: showTaskActivity(state, activity) }),
          }));
          const entries = [...comments, ...activities].sort(
            (one, other) => other.at.localeCompare(one.at) || other.id - one.id,
          );
          return answerPage(request, entries, ({ at, show }) => ({ at, ...show() }));
        }),
      },
    ],
    TIMELINE,
  ),
];
