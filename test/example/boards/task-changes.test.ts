import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { type Body, findFirst, PNG, startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
  const created = await call('editor', 'POST /projects/1/tasks', {
    title: 'Count the chairs',
    stage_id: 2,
    priority: 'low',
  });
  task = `/projects/1/tasks/${created.body.id}`;
});

async function put(body: JsonObject): Promise<Body> {
  const response = await call('subscriber', `PUT ${task}`, body);
  expect([response.status, response.body]).toEqual([200, expect.anything()]);
  return response.body;
}

async function history(): Promise<Body[]> {
  return [(await call('admin', `GET ${task}/activities`)).body].flat();
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
      const shown = body[name];
      const numbers = Array.isArray(shown) ? shown.map((item) => item.id) : shown;
      expect(numbers).toEqual(name === 'due_at' ? '2026-03-04T16:00:00Z' : value);
    }
    const [newest] = await history();
    const label = site.state().labels.get(1)?.title ?? '';
    expect(`${newest.action} ${newest.subject}: ${newest.text}`).toBe(activity.replace('{label}', label));
    expect(newest.user.id).toBe(3);
  });

  test('a change to the same value is not logged', async () => {
    await put({ title: 'Count the chairs', priority: 'low', assignees: [], due_at: null });
    expect(await history()).toHaveLength(1);
  });

  test('a request with one invalid field changes nothing', async () => {
    const refused = await call('admin', `PUT ${task}`, { title: 'Other', assignees: [99] });
    expect(refused.body.data.params.assignees).toBe('User 99 is not a member of this board.');
    expect((await call('admin', `GET ${task}`)).body.title).toBe('Count the chairs');
  });

  test.each(['2026-02-30T09:00:00Z', '2026-13-01T09:00:00Z', '2026-03-01T25:00:00Z'])(
    'to the non-existent time %s is rejected',
    async (due) => {
      const refused = await call('admin', `POST ${task}/dates`, { due_at: due });
      expect(refused.outcome).toBe('400 rest_invalid_param');
    },
  );

  test('null removes a date, an absent date stays', async () => {
    await put({ starts_at: '2026-03-03T09:00:00Z', due_at: '2026-03-05T09:00:00Z' });
    const response = await call('admin', `POST ${task}/dates`, { starts_at: null });
    expect(response.body).toMatchObject({ starts_at: null, due_at: '2026-03-05T09:00:00Z' });
  });

  test('only members who edit the board change tasks', async () => {
    const { id } = findFirst(site.state().tasks, ({ boardId }) => boardId === 2);
    const refused = await call('subscriber', `PUT /projects/2/tasks/${id}`, { title: 'Mine' });
    expect(refused.outcome).toBe('403 rest_forbidden');
    expect((await call('subscriber', `GET /projects/2/tasks/${id}`)).status).toBe(200);
  });
});

describe('a copy of a task', () => {
  test('a copy comes right after the task, with its own slug and without comments', async () => {
    await put({ assignees: [3], labels: [1] });
    await call('admin', `POST ${task}/comments`, { content: 'Why?' });
    const original = (await call('admin', `GET ${task}`)).body;
    const { body } = await call('admin', `POST ${task}/clone-task`, { with_assignees: false });
    expect(body).toMatchObject({
      title: 'Count the chairs',
      slug: 'count-the-chairs-2',
      stage_id: 2,
      position: original.position + 1,
      assignees: [],
      labels: [{ id: 1 }],
      comment_count: 0,
    });
  });
});

describe('a pin', () => {
  test('a pin belongs to one user', async () => {
    await call('editor', `PUT ${task}/pin`);
    const pinned = async (as: 'editor' | 'admin') => (await call(as, `GET ${task}`)).body.is_pinned;
    expect([await pinned('editor'), await pinned('admin')]).toEqual([true, false]);
    await call('editor', `PUT ${task}/pin`, { pinned: false });
    expect(await pinned('editor')).toBe(false);
  });
});

describe('a picture', () => {
  const file = new File([PNG], 'White board.png', { type: 'image/png' });

  test('an image becomes a task named after the file', async () => {
    const { body } = await call('editor', 'POST /projects/1/tasks/create-task-from-image', file);
    expect(body.title).toBe('White board');
    const served = await site.request(body.cover.image_url);
    expect(served.headers.get('Content-Type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
  });

  test('an image is the cover of a task until it is removed', async () => {
    const { body } = await call('editor', `POST ${task}/comment-image-upload`, file);
    const number = task.split('/').at(-1);
    const covered = await call('editor', `POST /projects/1/tasks/update-cover-photo/${number}`, {
      image_id: body.id,
    });
    expect(covered.body.cover).toEqual({ color: null, image_url: body.url });
    const bare = await call('editor', `POST ${task}/remove-task-cover`);
    expect(bare.body.cover).toBeNull();
  });

  test('an image of another board cannot become a cover', async () => {
    const other = findFirst(site.state().tasks, ({ boardId }) => boardId === 6);
    const { body } = await call('admin', `POST /projects/6/tasks/${other.id}/comment-image-upload`, file);
    const refused = await call(
      'admin',
      `POST /projects/1/tasks/update-cover-photo/${task.split('/').at(-1)}`,
      { image_id: body.id },
    );
    expect(refused.outcome).toBe('400 rest_invalid_param');
  });
});

test('set-due-date needs a date; null removes it', async () => {
  const change = (body: JsonObject) =>
    call('editor', 'POST /projects/1/tasks/bulk-actions', { action: 'set-due-date', task_ids: [1], ...body });
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
      const { body } = await call('editor', `POST ${task}/ai-assist`, { action });
      const suggestions = [body.suggestions ?? []].flat();
      expect(suggestions.length).toBeGreaterThan(0);
      const applied = await call('editor', `POST ${task}/ai-apply-suggestions`, { suggestions });
      for (const { field, value } of suggestions) expect(String(applied.body[field])).toBe(value);
    },
  );

  test('the estimate says that no other task has time on it', async () => {
    site.state().timeTracks.clear();
    const { body } = await call('editor', `POST ${task}/ai-assist`, { action: 'estimate' });
    expect(body).toMatchObject({
      text: expect.stringContaining('nothing to estimate from'),
      suggestions: [],
    });
  });

  test('the estimate is the median of other tasks', async () => {
    const advice = async () => {
      const { body } = await call('editor', `POST ${task}/ai-assist`, { action: 'estimate' });
      return Number(body.suggestions[0].value);
    };
    const before = await advice();
    for (const track of site.state().timeTracks.values()) if (track.boardId === 1) track.minutes *= 10;
    expect(await advice()).toBeGreaterThan(before);
  });
});
