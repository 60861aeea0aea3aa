import { restError } from '../../site/responses.ts';
import { commentsOn, commentView } from '../comments/resource.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import type { Activity, Board } from '../model/index.ts';
import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS, isSiteError, newestFirst } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import {
  createResource,
  createView,
  enumParam,
  findBoardOfPath,
  isWithinPeriod,
  PAGING_ARGS,
  PERIOD_ARGS,
  pageResponse,
  permit,
  readPeriod,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { taskResource } from '../tasks/resource.ts';

const activityView = createView<Activity, BoardRequest>((request) => request, {
  id: schema.integer('Number of the activity.'),
  board_id: schema.integer('Board that it happened on.'),
  task_id: schema.nullable(schema.integer('Task that it happened to; null for the whole board.')),
  user: [PERSON_SCHEMA, ({ userId }, { state }) => showPerson(state, userId)],
  action: schema.enumeration('What was done.', ACTIVITY_ACTIONS),
  subject: schema.enumeration('To what.', ACTIVITY_SUBJECTS),
  text: schema.string('In words: `moved “Draw the map” from To do to Done`.'),
  old_value: schema.nullable(schema.string('What it was before.')),
  new_value: schema.nullable(schema.string('What it is since.')),
  at: schema.dateTime('When.'),
});

const BY_ACTION = schema.enumeration('Only what was done so.', ACTIVITY_ACTIONS);
const BY_USER = schema.id('Only what one user did.');

const activityResource = createResource<Activity, readonly [Board]>({
  schema: responseSchema('activity', 'Something that was done, by whom and when.', activityView.properties),
  readPermission: permit.anyMember,
  writePermission: permit.managers,
  findParents: findBoardOfPath,
  findItem: () => restError(404, 'activity_not_found', 'There is no such activity.'),
  createPresenter: activityView.createPresenter,
});

/** The history of a board, newest first. */
export const boardActivityRoute: BoardRoute = activityResource.get('/projects/{board_id:int}/activities', {
  args: {
    ...PAGING_ARGS,
    ...PERIOD_ARGS,
    action: BY_ACTION,
    subject: schema.enumeration('Only what was done to such things.', ACTIVITY_SUBJECTS),
    user_id: BY_USER,
  },
  listPaged(request, board) {
    const period = readPeriod(request);
    if (isSiteError(period)) return period;
    const subject = enumParam(request.params, 'subject', ACTIVITY_SUBJECTS);
    return selectActivities(request, (activity) => activity.boardId === board.id).filter(
      (activity) =>
        isWithinPeriod(period, activity.at) && (subject === undefined || activity.subject === subject),
    );
  },
});

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

/** The history of a task, newest first, alone and together with its comments. */
export const taskActivityRoutes: readonly BoardRoute[] = [
  taskResource.get(`${TASK}/activities`, {
    schema: activityResource.schema,
    args: { ...PAGING_ARGS, action: BY_ACTION, user_id: BY_USER },
    permission: permit.anyMember,
    handleItem: (request, task) =>
      activityResource.respondPage(
        request,
        selectActivities(request, ({ taskId }) => taskId === task.id),
      ),
  }),
  taskResource.get(`${TASK}/comments-and-activities`, {
    schema: responseSchema('timeline-entry', 'A comment on a task, or something that was done to it.', {
      kind: schema.enumeration('Which of the two.', ['comment', 'activity']),
      at: schema.dateTime('When.'),
      comment: schema.nullable(schema.object('The comment; null for an activity.', commentView.properties)),
      activity: schema.nullable(schema.object('The activity; null for a comment.', activityView.properties)),
    }),
    args: PAGING_ARGS,
    permission: permit.anyMember,
    handleItem(request, task, board) {
      const [showComment, showActivity] = [
        commentView.createPresenter(request),
        activityView.createPresenter(request),
      ];
      const comments = commentsOn(request, board, task).map((comment) => ({
        at: comment.createdAt,
        id: comment.id,
        show: () => ({ kind: 'comment', comment: showComment(comment), activity: null }),
      }));
      const all = [...request.state.activities.values()];
      const entries = all
        .filter(({ taskId }) => taskId === task.id)
        .map((activity) => ({
          at: activity.at,
          id: activity.id,
          show: () => ({ kind: 'activity', comment: null, activity: showActivity(activity) }),
        }));
      return pageResponse(request, [...comments, ...entries].sort(byNewest), ({ at, show }) => ({
        at,
        ...show(),
      }));
    },
  }),
];

/** Activities that match the arguments `action` and `user_id`, newest first. */
function selectActivities(
  { state, params }: BoardRequest,
  isSelected: (activity: Activity) => boolean,
): Activity[] {
  const action = enumParam(params, 'action', ACTIVITY_ACTIONS);
  const userId = params.integer('user_id');
  return [...state.activities.values()]
    .filter(
      (activity) =>
        isSelected(activity) &&
        (action === undefined || activity.action === action) &&
        (userId === undefined || activity.userId === userId),
    )
    .sort(byNewest);
}

const byNewest = newestFirst<Pick<Activity, 'id' | 'at'>>(({ at }) => at);
