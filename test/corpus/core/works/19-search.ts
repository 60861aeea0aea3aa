const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Corpus zweckentfremdung', status: 'publish' },
  throw: true,
});

const { data: hits, error } = await client.GET('/wp/v2/search', {
  query: { search: 'zweckentfremdung', type: 'post', subtype: ['post', 'page'], per_page: 3 },
});
if (error) throw new Error(error.message);
const [hit] = hits;
assert.ok(hit);
const link: string = `[${hit.title}](${hit.url})`;
assert.equal(link, `[Corpus zweckentfremdung](${post.link})`);
assert.equal(Number(hit.id), post.id);
assert.equal(hit.subtype, 'post');

const terms = await client.GET('/wp/v2/search', { query: { search: 'zweckentfremdung', type: 'term' } });
assert.deepEqual(terms.data, []);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
