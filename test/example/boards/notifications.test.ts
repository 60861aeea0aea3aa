import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { type Login, startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => {
  site.reset();
  site.clock.set(new Date('2026-03-02T09:00:00Z'));
});

async function sentTo(as: Login): Promise<readonly [unknown, unknown][]> {
  const { body } = await call(as, 'GET /get-global-notification-settings');
  return [body.sent ?? []].flat().map((each) => [each.event, each.text]);
}

const change = (body: JsonObject) => call('subscriber', 'POST /update-global-notification-settings', body);

async function addTask(body: JsonObject = {}): Promise<string> {
  const json = { title: 'Count the chairs', ...body };
  const created = await call('editor', 'POST /projects/1/tasks', json);
  return `/projects/1/tasks/${created.body.id}`;
}

/** A task of the subscriber, of which the editor has no notifications. */
async function addOwnTask(body: JsonObject = {}): Promise<string> {
  const task = await addTask(body);
  site.state().settingsOf({ id: 3 }).outbox.length = 0;
  return task;
}

describe('notifications', () => {
  test.each<[event: string, text: string, write: (task: string) => Promise<unknown>]>([
    [
      'task_assigned',
      'Emeka Okafor gave “Count the chairs” to Sofia Rossi',
      (task) => call('editor', `PUT ${task}`, { assignees: [3] }),
    ],
    [
      'task_moved',
      'Emeka Okafor moved “Count the chairs” from Backlog to Review',
      (task) => call('editor', `PUT ${task}/move-task`, { stage_id: 4 }),
    ],
    [
      'task_completed',
      'Emeka Okafor completed “Count the chairs”',
      (task) => call('editor', `PUT ${task}`, { status: 'closed' }),
    ],
    [
      'comment_added',
      'Emeka Okafor commented on “Count the chairs”',
      (task) => call('editor', `POST ${task}/comments`, { content: 'Twelve' }),
    ],
    [
      'mentioned',
      'Emeka Okafor named you on “Count the chairs”',
      (task) => call('editor', `POST ${task}/comments`, { content: 'Is it 12, @subscriber?' }),
    ],
    ['task_created', 'Emeka Okafor added “Count the chairs” to Backlog', () => addTask()],
  ])('%s is told to those who have switched it on, and not to its author', async (event, text, write) => {
    const task = await addOwnTask(event === 'task_assigned' ? {} : { assignees: [3] });
    await change({ [event]: false });
    await write(task);
    expect(await sentTo('subscriber')).not.toContainEqual([event, text]);
    await change({ [event]: true });
    if (event !== 'task_created') await call('editor', `DELETE ${task}`);
    await write(
      event === 'task_created' ? '' : await addOwnTask(event === 'task_assigned' ? {} : { assignees: [3] }),
    );
    expect(await sentTo('subscriber')).toContainEqual([event, text]);
    expect(await sentTo('editor')).not.toContainEqual([event, text]);
  });

  test('a board overrides the global settings', async () => {
    const task = await addOwnTask({ assignees: [3] });
    const body = { comment_added: false };
    await call('subscriber', 'PUT /projects/1/update-notification-settings', body);
    await call('editor', `POST ${task}/comments`, { content: 'Twelve' });
    expect(await sentTo('subscriber')).not.toContainEqual(['comment_added', expect.anything()]);
  });

  test('a task that is due within a day and the time of its reminder are told when they have come', async () => {
    const own = [...site.state().tasks.values()].filter(({ assignees }) => assignees.includes(3));
    for (const task of own) task.assignees.length = 0;
    await addOwnTask({ assignees: [3], due_at: '2026-03-04T09:00:00Z', remind_at: '2026-03-03T12:00:00Z' });
    expect(await sentTo('subscriber')).toEqual([]);
    site.clock.set(new Date('2026-03-03T09:00:00Z'));
    expect(await sentTo('subscriber')).toEqual([
      ['due_soon', '“Count the chairs” is due at 2026-03-04T09:00:00Z'],
    ]);
    site.clock.set(new Date('2026-03-03T12:00:00Z'));
    expect((await sentTo('subscriber'))[0]).toEqual(['reminder', 'A reminder of “Count the chairs”']);
    await change({ due_soon: false });
    expect(await sentTo('subscriber')).toHaveLength(1);
  });

  test('those of a board are gone for who has left it', async () => {
    await call('editor', `PUT ${await addTask()}`, { assignees: [3] });
    expect(await sentTo('subscriber')).not.toEqual([]);
    await call('editor', 'POST /projects/1/user/3/remove');
    expect((await sentTo('subscriber')).map(([, text]) => text)).not.toContainEqual(
      expect.stringContaining('Count the chairs'),
    );
  });
});
