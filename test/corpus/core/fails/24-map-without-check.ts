const { data: types } = await client.GET('/wp/v2/types', { throw: true });
assert.equal(types['post']?.slug, 'post');
// @ts-expect-error: the site has no type of this name, so the program throws a TypeError
const base: string = types['product'].rest_base;
assert.ok(base);
