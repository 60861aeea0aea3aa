const { data: board } = await client.PUT('/boards/v2/projects/{board_id}', {
  path: { board_id: 4 },
  body: {
    description: 'Finished in spring.',
    // @ts-expect-error: the status is read-only, the site ignores it and the board stays active
    status: 'archived',
  },
  throw: true,
});
assert.equal(board.status, 'archived');
