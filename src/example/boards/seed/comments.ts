import { type Comment, nextId, type Reply, type Task } from '../model/index.ts';
import { findSeedUser, type SeedContext, type SeededBoard } from './context.ts';
import { SEED_COMMENTS, SEED_REPLIES } from './texts.ts';
import { daysBeforeSeedEnd, randomTimestamp } from './timestamps.ts';

/** Adds comments by members of the board, and replies to them. */
export function seedComments(context: SeedContext, { board }: SeededBoard, task: Task): void {
  const { state, random, history } = context;
  for (let count = random.pick([0, 0, 1, 1, 2, 3]); count > 0; count--) {
    const createdAt = randomTimestamp(random, task.createdAt, daysBeforeSeedEnd(0));
    const comment: Comment = {
      id: nextId(state, 'comments'),
      boardId: board.id,
      taskId: task.id,
      authorId: random.pick(board.members).userId,
      text: random.pick(SEED_COMMENTS),
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
      user: findSeedUser(state, comment.authorId),
      at: createdAt,
    });
    if (random.chance(0.4)) seedReply(context, comment);
  }
}

function seedReply({ state, random }: SeedContext, comment: Comment): void {
  const { boardId, taskId, id: commentId } = comment;
  const createdAt = randomTimestamp(random, comment.createdAt, daysBeforeSeedEnd(0));
  const members = state.boards.get(boardId)?.members ?? [];
  const reply: Reply = {
    id: nextId(state, 'replies'),
    boardId,
    taskId,
    commentId,
    authorId: random.pick(members).userId,
    text: random.pick(SEED_REPLIES),
    createdAt,
    updatedAt: createdAt,
  };
  state.replies.set(reply.id, reply);
}
