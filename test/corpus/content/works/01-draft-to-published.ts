// A draft is written, edited in the editor's context and published.
const { data: draft } = await client.POST('/core/v2/posts', {
  body: { title: 'Low water', content: 'The pier is *closed* today.', status: 'draft', tags: [14] },
  throw: true,
});
const postId: number = draft.id;
assert.equal(draft.title.rendered, 'Low water');

const { data: open } = await client.GET('/core/v2/posts/{id}', {
  path: { id: postId },
  query: { context: 'edit' },
  throw: true,
});
const source: string = open.content.raw;
assert.equal(open.title.raw, 'Low water');

const { data: published } = await client.PUT('/core/v2/posts/{id}', {
  path: { id: postId },
  body: { content: source.replace('closed', 'open'), title: { raw: 'High water' }, status: 'publish' },
  throw: true,
});
assert.equal(published.status, 'publish');
assert.match(published.content.rendered, /open/);
assert.match(published.slug, /^[a-z0-9-]+$/);

const { data: removed } = await client.DELETE('/core/v2/posts/{id}', {
  path: { id: postId },
  query: { force: true },
  throw: true,
});
assert.equal(removed.deleted, true);
assert.equal(removed.previous.id, postId);
