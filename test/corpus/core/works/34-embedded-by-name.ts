const client = connect({ throw: true });

const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Corpus embeds', status: 'publish' },
});
const path = { id: created.id };

const { data: text } = await client.GET('/wp/v2/posts/{id}', { path, query: { _embed: 'author,wp:term' } });
const author: string | undefined = text._embedded?.author?.[0]?.name;
assert.ok(author);
assert.ok(Array.isArray(text._embedded?.['wp:term']));

const { data: list } = await client.GET('/wp/v2/posts/{id}', {
  path,
  query: { _embed: ['author', 'wp:term'] },
});
assert.equal(list._embedded?.author?.[0]?.name, author);

const { data: all } = await client.GET('/wp/v2/posts/{id}', { path, query: { _embed: true } });
assert.equal(all._embedded?.author?.[0]?.name, author);
assert.equal(all._embedded?.['wp:featuredmedia'], undefined);

// Names that only the running program knows.
const names: string[] = ['author'];
const { data: some } = await client.GET('/wp/v2/posts/{id}', { path, query: { _embed: names } });
assert.equal(some._embedded?.author?.[0]?.name, author);
assert.equal(some._embedded?.['wp:term'], undefined);

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true } });
