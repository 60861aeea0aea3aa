const { data: created } = await client.POST('/boards/v2/projects', {
  body: { title: 'Garden', type: 'kanban', currency: 'EUR', stages: ['Ideas', 'Doing', 'Done'] },
  throw: true,
});
const boardId: number = created.id;
assert.equal(created.role, 'manager');
assert.deepEqual(
  created.stages?.map(({ title }) => title),
  ['Ideas', 'Doing', 'Done'],
);

const { data: changed } = await client.PUT('/boards/v2/projects/{board_id}', {
  path: { board_id: boardId },
  body: { description: 'Beds and paths', color: '#12b886' },
  throw: true,
});
assert.equal(changed.background.color.toLowerCase(), '#12b886');

const { data: board } = await client.GET('/boards/v2/projects/{board_id}', {
  path: { board_id: boardId },
  throw: true,
});
assert.equal(board.members?.[0]?.name, board.created_by?.name);
assert.equal(board.archived_at, null);

const { data: removed } = await client.DELETE('/boards/v2/projects/{board_id}', {
  path: { board_id: boardId },
  throw: true,
});
assert.ok('previous' in removed);
assert.equal(removed.previous.title, 'Garden');
