const boardId = 2;

const { data: label } = await client.POST('/boards/v2/projects/{board_id}/labels', {
  path: { board_id: boardId },
  body: { title: 'weather', background_color: '#1098ad' },
  throw: true,
});
const { data: tasks } = await client.GET('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: boardId },
  query: { per_page: 1 },
  throw: true,
});
const task = tasks[0];
assert.ok(task);

const { data: labelled } = await client.POST('/boards/v2/projects/{board_id}/labels/task', {
  path: { board_id: boardId },
  body: { task_id: task.id, label_id: label.id },
  throw: true,
});
assert.ok(labelled.labels.some(({ id, title }) => id === label.id && title === 'weather'));

// A list in the query takes a single value as well.
const { data: found, total } = await client.GET('/boards/v2/projects/{board_id}/tasks/filtered', {
  path: { board_id: boardId },
  query: { labels: label.id },
  throw: true,
});
assert.equal(total, 1);
assert.equal(found[0]?.id, task.id);

const { data: taken } = await client.DELETE(
  '/boards/v2/projects/{board_id}/tasks/{task_id}/labels/{label_id}',
  { path: { board_id: boardId, task_id: task.id, label_id: label.id }, throw: true },
);
assert.equal(taken.previous.task_count, 0);

await client.DELETE('/boards/v2/projects/{board_id}/labels/{label_id}', {
  path: { board_id: boardId, label_id: label.id },
  throw: true,
});
