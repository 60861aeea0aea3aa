import { ApiError } from '../../client.ts';

const client = connect({ throw: true });

const { data: posts, total } = await client.GET('/wp/v2/posts', { query: { per_page: 1 } });
assert.ok(posts.length <= (total ?? 0));

try {
  await client.GET('/wp/v2/pages/{id}', { path: { id: 999_999_999 } });
  assert.fail('there is no such page');
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  const code: string = error.code;
  assert.equal(code, 'rest_post_invalid_id');
  assert.equal(error.status, 404);
  assert.equal(error.response?.headers.get('content-type')?.startsWith('application/json'), true);
}

// One call may decide otherwise.
const { data, error } = await client.GET('/wp/v2/pages/{id}', { path: { id: 999_999_999 }, throw: false });
assert.equal(data, undefined);
assert.equal(error?.message, 'Invalid post ID.');
