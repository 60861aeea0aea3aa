import type { Json } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { PERSON, showPerson } from '../members/person.ts';
import { type Board, type Comment, isSiteError, type Reply, type Task } from '../model/index.ts';
import {
  array,
  type BoardRequest,
  boardOfPath,
  canReadComment,
  canReadPeople,
  createResource,
  createView,
  dateTime,
  enumeration,
  type ItemView,
  integer,
  objects,
  permit,
  type Resource,
  readOnly,
  requireOwner,
  responseSchema,
  string,
} from '../rest/index.ts';
import { findComment } from './changes.ts';

type WrittenField<Item> = readonly [ReturnType<typeof string>, (item: Item, request: BoardRequest) => Json];

/** Fields that comments and replies share. */
const ID = (noun: string): WrittenField<Comment | Reply> => [
  readOnly(integer(`Number of the ${noun}.`)),
  ({ id }) => id,
];
const TASK_ID: WrittenField<Comment | Reply> = [
  readOnly(integer('Task that it stands on.')),
  ({ taskId }) => taskId,
];
const AUTHOR: WrittenField<Comment | Reply> = [
  PERSON,
  ({ boardId, authorId }, request) => {
    const board = request.state.boards.get(boardId);
    const isNamed = board !== undefined && (board.kind === 'roadmap' || canReadPeople(request, board));
    return isNamed ? showPerson(request.state, authorId) : null;
  },
];
const CREATED_AT: WrittenField<Comment | Reply> = [
  readOnly(dateTime('When it was written.')),
  ({ createdAt }) => createdAt,
];
const UPDATED_AT: WrittenField<Comment | Reply> = [
  readOnly(dateTime('When it last changed.')),
  ({ updatedAt }) => updatedAt,
];

const replyView = createView<Reply, BoardRequest>((request) => request, {
  id: ID('reply'),
  comment_id: [readOnly(integer('Comment that it replies to.')), ({ commentId }) => commentId],
  task_id: TASK_ID,
  author: AUTHOR,
  content: [string('The text, in Markdown.'), ({ text }) => text],
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
});

export const commentView: ItemView<Comment> = createView<Comment, BoardRequest>((request) => request, {
  id: ID('comment'),
  board_id: [readOnly(integer('Board that it stands on.')), ({ boardId }) => boardId],
  task_id: TASK_ID,
  author: AUTHOR,
  content: [
    string('The text, in Markdown.', { examples: ['Looks good, but where is north?'] }),
    ({ text }) => text,
  ],
  privacy: [
    enumeration('Who may read it and its replies: everybody who sees the board, or members alone.', [
      'public',
      'private',
    ]),
    ({ privacy }) => privacy,
  ],
  images: [array('Addresses of its pictures.', { type: 'string', format: 'uri' }), ({ images }) => images],
  replies: [
    readOnly(objects('The replies, the oldest first.', replyView.properties)),
    ({ id }, request) =>
      [...request.state.replies.values()]
        .filter(({ commentId }) => commentId === id)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id - other.id)
        .map(replyView.present(request)),
  ],
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
});

/** The comments of a board, which their authors and the managers of the board change. */
export const comments: Resource<Comment, readonly [Board]> = createResource<Comment, readonly [Board]>({
  schema: responseSchema(
    'comment',
    'What somebody has to say about a task, with the replies to it.',
    commentView.properties,
  ),
  read: permit.viewers,
  write: permit.viewers,
  parents: boardOfPath,
  find(request, board) {
    const comment = findComment(request.state, request.params.integer('comment_id'));
    return isSiteError(comment) ? comment : checkOwner(request, board, comment);
  },
  present: commentView.present,
});

/** The replies to comments, which their authors and the managers of the board change. */
export const replies: Resource<Reply, readonly [Board]> = createResource<Reply, readonly [Board]>({
  schema: responseSchema('reply', 'An answer to a comment.', replyView.properties),
  read: permit.viewers,
  write: permit.viewers,
  parents: boardOfPath,
  find(request, board) {
    const reply = request.state.replies.get(request.params.integer('reply_id', 0));
    return reply === undefined
      ? refuse(404, 'reply_not_found', 'There is no such reply.')
      : checkOwner(request, board, reply);
  },
  present: replyView.present,
});

function checkOwner<Written extends Comment | Reply>(
  request: BoardRequest,
  board: Board,
  written: Written,
): Written | SiteError {
  if (written.boardId !== board.id) {
    return refuse(404, 'comment_not_found', 'It is not on this board.');
  }
  return requireOwner(request, board, written.authorId) ?? written;
}

/** The comments of a task that the client may read, newest first. */
export function commentsOn(request: BoardRequest, board: Board, task: Task): Comment[] {
  return [...request.state.comments.values()]
    .filter((comment) => comment.taskId === task.id && canReadComment(request, board, comment))
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id);
}
