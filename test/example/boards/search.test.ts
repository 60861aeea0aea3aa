import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { type Body, findFirst, type Login, startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

async function find(as: Login, search: string, query: Record<string, string | number> = {}): Promise<Body[]> {
  const { body } = await call(as, `GET /global-search?${toQuery({ search, per_page: 100, ...query })}`);
  return [body].flat();
}

function taskOn(boardId: number): string {
  const { id } = findFirst(
    site.state().tasks,
    (task) => task.boardId === boardId && task.archivedAt === null,
  );
  return `/projects/${boardId}/tasks/${id}`;
}

async function write(path: string, body: JsonObject): Promise<number> {
  return (await call('admin', `POST ${path}`, body)).body.id;
}

describe('the search', () => {
  test('the search finds boards, tasks, ideas and comments, titles before texts', async () => {
    const task = await write('/projects/1/tasks', { title: 'Zanzibar trip' });
    const comment = await write(`${taskOn(1)}/comments`, { content: 'As we did in Zanzibar.' });
    const described = await write('/projects/1/tasks', { title: 'Pack', description: 'For ZANZIBAR' });
    const board = await write('/projects', { title: 'The Zanzibar office' });
    const found = await find('admin', 'zanzibar');
    expect(found.slice(0, 2).map((each) => each.id)).toEqual([task, board]);
    expect(new Set(found.map((each) => `${each.kind} ${each.id}`))).toEqual(
      new Set([`task ${task}`, `comment ${comment}`, `task ${described}`, `board ${board}`]),
    );
    expect(await find('admin', 'zanzibar', { kinds: 'board' })).toHaveLength(1);
    expect(await find('admin', 'zanzibar', { board_id: board })).toHaveLength(1);
    expect(await find('admin', 'trip zanzibar')).toHaveLength(1);
    expect((await find('admin', 'zanzibar', { kinds: 'comment' }))[0].excerpt).toBe('As we did in Zanzibar.');
  });

  test('the search finds nothing on boards that the client may not read', async () => {
    await write('/projects/5/tasks', { title: 'Zanzibar trip' });
    await write(`${taskOn(5)}/comments`, { content: 'Zanzibar' });
    expect(await find('admin', 'zanzibar')).toHaveLength(2);
    expect(await find('subscriber', 'zanzibar')).toEqual([]);
    expect(await find('admin', 'hiring', { kinds: 'board' })).toHaveLength(1);
    expect(await find('subscriber', 'hiring', { kinds: 'board' })).toEqual([]);
  });

  test('the search finds only public content on a public board', async () => {
    await write(`${taskOn(4)}/comments`, { content: 'Zanzibar, openly' });
    await write(`${taskOn(4)}/comments`, { content: 'Zanzibar, among us', privacy: 'private' });
    const task = await write('/projects/4/tasks', { title: 'Zanzibar trip' });
    await call('admin', 'POST /projects/4/tasks/bulk-actions', { action: 'archive', task_ids: [task] });
    expect(await find('admin', 'zanzibar')).toHaveLength(3);
    expect((await find('editor', 'zanzibar')).map((each) => each.excerpt)).toEqual(['Zanzibar, openly']);
  });
});

test('contacts are offered to the members of their boards', async () => {
  const offered = async (as: Login) => {
    const query = { option_key: 'contacts', limit: 100 };
    const { body } = await call(as, `GET /ajax-options?${toQuery(query)}`);
    return [body].flat().map((each) => each.id);
  };
  const { boards, contacts } = site.state();
  const own = boards.where(({ members }) => members.some(({ userId }) => userId === 3));
  expect(await offered('admin')).toHaveLength(contacts.size);
  expect((await offered('subscriber')).toSorted()).toEqual(
    [...new Set(own.flatMap(({ contactIds }) => contactIds))].sort(),
  );
  expect((await offered('subscriber')).length).toBeLessThan(contacts.size);
});

describe('tasks of several boards', () => {
  test('tasks of a contact are listed only from boards of the client', async () => {
    const listed = async (as: Login) =>
      [(await call(as, 'GET /tasks/crm-associated-tasks/1?per_page=100')).body].flat();
    const expected = [...site.state().tasks.values()].filter(
      ({ contactId, archivedAt }) => contactId === 1 && archivedAt === null,
    );
    expect(await listed('admin')).toHaveLength(expected.length);
    for (const task of await listed('subscriber')) expect([1, 2, 3, 6, 7]).toContain(task.board_id);
  });

  test('the most urgent tasks of each board are listed first', async () => {
    const { body } = await call('editor', 'GET /tasks/top-in-boards?per_board=4');
    const boards = [body].flat();
    expect(boards.map((board) => board.board_id)).toEqual([1, 2, 3, 6]);
    const ranks = ['urgent', 'high', 'medium', 'low'];
    for (const board of boards) {
      const found = [board.tasks].flat().map((task) => ranks.indexOf(task.priority));
      expect(found).toEqual(found.toSorted((one, other) => one - other));
      expect(found.length).toBeLessThanOrEqual(4);
    }
  });

  test('the stage of a task and the other stages of its board are shown', async () => {
    const { body } = await call(null, `GET /tasks/stage/${taskOn(4).split('/').at(-1)}`);
    expect(body).toMatchObject({ board_id: 4, stage: { title: expect.any(String) } });
    expect([body.stages].flat()).toHaveLength(5);
    expect((await call(null, `GET /tasks/stage/${taskOn(5).split('/').at(-1)}`)).status).toBe(404);
    expect((await call('admin', 'GET /tasks/stage/__proto__')).status).toBe(404);
  });

  test('boards are listed by kind with their stages', async () => {
    const { body } = await call('editor', 'GET /tasks/boards-by-type/roadmap');
    expect([body].flat().map((board) => board.title)).toEqual(['Product roadmap']);
  });
});
