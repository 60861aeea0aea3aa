import { describe, expect, test } from 'vitest';
import { startNodeGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress, type WordPressInfo } from '../../support/wordpress.ts';
import { editWrites } from './edit-writes.ts';
import { formWrites } from './form-writes.ts';
import { formatMatrix, MATRIX_TOKEN, Matrix, type MatrixWrite, selectReads } from './matrix.ts';
import { createContent } from './wordpress-content.ts';
import { wordpressWrites } from './wordpress-writes.ts';

/**
 * Each page, feed, sitemap and route of a site after each kind of write, with the default settings: forms of wp-admin, comments, XML-RPC
 * and REST. `scripts/matrix/main.mjs --themes` runs all of it on several themes.
 */
const THEMES = process.env['MATRIX_THEMES']?.split(',') ?? [undefined];
const ROUNDS = Number(process.env['MATRIX_ROUNDS'] ?? 1);
const READ_INTERVAL = Number(process.env['MATRIX_READ_INTERVAL'] ?? 5);
const ONLY = new RegExp(
  process.env['MATRIX_ONLY'] ??
    "quick edit: a title|bulk: a category|editor: a content|form, a visitor|is unapproved$|is approved$|options: general|wp-admin, a category|a user's name|a post's excerpt|a comment's content",
);
const PRINTS = process.env['MATRIX_PRINT'] !== undefined;
const MU_PLUGINS = new URL('mu-plugins', import.meta.url).pathname;

const POSTS = [1, 2, 6, 8, 12, 17, 18, 21, 22, 24, 25].map((n) => `/2024/01/post-${n}/`);
const PAGES = [
  ...[
    '/',
    '/page/2/',
    '/page/3/',
    '/2024/',
    '/2024/01/',
    '/2024/01/24/',
    '/?s=post',
    '/?s=edited',
    '/nowhere/',
  ],
  ...['/feed/', '/comments/feed/', '/category/news/feed/', '/2024/01/post-1/feed/', '/author/editor/feed/'],
  ...['/author/editor/', '/author/administrator/', '/author/editor/page/2/', '/tag/red/', '/tag/green/'],
  ...['/category/news/', '/category/news/local/', '/category/news/abroad/', '/category/recipes-more/'],
  ...['/about/', '/about/team/', '/2024/01/unicode/', '/a-sun/', '/?p=10', '/?page_id=30'],
  ...['latestposts', 'latestcomments', 'termblocks', 'dateblocks', 'queryblock'].map(
    (name) => `/2024/01/${name}/`,
  ),
  ...POSTS,
  ...[
    '/wp-sitemap.xml',
    '/wp-sitemap-posts-post-1.xml',
    '/wp-sitemap-posts-page-1.xml',
    '/wp-sitemap-users-1.xml',
  ],
  ...['/wp-sitemap-taxonomies-category-1.xml', '/wp-sitemap-taxonomies-post_tag-1.xml', '/robots.txt'],
].map((path) => `page:${path}`);
const ROUTES = [
  ...[
    'posts',
    'posts?per_page=5&_embed',
    'posts?categories=3',
    'posts?author=2',
    'posts?search=post',
    'posts?sticky=true',
  ],
  ...['pages', 'media', 'categories', 'tags', 'users', 'comments', 'comments?post=3', 'search?search=post'],
  ...[10, 12, 14, 19, 21, 23, 26].flatMap((id) => [`posts/${id}`, `comments?post=${id}`]),
  ...['pages/30', 'media/1', 'categories/4', 'users/2', 'comments/1', 'navigation', 'types', 'taxonomies'],
].map((route) => `/wp/v2/${route}`);

/** Widgets of a theme with sidebars, and a menu at each of its places. */
async function listThemeContent(site: WordPressInfo, authorization: string): Promise<readonly MatrixWrite[]> {
  const read = async <T>(route: string): Promise<T> =>
    (await fetch(`${site.url}wp-json/wp/v2/${route}`, { headers: { authorization } })).json();
  type Named = readonly { readonly id: string }[];
  const sidebars = await read<Named>('sidebars?context=edit');
  const types = await read<Named>('widget-types?context=edit');
  const [sidebar] = sidebars.map(({ id }) => id).filter((id) => id !== 'wp_inactive_widgets');
  const known = [
    'recent-posts',
    'recent-comments',
    'categories',
    'archives',
    'tag_cloud',
    'alxtabs',
    'alxposts',
  ];
  const widgets = types.filter(({ id }) => sidebar !== undefined && known.includes(id));
  const locations = Object.keys(await read<object>('menu-locations'));
  return [
    ...widgets.map(({ id }) => ({
      name: `a widget ${id}`,
      method: 'POST' as const,
      path: '/wp/v2/widgets',
      body: {
        id_base: id,
        sidebar,
        form_data: `widget-${id}[1][title]=${id}&widget-${id}[1][number]=5&widget-${id}[1][count]=1`,
      },
      as: id.replaceAll('-', '_'),
    })),
    { name: 'a menu', method: 'POST', path: '/wp/v2/menus', body: { name: 'Main', locations }, as: 'menu' },
    {
      name: 'an item of the menu',
      method: 'POST',
      path: '/wp/v2/menu-items',
      body: {
        menus: '{menu}',
        type: 'post_type',
        object: 'page',
        object_id: 30,
        title: 'About us',
        status: 'publish',
      },
      as: 'menuItem',
    },
  ];
}

