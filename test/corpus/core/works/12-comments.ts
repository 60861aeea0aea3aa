const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Discussed', status: 'publish', comment_status: 'open' },
  throw: true,
});
const { data: first } = await client.POST('/wp/v2/comments', {
  body: { post: post.id, content: 'A first thought' },
  throw: true,
});
const { data: reply } = await client.POST('/wp/v2/comments', {
  body: { post: post.id, parent: first.id, content: { raw: 'An answer' } },
  throw: true,
});

const { data: thread } = await client.GET('/wp/v2/comments', {
  query: { post: post.id, orderby: 'id', order: 'asc' },
  throw: true,
});
assert.deepEqual(
  thread.map((comment) => [comment.parent, comment.content.rendered.trim()]),
  [
    [0, '<p>A first thought</p>'],
    [first.id, '<p>An answer</p>'],
  ],
);

await client.POST('/wp/v2/comments/{id}', { path: { id: reply.id }, body: { status: 'hold' }, throw: true });
const held = await client.GET('/wp/v2/comments', {
  query: { post: post.id, status: 'hold', context: 'edit' },
});
if (held.error) throw new Error(held.error.message);
assert.equal(held.data[0]?.content.raw, 'An answer');
assert.equal(held.data[0]?.author_ip.includes('.'), true);

for (const { id } of [reply, first]) {
  await client.DELETE('/wp/v2/comments/{id}', { path: { id }, query: { force: true }, throw: true });
}
await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
