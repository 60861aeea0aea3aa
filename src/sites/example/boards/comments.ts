import type { JsonObject } from '../../../base/json.ts';
import { created, pageResponse, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { canReadComment, findComment, isInside, requireOwner } from './permissions.ts';
import {
  BoardResource,
  createView,
  findBoardOfPath,
  isWithinPeriod,
  readPeriod,
  readRequiredText,
} from './resource.ts';
import {
  type Activity,
  type Board,
  type BoardRequest,
  type Comment,
  newestFirst,
  type Reply,
  type Task,
  toTimestamp,
} from './state.ts';
import { logTask, taskResource } from './tasks.ts';

export function readContent(request: BoardRequest): string {
  return readRequiredText(request, 'content', 'There is nothing in it.');
}

export function addComment(
  request: BoardRequest,
  task: Task,
  values: Pick<Comment, 'text' | 'privacy'>,
): Comment {
  const comment = request.state.comments.add((id) => ({ ...authorship(request, task), ...values, id }));
  logComment(request, comment, 'commented', 'commented on');
  return comment;
}

export function addReply(request: BoardRequest, { id: commentId, ...comment }: Comment, text: string): Reply {
  const place = { boardId: comment.boardId, id: comment.taskId };
  const reply = request.state.replies.add((id) => ({ ...authorship(request, place), commentId, text, id }));
  logComment(request, reply, 'replied', 'replied to a comment on');
  return reply;
}

function authorship({ user, now }: BoardRequest, { boardId, id }: Pick<Task, 'boardId' | 'id'>) {
  const at = toTimestamp(now);
  return { boardId, taskId: id, authorId: user?.id ?? 0, createdAt: at, updatedAt: at };
}

function rewriteComment(request: BoardRequest, written: Comment | Reply): undefined {
  const text = readContent(request);
  if (written.text === text) return;
  written.text = text;
  written.updatedAt = toTimestamp(request.now);
  logComment(request, written, 'updated', `rewrote a ${nounOf(written)} on`);
}

export function deleteComment(request: BoardRequest, written: Comment | Reply): undefined {
  const { comments, replies } = request.state;
  if ('commentId' in written) {
    replies.delete(written.id);
  } else {
    comments.delete(written.id);
    for (const [id, { commentId }] of replies) if (commentId === written.id) replies.delete(id);
  }
  logComment(request, written, 'deleted', `deleted a ${nounOf(written)} on`);
}

function nounOf(written: Comment | Reply): 'comment' | 'reply' {
  return 'commentId' in written ? 'reply' : 'comment';
}

/** The entry omits the text, because not every reader of the history can read it. */
function logComment(request: BoardRequest, written: Comment | Reply, action: string, verb: string): void {
  const task = request.state.tasks.get(written.taskId);
  if (task === undefined) return;
  logTask(request, task, { subject: nounOf(written), action, text: `${verb} “${task.title}”` });
}

/** A board that hides its people hides authors too, unless it is a roadmap. */
function author(written: Comment | Reply, request: BoardRequest): JsonObject | null {
  const isNamed = request.state.boards.get(written.boardId)?.kind === 'roadmap' || isInside(request, written);
  return isNamed ? request.state.showPerson(written.authorId) : null;
}

export const replyResource: BoardResource<Reply, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const reply =
      request.state.replies.get(request.params.integer('reply_id', 0)) ??
      refuse(404, 'reply_not_found', 'There is no such reply.');
    return checkOwner(request, board, reply);
  },
  show: createView<Reply>('reply', { author, content: ({ text }) => text }),
});

export const commentResource: BoardResource<Comment, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem: (request, board) =>
    checkOwner(request, board, findComment(request.state, request.params.integer('comment_id'))),
  show: createView<Comment>('comment', {
    author,
    content: ({ text }) => text,
    replies: ({ id }, request) => {
      const replies = request.state.replies.where(({ commentId }) => commentId === id);
      replies.sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id - other.id);
      return replyResource.showAll(replies, request);
    },
  }),
});

