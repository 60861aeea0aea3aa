import { describe, expect, test } from 'vitest';
import { type BatchRequest, runBatch } from '../../../src/generator/client/runtime/batch.ts';
import { createRawClient } from '../../../src/generator/client/runtime/client.ts';
import { cookieAuth } from '../../../src/generator/client/runtime/cookie-auth.ts';
import type {
  ClientOptions,
  RawClient,
  RawResult,
} from '../../../src/generator/client/runtime/options-and-results.ts';
import { PIXEL } from '../../support/pixel.ts';
import { useWordPress } from '../../support/wordpress.ts';

const site = useWordPress();

interface Item {
  readonly id: number;
  readonly title: { readonly raw?: string; readonly rendered: string };
  readonly tags: readonly number[];
  readonly source_url?: string;
  readonly alt_text?: string;
}

const ROOTS = { pretty: 'wp-json', plain: 'index.php?rest_route=/' } as const;

function administrator(root: keyof typeof ROOTS = 'pretty', options: Partial<ClientOptions> = {}): RawClient {
  const { user, password } = site().users.administrator;
  const auth = { username: user, password };
  return createRawClient({ baseUrl: site().url + ROOTS[root], auth, ...options });
}

/** The item of a result; an error fails the test. */
function itemOf({ data, error }: RawResult): Item {
  expect(error).toBeUndefined();
  return data as Item;
}

function idsOf({ data, error }: RawResult): readonly number[] {
  expect(error).toBeUndefined();
  return (data as readonly Item[]).map(({ id }) => id);
}

async function withPosts(
  bodies: readonly object[],
  run: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  const client = administrator();
  const ids: number[] = [];
  for (const body of bodies) ids.push(itemOf(await client.POST('/wp/v2/posts', { body })).id);
  try {
    await run(ids);
  } finally {
    for (const id of ids) await client.DELETE('/wp/v2/posts/{id}', { path: { id }, query: { force: true } });
  }
}

describe.each(Object.keys(ROOTS) as (keyof typeof ROOTS)[])('at the %s root of WordPress', (root) => {
  test('creates, edits and deletes a post', async () => {
    const client = administrator(root);
    const title = 'Größe & “quotes”';
    const created = await client.POST('/wp/v2/posts', { body: { title, status: 'draft' } });
    const path = { id: itemOf(created).id };
    const query = { context: 'edit', _fields: ['id', 'title.raw'] };
    const edited = await client.GET('/wp/v2/posts/{id}', { path, query });
    expect(edited.data).toMatchObject({ ...path, title: { raw: title } });
    await client.PUT('/wp/v2/posts/{id}', { path, body: { title: { raw: 'Second' } } });
    const deleted = await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true } });
    expect(deleted.data).toMatchObject({ deleted: true, previous: { title: { raw: 'Second' } } });
    const { error } = await client.GET('/wp/v2/posts/{id}', { path });
    expect(error).toMatchObject({ source: 'site', code: 'rest_post_invalid_id', status: 404 });
  });

  test('reads lists, objects and booleans of the query as they were given', async () => {
    const client = administrator(root);
    const published = { title: 'One', status: 'publish', sticky: true };
    await withPosts([published, { title: 'Two', status: 'draft' }], async (ids) => {
      const list = (query: object) =>
        client.GET('/wp/v2/posts', { query: { include: ids, orderby: 'id', order: 'asc', ...query } });
      expect(idsOf(await list({ status: ['draft', 'publish'] }))).toEqual(ids);
      expect(idsOf(await list({ status: 'draft' }))).toEqual(ids.slice(1));
      expect(idsOf(await list({ status: 'any', sticky: true }))).toEqual(ids.slice(0, 1));
      // WordPress ignores `sticky=false` beside `include`.
      expect(idsOf(await list({ include: [], search: `sticky ${ids[0]}`, sticky: false }))).toEqual([]);
      expect(idsOf(await list({ status: 'any', tags: [], search: null }))).toEqual(ids);
      const embedded = await list({ status: 'any', _embed: ['author'] });
      expect(JSON.stringify(embedded.data)).toContain('"_embedded":{"author"');
      const bare = await list({ status: 'any', _embed: false });
      expect(JSON.stringify(bare.data)).not.toContain('"_embedded"');
      const nested = await list({ status: 'any', categories: { terms: [1], include_children: false } });
      expect(idsOf(nested)).toEqual(ids);
    });
  });
});

