const { data: posts } = await client.GET('/core/v2/posts', { query: { per_page: 1 }, throw: true });
const post = posts[0];
assert.ok(post);
await client.POST('/core/v2/posts/{id}', {
  path: { id: post.id },
  body: {
    sticky: post.sticky,
    // @ts-expect-error: the modification date is read-only, the site ignores it and writes its own
    modified: '2020-01-01T00:00:00',
  },
  throw: true,
});
