import { beforeEach, describe, expect, test } from 'vitest';
import { createUniqueSlug, slugify } from '../../../src/example/boards/state.ts';
import { type Body, PNG, startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

const as = 'admin';
const all = (body: Body, name: string): Body[] => [body].flat().map((each) => each[name]);

describe('boards', () => {
  test('a deleted board leaves nothing behind', async () => {
    await call(as, 'DELETE /projects/1');
    const state = site.state();
    for (const things of [state.tasks, state.stages, state.labels, state.comments, state.replies]) {
      expect([...things.values()].filter(({ boardId }) => boardId === 1)).toEqual([]);
    }
    expect(
      [...state.timeTracks.values(), ...state.activities.values()].some(({ boardId }) => boardId === 1),
    ).toBe(false);
    expect(state.folders.get(1)?.boardIds).toEqual([6]);
    expect(state.settingsOf({ id: 1 }).pinnedBoards).toEqual([3]);
    expect((await call(as, 'GET /projects/1')).status).toBe(404);
  });

  test('a new board gets a number that was never used', async () => {
    await call(as, 'DELETE /projects/8');
    const { body, headers } = await call(as, 'POST /projects', { title: 'New' });
    expect(body.id).toBe(9);
    expect(headers.get('location')).toContain('rest_route=/boards/v2/projects/9');
  });

  test('boards are filtered by words, type and status, and sorted', async () => {
    const list = async (query: Record<string, string>) =>
      all((await call(as, `GET /projects?${toQuery(query)}`)).body, 'id');
    expect(await list({ search: 'app PHONES' })).toEqual([2]);
    expect(await list({ status: 'archived' })).toEqual([8]);
    expect(await list({ type: 'roadmap', orderby: 'title', order: 'asc' })).toEqual([7, 3]);
    expect(await list({ folder_id: '1', status: 'all', orderby: 'created_at', order: 'asc' })).toHaveLength(
      2,
    );
  });

  test('boards are listed in pages with totals', async () => {
    const { headers, body } = await call(as, 'GET /projects?per_page=3&page=2');
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['7', '3']);
    expect(body).toHaveLength(3);
  });

  test('recent boards are listed in the order in which a user viewed them', async () => {
    for (const id of [4, 3, 4]) await call('subscriber', `GET /projects/${id}`);
    expect(all((await call('subscriber', 'GET /projects/recent-boards')).body, 'id')).toEqual([4, 3, 1]);
  });

  test('pins belong to one user', async () => {
    await call('subscriber', 'PUT /projects/2/pin-board');
    await call('subscriber', 'PUT /projects/2/pin-board');
    expect(all((await call('subscriber', 'GET /projects/pinned-boards')).body, 'id')).toEqual([2]);
    expect(all((await call(as, 'GET /projects/pinned-boards')).body, 'id')).toEqual([1, 3]);
  });

  test('has-data-changed compares the time of the last change', async () => {
    site.clock.set(new Date('2026-05-04T08:00:00Z'));
    const changed = async () =>
      (await call(as, 'GET /projects/1/has-data-changed?since=2026-05-04T07:00:00Z')).body.changed;
    expect(await changed()).toBe(false);
    await call(as, 'POST /projects/1/labels', { background_color: '#000000' });
    expect(await changed()).toBe(true);
  });

  test('has-data-changed sees two changes within a second', async () => {
    site.clock.set(new Date('2026-05-04T08:00:00Z'));
    const addLabel = () => call(as, 'POST /projects/1/labels', { background_color: '#000000' });
    const poll = async (since: string) =>
      (await call(as, `GET /projects/1/has-data-changed?since=${since}`)).body;
    await addLabel();
    const first = (await poll('2026-05-04T07:00:00Z')).updated_at;
    expect((await poll(first)).changed).toBe(false);
    await addLabel();
    expect((await poll(first)).changed).toBe(true);
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
    await call('admin', 'PUT /projects/1/archive-board');
    expect((await call('admin', `${method} /projects/1${path}`, body)).outcome).toBe('409 board_archived');
    expect(JSON.stringify([...site.state().tasks.values(), ...site.state().stages.values()])).toBe(before);
    await call('admin', 'PUT /projects/1/restore-board');
    expect((await call('admin', `${method} /projects/1${path}`, body)).status).toBeLessThan(300);
  });

  test('an archived roadmap refuses votes and comments', async () => {
    await call('admin', 'PUT /projects/3/archive-board');
    const idea = [...site.state().tasks.values()].find(({ boardId }) => boardId === 3)?.id;
    for (const [path, body] of [
      [`/roadmaps/vote-idea/${idea}`, {}],
      [`/roadmaps/3/ideas/${idea}/comments`, { content: 'New' }],
    ] as const) {
      expect((await call('admin', `POST ${path}`, body)).status).toBe(409);
    }
  });

  test('a copy of a board has its own labels and tasks', async () => {
    const { body } = await call(as, 'POST /projects/1/duplicate-board', {
      include: ['tasks', 'labels', 'members'],
    });
    const copies = site.state().allTasksOnBoard(body.id);
    const originals = site
      .state()
      .allTasksOnBoard(1)
      .filter(({ archivedAt }) => archivedAt === null);
    expect(copies.map(({ title }) => title).sort()).toEqual(originals.map(({ title }) => title).sort());
    for (const task of copies) {
      for (const label of task.labels) expect(site.state().labels.get(label)?.boardId).toBe(task.boardId);
      expect(site.state().stages.get(task.stageId)?.boardId).toBe(task.boardId);
    }
    expect(body.member_count).toBe(7);
  });

  test('an import adds a label only once', async () => {
    const before = site.state().labels.size;
    await call(as, 'POST /projects/1/import-from-board', { source_board_id: 2, include: ['labels'] });
    expect(site.state().labels.size).toBe(before);
  });

  test('a request with one invalid field changes nothing', async () => {
    const { status } = await call(as, 'PUT /projects/1', { description: 'Changed', title: '   ' });
    expect([status, site.state().boards.get(1)?.description]).not.toContain('Changed');
  });

  test('concurrent requests create every board', async () => {
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, index) => call(as, 'POST /projects', { title: `Board ${index}` })),
    );
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(25);
  });
});

