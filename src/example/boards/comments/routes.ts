import { created, ok, refuse } from '../../site/answers.ts';
import { isRefusal, moment } from '../model/state.ts';
import type { Board, Comment, Reply } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import {
  type Answer,
  type BoardEndpoint,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
  withTask,
} from '../rest/route.ts';
import { ownedBy, withVisibleTask } from '../tasks/permissions.ts';
import {
  asPrivacy,
  CONTENT,
  deleteComment,
  deleteReply,
  findComment,
  noteOn,
  PRIVACY,
  readContent,
  rewrite,
  writeComment,
  writeReply,
} from './changes.ts';
import { COMMENT_SCHEMA, commentsOn, REPLY_SCHEMA, showComment, showReply } from './view.ts';

const BOARD = '/projects/{board_id:int}';

/** The path's comment, for its author and the board's managers. */
function withOwnComment(
  handle: (request: BoardRequest, comment: Comment) => Answer,
): BoardEndpoint['handle'] {
  return withBoard((request, board) => {
    const comment = findComment(request.state, request.params.integer('comment_id'));
    if (isRefusal(comment)) return comment;
    return onBoard(board, comment) ?? ownedBy(comment.authorId, request, board) ?? handle(request, comment);
  });
}

/** The path's reply, for its author and the board's managers. */
function withOwnReply(handle: (request: BoardRequest, reply: Reply) => Answer): BoardEndpoint['handle'] {
  return withBoard((request, board) => {
    const reply = request.state.replies.get(request.params.integer('reply_id', 0));
    if (reply === undefined) return refuse(404, 'reply_not_found', 'There is no such reply.');
    return onBoard(board, reply) ?? ownedBy(reply.authorId, request, board) ?? handle(request, reply);
  });
}

function onBoard(board: Board, { boardId }: Comment | Reply): Answer | undefined {
  return boardId === board.id ? undefined : refuse(404, 'comment_not_found', 'It is not on this board.');
}

/** Comments on tasks and the replies to them. */
export const commentRoutes: readonly BoardRoute[] = [
  route(
    `${BOARD}/tasks/{task_id:int}/comments`,
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: permit.viewers,
        handle: withVisibleTask((request, task, board) =>
          answerPage(request, commentsOn(request, board, task), (comment) => showComment(request, comment)),
        ),
      },
      {
        methods: ['POST'],
        args: {
          content: CONTENT,
          privacy: { ...PRIVACY, default: 'public' },
          images: {
            description: 'Addresses of its pictures, as `comment-image-upload` answers them.',
            type: 'array',
            items: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
            maxItems: 10,
          },
          reply_to: {
            description: 'A comment of the task to reply to: the answer is that comment with the new reply.',
            type: 'integer',
            minimum: 1,
          },
        },
        permission: permit.members,
        handle: withTask((request, task, board) => {
          const { state, params } = request;
          const text = readContent(request);
          if (typeof text !== 'string') return text;
          const address = request.link(`/boards/v2/projects/${board.id}/tasks/${task.id}/comments`);
          if (params.has('reply_to')) {
            const comment = findComment(state, params.integer('reply_to'));
            if (isRefusal(comment) || comment.taskId !== task.id)
              return refuse(404, 'comment_not_found', 'There is no such comment on this task.');
            writeReply(request, comment, text);
            return created(showComment(request, comment), address);
          }
          const comment = writeComment(request, task, {
            text,
            privacy: asPrivacy(params.string('privacy')),
            images: [...params.strings('images')],
          });
          return created(showComment(request, comment), address);
        }),
      },
    ],
    COMMENT_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/comments/{comment_id:int}`,
    [
      {
        methods: ['PUT'],
        args: { content: CONTENT },
        permission: permit.viewers,
        handle: withOwnComment((request, comment) => {
          const text = readContent(request);
          if (typeof text !== 'string') return text;
          rewrite(request, comment, text);
          return ok(showComment(request, comment));
        }),
      },
      {
        methods: ['DELETE'],
        permission: permit.viewers,
        handle: withOwnComment((request, comment) => {
          const previous = showComment(request, comment);
          deleteComment(request, comment);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    COMMENT_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/comments/{comment_id:int}/privacy`,
    [
      {
        methods: ['PUT'],
        args: { privacy: { ...PRIVACY, required: true } },
        permission: permit.viewers,
        handle: withOwnComment((request, comment) => {
          const privacy = asPrivacy(request.params.string('privacy'));
          if (comment.privacy !== privacy) {
            comment.privacy = privacy;
            comment.updatedAt = moment(request.now);
            noteOn(request, comment, 'comment', 'updated', `made a comment ${privacy} on`);
          }
          return ok(showComment(request, comment));
        }),
      },
    ],
    COMMENT_SCHEMA,
  ),
  route(
    `${BOARD}/tasks/reply/{reply_id:int}`,
    [
      {
        methods: ['PUT'],
        args: { content: CONTENT },
        permission: permit.viewers,
        handle: withOwnReply((request, reply) => {
          const text = readContent(request);
          if (typeof text !== 'string') return text;
          rewrite(request, reply, text);
          return ok(showReply(request, reply));
        }),
      },
      {
        methods: ['DELETE'],
        permission: permit.viewers,
        handle: withOwnReply((request, reply) => {
          const previous = showReply(request, reply);
          deleteReply(request, reply);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    REPLY_SCHEMA,
  ),
];
