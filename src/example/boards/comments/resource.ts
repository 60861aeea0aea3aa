import type { JsonObject } from '../../../json.ts';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import { type Board, type Comment, isSiteError, newestFirst, type Reply, type Task } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  canReadComment,
  canReadPeople,
  createResource,
  createView,
  findBoardOfPath,
  permit,
  requireOwner,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { findComment } from './changes.ts';

/** The author of a comment or a reply. A board that hides its people hides authors too, unless it is a roadmap. */
const AUTHOR: readonly [JsonObject, (written: Comment | Reply, request: BoardRequest) => JsonObject | null] =
  [
    PERSON_SCHEMA,
    ({ boardId, authorId }, request) => {
      const board = request.state.boards.get(boardId);
      const isNamed = board !== undefined && (board.kind === 'roadmap' || canReadPeople(request, board));
      return isNamed ? showPerson(request.state, authorId) : null;
    },
  ];

const TASK_ID = schema.readOnly(schema.integer('Task that it stands on.'));

const DATES = {
  created_at: schema.readOnly(schema.dateTime('When it was written.')),
  updated_at: schema.readOnly(schema.dateTime('When it last changed.')),
};

const replyView = createView<Reply, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the reply.')),
  comment_id: schema.readOnly(schema.integer('Comment that it replies to.')),
  task_id: TASK_ID,
  author: AUTHOR,
  content: [schema.string('The text, in Markdown.'), ({ text }) => text],
  ...DATES,
});

export const commentView: ItemView<Comment> = createView<Comment, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the comment.')),
  board_id: schema.readOnly(schema.integer('Board that it stands on.')),
  task_id: TASK_ID,
  author: AUTHOR,
  content: [
    schema.string('The text, in Markdown.', { examples: ['Looks good, but where is north?'] }),
    ({ text }) => text,
  ],
  privacy: schema.enumeration(
    'Who may read it and its replies: everybody who sees the board, or members alone.',
    ['public', 'private'],
  ),
  images: [
    schema.array('Addresses of its pictures.', { type: 'string', format: 'uri' }),
    ({ images }) => images,
  ],
  replies: [
    schema.readOnly(schema.objects('The replies, the oldest first.', replyView.properties)),
    ({ id }, request) =>
      [...request.state.replies.values()]
        .filter(({ commentId }) => commentId === id)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id - other.id)
        .map(replyView.createPresenter(request)),
  ],
  ...DATES,
});

/** The comments of a board, which their authors and the managers of the board change. */
export const commentResource: BoardResource<Comment, readonly [Board]> = createResource<
  Comment,
  readonly [Board]
>({
  schema: responseSchema(
    'comment',
    'What somebody has to say about a task, with the replies to it.',
    commentView.properties,
  ),
  readPermission: permit.viewers,
  writePermission: permit.viewers,
  findParents: findBoardOfPath,
  findItem(request, board) {
    const comment = findComment(request.state, request.params.integer('comment_id'));
    return isSiteError(comment) ? comment : checkOwner(request, board, comment);
  },
  createPresenter: commentView.createPresenter,
});

/** The replies to comments, which their authors and the managers of the board change. */
export const replyResource: BoardResource<Reply, readonly [Board]> = createResource<Reply, readonly [Board]>({
  schema: responseSchema('reply', 'An answer to a comment.', replyView.properties),
  readPermission: permit.viewers,
  writePermission: permit.viewers,
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
