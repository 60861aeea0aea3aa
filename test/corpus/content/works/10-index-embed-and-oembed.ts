const { data: index } = await client.GET('/', { throw: true });
assert.equal(index.name, 'Harbour Notes');
assert.ok(index.namespaces.includes('core/v2'));
assert.deepEqual(index.routes['/core/v2/posts']?.methods, ['GET', 'POST']);

// The list shows each post with its picture.
const { data: posts } = await client.GET('/core/v2/posts', {
  query: { per_page: 50, _embed: 'wp:featuredmedia' },
  throw: true,
});
const illustrated = posts.find((post) => post.featured_media > 0);
assert.ok(illustrated);
const picture = illustrated._embedded?.['wp:featuredmedia']?.[0];
assert.ok(picture);
assert.equal(picture.id, illustrated.featured_media);
assert.match(picture.source_url, /^https?:/);
assert.ok(illustrated._links['self']?.[0]?.href.includes(String(illustrated.id)));

const { data: card } = await client.GET('/oembed/1.0/embed', {
  query: { url: illustrated.link, maxwidth: 400 },
  throw: true,
});
assert.equal(card.type, 'rich');
assert.match(card.html, /<iframe/);

const { data: providers } = await client.GET('/ai/v1/providers', {
  query: { capability: 'vision' },
  throw: true,
});
assert.ok(providers.every(({ capabilities }) => capabilities.includes('vision')));
