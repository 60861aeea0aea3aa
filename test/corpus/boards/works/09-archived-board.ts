import { ApiError } from '../../client.ts';

const { data: board } = await client.POST('/boards/v2/projects', { body: { title: 'Winter' }, throw: true });
const path = { board_id: board.id };

const { data: archived } = await client.PUT('/boards/v2/projects/{board_id}/archive-board', {
  path,
  throw: true,
});
assert.equal(archived.status, 'archived');
const since: string = archived.archived_at ?? '';
assert.ok(Date.parse(since) > 0);

// Nothing changes on an archived board.
const { error, response } = await client.POST('/boards/v2/projects/{board_id}/tasks', {
  path,
  body: { title: 'Too late' },
});
assert.equal(response?.status, 409);
if (error?.code !== 'board_archived') assert.fail(error?.message);

await assert.rejects(
  client.POST('/boards/v2/projects/{board_id}/stage-create', { path, body: { title: 'More' }, throw: true }),
  (reason) => reason instanceof ApiError && reason.status === 409 && reason.code === 'board_archived',
);

const { data: list } = await client.GET('/boards/v2/projects', {
  query: { status: 'archived', search: 'Winter', per_page: 100 },
  throw: true,
});
assert.ok(list.some(({ id }) => id === board.id));

const { data: restored } = await client.PUT('/boards/v2/projects/{board_id}/restore-board', {
  path,
  throw: true,
});
assert.equal(restored.archived_at, null);
await client.DELETE('/boards/v2/projects/{board_id}', { path, throw: true });
