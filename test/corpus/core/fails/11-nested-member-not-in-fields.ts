const { data: posts } = await client.GET('/wp/v2/posts', {
  query: { context: 'edit', _fields: ['id', 'title.rendered'] },
  throw: true,
});

const titles: string[] = posts.map(({ title }) => title.rendered);
assert.equal(titles.length, posts.length);
// @ts-expect-error: the site sends title.rendered only, so raw is undefined
const sources: string[] = posts.map(({ title }) => title.raw);
assert.equal(sources.length, posts.length);
