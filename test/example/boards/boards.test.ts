import { beforeEach, describe, expect, test } from 'vitest';
import { createUniqueSlug, slugify } from '../../../src/example/boards/state.ts';
import type { Json } from '../../../src/json.ts';
import { memberAt, PNG, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

const as = 'admin';
const all = (body: Json, name: string): (Json | undefined)[] =>
  [body].flat().map((each) => memberAt(each, name));

describe('boards', () => {
  test('a deleted board leaves nothing behind', async () => {
    await call('DELETE', '/projects/1', { as });
    const state = site.state();
    for (const things of [state.tasks, state.stages, state.labels, state.comments, state.replies]) {
      expect([...things.values()].filter(({ boardId }) => boardId === 1)).toEqual([]);
    }
    expect(
      [...state.timeTracks.values(), ...state.activities.values()].some(({ boardId }) => boardId === 1),
    ).toBe(false);
    expect(state.folders.get(1)?.boardIds).toEqual([6]);
    expect(state.settingsOf({ id: 1 }).pinnedBoards).toEqual([3]);
    expect((await call('GET', '/projects/1', { as })).status).toBe(404);
  });

  test('a new board gets a number that was never used', async () => {
    await call('DELETE', '/projects/8', { as });
    const { body, headers } = await call('POST', '/projects', { as, body: { title: 'New' } });
    expect(memberAt(body, 'id')).toBe(9);
    expect(headers.get('location')).toContain('rest_route=/boards/v2/projects/9');
  });

  test('boards are filtered by words, type and status, and sorted', async () => {
    const list = async (query: Record<string, string>) =>
      all((await call('GET', '/projects', { as, query })).body, 'id');
    expect(await list({ search: 'app PHONES' })).toEqual([2]);
    expect(await list({ status: 'archived' })).toEqual([8]);
    expect(await list({ type: 'roadmap', orderby: 'title', order: 'asc' })).toEqual([7, 3]);
    expect(await list({ folder_id: '1', status: 'all', orderby: 'created_at', order: 'asc' })).toHaveLength(
      2,
    );
  });

  test('boards are listed in pages with totals', async () => {
    const { headers, body } = await call('GET', '/projects', { as, query: { per_page: 3, page: 2 } });
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['7', '3']);
    expect(body).toHaveLength(3);
  });

  test('recent boards are listed in the order in which a user viewed them', async () => {
    for (const id of [4, 3, 4]) await call('GET', `/projects/${id}`, { as: 'subscriber' });
    expect(all((await call('GET', '/projects/recent-boards', { as: 'subscriber' })).body, 'id')).toEqual([
      4, 3, 1,
    ]);
  });

  test('pins belong to one user', async () => {
    await call('PUT', '/projects/2/pin-board', { as: 'subscriber' });
    await call('PUT', '/projects/2/pin-board', { as: 'subscriber' });
    expect(all((await call('GET', '/projects/pinned-boards', { as: 'subscriber' })).body, 'id')).toEqual([2]);
    expect(all((await call('GET', '/projects/pinned-boards', { as })).body, 'id')).toEqual([1, 3]);
  });

  test('has-data-changed compares the time of the last change', async () => {
    site.clock.set(new Date('2026-05-04T08:00:00Z'));
    const changed = async () =>
      memberAt(
        (await call('GET', '/projects/1/has-data-changed', { as, query: { since: '2026-05-04T07:00:00Z' } }))
          .body,
        'changed',
      );
    expect(await changed()).toBe(false);
    await call('POST', '/projects/1/labels', { as, body: { background_color: '#000000' } });
    expect(await changed()).toBe(true);
  });

  test('has-data-changed sees two changes within a second', async () => {
    site.clock.set(new Date('2026-05-04T08:00:00Z'));
    const addLabel = () => call('POST', '/projects/1/labels', { as, body: { background_color: '#000000' } });
    const poll = async (since: string) =>
      (await call('GET', '/projects/1/has-data-changed', { as, query: { since } })).body;
    await addLabel();
    const first = String(memberAt(await poll('2026-05-04T07:00:00Z'), 'updated_at'));
    expect(memberAt(await poll(first), 'changed')).toBe(false);
    await addLabel();
    expect(memberAt(await poll(first), 'changed')).toBe(true);
  });

  test.each([
    ['PUT', '', { title: 'Other' }],
    ['POST', '/tasks', { title: 'New' }],
    ['POST', '/labels', { background_color: '#000000' }],
    ['PUT', '/tasks/1', { title: 'Other' }],
    ['POST', '/tasks/1/comments', { content: 'New' }],
    ['POST', '/tasks/1/time-tracks', {}],
    ['POST', '/add-members', { user_ids: [6] }],
    ['PUT', '/update-stage/1', { title: 'Other' }],
    ['POST', '/tasks/bulk-actions', { action: 'archive', task_ids: [1] }],
  ])('an archived board refuses %s %s', async (method, path, body) => {
    const before = JSON.stringify([...site.state().tasks.values(), ...site.state().stages.values()]);
    await call('PUT', '/projects/1/archive-board', { as: 'admin' });
    expect(await call(method, `/projects/1${path}`, { as: 'admin', body })).toMatchObject({
      status: 409,
      body: { code: 'board_archived' },
    });
    expect(JSON.stringify([...site.state().tasks.values(), ...site.state().stages.values()])).toBe(before);
    await call('PUT', '/projects/1/restore-board', { as: 'admin' });
    expect((await call(method, `/projects/1${path}`, { as: 'admin', body })).status).toBeLessThan(300);
  });

  test('an archived roadmap refuses votes and comments', async () => {
    await call('PUT', '/projects/3/archive-board', { as: 'admin' });
    const idea = [...site.state().tasks.values()].find(({ boardId }) => boardId === 3)?.id;
    for (const [path, body] of [
      [`/roadmaps/vote-idea/${idea}`, {}],
      [`/roadmaps/3/ideas/${idea}/comments`, { content: 'New' }],
    ] as const) {
      expect((await call('POST', path, { as: 'admin', body })).status).toBe(409);
    }
  });

  test('a copy of a board has its own labels and tasks', async () => {
    const { body } = await call('POST', '/projects/1/duplicate-board', {
      as,
      body: { include: ['tasks', 'labels', 'members'] },
    });
    const copies = site.state().allTasksOnBoard(Number(memberAt(body, 'id')));
    const originals = site
      .state()
      .allTasksOnBoard(1)
      .filter(({ archivedAt }) => archivedAt === null);
    expect(copies.map(({ title }) => title).sort()).toEqual(originals.map(({ title }) => title).sort());
    for (const task of copies) {
      for (const label of task.labels) expect(site.state().labels.get(label)?.boardId).toBe(task.boardId);
      expect(site.state().stages.get(task.stageId)?.boardId).toBe(task.boardId);
    }
    expect(memberAt(body, 'member_count')).toBe(7);
  });

  test('an import adds a label only once', async () => {
    const before = site.state().labels.size;
    await call('POST', '/projects/1/import-from-board', {
      as,
      body: { source_board_id: 2, include: ['labels'] },
    });
    expect(site.state().labels.size).toBe(before);
  });

  test('a request with one invalid field changes nothing', async () => {
    const { status } = await call('PUT', '/projects/1', {
      as,
      body: { description: 'Changed', title: '   ' },
    });
    expect([status, site.state().boards.get(1)?.description]).not.toContain('Changed');
  });

  test('concurrent requests create every board', async () => {
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        call('POST', '/projects', { as, body: { title: `Board ${index}` } }),
      ),
    );
    expect(new Set(responses.map(({ body }) => memberAt(body, 'id'))).size).toBe(25);
  });
});

