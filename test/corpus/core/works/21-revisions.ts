const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Revised', content: 'First', status: 'publish' },
  throw: true,
});
for (const content of ['Second', 'Third']) {
  await client.POST('/wp/v2/posts/{id}', { path: { id: post.id }, body: { content }, throw: true });
}

const revisions = await client.GET('/wp/v2/posts/{parent}/revisions', {
  path: { parent: post.id },
  query: { context: 'edit' },
  throw: true,
});
assert.deepEqual(
  revisions.data.map((revision) => revision.content.raw),
  ['Third', 'Second'],
);
const oldest = revisions.data.at(-1);
assert.ok(oldest);
assert.equal(oldest.parent, post.id);

const { data: revision } = await client.GET('/wp/v2/posts/{parent}/revisions/{id}', {
  path: { parent: post.id, id: oldest.id },
  throw: true,
});
assert.equal(revision.content.rendered.trim(), '<p>Second</p>');
assert.equal(revision.title.rendered, 'Revised');
assert.equal(revisions.total, 2);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
