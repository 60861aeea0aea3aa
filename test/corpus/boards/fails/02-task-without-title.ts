const { data: board } = await client.GET('/boards/v2/projects/{board_id}', {
  path: { board_id: 1 },
  throw: true,
});
const stage = board.stages?.[0];
assert.ok(stage);
const { response } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: board.id },
  // @ts-expect-error: a task needs a title, the site answers 400 rest_missing_callback_param
  body: { description: 'Somebody ought to look after the ropes.', stage_id: stage.id },
});
assert.equal(response?.status, 201);
