import { beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { at, PNG, startBoards } from './asking.ts';
import { first } from './table.ts';

const { site, ask } = startBoards();

let task = '';
beforeEach(async () => {
  site.reset();
  site.clock.set(new Date('2026-03-03T09:00:00Z'));
  const made = await ask('POST', '/projects/1/tasks', {
    as: 'editor',
    body: { title: 'Count the chairs', stage_id: 2, priority: 'low' },
  });
  task = `/projects/1/tasks/${at(made.body, 'id')}`;
});

async function put(body: JsonObject): Promise<Json> {
  const answer = await ask('PUT', task, { as: 'subscriber', body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
}

async function history(): Promise<Json[]> {
  return [(await ask('GET', `${task}/activities`, { as: 'admin' })).body].flat();
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
  ])('%j is read back, and stands in its history', async (change, activity) => {
    const body = await put(change);
    for (const [name, value] of Object.entries(change)) {
      const shown = at(body, name);
      const numbers = Array.isArray(shown) ? shown.map((item) => at(item, 'id')) : shown;
      expect(numbers).toEqual(name === 'due_at' ? '2026-03-04T16:00:00Z' : value);
    }
    const [newest] = await history();
    const label = site.state().labels.get(1)?.title ?? '';
    expect(`${at(newest, 'action')} ${at(newest, 'subject')}: ${at(newest, 'text')}`).toBe(
      activity.replace('{label}', label),
    );
    expect(at(newest, 'user', 'id')).toBe(3);
  });

  test('that changes nothing leaves no trace', async () => {
    await put({ title: 'Count the chairs', priority: 'low', assignees: [], due_at: null });
    expect(await history()).toHaveLength(1);
  });

  test('that is refused in one part is refused as a whole', async () => {
    const refused = await ask('PUT', task, { as: 'admin', body: { title: 'Other', assignees: [99] } });
    expect(at(refused.body, 'data', 'params', 'assignees')).toBe('User 99 is not a member of this board.');
    expect(at((await ask('GET', task, { as: 'admin' })).body, 'title')).toBe('Count the chairs');
  });

  test.each(['2026-02-30T09:00:00Z', '2026-13-01T09:00:00Z', '2026-03-01T25:00:00Z'])(
    'to the moment %s is refused: there is none',
    async (due) => {
      const refused = await ask('POST', `${task}/dates`, { as: 'admin', body: { due_at: due } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    },
  );

  test('takes dates away by null, and leaves those that are not named', async () => {
    await put({ starts_at: '2026-03-03T09:00:00Z', due_at: '2026-03-05T09:00:00Z' });
    const answer = await ask('POST', `${task}/dates`, { as: 'admin', body: { starts_at: null } });
    expect(answer.body).toMatchObject({ starts_at: null, due_at: '2026-03-05T09:00:00Z' });
  });

  test('is for members who work on the board', async () => {
    const { id } = first(site.state().tasks, ({ boardId }) => boardId === 2);
    const refused = await ask('PUT', `/projects/2/tasks/${id}`, {
      as: 'subscriber',
      body: { title: 'Mine' },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect((await ask('GET', `/projects/2/tasks/${id}`, { as: 'subscriber' })).status).toBe(200);
  });
});

describe('a copy of a task', () => {
  test('stands right after it, under a name of its own, without what was said of it', async () => {
    await put({ assignees: [3], labels: [1] });
    await ask('POST', `${task}/comments`, { as: 'admin', body: { content: 'Why?' } });
    const original = (await ask('GET', task, { as: 'admin' })).body;
    const { body } = await ask('POST', `${task}/clone-task`, {
      as: 'admin',
      body: { with_assignees: false },
    });
    expect(body).toMatchObject({
      title: 'Count the chairs',
      slug: 'count-the-chairs-2',
      stage_id: 2,
      position: Number(at(original, 'position')) + 1,
      assignees: [],
      labels: [{ id: 1 }],
      comment_count: 0,
    });
  });
});

describe('a pin', () => {
  test('is its user’s alone', async () => {
    await ask('PUT', `${task}/pin`, { as: 'editor' });
    const pinned = async (as: 'editor' | 'admin') => at((await ask('GET', task, { as })).body, 'is_pinned');
    expect([await pinned('editor'), await pinned('admin')]).toEqual([true, false]);
    await ask('PUT', `${task}/pin`, { as: 'editor', body: { pinned: false } });
    expect(await pinned('editor')).toBe(false);
  });
});

describe('a picture', () => {
  const file = { name: 'White board.png', type: 'image/png', bytes: PNG };

  test('becomes a task of the name of its file, and is served', async () => {
    const { body } = await ask('POST', '/projects/1/tasks/create-task-from-image', { as: 'editor', file });
    expect(at(body, 'title')).toBe('White board');
    const served = await site.request(String(at(body, 'cover', 'image_url')));
    expect(served.headers.get('Content-Type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
  });

  test('covers a task until it is taken away', async () => {
    const { body } = await ask('POST', `${task}/comment-image-upload`, { as: 'editor', file });
    const number = task.split('/').at(-1);
    const covered = await ask('POST', `/projects/1/tasks/update-cover-photo/${number}`, {
      as: 'editor',
      body: { image_id: Number(at(body, 'id')) },
    });
    expect(at(covered.body, 'cover')).toEqual({ color: null, image_url: at(body, 'url') });
    const bare = await ask('POST', `${task}/remove-task-cover`, { as: 'editor' });
    expect(at(bare.body, 'cover')).toBeNull();
  });

  test('of another board covers none of this one', async () => {
    const other = first(site.state().tasks, ({ boardId }) => boardId === 6);
    const { body } = await ask('POST', `/projects/6/tasks/${other.id}/comment-image-upload`, {
      as: 'admin',
      file,
    });
    const refused = await ask('POST', `/projects/1/tasks/update-cover-photo/${task.split('/').at(-1)}`, {
      as: 'admin',
      body: { image_id: Number(at(body, 'id')) },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });
});

describe('the assistant', () => {
  test.each(['improve', 'estimate', 'plan'])(
    'suggests by %s what can be applied as it stands',
    async (action) => {
      const { body } = await ask('POST', `${task}/ai-assist`, { as: 'editor', body: { action } });
      const suggestions = [at(body, 'suggestions') ?? []].flat();
      expect(suggestions.length).toBeGreaterThan(0);
      const applied = await ask('POST', `${task}/ai-apply-suggestions`, {
        as: 'editor',
        body: { suggestions },
      });
      for (const suggestion of suggestions)
        expect(String(at(applied.body, String(at(suggestion, 'field'))))).toBe(
          String(at(suggestion, 'value')),
        );
    },
  );

  test('estimates from the time that other tasks took', async () => {
    const advice = async () =>
      Number(
        at(
          (await ask('POST', `${task}/ai-assist`, { as: 'editor', body: { action: 'estimate' } })).body,
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
