const { data: me } = await client.GET('/wp/v2/users/me', { query: { context: 'edit' }, throw: true });
const { data: created, error } = await client.POST('/wp/v2/users/{user_id}/application-passwords', {
  path: { user_id: 'me' },
  body: { name: 'Corpus program' },
});
if (error) throw new Error(error.message);
const { uuid, password } = created;
assert.ok(password);

// The new password signs requests in, here with a function.
const other = connect({
  auth: (request) => {
    request.headers.set('Authorization', `Basic ${btoa(`${me.username}:${password}`)}`);
  },
});
const used = await other.GET('/wp/v2/users/{user_id}/application-passwords/introspect', {
  path: { user_id: me.id },
});
assert.equal(used.data?.uuid, uuid);
assert.equal(used.data?.name, 'Corpus program');

const removed = await client.DELETE('/wp/v2/users/{user_id}/application-passwords/{uuid}', {
  path: { user_id: me.id, uuid },
  throw: true,
});
assert.equal(removed.data.deleted, true);
assert.equal(removed.data.previous.name, 'Corpus program');
