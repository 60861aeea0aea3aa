const { data: tasks } = await client.GET('/boards/v2/projects/{board_id}/tasks/filtered', {
  path: { board_id: 1 },
  query: {
    status: 'open',
    // @ts-expect-error: this list filters by stage_ids, the site ignores stage_id and sends tasks of all stages
    stage_id: 1,
  },
  throw: true,
});
assert.ok(tasks.every((task) => task.stage_id === 1));