function checkOwner<Written extends Comment | Reply>(
  request: BoardRequest,
  board: Board,
  written: Written,
): Written {
  if (written.boardId !== board.id) refuse(404, 'comment_not_found', 'It is not on this board.');
  requireOwner(request, board, written.authorId);
  return written;
}

function commentsOn(request: BoardRequest, task: Task): Comment[] {
  return request.state.comments
    .where((comment) => comment.taskId === task.id && canReadComment(request, comment))
    .sort(newestFirst(({ createdAt }) => createdAt));
}

export function readPrivacy({ params }: BoardRequest): Comment['privacy'] {
  return params.string('privacy') === 'private' ? 'private' : 'public';
}

const activityResource = new BoardResource<Activity, [Board]>({
  findParents: findBoardOfPath,
  findItem: () => refuse(404, 'activity_not_found', 'There is no such activity.'),
  show: createView<Activity>('activity', { user: ({ userId }, { state }) => state.showPerson(userId) }),
});

const byNewest = newestFirst<Pick<Activity, 'id' | 'at'>>(({ at }) => at);

function selectActivities(request: BoardRequest, isSelected: (activity: Activity) => boolean): Activity[] {
  const { state, params } = request;
  const period = readPeriod(request);
  const [action, subject, userId] = [
    params.string('action'),
    params.string('subject'),
    params.integer('user_id'),
  ];
  return state.activities
    .where(
      (activity) =>
        isSelected(activity) &&
        isWithinPeriod(period, activity.at) &&
        activity.action === (action ?? activity.action) &&
        activity.subject === (subject ?? activity.subject) &&
        activity.userId === (userId ?? activity.userId),
    )
    .sort(byNewest);
}

export const commentOperations: BoardOperations = {
  listComments: taskResource.withItem((request, task) =>
    commentResource.respondPage(request, commentsOn(request, task)),
  ),
  addComment: taskResource.withItem((request, task, board) => {
    const { state, params } = request;
    const text = readContent(request);
    const location = request.link(`/boards/v2/projects/${board.id}/tasks/${task.id}/comments`);
    if (!params.has('reply_to')) {
      const comment = addComment(request, task, { text, privacy: readPrivacy(request) });
      return created(commentResource.show(comment, request), location);
    }
    const comment = state.comments.get(params.integer('reply_to', 0));
    if (comment?.taskId !== task.id) {
      return refuse(404, 'comment_not_found', 'There is no such comment on this task.');
    }
    addReply(request, comment, text);
    return created(commentResource.show(comment, request), location);
  }),
  updateComment: commentResource.change(rewriteComment),
  deleteComment: commentResource.remove(deleteComment),
  setCommentPrivacy: commentResource.change((request, comment): undefined => {
    const privacy = readPrivacy(request);
    if (comment.privacy === privacy) return;
    comment.privacy = privacy;
    comment.updatedAt = toTimestamp(request.now);
    logComment(request, comment, 'updated', `made a comment ${privacy} on`);
  }),
  updateReply: replyResource.change(rewriteComment),
  deleteReply: replyResource.remove(deleteComment),

  listActivities: activityResource.listPage((request, board) =>
    selectActivities(request, ({ boardId }) => boardId === board.id),
  ),

  listTaskActivities: taskResource.withItem((request, task) =>
    activityResource.respondPage(
      request,
      selectActivities(request, ({ taskId }) => taskId === task.id),
    ),
  ),
  listTimeline: taskResource.withItem((request, task) => {
    const comments = commentsOn(request, task).map((comment) => ({
      ...{ kind: 'comment', id: comment.id, at: comment.createdAt },
      comment: commentResource.show(comment, request),
      activity: null,
    }));
    const activities = selectActivities(request, ({ taskId }) => taskId === task.id).map((activity) => ({
      ...{ kind: 'activity', id: activity.id, at: activity.at },
      comment: null,
      activity: activityResource.show(activity, request),
    }));
    const entries = [...comments, ...activities].sort(byNewest);
    return pageResponse(request, entries, ({ id: _, ...entry }) => entry);
  }),
};
