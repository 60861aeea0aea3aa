const { data: tasks } = await client.GET('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: 1 },
  query: { per_page: 100 },
  throw: true,
});
for (const task of tasks) {
  assert.ok(task.title);
  // @ts-expect-error: tasks without a date have null there, which has no slice
  const day: string = task.due_at.slice(0, 10);
  assert.match(day, /^\d{4}-/);
}
