const { data: task } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: 1 },
  body: { title: 'Count the bollards', estimated_minutes: 60 },
  throw: true,
});
const path = { board_id: task.board_id, task_id: task.id };

const { data: track } = await client.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks', {
  path,
  throw: true,
});
assert.equal(track.status, 'running');
assert.equal(track.committed_at, null);

const { data: committed } = await client.PUT(
  '/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/commit/{track_id}',
  {
    path: { ...path, track_id: track.id },
    body: { minutes: 25, note: 'North side', billable: true },
    throw: true,
  },
);
assert.ok(committed.committed_at);
assert.equal(committed.minutes, 25);

const { data: estimate } = await client.POST(
  '/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks/estimated-time',
  { path, body: { minutes: 90 }, throw: true },
);
assert.equal(estimate.remaining_minutes, 65);

const { data: tracks, total } = await client.GET(
  '/boards/v2/projects/{board_id}/tasks/{task_id}/time-tracks',
  { path, throw: true },
);
assert.equal(total, 1);
assert.equal(tracks[0]?.user?.id, 1);
await client.DELETE('/boards/v2/projects/{board_id}/tasks/{task_id}', { path, throw: true });
