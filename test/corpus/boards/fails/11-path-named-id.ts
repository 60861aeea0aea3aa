const { data: boards } = await client.GET('/boards/v2/projects/recent-boards', {
  query: { limit: 1 },
  throw: true,
});
const board = boards[0];
assert.ok(board);
// @ts-expect-error: the path needs board_id, without it the address is no route of the site: 404 rest_no_route
await client.GET('/boards/v2/projects/{board_id}', { path: { id: board.id }, throw: true });
