import { created, restError } from '../../site/responses.ts';
import { addComment, addReply, deleteComment, findComment, readContent } from '../comments/changes.ts';
import { commentResource, replyResource } from '../comments/resource.ts';
import { CONTENT_ARG, PRIVACY_ARG, readPrivacy } from '../comments/routes.ts';
import { type Board, type Comment, isSiteError } from '../model/index.ts';
import {
  type BoardRoute,
  canReadComment,
  createResource,
  findBoardOfPath,
  invalidArgument,
  isMemberOrAdmin,
  requireOwner,
} from '../rest/index.ts';
import { findBoardOfComment, permitRoadmapUsers } from './permissions.ts';
import { ideaResource } from './resource.ts';

/** Comments on ideas, whose paths do not name the roadmap. */
const ideaCommentResource = createResource<Comment, readonly [Board]>({
  ...commentResource,
  findParents: findBoardOfComment,
  findItem: ({ state, params }) => findComment(state, params.integer('comment_id')),
});

export const ideaCommentRoutes: readonly BoardRoute[] = [
  ideaResource.post('/roadmaps/{board_id:int}/ideas/{idea_id:int}/comments', {
    schema: commentResource.schema,
    args: {
      content: CONTENT_ARG,
      privacy: {
        ...PRIVACY_ARG,
        description: 'Who may read it: members alone may write what members alone may read.',
        default: 'public',
      },
    },
    permission: permitRoadmapUsers('allow_comments', findBoardOfPath),
    handleItem(request, idea, board) {
      const text = readContent(request);
      if (isSiteError(text)) return text;
      const privacy = readPrivacy(request);
      if (privacy === 'private' && !isMemberOrAdmin(request.user, board)) {
        return invalidArgument('privacy', 'Only members write private comments.');
      }
      const comment = addComment(request, idea, { text, privacy, images: [] });
      const location = request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea.slug}`);
      return created(commentResource.show(request, comment), location);
    },
  }),
  ideaCommentResource.delete('/roadmaps/idea/comments/{comment_id:int}', {
    permission: permitRoadmapUsers(null, findBoardOfComment),
    remove: (request, comment, board) =>
      requireOwner(request, board, comment.authorId) ?? deleteComment(request, comment),
  }),
  ideaCommentResource.post('/roadmaps/idea/comments/{comment_id:int}/replies', {
    schema: replyResource.schema,
    args: { content: CONTENT_ARG },
    permission: permitRoadmapUsers('allow_comments', findBoardOfComment),
    handleItem(request, comment, board) {
      // A client does not learn of comments that they may not read.
      if (!canReadComment(request, board, comment)) {
        return restError(404, 'comment_not_found', 'There is no such comment.');
      }
      const text = readContent(request);
      if (isSiteError(text)) return text;
      const reply = addReply(request, comment, text);
      const idea = request.state.tasks.get(comment.taskId)?.slug ?? comment.taskId;
      return created(
        replyResource.show(request, reply),
        request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea}`),
      );
    },
  }),
];
