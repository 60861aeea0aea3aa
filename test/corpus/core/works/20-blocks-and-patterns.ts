const { data: paragraph } = await client.GET('/wp/v2/block-types/{namespace}/{name}', {
  path: { namespace: 'core', name: 'paragraph' },
  throw: true,
});
assert.equal(paragraph.name, 'core/paragraph');
assert.equal(paragraph.title, 'Paragraph');
assert.equal(paragraph.is_dynamic, false);
assert.equal(paragraph.api_version, 2);

const { data: types } = await client.GET('/wp/v2/block-types', { query: { namespace: 'core' }, throw: true });
const dynamic: string[] = types.filter((type) => type.is_dynamic).map((type) => type.name);
assert.ok(dynamic.includes('core/latest-posts'));

const { data: patterns } = await client.GET('/wp/v2/block-patterns/patterns', { throw: true });
assert.ok(patterns.some((pattern) => pattern.name.startsWith('core/') && pattern.content.includes('wp:')));

const { data: categories } = await client.GET('/wp/v2/block-patterns/categories', { throw: true });
assert.ok(categories.every(({ name, label }) => name.length > 0 && label.length > 0));

const block = await client.POST('/wp/v2/blocks', {
  body: { title: 'Corpus block', content: '<!-- wp:separator /-->', status: 'publish' },
  throw: true,
});
await client.DELETE('/wp/v2/blocks/{id}', {
  path: { id: block.data.id },
  query: { force: true },
  throw: true,
});
