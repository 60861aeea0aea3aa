import { ApiError, batch, type ResponseError, type SiteError } from '../../client.ts';

function describe(error: SiteError): string {
  if (error.source === 'client' || error.source === 'network') return 'unreachable';
  if (error.code === 'rest_post_invalid_id') return 'gone';
  return Object.keys(error.data.params).join() || error.message;
}
const log: string[] = [];
const record = ({ code, status }: ResponseError) => log.push(`${status} ${code}`);

const tooMany = await client.GET('/wp/v2/posts', { query: { per_page: 1_000 } });
assert.ok(tooMany.error);
assert.equal(describe(tooMany.error), 'per_page');

const gone = await client.DELETE('/wp/v2/posts/{id}', { path: { id: 99_999_999 } });
assert.equal(gone.error && describe(gone.error), 'gone');

const [inBatch] = await batch(client, [
  ['POST', '/wp/v2/posts/{id}', { path: { id: 99_999_999 }, body: {} }],
]);
assert.equal(inBatch.error && describe(inBatch.error), 'gone');

try {
  await client.GET('/wp/v2/users/{id}', { path: { id: 99_999_999 }, throw: true });
} catch (error) {
  if (error instanceof ApiError) record(error);
}
if (gone.error) record(gone.error);
assert.deepEqual(log, ['404 rest_user_invalid_id', '404 rest_post_invalid_id']);
