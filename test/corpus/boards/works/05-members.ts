const { data: board } = await client.POST('/boards/v2/projects', { body: { title: 'Crew' }, throw: true });

const { data: added } = await client.POST('/boards/v2/projects/{board_id}/add-members', {
  path: { board_id: board.id },
  body: { user_ids: [2, 3], role: 'viewer' },
  throw: true,
});
const roles = new Map(added.members.map(({ id, role }) => [id, role]));
assert.equal(roles.get(1), 'manager');
assert.equal(roles.get(3), 'viewer');

// The address takes the number as text too, as a router gives it.
const { data: viewers } = await client.GET('/boards/v2/projects/{board_id}/users', {
  path: { board_id: String(board.id) },
  query: { role: 'viewer' },
  throw: true,
});
assert.equal(viewers.length, 2);
const joined: Date[] = viewers.map(({ joined_at }) => new Date(joined_at));
assert.ok(joined.every((date) => !Number.isNaN(date.getTime())));

const { data: left } = await client.POST('/boards/v2/projects/{board_id}/user/{user_id}/remove', {
  path: { board_id: board.id, user_id: 3 },
  throw: true,
});
assert.equal(left.user?.name, 'Sofia Rossi');

const { error } = await client.POST('/boards/v2/projects/{board_id}/user/{user_id}/remove', {
  path: { board_id: board.id, user_id: 1 },
});
assert.equal(error?.code, 'last_manager');
await client.DELETE('/boards/v2/projects/{board_id}', { path: { board_id: board.id }, throw: true });
