import { beforeEach, describe, expect, test } from 'vitest';
import { slugify, tasksOnBoard, uniqueSlug } from '../../../src/example/boards/model/index.ts';
import type { Json } from '../../../src/json.ts';
import { at, PNG, startBoards } from './asking.ts';

const { site, ask } = startBoards();
beforeEach(() => site.reset());

const as = 'admin';
const all = (body: Json, name: string): (Json | undefined)[] => [body].flat().map((each) => at(each, name));

describe('boards', () => {
  test('that are deleted leave nothing behind', async () => {
    await ask('DELETE', '/projects/1', { as });
    const state = site.state();
    for (const things of [state.tasks, state.stages, state.labels, state.comments, state.replies]) {
      expect([...things.values()].filter(({ boardId }) => boardId === 1)).toEqual([]);
    }
    expect(
      [...state.timeTracks.values(), ...state.activities.values()].some(({ boardId }) => boardId === 1),
    ).toBe(false);
    expect(state.folders.get(1)?.boardIds).toEqual([6]);
    expect(state.personal.get(1)?.pinnedBoards).toEqual([3]);
    expect((await ask('GET', '/projects/1', { as })).status).toBe(404);
  });

  test('get numbers that were never given before', async () => {
    await ask('DELETE', '/projects/8', { as });
    const { body, headers } = await ask('POST', '/projects', { as, body: { title: 'New' } });
    expect(at(body, 'id')).toBe(9);
    expect(headers.get('location')).toContain('rest_route=/boards/v2/projects/9');
  });

  test('are found by words, type and status, and sorted', async () => {
    const list = async (query: Record<string, string>) =>
      all((await ask('GET', '/projects', { as, query })).body, 'id');
    expect(await list({ search: 'app PHONES' })).toEqual([2]);
    expect(await list({ status: 'archived' })).toEqual([8]);
    expect(await list({ type: 'roadmap', orderby: 'title', order: 'asc' })).toEqual([7, 3]);
    expect(await list({ folder_id: '1', status: 'all', orderby: 'created_at', order: 'asc' })).toHaveLength(
      2,
    );
  });

  test('come a page at a time, with totals', async () => {
    const { headers, body } = await ask('GET', '/projects', { as, query: { per_page: 3, page: 2 } });
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['7', '3']);
    expect(body).toHaveLength(3);
  });

  test('are remembered in the order in which a user looked at them', async () => {
    for (const id of [4, 3, 4]) await ask('GET', `/projects/${id}`, { as: 'subscriber' });
    expect(all((await ask('GET', '/projects/recent-boards', { as: 'subscriber' })).body, 'id')).toEqual([
      4, 3, 1,
    ]);
  });

  test('are pinned by each user alone', async () => {
    await ask('PUT', '/projects/2/pin-board', { as: 'subscriber' });
    await ask('PUT', '/projects/2/pin-board', { as: 'subscriber' });
    expect(all((await ask('GET', '/projects/pinned-boards', { as: 'subscriber' })).body, 'id')).toEqual([2]);
    expect(all((await ask('GET', '/projects/pinned-boards', { as })).body, 'id')).toEqual([1, 3]);
  });

  test('tell whether they changed since', async () => {
    site.clock.set(new Date('2026-05-04T08:00:00Z'));
    const changed = async () =>
      at(
        (await ask('GET', '/projects/1/has-data-changed', { as, query: { since: '2026-05-04T07:00:00Z' } }))
          .body,
        'changed',
      );
    expect(await changed()).toBe(false);
    await ask('POST', '/projects/1/labels', { as, body: { background_color: '#000000' } });
    expect(await changed()).toBe(true);
  });

  test('are copied with labels and tasks that are their own', async () => {
    const { body } = await ask('POST', '/projects/1/duplicate-board', {
      as,
      body: { include: ['tasks', 'labels', 'members'] },
    });
    const copies = tasksOnBoard(site.state(), Number(at(body, 'id')));
    const originals = tasksOnBoard(site.state(), 1).filter(({ archivedAt }) => archivedAt === null);
    expect(copies.map(({ title }) => title).sort()).toEqual(originals.map(({ title }) => title).sort());
    for (const task of copies) {
      for (const label of task.labels) expect(site.state().labels.get(label)?.boardId).toBe(task.boardId);
      expect(site.state().stages.get(task.stageId)?.boardId).toBe(task.boardId);
    }
    expect(at(body, 'member_count')).toBe(7);
  });

  test('take over labels that they have already only once', async () => {
    const before = site.state().labels.size;
    await ask('POST', '/projects/1/import-from-board', {
      as,
      body: { source_board_id: 2, include: ['labels'] },
    });
    expect(site.state().labels.size).toBe(before);
  });

  test('change wholly or not at all', async () => {
    const { status } = await ask('PUT', '/projects/1', {
      as,
      body: { description: 'Changed', title: '   ' },
    });
    expect([status, site.state().boards.get(1)?.description]).not.toContain('Changed');
  });

  test('made by many at once are all there', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        ask('POST', '/projects', { as, body: { title: `Board ${index}` } }),
      ),
    );
    expect(new Set(answers.map(({ body }) => at(body, 'id'))).size).toBe(25);
  });
});

