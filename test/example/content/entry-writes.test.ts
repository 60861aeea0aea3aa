import { describe, expect, test } from 'vitest';
import type { ContentState } from '../../../src/example/content/index.ts';
import type { Entry } from '../../../src/example/content/model.ts';
import { createContentClient } from '../support/site-client.ts';

const POSTS = '/core/v2/posts';

/** A published post without a password. */
function findPost({ entries }: ContentState): Entry {
  for (const entry of entries.values())
    if (entry.kind === 'post' && entry.status === 'publish' && entry.password === '') return entry;
  throw new Error('the generated site has no such post');
}

describe('writing a post', () => {
  test('goes through a draft, autosaves, revisions and publication', async () => {
    const { call } = createContentClient();
    const draft = await call('admin', `POST ${POSTS}`, { title: 'The new pier', content: 'First' });
    expect(draft).toMatchObject({ status: 201, body: { status: 'draft', slug: '', author: 1 } });
    const route = `${POSTS}/${draft.body.id}`;
    expect(draft.headers.get('location')).toContain(route);
    expect((await call(null, `GET ${route}`)).outcome).toBe('401 rest_forbidden');

    // An editor's autosave of another user's draft does not change the draft.
    const aside = await call('editor', `POST ${route}/autosaves`, { content: 'Aside', status: 'publish' });
    expect(aside).toMatchObject({ status: 200, body: { parent: draft.body.id, content: { raw: 'Aside' } } });
    expect((await call('editor', `GET ${route}?context=edit`)).body).toMatchObject({
      status: 'draft',
      content: { raw: 'First' },
    });

    for (const content of ['Second', 'Second', 'Third']) await call('editor', `PATCH ${route}`, { content });
    const published = await call('editor', `PUT ${route}`, { status: 'publish' });
    expect(published.body).toMatchObject({
      status: 'publish',
      slug: 'the-new-pier',
      content: { raw: 'Third' },
    });
    expect((await call(null, `GET ${route}`)).body.content.rendered).toBe('<p>Third</p>\n');

    const history = await call('editor', `GET ${route}/revisions?context=edit`);
    const texts = history.body.map(({ content }: { content: { raw: string } }) => content.raw);
    expect(texts.sort()).toEqual(['Aside', 'Second', 'Third']);
    const oldest = history.body.find(({ content }: { content: { raw: string } }) => content.raw === 'Second');
    const one = `${route}/revisions/${oldest.id}`;
    expect((await call('editor', `DELETE ${one}`)).status).toBe(501);
    expect((await call('editor', `DELETE ${one}?force=true`)).body).toMatchObject({ deleted: true });
    expect((await call('editor', `GET ${route}/revisions`)).headers.get('x-wp-total')).toBe('2');
  });

  test('rejects an autosave without changes and deletes the previous one', async () => {
    const { call, site } = createContentClient();
    const { id, title, content, excerpt } = findPost(site.state());
    const save = (json: unknown) => call('editor', `POST ${POSTS}/${id}/autosaves`, json);
    expect((await save({ content: 'x' })).status).toBe(200);
    expect((await save({ title, content, excerpt })).outcome).toBe('400 rest_autosave_no_changes');
    expect((await call('editor', `GET ${POSTS}/${id}/autosaves`)).body).toEqual([]);
  });

  test('publishes a scheduled post at its date', async () => {
    const { call, site } = createContentClient();
    site.clock.set(new Date('2025-03-01T12:00:00Z'));
    const json = { title: 'Tomorrow', status: 'publish', date: '2025-03-02T08:00:00' };
    const { body } = await call('editor', `POST ${POSTS}`, json);
    expect(body.status).toBe('future');
    expect((await call(null, `GET ${POSTS}/${body.id}`)).status).toBe(401);
    site.clock.set(new Date('2025-03-02T08:00:01Z'));
    expect((await call(null, `GET ${POSTS}/${body.id}`)).body.status).toBe('publish');
    expect((await call(null, `GET ${POSTS}?after=2025-03-01T00:00:00`)).headers.get('x-wp-total')).toBe('1');
  });

  test('gives each post of a type a unique slug', async () => {
    const { call } = createContentClient();
    const slugs: string[] = [];
    for (const json of [{}, {}, { slug: 'Sea wall!' }, { status: 'draft', slug: 'sea-wall' }]) {
      const { body } = await call('editor', `POST ${POSTS}`, {
        title: 'Sea wall',
        status: 'publish',
        ...json,
      });
      slugs.push(body.slug);
    }
    const page = await call('editor', 'POST /core/v2/pages', { title: 'Sea wall', status: 'publish' });
    expect([...slugs, page.body.slug]).toEqual([
      'sea-wall',
      'sea-wall-2',
      'sea-wall-3',
      'sea-wall-4',
      'sea-wall',
    ]);
  });

  test('trashes, restores and deletes a post', async () => {
    const { call, site } = createContentClient();
    const { id, slug } = findPost(site.state());
    const route = `${POSTS}/${id}`;
    expect((await call('editor', `DELETE ${route}`)).body).toMatchObject({
      status: 'trash',
      slug: `${slug}__trashed`,
    });
    expect((await call(null, `GET ${route}`)).status).toBe(401);
    expect((await call('editor', `POST ${route}`, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      slug,
    });
    expect((await call('editor', `DELETE ${route}?force=true`)).body).toMatchObject({
      deleted: true,
      previous: { id, slug },
    });
    expect((await call(null, `GET ${route}`)).body.code).toBe('rest_post_invalid_id');
  });

  test('hides content and excerpt behind a password', async () => {
    const { call } = createContentClient();
    const json = { title: 'Locked', content: 'Secret', status: 'publish', password: 'kelp' };
    const { body } = await call('editor', `POST ${POSTS}`, json);
    const read = async (query: string) => (await call(null, `GET ${POSTS}/${body.id}${query}`)).body;
    expect(await read('')).toMatchObject({
      content: { rendered: '', protected: true },
      excerpt: { rendered: '', protected: true },
    });
    expect(await read('?password=kelp')).toMatchObject({ content: { rendered: '<p>Secret</p>\n' } });
    expect(await read('?password=weed')).toMatchObject({ code: 'rest_post_incorrect_password' });
    expect((await call(null, `GET ${POSTS}?search=Secret`)).body).toEqual([]);
  });

  test('does not make a page a child of its descendant', async () => {
    const { call, site } = createContentClient();
    const child = [...site.state().entries.values()].find(
      ({ kind, parent }) => kind === 'page' && parent !== 0,
    );
    const route = `/core/v2/pages/${child?.parent}`;
    const { body } = await call('editor', `POST ${route}`, { parent: child?.id });
    expect(body.parent).toBe(0);
  });
});
