import type { JsonObject } from '../../../json.ts';
import { created, restError } from '../../site/responses.ts';
import { type CommentPrivacy, isSiteError, toTimestamp } from '../model/index.ts';
import { type BoardRequest, type BoardRoute, PAGING_ARGS, schema } from '../rest/index.ts';
import { taskResource } from '../tasks/resource.ts';
import {
  addComment,
  addReply,
  deleteComment,
  findComment,
  logComment,
  readContent,
  rewriteComment,
} from './changes.ts';
import { commentResource, commentsOn, replyResource } from './resource.ts';

export const CONTENT_ARG: JsonObject = schema.string('The text, in Markdown.', {
  minLength: 1,
  maxLength: 10_000,
  required: true,
});

export const PRIVACY_ARG: JsonObject = schema.enumeration(
  'Who may read it and its replies: everybody who sees the board, or members alone.',
  ['public', 'private'],
);

export function readPrivacy({ params }: BoardRequest): CommentPrivacy {
  return params.string('privacy') === 'private' ? 'private' : 'public';
}

const BOARD = '/projects/{board_id:int}';

/** Comments on tasks, and the replies to them. */
export const commentRoutes: readonly BoardRoute[] = [
  taskResource.route(
    `${BOARD}/tasks/{task_id:int}/comments`,
    {
      GET: {
        args: PAGING_ARGS,
        handleItem: (request, task, board) =>
          commentResource.respondPage(request, commentsOn(request, board, task)),
      },
      POST: {
        args: {
          content: CONTENT_ARG,
          privacy: { ...PRIVACY_ARG, default: 'public' },
          images: schema.array(
            'Addresses of its pictures, as `comment-image-upload` answers them.',
            { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
            { maxItems: 10 },
          ),
          reply_to: schema.id(
            'A comment of the task to reply to: the answer is that comment with the new reply.',
          ),
        },
        handleItem(request, task, board) {
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
      },
    },
    commentResource.schema,
  ),
  commentResource.route(`${BOARD}/tasks/comments/{comment_id:int}`, {
    PUT: { args: { content: CONTENT_ARG }, change: rewriteComment },
    DELETE: { remove: deleteComment },
  }),
  commentResource.put(`${BOARD}/tasks/comments/{comment_id:int}/privacy`, {
    args: { privacy: { ...PRIVACY_ARG, required: true } },
    change(request, comment) {
      const privacy = readPrivacy(request);
      if (comment.privacy === privacy) return undefined;
      comment.privacy = privacy;
      comment.updatedAt = toTimestamp(request.now);
      logComment(request, comment, 'updated', `made a comment ${privacy} on`);
      return undefined;
    },
  }),
  replyResource.route(`${BOARD}/tasks/reply/{reply_id:int}`, {
    PUT: { args: { content: CONTENT_ARG }, change: rewriteComment },
    DELETE: { remove: deleteComment },
  }),
];
