import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { ActivityAction, BoardState, Comment, Reply, Task } from '../model/index.ts';
import { isSiteError, nextId, toTimestamp } from '../model/index.ts';
import { type BoardRequest, readRequiredText } from '../rest/index.ts';
import { logTask } from '../tasks/changes.ts';

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
export function rewriteComment(request: BoardRequest, written: Comment | Reply): SiteError | undefined {
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
export function logComment(
  request: BoardRequest,
  written: Comment | Reply,
  action: ActivityAction,
  verb: string,
): void {
  const task = request.state.tasks.get(written.taskId);
  if (task === undefined) return;
  logTask(request, task, { subject: nounOf(written), action, text: `${verb} “${task.title}”` });
}
