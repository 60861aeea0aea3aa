import type { JsonObject } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { moment, nextId } from '../model/state.ts';
import type { BoardState, Comment, Privacy, Reply, Task } from '../model/types.ts';
import { invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';
import { note } from '../tasks/changes.ts';

export const CONTENT: JsonObject = {
  description: 'The text, in Markdown.',
  type: 'string',
  minLength: 1,
  maxLength: 10_000,
  required: true,
};

export const PRIVACY: JsonObject = {
  description: 'Who may read it and its replies: everybody who sees the board, or members alone.',
  type: 'string',
  enum: ['public', 'private'],
};

/** The text that the caller wrote, which has to be more than white space. */
export function readContent({ params }: BoardRequest): string | SiteError {
  const content = params.string('content', '').trim();
  return content === '' ? invalid('content', 'There is nothing in it.') : content;
}

export function asPrivacy(word: string | undefined): Privacy {
  return word === 'private' ? word : 'public';
}

export function findComment(state: BoardState, id: number | undefined): Comment | SiteError {
  return state.comments.get(id ?? 0) ?? refuse(404, 'comment_not_found', 'There is no such comment.');
}

export function writeComment(
  request: BoardRequest,
  task: Task,
  { text, privacy, images }: Pick<Comment, 'text' | 'privacy' | 'images'>,
): Comment {
  const { state, user, now } = request;
  const at = moment(now);
  const comment: Comment = {
    id: nextId(state, 'comments'),
    boardId: task.boardId,
    taskId: task.id,
    authorId: user?.id ?? 0,
    text,
    privacy,
    images,
    createdAt: at,
    updatedAt: at,
  };
  state.comments.set(comment.id, comment);
  noteOn(request, comment, 'comment', 'commented', 'commented on');
  return comment;
}

export function writeReply(request: BoardRequest, comment: Comment, text: string): Reply {
  const { state, user, now } = request;
  const at = moment(now);
  const reply: Reply = {
    id: nextId(state, 'replies'),
    boardId: comment.boardId,
    taskId: comment.taskId,
    commentId: comment.id,
    authorId: user?.id ?? 0,
    text,
    createdAt: at,
    updatedAt: at,
  };
  state.replies.set(reply.id, reply);
  noteOn(request, comment, 'reply', 'replied', 'replied to a comment on');
  return reply;
}

export function rewrite(request: BoardRequest, written: Comment | Reply, text: string): void {
  if (written.text === text) return;
  written.text = text;
  written.updatedAt = moment(request.now);
  const subject = 'commentId' in written ? 'reply' : 'comment';
  noteOn(request, written, subject, 'updated', `rewrote a ${subject} on`);
}

/** With its replies. */
export function deleteComment(request: BoardRequest, comment: Comment): void {
  const { state } = request;
  state.comments.delete(comment.id);
  for (const [id, { commentId }] of state.replies) if (commentId === comment.id) state.replies.delete(id);
  noteOn(request, comment, 'comment', 'deleted', 'deleted a comment on');
}

export function deleteReply(request: BoardRequest, reply: Reply): void {
  request.state.replies.delete(reply.id);
  noteOn(request, reply, 'reply', 'deleted', 'deleted a reply on');
}

/** History says that something was written, never what: it is read by people who may not read a private comment. */
export function noteOn(
  request: BoardRequest,
  { taskId }: Comment | Reply,
  subject: 'comment' | 'reply',
  action: 'commented' | 'replied' | 'updated' | 'deleted',
  did: string,
): void {
  const task = request.state.tasks.get(taskId);
  if (task !== undefined) note(request, task, { subject, action, text: `${did} “${task.title}”` });
}
