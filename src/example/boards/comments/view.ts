import type { JsonObject } from '../../../json.ts';
import { PERSON, showPerson } from '../members/person.ts';
import type { Board, Comment, Reply, Task } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { mayReadComment, mayReadPeople } from '../tasks/view.ts';

const MOMENTS: Readonly<Record<string, JsonObject>> = {
  created_at: { description: 'When it was written.', type: 'string', format: 'date-time', readonly: true },
  updated_at: { description: 'When it last changed.', type: 'string', format: 'date-time', readonly: true },
};

const REPLY_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the reply.', type: 'integer', readonly: true },
  comment_id: { description: 'Comment that it replies to.', type: 'integer', readonly: true },
  task_id: { description: 'Task that it stands on.', type: 'integer', readonly: true },
  author: PERSON,
  content: { description: 'The text, in Markdown.', type: 'string' },
  ...MOMENTS,
};

export const COMMENT_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the comment.', type: 'integer', readonly: true },
  board_id: { description: 'Board that it stands on.', type: 'integer', readonly: true },
  task_id: { description: 'Task that it stands on.', type: 'integer', readonly: true },
  author: PERSON,
  content: {
    description: 'The text, in Markdown.',
    type: 'string',
    examples: ['Looks good, but where is north?'],
  },
  privacy: {
    description: 'Who may read it and its replies: everybody who sees the board, or members alone.',
    type: 'string',
    enum: ['public', 'private'],
  },
  images: {
    description: 'Addresses of its pictures.',
    type: 'array',
    items: { type: 'string', format: 'uri' },
  },
  replies: {
    description: 'The replies, the oldest first.',
    type: 'array',
    items: { type: 'object', properties: REPLY_PROPERTIES },
    readonly: true,
  },
  ...MOMENTS,
};

export const COMMENT_SCHEMA: JsonObject = answersWhole(
  'comment',
  'What somebody has to say about a task, with the replies to it.',
  COMMENT_PROPERTIES,
);

export const REPLY_SCHEMA: JsonObject = answersWhole('reply', 'An answer to a comment.', REPLY_PROPERTIES);

/** The comments of a task that the caller may read, the newest first. */
export function commentsOn(request: BoardRequest, board: Board, task: Task): Comment[] {
  return [...request.state.comments.values()]
    .filter((comment) => comment.taskId === task.id && mayReadComment(request, board, comment))
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id);
}

export function showComment(request: BoardRequest, comment: Comment): JsonObject {
  const { state } = request;
  const replies = [...state.replies.values()].filter(({ commentId }) => commentId === comment.id);
  return {
    id: comment.id,
    board_id: comment.boardId,
    task_id: comment.taskId,
    author: authorOf(request, comment),
    content: comment.text,
    privacy: comment.privacy,
    images: comment.images,
    replies: replies
      .sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id - other.id)
      .map((reply) => showReply(request, reply)),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  };
}

export function showReply(request: BoardRequest, reply: Reply): JsonObject {
  return {
    id: reply.id,
    comment_id: reply.commentId,
    task_id: reply.taskId,
    author: authorOf(request, reply),
    content: reply.text,
    created_at: reply.createdAt,
    updated_at: reply.updatedAt,
  };
}

function authorOf(request: BoardRequest, written: Comment | Reply): JsonObject | null {
  const board = request.state.boards.get(written.boardId);
  const named = board !== undefined && (board.kind === 'roadmap' || mayReadPeople(request, board));
  return named ? showPerson(request.state, written.authorId) : null;
}
