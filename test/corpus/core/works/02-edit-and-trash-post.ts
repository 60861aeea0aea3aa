const created = await client.POST('/wp/v2/posts', {
  body: { title: 'Before', content: 'One', status: 'draft', comment_status: 'closed' },
  throw: true,
});
const path = { id: created.data.id };

const edited = await client.PATCH('/wp/v2/posts/{id}', {
  path,
  body: { title: 'After', excerpt: 'In short' },
});
assert.ok(!edited.error);
assert.equal(edited.data.title.raw, 'After');
assert.equal(edited.data.content.raw, 'One');
assert.equal(edited.data.excerpt.raw, 'In short');

// Without `force` a post goes to the trash, and the response is the post.
const trashed = await client.DELETE('/wp/v2/posts/{id}', { path });
assert.ok(!trashed.error);
assert.equal(trashed.data.status, 'trash');
assert.equal(trashed.data.id, created.data.id);

const restored = await client.PUT('/wp/v2/posts/{id}', { path, body: { status: 'draft' } });
assert.equal(restored.data?.status, 'draft');

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true }, throw: true });
