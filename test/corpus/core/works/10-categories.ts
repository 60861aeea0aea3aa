const { data: fruit } = await client.POST('/wp/v2/categories', {
  body: { name: 'Corpus fruit', description: 'All of it' },
  throw: true,
});
const { data: apples } = await client.POST('/wp/v2/categories', {
  body: { name: 'Corpus apples', slug: 'corpus-apples', parent: fruit.id },
  throw: true,
});
assert.equal(apples.parent, fruit.id);
assert.equal(apples.count, 0);
assert.equal(apples.taxonomy, 'category');

const { data: children } = await client.GET('/wp/v2/categories', {
  query: { parent: fruit.id, hide_empty: false, orderby: 'name' },
  throw: true,
});
const slugs: string[] = children.map((category) => category.slug);
assert.deepEqual(slugs, ['corpus-apples']);

for (const { id, name } of [apples, fruit]) {
  const removed = await client.DELETE('/wp/v2/categories/{id}', { path: { id }, query: { force: true } });
  if (removed.error) throw new Error(removed.error.message);
  assert.equal(removed.data.previous.name, name);
}
