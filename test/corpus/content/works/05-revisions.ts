const { data: post } = await client.POST('/core/v2/posts', {
  body: { title: 'Tide table', content: 'First version', status: 'publish' },
  throw: true,
});
await client.PATCH('/core/v2/posts/{id}', {
  path: { id: post.id },
  body: { content: 'Second version' },
  throw: true,
});

const { data: revisions, total } = await client.GET('/core/v2/posts/{parent}/revisions', {
  path: { parent: post.id },
  query: { context: 'edit', per_page: 10 },
  throw: true,
});
assert.ok(total >= 1);
const newest = revisions[0];
assert.ok(newest);
assert.equal(newest.parent, post.id);
assert.equal(newest.content.raw, 'Second version');

const { data: autosave } = await client.POST('/core/v2/posts/{id}/autosaves', {
  path: { id: post.id },
  body: { title: 'Tide table, unsaved', content: 'Third version' },
  throw: true,
});
assert.equal(autosave.parent, post.id);

const { data: removed } = await client.DELETE('/core/v2/posts/{parent}/revisions/{id}', {
  path: { parent: post.id, id: newest.id },
  query: { force: true },
  throw: true,
});
assert.equal(removed.previous.id, newest.id);
await client.DELETE('/core/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
