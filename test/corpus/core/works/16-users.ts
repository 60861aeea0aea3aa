const { data: me } = await client.GET('/wp/v2/users/me', { throw: true });
const { data: user, error } = await client.POST('/wp/v2/users', {
  body: {
    username: 'corpus-writer',
    email: 'corpus-writer@example.com',
    password: 'a long enough phrase',
    roles: ['author'],
    first_name: 'Corpus',
  },
});
if (error) throw new Error(error.message);
assert.deepEqual(user.roles, ['author']);
assert.equal(user.first_name, 'Corpus');

const { data: authors } = await client.GET('/wp/v2/users', {
  query: { roles: 'author', search: 'corpus-writer', _fields: ['id', 'name'] },
  throw: true,
});
assert.deepEqual(authors, [{ id: user.id, name: user.name }]);

const { data: removed } = await client.DELETE('/wp/v2/users/{id}', {
  path: { id: user.id },
  query: { force: true, reassign: me.id },
  throw: true,
});
assert.equal(removed.previous.email, 'corpus-writer@example.com');
