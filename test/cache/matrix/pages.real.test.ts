import { describe, expect, test } from 'vitest';
import { startNodeGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress, type WordPressInfo } from '../../support/wordpress.ts';
import { formWrites } from './form-writes.ts';
import { create, formatMatrix, Matrix, type MatrixWrite, PRINTS, post, print } from './matrix.ts';
import { createContent } from './wordpress-content.ts';
import { wordpressWrites } from './wordpress-writes.ts';

/**
 * Each page, feed, sitemap and route of a site after each kind of write, with the default settings: forms of wp-admin, comments, XML-RPC
 * and REST. `scripts/matrix/main.mjs --themes` runs all of it on several themes.
 */
const THEMES = process.env['MATRIX_THEMES']?.split(',') ?? [undefined];
const ROUNDS = Number(process.env['MATRIX_ROUNDS'] ?? 1);
/** Of the reads, one in this number is compared: all of them take too long in CI. */
const READ_INTERVAL = Number(process.env['MATRIX_READ_INTERVAL'] ?? 5);
const ONLY = new RegExp(
  process.env['MATRIX_ONLY'] ??
    "quick edit: a title|bulk: a category|editor: a content|form, a visitor|is unapproved$|is approved$|options: general|wp-admin, a category|a user's name|a post's excerpt|a comment's content",
);
const MU_PLUGINS = new URL('mu-plugins', import.meta.url).pathname;

const split = (list: string): readonly string[] => list.trim().split(/\s+/);
const POSTS = [1, 2, 6, 8, 12, 17, 18, 21, 22, 24, 25].map((n) => `/2024/01/post-${n}/`);
const PAGES = [
  ...split(`
    / /page/2/ /page/3/ /2024/ /2024/01/ /2024/01/24/ /?s=post /?s=edited /nowhere/
    /feed/ /comments/feed/ /category/news/feed/ /2024/01/post-1/feed/ /author/editor/feed/
    /author/editor/ /author/administrator/ /author/editor/page/2/ /tag/red/ /tag/green/
    /category/news/ /category/news/local/ /category/news/abroad/ /category/recipes-more/
    /about/ /about/team/ /2024/01/unicode/ /a-sun/ /?p=10 /?page_id=30
    /2024/01/latestposts/ /2024/01/latestcomments/ /2024/01/termblocks/ /2024/01/dateblocks/
    /2024/01/queryblock/`),
  ...POSTS,
  ...split(`
    /wp-sitemap.xml /wp-sitemap-posts-post-1.xml /wp-sitemap-posts-page-1.xml /wp-sitemap-users-1.xml
    /wp-sitemap-taxonomies-category-1.xml /wp-sitemap-taxonomies-post_tag-1.xml /robots.txt`),
].map((path) => `page:${path}`);
const ROUTES = [
  ...split(`
    posts posts?per_page=5&_embed posts?categories=3 posts?author=2 posts?search=post posts?sticky=true
    pages media categories tags users comments comments?post=3 search?search=post`),
  ...[10, 12, 14, 19, 21, 23, 26].flatMap((id) => [`posts/${id}`, `comments?post=${id}`]),
  ...split('pages/30 media/1 categories/4 users/2 comments/1 navigation types taxonomies'),
].map((route) => `/wp/v2/${route}`);

/** Widgets of a theme with sidebars, and a menu at each of its places. */
async function listThemeContent(site: WordPressInfo, authorization: string): Promise<readonly MatrixWrite[]> {
  const read = async <T>(route: string): Promise<T> =>
    (await fetch(`${site.url}wp-json/wp/v2/${route}`, { headers: { authorization } })).json();
  type Named = readonly { readonly id: string }[];
  const sidebars = await read<Named>('sidebars?context=edit');
  const types = await read<Named>('widget-types?context=edit');
  const [sidebar] = sidebars.map(({ id }) => id).filter((id) => id !== 'wp_inactive_widgets');
  const known = split('recent-posts recent-comments categories archives tag_cloud alxtabs alxposts');
  const widgets = types.filter(({ id }) => sidebar !== undefined && known.includes(id));
  const locations = Object.keys(await read<object>('menu-locations'));
  return [
    ...widgets.map(({ id }) => {
      const fields = { title: id, number: 5, count: 1 };
      return create(`a widget ${id}`, '/wp/v2/widgets', id.replaceAll('-', '_'), {
        id_base: id,
        sidebar,
        form_data: toWidgetForm(id, fields),
      });
    }),
    create('a menu', '/wp/v2/menus', 'menu', { name: 'Main', locations }),
    create('an item of the menu', '/wp/v2/menu-items', 'menuItem', {
      menus: '{menu}',
      type: 'post_type',
      object: 'page',
      object_id: 30,
      title: 'About us',
      status: 'publish',
    }),
  ];
}

