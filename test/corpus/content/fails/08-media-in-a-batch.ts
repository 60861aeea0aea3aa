import { batch } from '../../client.ts';

const { data: items } = await client.GET('/core/v2/media', { query: { per_page: 1 }, throw: true });
const item = items[0];
assert.ok(item);
const [changed] = await batch(client, [
  // @ts-expect-error: media do not allow batches, the site answers 400 rest_batch_not_allowed for this item
  ['POST', '/core/v2/media/{id}', { path: { id: item.id }, body: { alt_text: item.alt_text } }],
]);
assert.ok(changed);
