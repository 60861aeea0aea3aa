import { batch } from '../../client.ts';

const [red, blue, duplicate] = await batch(client, [
  ['POST', '/wp/v2/tags', { body: { name: 'Corpus red' } }],
  ['POST', '/wp/v2/categories', { body: { name: 'Corpus blue', description: 'A colour' } }],
  ['POST', '/wp/v2/tags', { body: { name: 'Corpus red' } }],
]);
if (red.error || blue.error) throw new Error('two terms should have been created');
assert.equal(red.status, 201);
assert.equal(red.data.name, 'Corpus red');
assert.equal(blue.data.parent, 0);
assert.equal(duplicate.data, undefined);
assert.equal(duplicate.error?.code, 'term_exists');

const removed = await batch(client, [
  ['DELETE', '/wp/v2/tags/{id}', { path: { id: red.data.id }, query: { force: true } }],
  ['DELETE', '/wp/v2/categories/{id}', { path: { id: blue.data.id }, query: { force: true } }],
]);
assert.deepEqual(
  removed.map(({ data }) => data?.previous.name),
  ['Corpus red', 'Corpus blue'],
);
