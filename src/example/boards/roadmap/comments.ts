import { created, ok, refuse } from '../../site/answers.ts';
import {
  asPrivacy,
  CONTENT,
  deleteComment,
  findComment,
  PRIVACY,
  readContent,
  writeComment,
  writeReply,
} from '../comments/changes.ts';
import { COMMENT_SCHEMA, REPLY_SCHEMA, showComment, showReply } from '../comments/view.ts';
import { isRefusal } from '../model/state.ts';
import { isMember } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRoute, route } from '../rest/route.ts';
import { ownedBy } from '../tasks/permissions.ts';
import { mayReadComment } from '../tasks/view.ts';
import { withRoadmap } from './lists.ts';
import { boardOfComment, boardOfPath, participants } from './permissions.ts';
import { findIdea } from './view.ts';

/** What people say about ideas. */
export const ideaComments: readonly BoardRoute[] = [
  route(
    '/roadmaps/{board_id:int}/ideas/{idea_id:int}/comments',
    [
      {
        methods: ['POST'],
        args: {
          content: CONTENT,
          privacy: {
            ...PRIVACY,
            description: 'Who may read it: members alone may write what members alone may read.',
            default: 'public',
          },
        },
        permission: participants('allow_comments', boardOfPath),
        handle: withRoadmap((request, board) => {
          const idea = findIdea(request, board, request.params.string('idea_id', ''));
          if (isRefusal(idea)) return idea;
          const text = readContent(request);
          if (typeof text !== 'string') return text;
          const privacy = asPrivacy(request.params.string('privacy'));
          if (privacy === 'private' && !isMember(request.user, board))
            return invalid('privacy', 'Only members write private comments.');
          const comment = writeComment(request, idea, { text, privacy, images: [] });
          return created(
            showComment(request, comment),
            request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea.slug}`),
          );
        }),
      },
    ],
    COMMENT_SCHEMA,
  ),
  route(
    '/roadmaps/idea/comments/{comment_id:int}',
    [
      {
        methods: ['DELETE'],
        permission: participants(null, boardOfComment),
        handle: (request) => {
          const board = boardOfComment(request);
          if (isRefusal(board)) return board;
          const comment = findComment(request.state, request.params.integer('comment_id'));
          if (isRefusal(comment)) return comment;
          const refused = ownedBy(comment.authorId, request, board);
          if (refused !== undefined) return refused;
          const previous = showComment(request, comment);
          deleteComment(request, comment);
          return ok({ deleted: true, previous });
        },
      },
    ],
    COMMENT_SCHEMA,
  ),
  route(
    '/roadmaps/idea/comments/{comment_id:int}/replies',
    [
      {
        methods: ['POST'],
        args: { content: CONTENT },
        permission: participants('allow_comments', boardOfComment),
        handle: (request) => {
          const board = boardOfComment(request);
          if (isRefusal(board)) return board;
          const comment = findComment(request.state, request.params.integer('comment_id'));
          if (isRefusal(comment)) return comment;
          // As if it did not exist: nobody is told that there is a private comment.
          if (!mayReadComment(request, board, comment))
            return refuse(404, 'comment_not_found', 'There is no such comment.');
          const text = readContent(request);
          if (typeof text !== 'string') return text;
          const reply = writeReply(request, comment, text);
          const idea = request.state.tasks.get(comment.taskId);
          return created(
            showReply(request, reply),
            request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea?.slug ?? comment.taskId}`),
          );
        },
      },
    ],
    REPLY_SCHEMA,
  ),
];
