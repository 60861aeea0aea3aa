import { batch } from '../../client.ts';

const results = await batch(client, [
  // @ts-expect-error: no route of the boards allows batches, the site answers 400 rest_batch_not_allowed for it
  ['PUT', '/boards/v2/projects/{board_id}', { path: { board_id: 1 }, body: { title: 'Website' } }],
]);
assert.equal(results.length, 1);
