const { error } = await client.GET('/wp/v2/posts/{id}', { path: { id: 999_999_999 } });
assert.ok(error);
assert.equal(typeof error.message, 'string');
// An error that is about no parameter has none.
assert.deepEqual(Object.keys(error.data.params), []);
