const { data: posts } = await client.GET('/core/v2/posts', { query: { tags: 14 }, throw: true });
assert.ok(posts.length > 0);

// @ts-expect-error: the site serves posts, pages and media but no tags, so it answers 404 rest_no_route
await client.GET('/core/v2/tags');
