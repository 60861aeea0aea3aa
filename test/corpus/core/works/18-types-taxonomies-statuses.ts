const { data: types } = await client.GET('/wp/v2/types', { throw: true });
assert.equal(types['post']?.rest_base, 'posts');
assert.equal(types['no-such-type'], undefined);
for (const [slug, type] of Object.entries(types)) assert.equal(type.slug, slug);

const { data: taxonomies } = await client.GET('/wp/v2/taxonomies', { query: { type: 'post' }, throw: true });
const names = Object.values(taxonomies).map((taxonomy) => `${taxonomy.rest_base}: ${taxonomy.name}`);
assert.ok(names.includes('tags: Tags'));
assert.equal(taxonomies['category']?.hierarchical, true);

const { data: statuses } = await client.GET('/wp/v2/statuses', { throw: true });
assert.equal(statuses['publish']?.name, 'Published');

const { data: page } = await client.GET('/wp/v2/types/{type}', { path: { type: 'page' }, throw: true });
assert.equal(page.hierarchical, true);
assert.deepEqual(page.taxonomies, []);
