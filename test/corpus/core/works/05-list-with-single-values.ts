const category = await client.POST('/wp/v2/categories', {
  body: { name: 'Corpus single values' },
  throw: true,
});
const post = await client.POST('/wp/v2/posts', {
  body: { title: 'Single values', status: 'draft', slug: 'corpus-single', categories: [category.data.id] },
  throw: true,
});

const drafts = await client.GET('/wp/v2/posts', {
  query: { status: 'draft', categories: category.data.id, per_page: 5 },
  throw: true,
});
assert.equal(drafts.data.length, 1);
const total: number | undefined = drafts.total;
assert.equal(total, 1);
assert.equal(drafts.totalPages, 1);

const both = await client.GET('/wp/v2/posts', {
  query: {
    status: ['draft', 'pending'],
    include: post.data.id,
    exclude: [1],
    slug: 'corpus-single',
    orderby: 'slug',
  },
  throw: true,
});
assert.deepEqual(
  both.data.map(({ id }) => id),
  [post.data.id],
);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.data.id }, query: { force: true }, throw: true });
await client.DELETE('/wp/v2/categories/{id}', {
  path: { id: category.data.id },
  query: { force: true },
  throw: true,
});
