const large = await client.GET('/wp/v2/posts', { query: { per_page: 500 } });
if (large.error?.code === 'rest_invalid_param') {
  const reason: string | undefined = large.error.data.params['per_page'];
  assert.match(reason ?? '', /between 1/);
} else {
  assert.fail('500 posts on a page are too many');
}

// A form that nobody has checked.
const form = JSON.parse('{ "username": "corpus-half" }');
const half = await client.POST('/wp/v2/users', { body: form });
assert.ok(half.error);
if (half.error.code === 'rest_missing_callback_param') {
  const missing: readonly string[] = Object.keys(half.error.data.params);
  assert.deepEqual(missing, ['email', 'password']);
} else {
  assert.fail(half.error.message);
}

const { data, error } = await client.GET('/wp/v2/posts/{id}', { path: { id: 999_999_999 } });
assert.equal(data, undefined);
switch (error?.code) {
  case 'rest_post_invalid_id':
    assert.equal(error.data.status, 404);
    assert.equal(error.message, 'Invalid post ID.');
    break;
  default:
    assert.fail('there is no such post');
}
