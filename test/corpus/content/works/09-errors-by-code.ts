import { ApiError } from '../../client.ts';

async function titleOf(id: number): Promise<string | undefined> {
  const { data, error } = await client.GET('/core/v2/posts/{id}', { path: { id } });
  if (error === undefined) return data.title.rendered;
  if (error.code === 'rest_post_invalid_id') return undefined;
  throw new Error(error.message);
}
assert.equal(await titleOf(999_999), undefined);

const many = await client.GET('/core/v2/posts', { query: { per_page: 500 } });
assert.ok(many.error);
if (many.error.code === 'rest_invalid_param') {
  const reason: string | undefined = many.error.data.params['per_page'];
  assert.match(reason ?? '', /between 1 .* and 100/);
} else {
  assert.fail(many.error.message);
}

try {
  await client.POST('/core/v2/posts', { body: { content: '' }, throw: true });
  assert.fail('the site takes no empty post');
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  assert.equal(error.code, 'empty_content');
  assert.equal(error.status, 400);
}

// A subscriber may not write.
const subscriber = connect({ auth: { username: 'subscriber', password: 'demo-subscriber-password' } });
const { error, response } = await subscriber.POST('/core/v2/posts', { body: { title: 'No' } });
assert.equal(response?.status, 403);
assert.equal(error?.code, 'rest_cannot_create');
