import { batch } from '../../client.ts';

const [post, page, refused] = await batch(client, [
  ['POST', '/core/v2/posts', { body: { title: 'One of a batch', status: 'draft' } }],
  ['POST', '/core/v2/pages', { body: { title: 'Another of a batch', menu_order: 7 } }],
  ['POST', '/core/v2/posts/{id}', { path: { id: 999_999 }, body: { title: 'Nobody' } }],
]);
assert.equal(post.status, 201);
assert.ok(post.data);
assert.ok(page.data);
assert.equal(post.data.title.rendered, 'One of a batch');
assert.equal(page.data.menu_order, 7);
assert.equal(refused.data, undefined);
assert.equal(refused.error?.code, 'rest_post_invalid_id');

const removals = await batch(client, [
  ['DELETE', '/core/v2/posts/{id}', { path: { id: post.data.id }, query: { force: true } }],
  ['DELETE', '/core/v2/pages/{id}', { path: { id: page.data.id }, query: { force: true } }],
]);
assert.deepEqual(
  removals.map(({ status }) => status),
  [200, 200],
);
