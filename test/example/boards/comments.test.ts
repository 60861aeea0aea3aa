import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { findFirst, startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

/** Board 4 is public and shows its comments; the administrator is its member, the editor is not. */
function publicTask(): string {
  const { id } = findFirst(
    site.state().tasks,
    ({ boardId, archivedAt }) => boardId === 4 && archivedAt === null,
  );
  return `/projects/4/tasks/${id}`;
}

async function say(task: string, body: JsonObject): Promise<number> {
  const created = await call('admin', `POST ${task}/comments`, body);
  expect(created.status).toBe(201);
  return created.body.id;
}

async function read(task: string, as: 'admin' | 'editor' | null): Promise<unknown[]> {
  return [(await call(as, `GET ${task}/comments?per_page=100`)).body].flat();
}

describe('a comment', () => {
  test('comments are listed with their replies, newest first', async () => {
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

  test('only members see private comments, their replies and their count', async () => {
    const task = publicTask();
    const [members, strangers] = [await read(task, 'admin'), await read(task, null)].map((all) => all.length);
    await say(task, { content: 'Open' });
    const id = await say(task, { content: 'Among us', privacy: 'private' });
    expect(await read(task, 'admin')).toHaveLength((members ?? 0) + 2);
    expect(await read(task, null)).toHaveLength((strangers ?? 0) + 1);
    expect(await read(task, 'editor')).toHaveLength((strangers ?? 0) + 1);
    expect((await call(null, `GET ${task}`)).body.comment_count).toBe((strangers ?? 0) + 1);

    await call('admin', `PUT /projects/4/tasks/comments/${id}/privacy`, { privacy: 'public' });
    expect(await read(task, null)).toHaveLength((strangers ?? 0) + 2);
  });

  test('clients without an account see no comment when the board hides comments', async () => {
    const task = publicTask();
    await say(task, { content: 'Open' });
    const board = site.state().boards.get(4);
    if (board !== undefined) board.publicAccess.showComments = false;
    expect(await read(task, null)).toEqual([]);
  });

  test('the history does not contain the text of a comment', async () => {
    const task = publicTask();
    const id = await say(task, { content: 'Tulip', privacy: 'private' });
    await call('admin', `PUT /projects/4/tasks/comments/${id}`, { content: 'Tulips' });
    await call('admin', `DELETE /projects/4/tasks/comments/${id}`);
    const { body } = await call('admin', `GET ${task}/activities`);
    const actions = [body].flat().map((activity) => `${activity.action} ${activity.subject}`);
    expect(actions.slice(0, 3)).toEqual(['deleted comment', 'updated comment', 'commented comment']);
    expect(JSON.stringify(body)).not.toContain('Tulip');
  });

  test('only its author and managers of the board change a comment', async () => {
    const task = findFirst(
      site.state().tasks,
      ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null,
    );
    const created = await call('subscriber', `POST /projects/1/tasks/${task.id}/comments`, {
      content: 'Mine',
    });
    const path = `/projects/1/tasks/comments/${created.body.id}`;
    for (const as of ['subscriber', 'editor'] as const)
      expect((await call(as, `PUT ${path}`, { content: `By ${as}` })).status).toBe(200);
    const own = await say(`/projects/1/tasks/${task.id}`, { content: 'Not yours' });
    const refused = await call('subscriber', `DELETE /projects/1/tasks/comments/${own}`);
    expect(refused.outcome).toBe('403 rest_forbidden');
  });

  test('the timeline of a task contains comments and activities', async () => {
    const task = publicTask();
    await call('admin', `POST ${task}/assign-yourself`);
    await call('admin', `POST ${task}/detach-yourself`);
    await say(task, { content: 'Somebody else should' });
    const { body } = await call('admin', `GET ${task}/comments-and-activities`);
    const kinds = [body].flat().map((entry) => entry.activity?.action ?? entry.comment.content);
    expect(new Set(kinds.slice(0, 4))).toEqual(
      new Set(['Somebody else should', 'commented', 'unassigned', 'assigned']),
    );
  });
});
