const { data, total } = await client.GET('/boards/v2/projects', {
  query: { type: 'kanban', orderby: 'title', order: 'asc' },
  throw: true,
});
assert.ok((total ?? 0) > 0);
// @ts-expect-error: the answer is the list itself, without a member boards, so this reads from undefined
const titles: string[] = data.boards.map((board: { title: string }) => board.title);
assert.ok(titles.length > 0);
