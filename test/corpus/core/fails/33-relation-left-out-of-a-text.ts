const { data: posts } = await client.GET('/wp/v2/posts', {
  query: { _embed: 'author, wp:term' },
  throw: true,
});
for (const { _embedded } of posts) {
  // @ts-expect-error: the site embeds the author and the terms only, so there is no image
  assert.ok(_embedded?.['wp:featuredmedia']);
}
