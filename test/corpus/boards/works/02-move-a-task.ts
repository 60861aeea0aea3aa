const { data: board } = await client.GET('/boards/v2/projects/{board_id}', {
  path: { board_id: 1 },
  throw: true,
});
const [first, second] = board.stages ?? [];
assert.ok(first && second);

const { data: task } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: board.id },
  body: { title: 'Sweep the quay', stage_id: first.id, priority: 'high', due_at: '2026-12-01T12:00:00Z' },
  throw: true,
});
const path = { board_id: board.id, task_id: task.id };
assert.equal(task.due_at?.slice(0, 10), '2026-12-01');

const { data: moved } = await client.PUT('/boards/v2/projects/{board_id}/tasks/{task_id}/move-task', {
  path,
  body: { stage_id: second.id, position: 1 },
  throw: true,
});
assert.equal(moved.stage_id, second.id);
assert.equal(moved.position, 1);

const { data: closed } = await client.POST('/boards/v2/projects/{board_id}/tasks/status-update/{task_id}', {
  path,
  body: { status: 'closed' },
  throw: true,
});
assert.notEqual(closed.completed_at, null);

const { data: undated } = await client.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/dates', {
  path,
  body: { due_at: null },
  throw: true,
});
assert.equal(undated.due_at, null);

await client.DELETE('/boards/v2/projects/{board_id}/tasks/{task_id}', { path, throw: true });
