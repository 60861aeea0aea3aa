import { beforeEach, describe, expect, test } from 'vitest';
import { boardDefinition } from '../../../src/example/boards/index.ts';
import { at, startBoards, type Who } from './asking.ts';

const { site, ask } = startBoards();
beforeEach(() => site.reset());

const READ = ['GET', ''] as const;
const WORK = ['POST', '/labels'] as const;
const RUN = ['PUT', ''] as const;
const body = { title: 'New', background_color: '#123456' };

describe('who may do what on a board', () => {
  test.each([
    // Board 1 is private: the editor is its manager, the subscriber a member.
    [null, 1, [401, 401, 401]],
    ['subscriber', 1, [200, 201, 403]],
    ['editor', 1, [200, 201, 200]],
    // On board 2 the subscriber looks on.
    ['subscriber', 2, [200, 403, 403]],
    // Board 4 is public, and neither is on it.
    [null, 4, [200, 401, 401]],
    ['editor', 4, [200, 403, 403]],
    // Board 5 is for others.
    ['editor', 5, [403, 403, 403]],
    ['admin', 5, [200, 201, 200]],
    // There is no board 99, which strangers are not told.
    [null, 99, [401, 401, 401]],
    ['subscriber', 99, [404, 404, 404]],
  ] as const)('%s on board %i', async (as: Who, board, wanted) => {
    const found: number[] = [];
    for (const [method, path] of [READ, WORK, RUN]) {
      const asked = method === 'GET' ? { as } : { as, body };
      found.push((await ask(method, `/projects/${board}${path}`, asked)).status);
    }
    expect(found).toEqual(wanted);
  });

  test('an archived board is not public', async () => {
    await ask('PUT', '/projects/4/archive-board', { as: 'admin' });
    expect((await ask('GET', '/projects/4')).status).toBe(401);
  });

  test('public access opens a board without its people, and closes it again', async () => {
    await ask('PUT', '/projects/1/toggle-public-access', { as: 'editor', body: { enabled: true } });
    expect((await ask('GET', '/projects/1')).body).toMatchObject({ members: [], created_by: null });
    await ask('PUT', '/projects/1/toggle-public-access', { as: 'editor', body: {} });
    expect((await ask('GET', '/projects/1')).status).toBe(401);
  });

  test('what strangers see changes without opening or closing the board', async () => {
    const { body: settings } = await ask('PUT', '/projects/1/toggle-public-access', {
      as: 'editor',
      body: { show_assignees: true },
    });
    expect(settings).toMatchObject({ enabled: false, show_assignees: true });
  });

  test('nobody without an account does more than read', () => {
    const open = boardDefinition.declarations[0]?.routes.flatMap(({ route, endpoints }) =>
      endpoints
        .filter(({ permission, methods }) => permission === undefined && !methods.includes('GET'))
        .map(() => route),
    );
    expect(open).toEqual([]);
  });

  test('a wrong value is named before a missing right is', async () => {
    const { status, body: answer } = await ask('PUT', '/projects/5', {
      as: 'editor',
      body: { currency: 'XXX' },
    });
    expect([status, at(answer, 'code')]).toEqual([400, 'rest_invalid_param']);
  });
});

describe('members', () => {
  test('who leave give back their tasks', async () => {
    expect((await ask('POST', '/projects/1/user/3/remove', { as: 'subscriber' })).status).toBe(200);
    const theirs = [...site.state().tasks.values()].filter(
      (task) => task.boardId === 1 && task.assignees.includes(3),
    );
    expect(theirs).toEqual([]);
    expect((await ask('GET', '/projects/1', { as: 'subscriber' })).status).toBe(403);
  });

  test('always have a manager among them', async () => {
    await ask('POST', '/projects/1/user/1/remove', { as: 'editor' });
    for (const [path, asked] of [
      ['user/2/remove', {}],
      ['add-members', { user_ids: [2], role: 'viewer' }],
    ] as const) {
      const { status, body: answer } = await ask('POST', `/projects/1/${path}`, {
        as: 'editor',
        body: asked,
      });
      expect([status, at(answer, 'code')]).toEqual([409, 'last_manager']);
    }
  });

  test('take another role by being added again', async () => {
    await ask('POST', '/projects/1/add-members', {
      as: 'editor',
      body: { user_ids: [3, 11], role: 'viewer' },
    });
    expect((await ask('POST', '/projects/1/labels', { as: 'subscriber', body })).status).toBe(403);
    expect(site.state().boards.get(1)?.members).toHaveLength(8);
  });
});