describe('pictures', () => {
  test('an uploaded image is served at its URL and can be used again', async () => {
    const file = { name: '../../x.php', type: 'text/html', bytes: PNG };
    const { body } = await call('POST', '/projects/1/upload/background-image', { as, file });
    expect(body).toMatchObject({ name: 'x.png', mime_type: 'image/png' });
    const served = await site.request(String(memberAt(body, 'url')));
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
    await call('PUT', '/projects/1/upload/background', { as, body: { color: '#fff' } });
    const again = await call('PUT', '/projects/1/upload/background', {
      as,
      body: { image_id: Number(memberAt(body, 'id')) },
    });
    expect(memberAt(again.body, 'background')).toEqual({
      is_image: true,
      color: '#fff',
      image_url: memberAt(body, 'url'),
    });
  });

  test.each([
    ['no picture', {}, 400, 'rest_upload_no_data'],
    [
      'text',
      { file: { name: 'a.png', type: 'image/png', bytes: new Uint8Array([1, 2]) } },
      400,
      'rest_upload_unknown_type',
    ],
    [
      'more than 5 MB',
      { file: { name: 'a.png', type: 'image/png', bytes: new Uint8Array(5 * 1024 * 1024 + 1) } },
      413,
      'rest_upload_file_too_big',
    ],
  ])('are rejected: %s', async (_, options, status, code) => {
    const response = await call('POST', '/projects/1/upload/background-image', { as, ...options });
    expect([response.status, memberAt(response.body, 'code')]).toEqual([status, code]);
  });

  test('images are rejected when the storage is full', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024);
    bytes.set(PNG);
    const file = { name: 'large.png', type: 'image/png', bytes };
    const codes: (Json | undefined)[] = [];
    for (let count = 0; count < 13; count++) {
      codes.push(
        memberAt((await call('POST', '/projects/1/upload/background-image', { as, file })).body, 'code'),
      );
    }
    expect(codes.slice(0, 12).every((code) => code === undefined)).toBe(true);
    expect(codes[12]).toBe('rest_upload_limited_space');
  });

  test('an image of another board cannot become the background', async () => {
    const file = { name: 'a.png', type: 'image/png', bytes: PNG };
    const { body } = await call('POST', '/projects/1/upload/background-image', { as, file });
    const { status } = await call('PUT', '/projects/2/upload/background', {
      as,
      body: { image_id: Number(memberAt(body, 'id')) },
    });
    expect(status).toBe(404);
  });
});

describe('pages outside the REST interface', () => {
  test('only public boards have a page, with escaped text', async () => {
    await call('PUT', '/projects/4', { as, body: { title: '<b>Bold</b>' } });
    const page = await site.request('/boards/4/');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('&lt;b&gt;Bold')]);
    expect((await site.request('/boards/1/')).status).toBe(404);
  });

  test('oEmbed finds only public pages', async () => {
    const embed = (path: string) =>
      site.request(
        `/index.php?rest_route=/oembed/1.0/embed&url=${encodeURIComponent(`http://localhost${path}`)}`,
      );
    const response = await embed('/boards/3/');
    expect([response.status, memberAt(await response.json(), 'title')]).toEqual([200, 'Product roadmap']);
    expect((await embed('/boards/1/')).status).toBe(404);
  });
});

describe('slugs', () => {
  test.each([
    ['Ship it — today!', 'ship-it-today'],
    ['Crème brûlée', 'creme-brulee'],
    ['日本', 'untitled'],
    ['', 'untitled'],
  ])('of “%s” are %s', (title, slug) => expect(slugify(title)).toBe(slug));

  test('a slug that is taken gets a number', () => {
    expect(createUniqueSlug('A', [{ slug: 'a' }, { slug: 'a-2' }])).toBe('a-3');
  });
});