/** Writes of what a theme with sidebars shows. */
function themeWrites(ids: ReadonlyMap<string, string>, n: number): readonly MatrixWrite[] {
  const menu: MatrixWrite = {
    name: 'an item of a menu',
    method: 'POST',
    path: '/wp/v2/menu-items/{menuItem}',
    body: { title: `About ${n}` },
  };
  if (!ids.has('recent_posts')) return [menu];
  return [
    menu,
    {
      name: 'a widget',
      method: 'POST',
      path: '/wp/v2/widgets/{recent_posts}',
      body: {
        form_data: `widget-recent-posts[1][title]=Posts ${n}&widget-recent-posts[1][number]=${3 + (n % 3)}`,
      },
    },
  ];
}

/** Whether all ids that a write refers to are known: those of a write that was not made are not. */
function hasIds({ form, path }: MatrixWrite, ids: ReadonlyMap<string, string>): boolean {
  const names = [...(path + JSON.stringify(form ?? {})).matchAll(/\{(\w+)\}/g)];
  return names.every(([, name = '']) => ids.has(name));
}

/** Every kind of write, in the first round. The following rounds have edits of other items. */
const listAll = (ids: ReadonlyMap<string, string>): readonly MatrixWrite[] => [
  ...wordpressWrites(1),
  ...formWrites(1),
  ...themeWrites(ids, 1),
];

/** Logs in through the gateway, and returns the cookies. */
async function logIn(
  request: (path: string, init: RequestInit) => Promise<Response>,
  { loginPassword, user }: WordPressInfo['users']['administrator'],
): Promise<string> {
  const response = await request('/wp-login.php', {
    method: 'POST',
    headers: { cookie: 'wordpress_test_cookie=1' },
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

describe.each(THEMES)('theme %s', (theme) => {
  const site = useWordPress({ title: 'Waygate pages', muPlugins: MU_PLUGINS, ...(theme && { theme }) });

  test('after each write no address of the site is stale', { timeout: 24 * 3_600_000 }, async () => {
    const running = await startNodeGateway({
      sites: [{ url: site().url, passthrough: true, cache: { pages: 60 } }],
      cache: 'memory',
      admin: { token: MATRIX_TOKEN },
    });
    try {
      const { administrator } = site().users;
      const stylesheets = await fetch(`${site().url}wp-json/wp/v2/themes?status=active`, {
        headers: { authorization: basicAuth(administrator) },
      });
      const [active] = await stylesheets.json();
      const ids = new Map([
        ['site', site().url],
        ['siteurl', site().url.slice(0, -1)],
        ['theme', active.stylesheet],
        ['login', administrator.user],
        ['password', administrator.password],
      ]);
      const matrix = new Matrix({
        running,
        mount: '',
        siteUrl: site().url,
        reads: selectReads([...PAGES, ...ROUTES], READ_INTERVAL),
        hasReadRoute: true,
        authorization: basicAuth(administrator),
        session: await logIn(running.request, administrator),
        ids,
      });
      for (const write of createContent()) await matrix.prepare(write);
      for (const write of await listThemeContent(site(), basicAuth(administrator)))
        await matrix.prepare(write);
      const notStored = await matrix.warm();
      if (PRINTS) process.stdout.write(`${theme}, not stored: ${notStored.join(' ')}\n`);
      for (let n = 1; n <= ROUNDS; n++) {
        for (const write of n === 1 ? listAll(ids) : editWrites(n)) {
          if (!ONLY.test(write.name) || !hasIds(write, ids)) continue;
          const { counts, stale } = await matrix.write(write);
          if (PRINTS)
            process.stdout.write(`${n} ${write.name} ${JSON.stringify(counts)} ${stale.join(' ')}\n`);
        }
      }
      const rows = [...matrix.rows.values()];
      if (PRINTS)
        process.stdout.write(`${formatMatrix(`theme ${theme}`, rows)}\n${matrix.examples.join('\n')}\n`);
      expect(rows.flatMap(({ name, stale }) => stale.map((read) => `${name}: ${read}`))).toEqual([]);
      // A kind that changes nothing would prove nothing. Drafts and the like are in the long run only.
      const ineffective = rows.filter(({ counts }) => counts.changed === 0).map(({ name }) => name);
      if (PRINTS) process.stdout.write(`changed nothing: ${ineffective.join(', ')}\n`);
      else expect(ineffective).toEqual([]);
      // Neither would reads that are never stored.
      expect(notStored.length).toBeLessThan(3);
    } finally {
      await running.stop();
    }
  });
});
