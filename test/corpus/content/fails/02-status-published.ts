const { data: post } = await client.POST('/core/v2/posts', {
  body: {
    title: 'Storm warning',
    content: 'Stay ashore.',
    // @ts-expect-error: the status is called publish, the site answers 400 rest_invalid_param for others
    status: 'published',
  },
});
assert.ok(post);
await client.DELETE('/core/v2/posts/{id}', { path: { id: post.id }, query: { force: true } });
