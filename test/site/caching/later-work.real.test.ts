import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PluginSite, SECRET } from '../../cli/plugin/plugin-site.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';

/**
 * Work of a real WordPress behind PHP-FPM that goes on after the response: a scheduled post (`wp-cron.php` ends its response first), and
 * a handler of a plugin that calls `fastcgi_finish_request()`. With `waygate.php` the site tells of the change, without it the
 * gateway asks again.
 */

/** Ends the response, and changes the title of the newest post 3 s later, so that reads of a slow machine come before. */
const LATE = `<?php
function change_late() {
  fastcgi_finish_request();
  sleep(3);
  wp_update_post(['ID' => get_posts(['numberposts' => 1])[0]->ID, 'post_title' => $_GET['title']]);
}
add_action('publish_future_post', function () { sleep(3); }, 1);
add_action('wp_ajax_nopriv_wp_1_late', function () {
  echo 'done';
  change_late();
  exit;
});
add_action('wp_ajax_nopriv_late_shutdown', function () {
  register_shutdown_function('change_late');
  wp_die('done');
});
`;
const CRON = '/wp-cron.php?doing_wp_cron';
const AJAX = '/wp-admin/admin-ajax.php';

let site: PluginSite;
const gateways = new Map<string, RunningGateway>();

beforeAll(async () => {
  site = await PluginSite.start();
  writeFileSync(`${site.wordpress.folder}wp-content/mu-plugins/1-late.php`, LATE);
  // Tasks of the installation.
  await site.php("require ABSPATH . 'wp-cron.php';");
  const { url } = site.wordpress;
  for (const [name, cache] of [
    ['without waygate.php', { pages: 3_600 }],
    ['with waygate.php', { pages: 3_600, tags: 'site', webhook: SECRET }],
  ] as const) {
    gateways.set(
      name,
      await startNodeGateway({ sites: [{ url, passthrough: true, cache }], cache: 'memory' }),
    );
  }
  site.configure(`${gateways.get('with waygate.php')?.origin}/-/webhook/default`);
}, 120_000);
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
  await site?.stop();
});

describe.each([
  ['without waygate.php', 20_000],
  ['with waygate.php', 9_000],
])('%s', (name, timeout) => {
  const request = async (path: string, init: RequestInit = {}): Promise<string> =>
    (await gateways.get(name)?.request(path, init))?.text() ?? '';

  const schedule = (title: string): Promise<string> =>
    site.php(`
      $id = wp_insert_post(['post_title' => '${title}', 'post_status' => 'future', 'post_date' => gmdate('Y-m-d H:i:s', time() + 3600)]);
      mysqli_query($wpdb->dbh, "UPDATE $wpdb->posts SET post_date = '2024-03-20 10:00:00', post_date_gmt = '2024-03-20 10:00:00' WHERE ID = $id");
      clean_post_cache($id);
      delete_transient('doing_cron');
      wp_schedule_single_event(time() - 10, 'publish_future_post', [$id]);
    `);

  const pages = ['/', '/feed/', '/wp-json/wp/v2/posts'];
  /** Lists the pages that show a text. */
  const listShowing = async (text: string): Promise<readonly string[]> => {
    const shown = await Promise.all(pages.map(async (page) => (await request(page)).includes(text)));
    return pages.filter((_, at) => shown[at]);
  };

  /** Expects that pages show a text after the request, and not before the site has changed. */
  async function expectShown(text: string, path: string, init?: RequestInit): Promise<void> {
    expect(await listShowing(text)).toEqual([]);
    await request(path, init);
    // A visitor comes while the site is at work.
    await sleep(100);
    expect(await listShowing(text)).toEqual([]);
    await vi.waitFor(async () => expect(await listShowing(text)).toEqual(pages), { timeout, interval: 250 });
  }

  test('a scheduled post appears within seconds', async () => {
    const title = `It is time ${name.length}`;
    await schedule(title);
    await expectShown(title, CRON);
  });

  test('a change after fastcgi_finish_request() appears within seconds', () =>
    expectShown(`Late${name.length}`, `${AJAX}?action=wp_1_late&nonce=1&title=Late${name.length}`, {
      method: 'POST',
    }));

  if (name === 'with waygate.php') {
    test('a change after the shutdown of WordPress, which is in no table, is told', () =>
      expectShown('LatestOfAll', `${AJAX}?action=late_shutdown&title=LatestOfAll`, { method: 'POST' }));
  }
});
