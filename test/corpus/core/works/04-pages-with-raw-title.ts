// The two forms of a text that WordPress reads: a string, and an object with `raw`.
const { data: parent } = await client.POST('/wp/v2/pages', {
  body: { title: { raw: 'Corpus parent page' }, content: { raw: 'Above' }, status: 'publish' },
  throw: true,
});
const { data: child } = await client.POST('/wp/v2/pages', {
  body: { title: 'Corpus child page', parent: parent.id, menu_order: 3, status: 'publish' },
  throw: true,
});

const { data: children } = await client.GET('/wp/v2/pages', {
  query: { parent: parent.id, orderby: 'menu_order', order: 'asc' },
  throw: true,
});
assert.deepEqual(
  children.map((page) => `${page.menu_order} ${page.title.rendered}`),
  ['3 Corpus child page'],
);
assert.equal(children[0]?.parent, parent.id);

for (const id of [child.id, parent.id]) {
  await client.DELETE('/wp/v2/pages/{id}', { path: { id }, query: { force: true }, throw: true });
}
