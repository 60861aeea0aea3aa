import { isSiteError, restError } from '../../rest-server/responses.ts';
import { commentsOn, commentView } from './comments.ts';
import { showPerson } from './people.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createView,
  enumParam,
  findBoardOfPath,
  isWithinPeriod,
  pageResponse,
  readPeriod,
} from './resource.ts';
import { ACTIVITY_ACTIONS, ACTIVITY_SUBJECTS, type Activity, type Board, newestFirst } from './state.ts';
import { taskResource } from './tasks.ts';

const activityView = createView<Activity, BoardRequest>('activity', (request) => request, {
  user: ({ userId }, { state }) => showPerson(state, userId),
});

/** The history of a board. */
const activityResource = new BoardResource<Activity, [Board]>({
  findParents: findBoardOfPath,
  findItem: () => restError(404, 'activity_not_found', 'There is no such activity.'),
  createPresenter: activityView.createPresenter,
});

export const activityOperations: BoardOperations = {
  // The history of a board, newest first.
  'GET /projects/{board_id:int}/activities': activityResource.listPage((request, board) => {
    const period = readPeriod(request);
    if (isSiteError(period)) return period;
    const subject = enumParam(request.params, 'subject', ACTIVITY_SUBJECTS);
    return selectActivities(request, (activity) => activity.boardId === board.id).filter(
      (activity) =>
        isWithinPeriod(period, activity.at) && (subject === undefined || activity.subject === subject),
    );
  }),

  // The history of a task, newest first, alone and together with its comments.
  'GET /projects/{board_id:int}/tasks/{task_id:int}/activities': taskResource.withItem((request, task) =>
    activityResource.respondPage(
      request,
      selectActivities(request, ({ taskId }) => taskId === task.id),
    ),
  ),
  'GET /projects/{board_id:int}/tasks/{task_id:int}/comments-and-activities': taskResource.withItem(
    (request, task, board) => {
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
  ),
};

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