describe('pictures', () => {
  test('an uploaded image is served at its URL and can be used again', async () => {
    const file = new File([PNG], '../../x.php', { type: 'text/html' });
    const { body } = await call(as, 'POST /projects/1/upload/background-image', file);
    expect(body).toMatchObject({ name: 'x.png', mime_type: 'image/png' });
    const served = await site.request(body.url);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
    await call(as, 'PUT /projects/1/upload/background', { color: '#fff' });
    const again = await call(as, 'PUT /projects/1/upload/background', { image_id: body.id });
    expect(again.body.background).toEqual({ is_image: true, color: '#fff', image_url: body.url });
  });

  test.each([
    ['no picture', undefined, '400 rest_upload_no_data'],
    ['text', [1, 2], '400 rest_upload_unknown_type'],
    ['more than 5 MB', new Uint8Array(5 * 1024 * 1024 + 1), '413 rest_upload_file_too_big'],
  ])('are rejected: %s', async (_, bytes, outcome) => {
    const file = bytes && new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' });
    const response = await call(as, 'POST /projects/1/upload/background-image', file);
    expect(response.outcome).toBe(outcome);
  });

  test('images are rejected when the storage is full', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024);
    bytes.set(PNG);
    const file = new File([bytes], 'large.png', { type: 'image/png' });
    const codes: Body[] = [];
    for (let count = 0; count < 13; count++) {
      codes.push((await call(as, 'POST /projects/1/upload/background-image', file)).body.code);
    }
    expect(codes.slice(0, 12).every((code) => code === undefined)).toBe(true);
    expect(codes[12]).toBe('rest_upload_limited_space');
  });

  test('an image of another board cannot become the background', async () => {
    const file = new File([PNG], 'a.png', { type: 'image/png' });
    const { body } = await call(as, 'POST /projects/1/upload/background-image', file);
    const { status } = await call(as, 'PUT /projects/2/upload/background', { image_id: body.id });
    expect(status).toBe(404);
  });
});

describe('pages outside the REST interface', () => {
  test('only public boards have a page, with escaped text', async () => {
    await call(as, 'PUT /projects/4', { title: '<b>Bold</b>' });
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
    expect([response.status, (await response.json()).title]).toEqual([200, 'Product roadmap']);
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
