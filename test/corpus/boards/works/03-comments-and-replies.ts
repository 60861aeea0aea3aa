const { data: task } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: 1 },
  body: { title: 'Paint the buoy' },
  throw: true,
});
const path = { board_id: task.board_id, task_id: task.id };

const { data: comment } = await client.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/comments', {
  path,
  body: { content: 'Which red?', privacy: 'private' },
  throw: true,
});
assert.equal(comment.author?.name, 'Ada Lindqvist');

const { data: answered } = await client.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/comments', {
  path,
  body: { content: 'The old one.', reply_to: comment.id },
  throw: true,
});
const [reply] = answered.replies;
assert.equal(reply?.content, 'The old one.');

const { data: rewritten } = await client.PUT('/boards/v2/projects/{board_id}/tasks/comments/{comment_id}', {
  path: { board_id: task.board_id, comment_id: comment.id },
  body: { content: 'Which red, please?' },
  throw: true,
});
assert.match(rewritten.content, /please/);

const { data: comments, total } = await client.GET(
  '/boards/v2/projects/{board_id}/tasks/{task_id}/comments',
  { path, query: { per_page: 5 }, throw: true },
);
assert.equal(total, 1);
assert.deepEqual(
  comments.map(({ privacy, replies }) => [privacy, replies.length]),
  [['private', 1]],
);
await client.DELETE('/boards/v2/projects/{board_id}/tasks/{task_id}', { path, throw: true });
