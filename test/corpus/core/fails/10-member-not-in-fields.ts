const { data: posts, error } = await client.GET('/wp/v2/posts', { query: { _fields: ['id', 'slug'] } });
if (error) throw new Error(error.message);

for (const post of posts) {
  assert.ok(post.slug.length > 0);
  // @ts-expect-error: the site leaves the title out, because _fields does not name it
  assert.ok(post.title.rendered.length > 0);
}
