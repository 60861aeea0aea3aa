import { paginate } from '../../client.ts';

const { data, error, total } = await client.GET('/boards/v2/projects/{board_id}/tasks/filtered', {
  path: { board_id: 1 },
  query: {
    status: 'open',
    priorities: ['high', 'urgent'],
    due: 'overdue',
    orderby: 'due',
    order: 'asc',
    per_page: 100,
  },
});
if (error) throw new Error(`${error.code}: ${error.message}`);
assert.equal(data.length, total);
for (const task of data) {
  assert.ok(task.is_overdue);
  assert.ok(task.priority === 'high' || task.priority === 'urgent');
}

const byStage = new Map<string, number>();
for await (const row of paginate(client, '/boards/v2/projects/{board_id}/tasks/table', {
  path: { board_id: 1 },
  query: { per_page: 10 },
  lookAhead: 2,
})) {
  byStage.set(row.stage, (byStage.get(row.stage) ?? 0) + 1);
}
const { data: columns } = await client.GET('/boards/v2/projects/{board_id}/tasks/by-stage', {
  path: { board_id: 1 },
  query: { per_stage: 2 },
  throw: true,
});
for (const stage of columns.stages) {
  assert.equal(byStage.get(stage.title) ?? 0, stage.total);
  assert.ok(stage.tasks.length <= 2);
}
