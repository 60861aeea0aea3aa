const { data: posts } = await client.GET('/core/v2/posts', {
  query: { per_page: 3, _fields: ['id', 'title'] },
  throw: true,
});
for (const post of posts) {
  assert.ok(post.title.rendered);
  // @ts-expect-error: _fields asks for id and title alone, so the site sends no excerpt
  assert.ok(post.excerpt.rendered);
}
