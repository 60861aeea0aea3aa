const { data: board } = await client.POST('/boards/v2/projects', {
  body: { title: 'Shipyard' },
  throw: true,
});
const path = { board_id: board.id };

const { data: stage } = await client.POST('/boards/v2/projects/{board_id}/stage-create', {
  path,
  body: { title: 'Dry dock', color: '#ffd43b', default_status: null, task_limit: 2, position: 1 },
  throw: true,
});
assert.equal(stage.position, 1);

const ids: number[] = [];
for (const title of ['Hull', 'Keel', 'Mast']) {
  const { data: task, error } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
    path,
    body: { title, stage_id: stage.id },
  });
  if (error) assert.equal(error.data.status, 409);
  else ids.push(task.id);
}
assert.equal(ids.length, 2);

const { data: bulk } = await client.POST('/boards/v2/projects/{board_id}/tasks/bulk-actions', {
  path,
  body: { action: 'set-priority', task_ids: ids, priority: 'urgent' },
  throw: true,
});
assert.deepEqual(bulk.done, ids);
assert.equal(bulk.refused.length, 0);

const { data: renamed } = await client.PUT('/boards/v2/projects/{board_id}/update-stage/{stage_id}', {
  path: { ...path, stage_id: stage.id },
  body: { title: 'Slipway', task_limit: null },
  throw: true,
});
assert.equal(renamed.task_limit, null);

const { data: order } = await client.PUT('/boards/v2/projects/{board_id}/re-position-stages', {
  path,
  body: { stage_ids: [...board.stages.map(({ id }) => id), stage.id] },
  throw: true,
});
assert.equal(order.stages.at(-1)?.title, 'Slipway');
await client.DELETE('/boards/v2/projects/{board_id}', { path, throw: true });
