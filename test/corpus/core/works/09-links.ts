const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Linked', status: 'publish' },
  throw: true,
});
const path = { id: created.id };
await client.POST('/wp/v2/posts/{id}', { path, body: { content: 'A second version' }, throw: true });

const { data: post } = await client.GET('/wp/v2/posts/{id}', { path, throw: true });
const self = post._links.self?.[0]?.href;
assert.ok(self?.endsWith(String(post.id)));
assert.match(post._links.collection?.[0]?.href ?? '', /wp\/v2\/posts$/);
assert.equal(post._links.author?.[0]?.embeddable, true);

const history = post._links['version-history']?.[0];
assert.ok(history);
assert.ok(history.href.includes('/revisions'));
const terms = post._links['wp:term'] ?? [];
assert.deepEqual(
  terms.map((link) => new URL(link.href).protocol),
  ['http:', 'http:'],
);

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true }, throw: true });
