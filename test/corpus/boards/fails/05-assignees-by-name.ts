const { data: people } = await client.GET('/boards/v2/projects/{board_id}/assignees', {
  path: { board_id: 1 },
  throw: true,
});
const names: string[] = people.map(({ name }) => name);
assert.ok(names.length > 0);
await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path: { board_id: 1 },
  // @ts-expect-error: assignees are numbers of users, the site answers 400 rest_invalid_param for names
  body: { title: 'Everybody meets', assignees: names },
  throw: true,
});
