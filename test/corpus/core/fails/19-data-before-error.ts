const { data, error } = await client.GET('/wp/v2/posts/{id}', { path: { id: 999_999_999 } });
// @ts-expect-error: the site answers 404, so data is undefined and the program throws a TypeError
const title: string = data.title.rendered;

if (error) throw new Error(`${title}: ${error.message}`);
assert.equal(title, data.title.rendered);
