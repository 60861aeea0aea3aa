const { data: page } = await client.POST('/core/v2/pages', { body: { title: 'Short lived' }, throw: true });
const { data: removed } = await client.DELETE('/core/v2/pages/{id}', {
  path: { id: page.id },
  query: { force: true },
  throw: true,
});
assert.equal(removed.deleted, true);
// @ts-expect-error: with force the page is in previous, the answer itself has no title
assert.equal(removed.title.rendered, 'Short lived');
