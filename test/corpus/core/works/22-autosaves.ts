const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Saved', content: 'As published', status: 'publish' },
  throw: true,
});

const { data: autosave, error } = await client.POST('/wp/v2/posts/{id}/autosaves', {
  path: { id: post.id },
  body: { title: 'Saved', content: 'Not yet published' },
});
if (error) throw new Error(error.message);
assert.equal(autosave.parent, post.id);
assert.equal(autosave.content.raw, 'Not yet published');

const { data: saved } = await client.GET('/wp/v2/posts/{id}/autosaves', {
  path: { id: post.id },
  throw: true,
});
assert.deepEqual(
  saved.map(({ id }) => id),
  [autosave.id],
);
const { data: same } = await client.GET('/wp/v2/posts/{parent}/autosaves/{id}', {
  path: { parent: post.id, id: autosave.id },
  throw: true,
});
assert.match(same.content.rendered, /Not yet published/);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
