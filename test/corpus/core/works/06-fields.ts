const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Narrow', status: 'publish', slug: 'corpus-fields' },
  throw: true,
});
const path = { id: created.id };

const byList = await client.GET('/wp/v2/posts/{id}', { path, query: { _fields: ['id', 'title'] } });
if (byList.error) throw new Error(byList.error.message);
assert.deepEqual(Object.keys(byList.data), ['id', 'title']);
assert.equal(`${byList.data.id}: ${byList.data.title.rendered}`, `${created.id}: Narrow`);

const byText = await client.GET('/wp/v2/posts', { query: { slug: 'corpus-fields', _fields: 'slug,title' } });
if (byText.error) throw new Error(byText.error.message);
for (const { slug, title } of byText.data) assert.equal(`${slug} ${title.rendered}`, 'corpus-fields Narrow');

const nested = await client.GET('/wp/v2/posts/{id}', {
  path,
  query: { context: 'edit', _fields: ['id', 'title.raw'] },
});
if (nested.error) throw new Error(nested.error.message);
assert.deepEqual(nested.data, { id: created.id, title: { raw: 'Narrow' } });
const raw: string = nested.data.title.raw;
assert.equal(raw, 'Narrow');

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true }, throw: true });
