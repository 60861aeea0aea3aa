const { data: overview } = await client.GET('/boards/v2/reports/overview', { throw: true });
assert.equal(overview.tasks, overview.open + overview.closed);

const { data: report } = await client.GET('/boards/v2/reports/tasks', {
  query: { board_ids: [1, 2], from: '2026-01-01', to: '2026-03-31' },
  throw: true,
});
const urgent: number = report.by_priority.urgent;
assert.equal(
  report.total,
  report.by_priority.low + report.by_priority.medium + report.by_priority.high + urgent,
);
assert.ok(report.by_board.every(({ board_id }) => board_id === 1 || board_id === 2));
const busiest = [...report.by_assignee].sort((a, b) => b.tasks - a.tasks)[0];
assert.ok(busiest);
assert.equal(typeof (busiest.user?.name ?? ''), 'string');

const { data: activity } = await client.GET('/boards/v2/reports/activity', {
  query: { board_ids: 1 },
  throw: true,
});
assert.ok(activity.by_action.created > 0);
assert.ok(activity.by_subject['time-track'] >= 0);

const { data: byUser, total } = await client.GET('/boards/v2/projects/timesheet/by-users', {
  query: { per_page: 3, billable: true },
  throw: true,
});
const minutes = byUser.flatMap(({ days }) => days).reduce((sum, day) => sum + day.billable_minutes, 0);
assert.ok(minutes > 0);
assert.ok((total ?? 0) >= byUser.length);
