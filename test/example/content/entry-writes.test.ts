import { describe, expect, test } from 'vitest';
import { createContentClient } from './client.ts';

const EDITOR = { as: 'editor' } as const;
const POSTS = '/core/v2/posts';

describe('writing a post', () => {
  test('goes through a draft, autosaves, revisions and publication', async () => {
    const { call } = createContentClient();
    const draft = await call({
      as: 'administrator',
      method: 'POST',
      route: POSTS,
      json: { title: 'The new pier', content: 'First' },
    });
    expect(draft).toMatchObject({ status: 201, body: { status: 'draft', slug: '', author: 1 } });
    const route = `${POSTS}/${draft.body.id}`;
    expect(draft.headers.get('location')).toContain(route);
    expect(await call({ route })).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });

    // An editor's autosave of another user's draft does not change the draft.
    const aside = await call({
      ...EDITOR,
      method: 'POST',
      route: `${route}/autosaves`,
      json: { content: 'Aside', status: 'publish' },
    });
    expect(aside).toMatchObject({ status: 200, body: { parent: draft.body.id, content: { raw: 'Aside' } } });
    expect((await call({ ...EDITOR, route: `${route}?context=edit` })).body).toMatchObject({
      status: 'draft',
      content: { raw: 'First' },
    });

    for (const content of ['Second', 'Second', 'Third'])
      await call({ ...EDITOR, method: 'PATCH', route, json: { content } });
    const published = await call({ ...EDITOR, method: 'PUT', route, json: { status: 'publish' } });
    expect(published.body).toMatchObject({
      status: 'publish',
      slug: 'the-new-pier',
      content: { raw: 'Third' },
    });
    expect((await call({ route })).body.content.rendered).toBe('<p>Third</p>\n');

    const history = await call({ ...EDITOR, route: `${route}/revisions?context=edit` });
    const texts = history.body.map(({ content }: { content: { raw: string } }) => content.raw);
    expect(texts.sort()).toEqual(['Aside', 'Second', 'Third']);
    const oldest = history.body.find(({ content }: { content: { raw: string } }) => content.raw === 'Second');
    const one = `${route}/revisions/${oldest.id}`;
    expect((await call({ ...EDITOR, method: 'DELETE', route: one })).status).toBe(501);
    expect((await call({ ...EDITOR, method: 'DELETE', route: `${one}?force=true` })).body).toMatchObject({
      deleted: true,
    });
    expect((await call({ ...EDITOR, route: `${route}/revisions` })).headers.get('x-wp-total')).toBe('2');
  });

  test('changes a draft when its author autosaves', async () => {
    const { call } = createContentClient();
    const { body } = await call({ ...EDITOR, method: 'POST', route: POSTS, json: { title: 'Mine' } });
    const saved = await call({
      ...EDITOR,
      method: 'POST',
      route: `${POSTS}/${body.id}/autosaves`,
      json: { title: 'Ours' },
    });
    expect(saved.body).toMatchObject({ id: body.id, parent: 0 });
    expect((await call({ ...EDITOR, route: `${POSTS}/${body.id}?context=edit` })).body).toMatchObject({
      status: 'draft',
      title: { raw: 'Ours' },
    });
  });

  test('rejects an autosave without changes and deletes the previous one', async () => {
    const { call, entry } = createContentClient();
    const { id, title, content, excerpt } = entry('post');
    const save = (json: unknown) =>
      call({ ...EDITOR, method: 'POST', route: `${POSTS}/${id}/autosaves`, json });
    expect((await save({ content: 'x' })).status).toBe(200);
    expect(await save({ title, content, excerpt })).toMatchObject({
      status: 400,
      body: { code: 'rest_autosave_no_changes' },
    });
    expect((await call({ ...EDITOR, route: `${POSTS}/${id}/autosaves` })).body).toEqual([]);
  });

  test('publishes a scheduled post at its date', async () => {
    const { call, site } = createContentClient();
    site.clock.set(new Date('2025-03-01T12:00:00Z'));
    const json = { title: 'Tomorrow', status: 'publish', date: '2025-03-02T08:00:00' };
    const { body } = await call({ ...EDITOR, method: 'POST', route: POSTS, json });
    expect(body.status).toBe('future');
    expect((await call({ route: `${POSTS}/${body.id}` })).status).toBe(401);
    site.clock.set(new Date('2025-03-02T08:00:01Z'));
    expect((await call({ route: `${POSTS}/${body.id}` })).body.status).toBe('publish');
    expect((await call({ route: `${POSTS}?after=2025-03-01T00:00:00` })).headers.get('x-wp-total')).toBe('1');
  });

  test('gives each post of a type a unique slug', async () => {
    const { call } = createContentClient();
    const slugs: string[] = [];
    for (const json of [{}, {}, { slug: 'Sea wall!' }, { status: 'draft', slug: 'sea-wall' }]) {
      const { body } = await call({
        ...EDITOR,
        method: 'POST',
        route: POSTS,
        json: { title: 'Sea wall', status: 'publish', ...json },
      });
      slugs.push(body.slug);
    }
    const page = await call({
      ...EDITOR,
      method: 'POST',
      route: '/core/v2/pages',
      json: { title: 'Sea wall', status: 'publish' },
    });
    expect([...slugs, page.body.slug]).toEqual([
      'sea-wall',
      'sea-wall-2',
      'sea-wall-3',
      'sea-wall-4',
      'sea-wall',
    ]);
  });

  test('trashes, restores and deletes a post', async () => {
    const { call, entry } = createContentClient();
    const { id, slug } = entry('post');
    const route = `${POSTS}/${id}`;
    expect((await call({ ...EDITOR, method: 'DELETE', route })).body).toMatchObject({
      status: 'trash',
      slug: `${slug}__trashed`,
    });
    expect((await call({ route })).status).toBe(401);
    expect(
      (await call({ ...EDITOR, method: 'POST', route, json: { status: 'publish' } })).body,
    ).toMatchObject({ status: 'publish', slug });
    expect((await call({ ...EDITOR, method: 'DELETE', route: `${route}?force=true` })).body).toMatchObject({
      deleted: true,
      previous: { id, slug },
    });
    expect((await call({ route })).body.code).toBe('rest_post_invalid_id');
  });

  test('hides content and excerpt behind a password', async () => {
    const { call } = createContentClient();
    const json = { title: 'Locked', content: 'Secret', status: 'publish', password: 'kelp' };
    const { body } = await call({ ...EDITOR, method: 'POST', route: POSTS, json });
    const read = async (query: string) => (await call({ route: `${POSTS}/${body.id}${query}` })).body;
    expect(await read('')).toMatchObject({
      content: { rendered: '', protected: true },
      excerpt: { rendered: '', protected: true },
    });
    expect(await read('?password=kelp')).toMatchObject({ content: { rendered: '<p>Secret</p>\n' } });
    expect(await read('?password=weed')).toMatchObject({ code: 'rest_post_incorrect_password' });
    expect((await call({ route: `${POSTS}?search=Secret` })).body).toEqual([]);
  });

  test('does not make a page a child of its descendant', async () => {
    const { call, site } = createContentClient();
    const child = [...site.state().entries.values()].find(
      ({ kind, parent }) => kind === 'page' && parent !== 0,
    );
    const route = `/core/v2/pages/${child?.parent}`;
    const { body } = await call({ ...EDITOR, method: 'POST', route, json: { parent: child?.id } });
    expect(body.parent).toBe(0);
  });

  test('is consistent with concurrent writers', async () => {
    const { call, site } = createContentClient();
    const before = site.state().entries.size;
    const json = { title: 'All at once', status: 'publish' };
    const created = await Promise.all(
      Array.from({ length: 40 }, () => call({ ...EDITOR, method: 'POST', route: POSTS, json })),
    );
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(40);
    expect(new Set(created.map(({ body }) => body.slug)).size).toBe(40);
    expect(site.state().entries.size).toBe(before + 40);
  });
});
