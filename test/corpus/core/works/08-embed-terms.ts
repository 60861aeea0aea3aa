const { data: tag } = await client.POST('/wp/v2/tags', { body: { name: 'Corpus embedded' }, throw: true });
const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'With terms', status: 'publish', slug: 'corpus-embed-terms', tags: [tag.id] },
  throw: true,
});

const { data: posts, error } = await client.GET('/wp/v2/posts', {
  query: { slug: 'corpus-embed-terms', _embed: ['wp:term', 'author'] },
});
if (error) throw new Error(error.message);

const terms = posts.flatMap((post) => post._embedded['wp:term']?.flat() ?? []);
const names: string[] = terms.map((term) => `${term.taxonomy}: ${term.name}`);
assert.ok(names.includes('post_tag: Corpus embedded'));
assert.ok(terms.some((term) => term.taxonomy === 'category'));
assert.equal(posts[0]?._embedded.author?.[0]?.id, created.author);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: created.id }, query: { force: true }, throw: true });
await client.DELETE('/wp/v2/tags/{id}', { path: { id: tag.id }, query: { force: true }, throw: true });
