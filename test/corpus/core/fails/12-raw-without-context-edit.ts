const { data: posts, error } = await client.GET('/wp/v2/posts', { query: { per_page: 1 } });
if (error) throw new Error(error.message);

const [post] = posts;
assert.ok(post);
assert.ok(post.content.rendered.length > 0);
// @ts-expect-error: the site sends raw with context=edit only, so it is undefined here
assert.ok(post.content.raw.length > 0);
