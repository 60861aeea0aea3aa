import { describe, expect, test } from 'vitest';
import type { Task } from '../../../src/example/boards/state.ts';
import { startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
site.clock.set(new Date('2026-03-02T09:00:00Z'));
const state = site.state();
const shown = [...state.tasks.values()].filter(
  ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null,
);

async function ids(path: string, query: Record<string, string | number> = {}): Promise<number[]> {
  const { body } = await call(
    'admin',
    `GET /projects/1/tasks${path}?${toQuery({ per_page: 100, ...query })}`,
  );
  return [body].flat().map((task) => task.id);
}

const numbers = (tasks: readonly Task[]): number[] =>
  tasks.map(({ id }) => id).sort((one, other) => one - other);

describe('the tasks of a board', () => {
  test('the pages contain all tasks and the total', async () => {
    const first = await call('admin', 'GET /projects/1/tasks?per_page=7');
    const pages = Number(first.headers.get('X-WP-TotalPages'));
    expect(Number(first.headers.get('X-WP-Total'))).toBe(shown.length);
    const all = [];
    for (let page = 1; page <= pages; page++) all.push(...(await ids('', { per_page: 7, page })));
    expect(all.toSorted((one, other) => one - other)).toEqual(numbers(shown));
    expect(all).toEqual(await ids(''));
  });

  test('pinned tasks come first in the order of the board, and not in other orders', async () => {
    const [before, byTitle] = [await ids(''), await ids('/filtered', { orderby: 'title' })];
    const last = before.at(-1) ?? 0;
    const pin = (pinned: boolean) => call('admin', `PUT /projects/1/tasks/${last}/pin`, { pinned });
    await pin(true);
    expect(await ids('')).toEqual([last, ...before.slice(0, -1)]);
    expect((await ids('/filtered'))[0]).toBe(last);
    expect((await ids('/table'))[0]).toBe(last);
    expect(await ids('/filtered', { orderby: 'title' })).toEqual(byTitle);
    const stageId = state.tasks.get(last)?.stageId ?? 0;
    expect((await ids('/stage-page', { stage_id: stageId }))[0]).toBe(last);
    await pin(false);
    expect(await ids('')).toEqual(before);
  });

  const word = shown[0]?.title.split(' ').at(-1)?.toLowerCase() ?? '';
  const label = shown.flatMap(({ labels }) => labels)[0] ?? 0;
  const filters: [string, Record<string, string | number>, (task: Task) => boolean][] = [
    [
      'search',
      { search: word },
      ({ title, description }) => `${title} ${description}`.toLowerCase().includes(word),
    ],
    ['stages', { 'stage_ids[0]': 1, 'stage_ids[1]': 2 }, ({ stageId }) => stageId < 3],
    ['assignees', { assignees: '2,3' }, ({ assignees }) => assignees.includes(2) || assignees.includes(3)],
    ['labels', { labels: label }, ({ labels }) => labels.includes(label)],
    [
      'priorities',
      { priorities: 'high,urgent' },
      ({ priority }) => priority === 'high' || priority === 'urgent',
    ],
    ['status', { status: 'closed' }, ({ status }) => status === 'closed'],
    ['missing due date', { due: 'none' }, ({ dueAt }) => dueAt === null],
    [
      'past due date',
      { due: 'overdue' },
      ({ dueAt, status }) => status === 'open' && dueAt !== null && dueAt < '2026-03-02T09:00:00Z',
    ],
    [
      'two conditions',
      { status: 'open', priorities: 'low' },
      ({ status, priority }) => status === 'open' && priority === 'low',
    ],
  ];
  test.each(filters)('tasks are filtered by %s', async (_, query, matches) => {
    const expected = numbers(shown.filter(matches));
    expect(expected.length).toBeGreaterThan(0);
    expect((await ids('/filtered', query)).sort((one, other) => one - other)).toEqual(expected);
    expect((await ids('/table', query)).sort((one, other) => one - other)).toEqual(expected);
  });

  test('sorting by date puts tasks without one last in both directions', async () => {
    for (const order of ['asc', 'desc']) {
      const due = (await ids('/filtered', { orderby: 'due', order })).map((id) => state.tasks.get(id)?.dueAt);
      const dated = due.filter((each) => typeof each === 'string');
      expect(due.slice(dated.length).every((each) => each === null)).toBe(true);
      const sorted = dated.toSorted();
      expect(dated).toEqual(order === 'asc' ? sorted : sorted.reverse());
    }
  });

  test('tasks are grouped by stage', async () => {
    const { body } = await call('admin', 'GET /projects/1/tasks/by-stage?per_stage=2');
    expect(body.total).toBe(shown.length);
    for (const stage of [body.stages].flat()) {
      const page = await ids('/stage-page', { stage_id: stage.stage_id });
      expect(page).toHaveLength(stage.total);
      const first = [stage.tasks].flat().map((task) => task.id);
      expect(page.slice(0, 2)).toEqual(first);
    }
  });

  test('members list archived tasks, most recently archived first', async () => {
    const archived = await ids('/archived');
    const times = archived.map((id) => state.tasks.get(id)?.archivedAt ?? '');
    expect(times.length).toBeGreaterThan(0);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await ids('/filtered', { include_archived: 'true' })).toEqual(expect.arrayContaining(archived));
  });

  test('tasks do not show people when the board hides them', async () => {
    const { body } = await call(null, 'GET /projects/4/tasks?per_page=100');
    for (const task of [body].flat())
      expect(task).toMatchObject({ assignees: [], created_by: null, contact_id: null });
    const filtered = await call(null, 'GET /projects/4/tasks/filtered?assignees=1,4,5,11');
    expect(filtered.body).toEqual([]);
  });
});
