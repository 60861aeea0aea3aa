import { beforeEach, describe, expect, test } from 'vitest';
import { type Login, startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

const READ = ['GET', ''] as const;
const WORK = ['POST', '/labels'] as const;
const RUN = ['PUT', ''] as const;
const body = { title: 'New', background_color: '#123456' };

describe('permissions on a board', () => {
  test.each([
    // Board 1 is private: the editor is its manager, the subscriber a member.
    [null, 1, [401, 401, 401]],
    ['subscriber', 1, [200, 201, 403]],
    ['editor', 1, [200, 201, 200]],
    // The subscriber is a viewer of board 2.
    ['subscriber', 2, [200, 403, 403]],
    // Board 4 is public; neither user is a member.
    [null, 4, [200, 401, 401]],
    ['editor', 4, [200, 403, 403]],
    // Board 5 is private; the editor is not a member.
    ['editor', 5, [403, 403, 403]],
    ['admin', 5, [200, 201, 200]],
    // Board 99 does not exist. Clients without an account get the same 401 as for a private board.
    [null, 99, [401, 401, 401]],
    ['subscriber', 99, [404, 404, 404]],
  ] as const)('%s on board %i', async (as: Login, board, wanted) => {
    const found: number[] = [];
    for (const [method, path] of [READ, WORK, RUN]) {
      const sent = method === 'GET' ? undefined : body;
      found.push((await call(as, `${method} /projects/${board}${path}`, sent)).status);
    }
    expect(found).toEqual(wanted);
  });

  test('an archived board is not public', async () => {
    await call('admin', 'PUT /projects/4/archive-board');
    expect((await call(null, 'GET /projects/4')).status).toBe(401);
  });

  test('toggling public access opens a board without showing its people, and closes it again', async () => {
    await call('editor', 'PUT /projects/1/toggle-public-access', { enabled: true });
    expect((await call(null, 'GET /projects/1')).body).toMatchObject({ members: [], created_by: null });
    await call('editor', 'PUT /projects/1/toggle-public-access', {});
    expect((await call(null, 'GET /projects/1')).status).toBe(401);
  });

  test('validation errors come before permission errors', async () => {
    const { status, body: response } = await call('editor', 'PUT /projects/5', { currency: 'XXX' });
    expect([status, response.code]).toEqual([400, 'rest_invalid_param']);
  });
});

describe('members', () => {
  test('a member who leaves is unassigned from all tasks', async () => {
    expect((await call('subscriber', 'POST /projects/1/user/3/remove')).status).toBe(200);
    const theirs = [...site.state().tasks.values()].filter(
      (task) => task.boardId === 1 && task.assignees.includes(3),
    );
    expect(theirs).toEqual([]);
    expect((await call('subscriber', 'GET /projects/1')).status).toBe(403);
  });

  test('the last manager cannot leave or change role', async () => {
    await call('editor', 'POST /projects/1/user/1/remove');
    for (const [path, options] of [
      ['user/2/remove', {}],
      ['add-members', { user_ids: [2], role: 'viewer' }],
    ] as const) {
      const { status, body: response } = await call('editor', `POST /projects/1/${path}`, options);
      expect([status, response.code]).toEqual([409, 'last_manager']);
    }
  });

  test('adding a member again changes the role', async () => {
    await call('editor', 'POST /projects/1/add-members', { user_ids: [3, 11], role: 'viewer' });
    expect((await call('subscriber', 'POST /projects/1/labels', body)).status).toBe(403);
    expect(site.state().boards.get(1)?.members).toHaveLength(8);
  });
});

test('any text without spaces is the name of a board that does not exist', async () => {
  for (const name of ['(1)', 'a!', 'what?', 'ü']) {
    const { body } = await startBoardClient().call(
      'admin',
      `GET /projects/${encodeURIComponent(name)}/labels`,
    );
    expect(body).toMatchObject({ code: 'board_not_found' });
  }
});
