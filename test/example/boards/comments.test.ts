import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { at, startBoards } from './asking.ts';
import { first } from './table.ts';

const { site, ask } = startBoards();
beforeEach(() => site.reset());

/** Board 4 is public and shows its comments; the administrator is its member, the editor is not. */
function publicTask(): string {
  const { id } = first(site.state().tasks, ({ boardId, archivedAt }) => boardId === 4 && archivedAt === null);
  return `/projects/4/tasks/${id}`;
}

async function say(task: string, body: JsonObject): Promise<number> {
  const made = await ask('POST', `${task}/comments`, { as: 'admin', body });
  expect(made.status).toBe(201);
  return Number(at(made.body, 'id'));
}

async function read(task: string, as: 'admin' | 'editor' | null): Promise<unknown[]> {
  return [(await ask('GET', `${task}/comments`, { as, query: { per_page: 100 } })).body].flat();
}

describe('a comment', () => {
  test('is read back with its replies, the newest comment first', async () => {
    const task = publicTask();
    await say(task, { content: 'First' });
    const id = await say(task, { content: 'Second' });
    const same = await say(task, { content: 'A reply', reply_to: id });
    expect(same).toBe(id);
    expect((await read(task, 'admin'))[0]).toMatchObject({
      id,
      content: 'Second',
      author: { name: 'Ada Lindqvist' },
      replies: [{ content: 'A reply', comment_id: id }],
    });
  });

  test('that is private is read by members alone, and so are its replies and their number', async () => {
    const task = publicTask();
    const [members, strangers] = [await read(task, 'admin'), await read(task, null)].map((all) => all.length);
    await say(task, { content: 'Open' });
    const id = await say(task, { content: 'Among us', privacy: 'private' });
    expect(await read(task, 'admin')).toHaveLength((members ?? 0) + 2);
    expect(await read(task, null)).toHaveLength((strangers ?? 0) + 1);
    expect(await read(task, 'editor')).toHaveLength((strangers ?? 0) + 1);
    expect(at((await ask('GET', task)).body, 'comment_count')).toBe((strangers ?? 0) + 1);

    await ask('PUT', `/projects/4/tasks/comments/${id}/privacy`, {
      as: 'admin',
      body: { privacy: 'public' },
    });
    expect(await read(task, null)).toHaveLength((strangers ?? 0) + 2);
  });

  test('is shown to no stranger where the board does not show comments', async () => {
    const task = publicTask();
    await say(task, { content: 'Open' });
    const board = site.state().boards.get(4);
    if (board !== undefined) board.publicAccess.showComments = false;
    expect(await read(task, null)).toEqual([]);
  });

  test('leaves a history that does not tell what was in it', async () => {
    const task = publicTask();
    const id = await say(task, { content: 'Tulip', privacy: 'private' });
    await ask('PUT', `/projects/4/tasks/comments/${id}`, { as: 'admin', body: { content: 'Tulips' } });
    await ask('DELETE', `/projects/4/tasks/comments/${id}`, { as: 'admin' });
    const { body } = await ask('GET', `${task}/activities`, { as: 'admin' });
    const actions = [body].flat().map((activity) => `${at(activity, 'action')} ${at(activity, 'subject')}`);
    expect(actions.slice(0, 3)).toEqual(['deleted comment', 'updated comment', 'commented comment']);
    expect(JSON.stringify(body)).not.toContain('Tulip');
  });

  test('is changed by who wrote it, and by managers of the board alone', async () => {
    const task = first(site.state().tasks, ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null);
    const made = await ask('POST', `/projects/1/tasks/${task.id}/comments`, {
      as: 'subscriber',
      body: { content: 'Mine' },
    });
    const path = `/projects/1/tasks/comments/${at(made.body, 'id')}`;
    for (const as of ['subscriber', 'editor'] as const)
      expect((await ask('PUT', path, { as, body: { content: `By ${as}` } })).status).toBe(200);
    const own = await say(`/projects/1/tasks/${task.id}`, { content: 'Not yours' });
    const refused = await ask('DELETE', `/projects/1/tasks/comments/${own}`, { as: 'subscriber' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });

  test('stands in one line of time with what was done to the task', async () => {
    const task = publicTask();
    await ask('POST', `${task}/assign-yourself`, { as: 'admin' });
    await ask('POST', `${task}/detach-yourself`, { as: 'admin' });
    await say(task, { content: 'Somebody else should' });
    const { body } = await ask('GET', `${task}/comments-and-activities`, { as: 'admin' });
    const kinds = [body]
      .flat()
      .map((entry) => at(entry, 'activity', 'action') ?? at(entry, 'comment', 'content'));
    expect(new Set(kinds.slice(0, 4))).toEqual(
      new Set(['Somebody else should', 'commented', 'unassigned', 'assigned']),
    );
  });
});
