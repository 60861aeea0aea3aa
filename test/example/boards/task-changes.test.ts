import { beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { findFirst, memberAt, PNG, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
  const created = await call('POST', '/projects/1/tasks', {
    as: 'editor',
    body: { title: 'Count the chairs', stage_id: 2, priority: 'low' },
  });
  task = `/projects/1/tasks/${memberAt(created.body, 'id')}`;
});

async function put(body: JsonObject): Promise<Json> {
  const response = await call('PUT', task, { as: 'subscriber', body });
  expect([response.status, response.body]).toEqual([200, expect.anything()]);
  return response.body;
}

async function history(): Promise<Json[]> {
  return [(await call('GET', `${task}/activities`, { as: 'admin' })).body].flat();
}

describe('a change of a task', () => {
  test.each<[change: JsonObject, activity: string]>([
    [{ title: 'Count all chairs' }, 'updated task: renamed “Count the chairs” to “Count all chairs”'],
    [{ description: 'In the hall' }, 'updated task: rewrote the description of “Count the chairs”'],
    [{ priority: 'urgent' }, 'updated task: changed the priority of “Count the chairs” to urgent'],
    [{ status: 'closed' }, 'completed task: completed “Count the chairs”'],
    [{ assignees: [3] }, 'assigned task: gave “Count the chairs” to Sofia Rossi'],
    [{ labels: [1] }, 'added label: put the label “{label}” on “Count the chairs”'],
    [
      { due_at: '2026-03-04T18:00:00+02:00' },
      'updated date: changed the due date of “Count the chairs” to 2026-03-04T16:00:00Z',
    ],
    [{ estimated_minutes: 30 }, 'updated task: changed the estimate of “Count the chairs” to 30'],
    [{ contact_id: 2 }, 'updated task: changed the contact of “Count the chairs” to 2'],
    [{ stage_id: 3 }, 'moved task: moved “Count the chairs” from To do to In progress'],
  ])('%j can be read back and is in the history', async (change, activity) => {
    const body = await put(change);
    for (const [name, value] of Object.entries(change)) {
      const shown = memberAt(body, name);
      const numbers = Array.isArray(shown) ? shown.map((item) => memberAt(item, 'id')) : shown;
      expect(numbers).toEqual(name === 'due_at' ? '2026-03-04T16:00:00Z' : value);
    }
    const [newest] = await history();
    const label = site.state().labels.get(1)?.title ?? '';
    expect(`${memberAt(newest, 'action')} ${memberAt(newest, 'subject')}: ${memberAt(newest, 'text')}`).toBe(
      activity.replace('{label}', label),
    );
    expect(memberAt(newest, 'user', 'id')).toBe(3);
  });

  test('a change to the same value is not logged', async () => {
    await put({ title: 'Count the chairs', priority: 'low', assignees: [], due_at: null });
    expect(await history()).toHaveLength(1);
  });

  test('a request with one invalid field changes nothing', async () => {
    const refused = await call('PUT', task, { as: 'admin', body: { title: 'Other', assignees: [99] } });
    expect(memberAt(refused.body, 'data', 'params', 'assignees')).toBe(
      'User 99 is not a member of this board.',
    );
    expect(memberAt((await call('GET', task, { as: 'admin' })).body, 'title')).toBe('Count the chairs');
  });

  test.each(['2026-02-30T09:00:00Z', '2026-13-01T09:00:00Z', '2026-03-01T25:00:00Z'])(
    'to the non-existent time %s is rejected',
    async (due) => {
      const refused = await call('POST', `${task}/dates`, { as: 'admin', body: { due_at: due } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    },
  );

  test('null removes a date, an absent date stays', async () => {
    await put({ starts_at: '2026-03-03T09:00:00Z', due_at: '2026-03-05T09:00:00Z' });
    const response = await call('POST', `${task}/dates`, { as: 'admin', body: { starts_at: null } });
    expect(response.body).toMatchObject({ starts_at: null, due_at: '2026-03-05T09:00:00Z' });
  });

  test('only members who edit the board change tasks', async () => {
    const { id } = findFirst(site.state().tasks, ({ boardId }) => boardId === 2);
    const refused = await call('PUT', `/projects/2/tasks/${id}`, {
      as: 'subscriber',
      body: { title: 'Mine' },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect((await call('GET', `/projects/2/tasks/${id}`, { as: 'subscriber' })).status).toBe(200);
  });
});

describe('a copy of a task', () => {
  test('a copy comes right after the task, with its own slug and without comments', async () => {
    await put({ assignees: [3], labels: [1] });
    await call('POST', `${task}/comments`, { as: 'admin', body: { content: 'Why?' } });
    const original = (await call('GET', task, { as: 'admin' })).body;
    const { body } = await call('POST', `${task}/clone-task`, {
      as: 'admin',
      body: { with_assignees: false },
    });
    expect(body).toMatchObject({
      title: 'Count the chairs',
      slug: 'count-the-chairs-2',
      stage_id: 2,
      position: Number(memberAt(original, 'position')) + 1,
      assignees: [],
      labels: [{ id: 1 }],
      comment_count: 0,
    });
  });
});

describe('a pin', () => {
  test('a pin belongs to one user', async () => {
    await call('PUT', `${task}/pin`, { as: 'editor' });
    const pinned = async (as: 'editor' | 'admin') =>
      memberAt((await call('GET', task, { as })).body, 'is_pinned');
    expect([await pinned('editor'), await pinned('admin')]).toEqual([true, false]);
    await call('PUT', `${task}/pin`, { as: 'editor', body: { pinned: false } });
    expect(await pinned('editor')).toBe(false);
  });
});

describe('a picture', () => {
  const file = { name: 'White board.png', type: 'image/png', bytes: PNG };

  test('an image becomes a task named after the file', async () => {
    const { body } = await call('POST', '/projects/1/tasks/create-task-from-image', { as: 'editor', file });
    expect(memberAt(body, 'title')).toBe('White board');
    const served = await site.request(String(memberAt(body, 'cover', 'image_url')));
    expect(served.headers.get('Content-Type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
  });

  test('an image is the cover of a task until it is removed', async () => {
    const { body } = await call('POST', `${task}/comment-image-upload`, { as: 'editor', file });
    const number = task.split('/').at(-1);
    const covered = await call('POST', `/projects/1/tasks/update-cover-photo/${number}`, {
      as: 'editor',
      body: { image_id: Number(memberAt(body, 'id')) },
    });
    expect(memberAt(covered.body, 'cover')).toEqual({ color: null, image_url: memberAt(body, 'url') });
    const bare = await call('POST', `${task}/remove-task-cover`, { as: 'editor' });
    expect(memberAt(bare.body, 'cover')).toBeNull();
  });

  test('an image of another board cannot become a cover', async () => {
    const other = findFirst(site.state().tasks, ({ boardId }) => boardId === 6);
    const { body } = await call('POST', `/projects/6/tasks/${other.id}/comment-image-upload`, {
      as: 'admin',
      file,
    });
    const refused = await call('POST', `/projects/1/tasks/update-cover-photo/${task.split('/').at(-1)}`, {
      as: 'admin',
      body: { image_id: Number(memberAt(body, 'id')) },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });
});

test('set-due-date needs a date; null removes it', async () => {
  const change = (body: JsonObject) =>
    call('POST', '/projects/1/tasks/bulk-actions', {
      as: 'editor',
      body: { action: 'set-due-date', task_ids: [1], ...body },
    });
  const dueAt = () => site.state().tasks.get(1)?.dueAt;
  await change({ due_at: '2030-01-01T00:00:00Z' });
  expect(await change({})).toMatchObject({
    status: 400,
    body: { data: { params: { due_at: expect.stringContaining('needs') } } },
  });
  expect(dueAt()).toBe('2030-01-01T00:00:00Z');
  expect((await change({ due_at: null })).status).toBe(200);
  expect(dueAt()).toBeNull();
});

describe('the assistant', () => {
  test.each(['improve', 'estimate', 'plan'])(
    'returns suggestions for %s that can be applied unchanged',
    async (action) => {
      const { body } = await call('POST', `${task}/ai-assist`, { as: 'editor', body: { action } });
      const suggestions = [memberAt(body, 'suggestions') ?? []].flat();
      expect(suggestions.length).toBeGreaterThan(0);
      const applied = await call('POST', `${task}/ai-apply-suggestions`, {
        as: 'editor',
        body: { suggestions },
      });
      for (const suggestion of suggestions)
        expect(String(memberAt(applied.body, String(memberAt(suggestion, 'field'))))).toBe(
          String(memberAt(suggestion, 'value')),
        );
    },
  );

  test('the estimate says that no other task has time on it', async () => {
    site.state().timeTracks.clear();
    const { body } = await call('POST', `${task}/ai-assist`, { as: 'editor', body: { action: 'estimate' } });
    expect(body).toMatchObject({
      text: expect.stringContaining('nothing to estimate from'),
      suggestions: [],
    });
  });

  test('the estimate is the median of other tasks', async () => {
    const advice = async () =>
      Number(
        memberAt(
          (await call('POST', `${task}/ai-assist`, { as: 'editor', body: { action: 'estimate' } })).body,
          'suggestions',
          0,
          'value',
        ),
      );
    const before = await advice();
    for (const track of site.state().timeTracks.values()) if (track.boardId === 1) track.minutes *= 10;
    expect(await advice()).toBeGreaterThan(before);
  });
});