test('a form body has the same meaning as JSON', async () => {
  const client = administrator();
  await withPosts([{ title: 'Form', status: 'draft' }], async ([id]) => {
    const tag = itemOf(await client.POST('/wp/v2/tags', { body: { name: `form ${id}` }, bodyType: 'form' }));
    const update = (body: object) =>
      client.PUT('/wp/v2/posts/{id}', { path: { id }, body, bodyType: 'form' });
    const changes = { title: { raw: 'a+b & ü' }, tags: [tag.id], sticky: true };
    expect(itemOf(await update(changes))).toMatchObject(changes);
    expect(itemOf(await update({ tags: [], sticky: false }))).toMatchObject({ tags: [], sticky: false });
    await client.DELETE('/wp/v2/tags/{id}', { path: { id: tag.id }, query: { force: true } });
  });
});

test.each([
  ['überblick 概要.png', 'uberblick-概要'],
  ['a "quoted" it’s name.png', 'a-quoted-its-name'],
])('uploads a file named %s', async (name, title) => {
  const client = administrator();
  const result = await client.POST('/wp/v2/media', {
    file: { name, content: PIXEL, type: 'image/png' },
    body: { alt_text: 'größer', meta: {} },
  });
  const media = itemOf(result);
  expect(media.alt_text).toBe('größer');
  expect(media.title.rendered).toBe(title);
  const stored = await fetch(media.source_url ?? '');
  expect(Buffer.from(await stored.arrayBuffer()).equals(PIXEL)).toBe(true);
  await client.DELETE('/wp/v2/media/{id}', { path: { id: media.id }, query: { force: true } });
});

test('a batch runs nothing if a request that must be valid is not', async () => {
  const post: BatchRequest = ['POST', '/wp/v2/posts', { body: { title: 'Not created' } }];
  const tag: BatchRequest = ['POST', '/wp/v2/tags', { body: {} }];
  const results = await runBatch(administrator(), [post, tag], { validation: 'require-all-validate' });
  const codes = ['client_batch_skipped', 'rest_missing_callback_param'];
  expect(results.map(({ error }) => error?.code)).toEqual(codes);
  const query = { search: 'Not created', status: 'any' };
  expect((await administrator().GET('/wp/v2/posts', { query })).total).toBe(0);
});

test('a nonce that has expired is refreshed once for concurrent calls', async () => {
  const { user, loginPassword } = site().users.editor;
  const login = await fetch(`${site().url}wp-login.php`, {
    method: 'POST',
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
    headers: { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    redirect: 'manual',
  });
  const cookie = Array.from(login.headers.getSetCookie(), (line) => line.split(';', 1)[0]).join('; ');
  let refreshed = 0;
  const client = createRawClient({
    baseUrl: `${site().url}wp-json`,
    // Browsers send the cookie themselves.
    headers: { Cookie: cookie },
    auth: cookieAuth({
      nonce: '0123456789',
      async refreshNonce() {
        refreshed += 1;
        const url = `${site().url}wp-admin/admin-ajax.php?action=rest-nonce`;
        return (await fetch(url, { headers: { Cookie: cookie } })).text();
      },
    }),
  });
  const me = () => client.GET('/wp/v2/users/me', { query: { context: 'edit' } });
  const results = await Promise.all([me(), me(), me()]);
  expect(results.map(({ data }) => (data as { username: string }).username)).toEqual([user, user, user]);
  expect(refreshed).toBe(1);
  const created = itemOf(await client.POST('/wp/v2/posts', { body: { title: 'By nonce', status: 'draft' } }));
  await client.DELETE('/wp/v2/posts/{id}', { path: { id: created.id }, query: { force: true } });
  expect(refreshed).toBe(1);
});

// Controllers that compare names by `in_array()` know members of the first level only.
test.each([
  ['/wp/v2/comments', 'content.rendered'],
  ['/wp/v2/media', 'media_details.width'],
  ['/wp/v2/posts', 'content.rendered'],
])('%s has %s of `_fields`', async (path, field) => {
  const client = administrator();
  const file = { name: 'pixel.png', content: PIXEL, type: 'image/png' };
  const uploaded = await client.POST('/wp/v2/media', { file, body: { caption: 'c', description: 'd' } });
  const { id } = itemOf(uploaded);
  const { data, error } = await client.GET(path, { query: { context: 'edit', _fields: `id,${field}` } });
  expect(error).toBeUndefined();
  const [first] = Object.values(data as object);
  const [parent = '', member = ''] = field.split('.');
  expect(Object.keys(first[parent])).toContain(member);
  await client.DELETE('/wp/v2/media/{id}', { path: { id }, query: { force: true } });
});