const toWidgetForm = (id: string, fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `widget-${id}[1][${name}]=${value}`)
    .join('&');

/** Writes of what a theme with sidebars shows. */
function themeWrites(ids: ReadonlyMap<string, string>, n: number): readonly MatrixWrite[] {
  const menu = post('an item of a menu', '/wp/v2/menu-items/{menuItem}', { title: `About ${n}` });
  if (!ids.has('recent_posts')) return [menu];
  const fields = { title: `Posts ${n}`, number: 3 + (n % 3) };
  const widget = { form_data: toWidgetForm('recent-posts', fields) };
  return [menu, post('a widget', '/wp/v2/widgets/{recent_posts}', widget)];
}

/** Whether all ids that a write refers to are known: those of a write that was not made are not. */
function hasIds({ form, path }: MatrixWrite, ids: ReadonlyMap<string, string>): boolean {
  const names = [...(path + JSON.stringify(form ?? {})).matchAll(/\{(\w+)\}/g)];
  return names.every(([, name = '']) => ids.has(name));
}

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

/** The posts on which visitors comment: such a comment purges its own post alone. */
const COMMENTED = ['page:/2024/01/post-21/', 'page:/2024/01/post-1/'];
/** What shows it after the lifetime of a response: feeds, which say when the site has changed, and the latest comments. */
const AFTER_LIFETIME = split(
  'page:/feed/ page:/comments/feed/ page:/category/news/feed/ page:/2024/01/latestcomments/',
);

/** Whether an address may show a write later. Other themes show the latest comments on each page. */
function isShownLater(theme: string | undefined, name: string, read: string): boolean {
  if (!/^comment form, a (?:reply of a )?visitor$/.test(name)) return false;
  return theme === undefined
    ? AFTER_LIFETIME.includes(read)
    : read.startsWith('page:') && !COMMENTED.includes(read);
}

describe.each(THEMES)('theme %s', (theme) => {
  const site = useWordPress({ title: 'Waygate pages', muPlugins: MU_PLUGINS, ...(theme && { theme }) });

  test('after each write no address of the site is stale', { timeout: 24 * 3_600_000 }, async () => {
    const running = await startNodeGateway({
      sites: [{ url: site().url, passthrough: true, cache: { pages: 60 } }],
      cache: 'memory',
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
        siteUrl: site().url,
        reads: [
          ...new Set([...COMMENTED, ...[...PAGES, ...ROUTES].filter((_, at) => at % READ_INTERVAL === 0)]),
        ],
        authorization: basicAuth(administrator),
        session: await logIn(running.request, administrator),
        ids,
      });
      for (const write of createContent()) await matrix.prepare(write);
      for (const write of await listThemeContent(site(), basicAuth(administrator)))
        await matrix.prepare(write);
      const notStored = await matrix.warm();
      print(`${theme}, not stored: ${notStored.join(' ')}`);
      for (let n = 1; n <= ROUNDS; n++) {
        for (const write of [...wordpressWrites(n), ...formWrites(n), ...themeWrites(ids, n)]) {
          if (!ONLY.test(write.name) || !hasIds(write, ids)) continue;
          const { counts, stale } = await matrix.write(write);
          print(`${n} ${write.name} ${JSON.stringify(counts)} ${stale.join(' ')}`);
        }
      }
      const rows = [...matrix.rows.values()];
      print(`${formatMatrix(`theme ${theme}`, rows)}\n${matrix.examples.join('\n')}`);
      const outdated = rows.flatMap(({ name, stale }) =>
        stale.filter((read) => !isShownLater(theme, name, read)).map((read) => `${name}: ${read}`),
      );
      expect(outdated).toEqual([]);
      // A kind that changes nothing would prove nothing. Drafts and the like are in the long run only.
      const ineffective = rows.filter(({ counts }) => counts.changed === 0).map(({ name }) => name);
      print(`changed nothing: ${ineffective.join(', ')}`);
      if (!PRINTS) expect(ineffective).toEqual([]);
      // Neither would reads that are never stored.
      expect(notStored.length).toBeLessThan(3);
    } finally {
      await running.stop();
    }
  });
});
