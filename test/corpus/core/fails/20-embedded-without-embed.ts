const { data: posts } = await client.GET('/wp/v2/posts', { query: { per_page: 1 }, throw: true });
const [post] = posts;
assert.ok(post);
assert.ok(post._links.author);
// @ts-expect-error: the site embeds nothing without _embed, so _embedded is undefined
assert.ok(post._embedded.author);
