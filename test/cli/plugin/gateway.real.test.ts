import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { basicAuth } from '../../support/wordpress.ts';
import { PluginSite, SECRET } from './plugin-site.ts';

/** `waygate.php` and the gateway together: changes that no request of the gateway makes, and exact purges. */

const PAGES = [
  '/',
  '/2024/01/post-25/',
  '/2024/01/post-4/',
  '/about/',
  '/noticeboard/',
  '/feed/',
  '/wp-json/wp/v2/comments',
];
let site: PluginSite;
let gateway: TestGateway;

beforeAll(async () => {
  site = await PluginSite.start();
  const cache = { pages: 60, webhook: SECRET };
  gateway = await startGateway({ url: site.wordpress.url, document: undefined, cache });
  site.configure(`${gateway.origin}/-/webhook/default`);
}, 120_000);
afterAll(() => site?.stop());

async function read(path: string): Promise<{ readonly isHit: boolean; readonly text: string }> {
  const response = await gateway.request(path, { redirect: 'manual' });
  expect(response.headers.get('x-waygate-tags')).toBeNull();
  const isHit = /^waygate; hit/.test(response.headers.get('cache-status') ?? '');
  return { isHit, text: await response.text() };
}

/** Reads all pages until they are hits. */
async function warm(): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const page of PAGES) expect((await read(page)).isHit, page).toBe(true);
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function listMisses(): Promise<readonly string[]> {
  const misses: string[] = [];
  for (const page of PAGES) if (!(await read(page)).isHit) misses.push(page);
  return misses;
}

describe('what is purged is what shows the change', () => {
  test('of a process without a request', async () => {
    await warm();
    await site.php("update_option('notes_hours', 'on Sundays');");
    expect((await read('/noticeboard/')).text).toContain('on Sundays');
    expect(await listMisses()).toEqual([]);
    await site.php("$wpdb->insert('wp_notes', ['text' => 'A row of a plugin']);");
    expect((await read('/noticeboard/')).text).toContain('A row of a plugin');
    expect(await listMisses()).toEqual([]);
  });

  test('of the text of a page that is in a menu of all pages', async () => {
    await warm();
    await site.php(
      "wp_update_post(['ID' => get_page_by_path('about')->ID, 'post_content' => 'About us, anew']);",
    );
    expect(await listMisses()).toEqual(['/about/']);
    await warm();
    await site.php("wp_update_post(['ID' => get_page_by_path('about')->ID, 'post_title' => 'About us']);");
    expect(await listMisses()).toEqual(expect.arrayContaining(['/', '/about/', '/2024/01/post-4/']));
  });

  test('by its address', async () => {
    await warm();
    await site.php("waygate_purge(['/about/']);");
    expect(await listMisses()).toEqual(['/about/']);
  });

  test('of a post that its time publishes', async () => {
    await site.php(`
      $id = wp_insert_post(['post_title' => 'It is time', 'post_status' => 'future', 'post_date' => gmdate('Y-m-d H:i:s', time() + 3600)]);
      mysqli_query($wpdb->dbh, "UPDATE $wpdb->posts SET post_date = '2024-03-20 10:00:00', post_date_gmt = '2024-03-20 10:00:00' WHERE ID = $id");
      clean_post_cache($id);
      wp_schedule_single_event(time() - 10, 'publish_future_post', [$id]);
    `);
    await warm();
    await site.php("require ABSPATH . 'wp-cron.php';");
    expect((await read('/')).text).toContain('It is time');
    expect((await read('/feed/')).text).toContain('It is time');
    expect((await read('/about/')).isHit).toBe(true);
  });

  test('of a write through the gateway', async () => {
    await warm();
    const headers = {
      'content-type': 'application/json',
      authorization: basicAuth(site.wordpress.users.administrator),
    };
    const write = (path: string, body: object): Promise<Response> =>
      gateway.request(`/wp-json/wp/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await write('/comments', { post: 6, content: 'A comment on the fourth' });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-waygate-changed')).toBeNull();
    expect(await listMisses()).toEqual(['/2024/01/post-4/', '/wp-json/wp/v2/comments']);
    expect((await read('/2024/01/post-4/')).text).toContain('A comment on the fourth');
  });
});

test("tags that the site's own nginx repeats do not make an old page fresh", async () => {
  await site.usePageCache();
  await site.php("wp_update_post(['ID' => get_page_by_path('about')->ID, 'post_content' => 'Edited']);");
  const read = async (path: string): Promise<Response> => {
    const response = await gateway.request(path);
    await response.text();
    return response;
  };
  // The cache of the site has its page from before.
  const readings = [await read('/about/'), await read('/about/')];
  expect(readings.map(({ headers }) => headers.get('x-cache'))).toContain('HIT');
  await vi.waitFor(async () => {
    const status = (await read('/about/')).headers.get('cache-status') ?? '';
    expect(Number(/hit; ttl=(\d+)/.exec(status)?.[1])).toBeLessThanOrEqual(60);
  }, 60_000);
});

test('a blog of a network with a domain of its own is purged by its own changes only', async () => {
  await site.makeNetwork();
  const main = site.wordpress.url;
  const mapped = main.replace('127.0.0.1', 'localhost');
  const blog = await site.php(`
    $id = wp_insert_site(['domain' => '${new URL(mapped).host}', 'path' => '/', 'title' => 'Mapped', 'user_id' => 1]);
    // WordPress 6.1 removes the port's colon.
    $wpdb->update($wpdb->blogs, ['domain' => '${new URL(mapped).host}'], ['blog_id' => $id]);
    clean_blog_cache($id);
    foreach (['home', 'siteurl'] as $name) update_blog_option($id, $name, '${mapped.slice(0, -1)}');
    echo $id;
  `);
  const cache = { pages: 60, webhook: SECRET } as const;
  const sites = Object.entries({ main, mapped }).map(([name, url]) => ({
    ...{ name, url, passthrough: true, cache },
  }));
  const network = await startGateway({ gateway: { sites } });
  site.configureNetwork({ main, mapped }, network.origin);
  const isHit = async (path: string): Promise<boolean> =>
    /^waygate; hit/.test((await network.request(path)).headers.get('cache-status') ?? '');
  const listHits = async (): Promise<readonly string[]> => {
    const hits: string[] = [];
    for (const path of ['/main/', '/mapped/', '/mapped/?feed=rss2']) if (await isHit(path)) hits.push(path);
    return hits;
  };
  const insert = (title: string): string =>
    `wp_insert_post(['post_title' => '${title}', 'post_status' => 'publish']);`;
  const rows: readonly (readonly [change: string, left: readonly string[]])[] = [
    [`switch_to_blog(${blog}); ${insert('Of the mapped blog')}`, ['/main/']],
    [insert('Of the main blog'), ['/mapped/', '/mapped/?feed=rss2']],
    [`update_blog_option(${blog}, 'blogname', 'Renamed');`, ['/main/']],
    ["update_site_option('site_name', 'Renamed');", []],
  ];
  for (const [change, left] of rows) {
    await vi.waitFor(async () => expect(await listHits()).toHaveLength(3), {
      timeout: 60_000,
      interval: 100,
    });
    await site.php(change);
    expect(await listHits(), change).toEqual(left);
  }
  const text = await (await network.request('/mapped/')).text();
  expect([text.includes('Of the mapped blog'), text.includes('Of the main blog')]).toEqual([true, false]);
}, 180_000);
