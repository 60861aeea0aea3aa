const path = { id: 1 };
const { data: post } = await client.GET('/wp/v2/posts/{id}', {
  path,
  query: { context: 'edit' },
  throw: true,
});
// @ts-expect-error: the site answers 400 rest_invalid_param, because comment_status is "open" or "closed"
await client.POST('/wp/v2/posts/{id}', { path, body: { title: post.title, comment_status: 'shut' } });