describe('pictures', () => {
  test('are served where their address says, and can be chosen again', async () => {
    const file = { name: '../../x.php', type: 'text/html', bytes: PNG };
    const { body } = await ask('POST', '/projects/1/upload/background-image', { as, file });
    expect(body).toMatchObject({ name: 'x.png', mime_type: 'image/png' });
    const served = await site.request(String(at(body, 'url')));
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(PNG));
    await ask('PUT', '/projects/1/upload/background', { as, body: { color: '#fff' } });
    const again = await ask('PUT', '/projects/1/upload/background', {
      as,
      body: { image_id: Number(at(body, 'id')) },
    });
    expect(at(again.body, 'background')).toEqual({
      is_image: true,
      color: '#fff',
      image_url: at(body, 'url'),
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
  ])('are refused: %s', async (_, asked, status, code) => {
    const answer = await ask('POST', '/projects/1/upload/background-image', { as, ...asked });
    expect([answer.status, at(answer.body, 'code')]).toEqual([status, code]);
  });

  test('are kept as far as there is space', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024);
    bytes.set(PNG);
    const file = { name: 'large.png', type: 'image/png', bytes };
    const codes: (Json | undefined)[] = [];
    for (let count = 0; count < 13; count++) {
      codes.push(at((await ask('POST', '/projects/1/upload/background-image', { as, file })).body, 'code'));
    }
    expect(codes.slice(0, 12).every((code) => code === undefined)).toBe(true);
    expect(codes[12]).toBe('rest_upload_limited_space');
  });

  test('of one board are no background of another', async () => {
    const file = { name: 'a.png', type: 'image/png', bytes: PNG };
    const { body } = await ask('POST', '/projects/1/upload/background-image', { as, file });
    const { status } = await ask('PUT', '/projects/2/upload/background', {
      as,
      body: { image_id: Number(at(body, 'id')) },
    });
    expect(status).toBe(404);
  });
});

describe('pages outside of the interface', () => {
  test('show public boards, escaped, and no others', async () => {
    await ask('PUT', '/projects/4', { as, body: { title: '<b>Bold</b>' } });
    const page = await site.request('/boards/4/');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('&lt;b&gt;Bold')]);
    expect((await site.request('/boards/1/')).status).toBe(404);
  });

  test('are embedded by oEmbed as far as they are public', async () => {
    const embed = (path: string) =>
      site.request(
        `/index.php?rest_route=/oembed/1.0/embed&url=${encodeURIComponent(`http://localhost${path}`)}`,
      );
    const answer = await embed('/boards/3/');
    expect([answer.status, at(await answer.json(), 'title')]).toEqual([200, 'Product roadmap']);
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

  test('are numbered where they are taken', () => {
    expect(uniqueSlug('A', new Set(['a', 'a-2']))).toBe('a-3');
  });
});
