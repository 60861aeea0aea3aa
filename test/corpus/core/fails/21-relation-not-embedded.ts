const { data: posts } = await client.GET('/wp/v2/posts', { query: { _embed: 'author' }, throw: true });

for (const post of posts) {
  assert.ok(post._embedded?.author);
  // @ts-expect-error: the site embeds the author only, so there are no terms
  assert.ok(post._embedded?.['wp:term']);
}
