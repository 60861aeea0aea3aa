import type { JsonObject } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { created, isSiteError, restError } from '../../rest-server/responses.ts';
import { showPerson } from './people.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  canReadComment,
  canReadPeople,
  createView,
  findBoardOfPath,
  type ItemView,
  readRequiredText,
  requireOwner,
} from './resource.ts';
import {
  type ActivityAction,
  type Board,
  type BoardState,
  type Comment,
  type CommentPrivacy,
  newestFirst,
  nextId,
  type Reply,
  type Task,
  toTimestamp,
} from './state.ts';
import { logTask, taskResource } from './tasks.ts';

/** The text of a comment or a reply. */
export function readContent(request: BoardRequest): string | SiteError {
  return readRequiredText(request, 'content', 'There is nothing in it.');
}

export function findComment({ comments }: BoardState, id: number | undefined): Comment | SiteError {
  return comments.get(id ?? 0) ?? restError(404, 'comment_not_found', 'There is no such comment.');
}

export function addComment(
  request: BoardRequest,
  task: Task,
  values: Pick<Comment, 'text' | 'privacy' | 'images'>,
): Comment {
  const { state, user, now } = request;
  const at = toTimestamp(now);
  const comment: Comment = {
    id: nextId(state, 'comments'),
    boardId: task.boardId,
    taskId: task.id,
    authorId: user?.id ?? 0,
    ...values,
    createdAt: at,
    updatedAt: at,
  };
  state.comments.set(comment.id, comment);
  logComment(request, comment, 'commented', 'commented on');
  return comment;
}

export function addReply(request: BoardRequest, { id, boardId, taskId }: Comment, text: string): Reply {
  const { state, user, now } = request;
  const at = toTimestamp(now);
  const reply: Reply = {
    id: nextId(state, 'replies'),
    boardId,
    taskId,
    commentId: id,
    authorId: user?.id ?? 0,
    text,
    createdAt: at,
    updatedAt: at,
  };
  state.replies.set(reply.id, reply);
  logComment(request, reply, 'replied', 'replied to a comment on');
  return reply;
}

/** Replaces the text of a comment or a reply by the argument `content`. */
function rewriteComment(request: BoardRequest, written: Comment | Reply): SiteError | undefined {
  const text = readContent(request);
  if (isSiteError(text)) return text;
  if (written.text === text) return undefined;
  written.text = text;
  written.updatedAt = toTimestamp(request.now);
  logComment(request, written, 'updated', `rewrote a ${nounOf(written)} on`);
  return undefined;
}

/** Deletes a comment with its replies, or a reply. */
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

/** Logs a change of a comment or a reply. The entry omits the text, because not every reader of the history may read it. */
function logComment(
  request: BoardRequest,
  written: Comment | Reply,
  action: ActivityAction,
  verb: string,
): void {
  const task = request.state.tasks.get(written.taskId);
  if (task === undefined) return;
  logTask(request, task, { subject: nounOf(written), action, text: `${verb} “${task.title}”` });
}

/** Shows the author of a comment or a reply. A board that hides its people hides authors too, unless it is a roadmap. */
function author({ boardId, authorId }: Comment | Reply, request: BoardRequest): JsonObject | null {
  const board = request.state.boards.get(boardId);
  const isNamed = board !== undefined && (board.kind === 'roadmap' || canReadPeople(request, board));
  return isNamed ? showPerson(request.state, authorId) : null;
}

const replyView = createView<Reply, BoardRequest>('reply', (request) => request, {
  author,
  content: ({ text }) => text,
});

export const commentView: ItemView<Comment> = createView<Comment, BoardRequest>(
  'comment',
  (request) => request,
  {
    author,
    content: ({ text }) => text,
    images: ({ images }) => images,
    replies: ({ id }, request) =>
      [...request.state.replies.values()]
        .filter(({ commentId }) => commentId === id)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id - other.id)
        .map(replyView.createPresenter(request)),
  },
);

/** The comments of a board, which their authors and the managers of the board change. */
export const commentResource: BoardResource<Comment, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const comment = findComment(request.state, request.params.integer('comment_id'));
    return isSiteError(comment) ? comment : checkOwner(request, board, comment);
  },
  createPresenter: commentView.createPresenter,
});

/** The replies to comments, which their authors and the managers of the board change. */
export const replyResource: BoardResource<Reply, [Board]> = new BoardResource({
  findParents: findBoardOfPath,
  findItem(request, board) {
    const reply = request.state.replies.get(request.params.integer('reply_id', 0));
    return reply === undefined
      ? restError(404, 'reply_not_found', 'There is no such reply.')
      : checkOwner(request, board, reply);
  },
  createPresenter: replyView.createPresenter,
});

function checkOwner<Written extends Comment | Reply>(
  request: BoardRequest,
  board: Board,
  written: Written,
): Written | SiteError {
  if (written.boardId !== board.id) {
    return restError(404, 'comment_not_found', 'It is not on this board.');
  }
  return requireOwner(request, board, written.authorId) ?? written;
}

/** The comments of a task that the client may read, newest first. */
export function commentsOn(request: BoardRequest, board: Board, task: Task): Comment[] {
  return [...request.state.comments.values()]
    .filter((comment) => comment.taskId === task.id && canReadComment(request, board, comment))
    .sort(newestFirst(({ createdAt }) => createdAt));
}

export function readPrivacy({ params }: BoardRequest): CommentPrivacy {
  return params.string('privacy') === 'private' ? 'private' : 'public';
}

/** Comments on tasks, and the replies to them. */
export const commentOperations: BoardOperations = {
  'GET /projects/{board_id:int}/tasks/{task_id:int}/comments': taskResource.withItem((request, task, board) =>
    commentResource.respondPage(request, commentsOn(request, board, task)),
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/comments': taskResource.withItem(
    (request, task, board) => {
      const { state, params } = request;
      const text = readContent(request);
      if (isSiteError(text)) return text;
      const location = request.link(`/boards/v2/projects/${board.id}/tasks/${task.id}/comments`);
      if (params.has('reply_to')) {
        const comment = findComment(state, params.integer('reply_to'));
        if (isSiteError(comment) || comment.taskId !== task.id) {
          return restError(404, 'comment_not_found', 'There is no such comment on this task.');
        }
        addReply(request, comment, text);
        return created(commentResource.show(request, comment), location);
      }
      const images = [...params.strings('images')];
      const comment = addComment(request, task, { text, privacy: readPrivacy(request), images });
      return created(commentResource.show(request, comment), location);
    },
  ),
  'PUT /projects/{board_id:int}/tasks/comments/{comment_id:int}': commentResource.change(rewriteComment),
  'DELETE /projects/{board_id:int}/tasks/comments/{comment_id:int}': commentResource.remove(deleteComment),
  'PUT /projects/{board_id:int}/tasks/comments/{comment_id:int}/privacy': commentResource.change(
    (request, comment) => {
      const privacy = readPrivacy(request);
      if (comment.privacy === privacy) return undefined;
      comment.privacy = privacy;
      comment.updatedAt = toTimestamp(request.now);
      logComment(request, comment, 'updated', `made a comment ${privacy} on`);
      return undefined;
    },
  ),
  'PUT /projects/{board_id:int}/tasks/reply/{reply_id:int}': replyResource.change(rewriteComment),
  'DELETE /projects/{board_id:int}/tasks/reply/{reply_id:int}': replyResource.remove(deleteComment),
};
