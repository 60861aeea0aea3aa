import { paginate } from '../../client.ts';

const parent = await client.POST('/core/v2/pages', {
  body: { title: 'Handbook', status: 'publish', menu_order: 3 },
  throw: true,
});
const child = await client.POST('/core/v2/pages', {
  body: { title: 'Mooring', status: 'publish', parent: parent.data.id },
  throw: true,
});
assert.equal(child.data.parent, parent.data.id);

const titlesByParent = new Map<number, string[]>();
const pages = paginate(client, '/core/v2/pages', {
  query: { per_page: 10, orderby: 'menu_order', order: 'asc' },
});
for await (const page of pages) {
  titlesByParent.set(page.parent, [...(titlesByParent.get(page.parent) ?? []), page.title.rendered]);
}
assert.deepEqual(titlesByParent.get(parent.data.id), ['Mooring']);
assert.ok(titlesByParent.get(0)?.includes('Handbook'));

for (const { data } of [child, parent]) {
  await client.DELETE('/core/v2/pages/{id}', { path: { id: data.id }, query: { force: true }, throw: true });
}
