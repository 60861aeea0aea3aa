const { data: tag } = await client.POST('/wp/v2/tags', { body: { name: 'Corpus tag' }, throw: true });
const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Tagged', status: 'publish', tags: [tag.id] },
  throw: true,
});
assert.deepEqual(post.tags, [tag.id]);

const { data: tagged } = await client.GET('/wp/v2/posts', { query: { tags: [tag.id] }, throw: true });
assert.equal(tagged[0]?.id, post.id);
const { data: ofPost } = await client.GET('/wp/v2/tags', { query: { post: post.id }, throw: true });
assert.equal(ofPost[0]?.name, 'Corpus tag');
assert.equal(ofPost[0]?.count, 1);

// A name can be used once.
const again = await client.POST('/wp/v2/tags', { body: { name: 'Corpus tag' } });
assert.equal(again.error?.code, 'term_exists');
assert.equal(again.response?.status, 400);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
const { data } = await client.DELETE('/wp/v2/tags/{id}', {
  path: { id: tag.id },
  query: { force: true },
  throw: true,
});
assert.ok(data.deleted);
