const { data: place } = await client.GET('/boards/v2/tasks/stage/{task_id}', {
  path: { task_id: '3' },
  throw: true,
});
const last = place.stages.at(-1);
assert.ok(last);
await client.PUT('/boards/v2/projects/{board_id}/tasks/{task_id}/move-task', {
  path: { board_id: place.board_id, task_id: place.task_id },
  // @ts-expect-error: the stage is named by its number, the site answers 400 rest_invalid_param for the slug
  body: { stage_id: last.slug },
  throw: true,
});
