import { type Comment, nextId, type Reply, type Task } from '../model/index.ts';
import { type Making, userOf } from './history.ts';
import type { Place } from './tasks.ts';
import { between, daysAgo } from './times.ts';
import { COMMENTS, REPLIES } from './words.ts';

/** Comments on a task, and replies to them, by members of its board. */
export function makeTalk(making: Making, { board }: Place, task: Task): void {
  const { state, random, history } = making;
  for (let count = random.pick([0, 0, 1, 1, 2, 3]); count > 0; count--) {
    const createdAt = between(random, task.createdAt, daysAgo(0));
    const comment: Comment = {
      id: nextId(state, 'comments'),
      boardId: board.id,
      taskId: task.id,
      authorId: random.pick(board.members).userId,
      text: random.pick(COMMENTS),
      privacy: random.chance(0.2) ? 'private' : 'public',
      images: [],
      createdAt,
      updatedAt: createdAt,
    };
    state.comments.set(comment.id, comment);
    history.push({
      boardId: board.id,
      taskId: task.id,
      action: 'commented',
      subject: 'comment',
      text: `commented on “${task.title}”`,
      user: userOf(state, comment.authorId),
      at: createdAt,
    });
    if (random.chance(0.4)) makeReply(making, comment);
  }
}

function makeReply({ state, random }: Making, comment: Comment): void {
  const { boardId, taskId, id: commentId } = comment;
  const createdAt = between(random, comment.createdAt, daysAgo(0));
  const members = state.boards.get(boardId)?.members ?? [];
  const reply: Reply = {
    id: nextId(state, 'replies'),
    boardId,
    taskId,
    commentId,
    authorId: random.pick(members).userId,
    text: random.pick(REPLIES),
    createdAt,
    updatedAt: createdAt,
  };
  state.replies.set(reply.id, reply);
}
