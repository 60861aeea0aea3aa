const body = { description: 'Now with a crane.' };

const { data } = await client.PUT('/boards/v2/projects/{board_id}', { path: { board_id: 1 }, body });
assert.ok(data);
// @ts-expect-error: boards are changed with PUT, for PATCH the site answers 404 rest_no_route
await client.PATCH('/boards/v2/projects/{board_id}', { path: { board_id: 1 }, body });
