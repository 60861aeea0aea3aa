import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLUGIN_VERSION } from '../../../src/gateway/wordpress/site-fields.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { runServer } from '../../support/run.ts';
import { PLUGIN_FOLDER, PluginSite, SECRET, signRequest } from './plugin-site.ts';

/** Which requests get the fields of `waygate.php`, and how its messages arrive. */

let site: PluginSite;
beforeAll(async () => {
  site = await PluginSite.start();
  // The first page of a theme creates a post.
  await (await site.request('/')).text();
}, 120_000);
afterAll(() => site?.stop());
beforeEach(async () => {
  site.respond = 200;
  await site.sql("DELETE FROM wp_options WHERE option_name LIKE 'waygate%'");
  site.messages.length = 0;
});
afterEach(() => site.configure(site.receiver));

/** WP-CLI's ends of a command. */
const WP_CLI =
  'class WP_CLI { static function error($text) { echo "Error: $text"; exit; } static function success($text) { echo "Success: $text"; } }';
const COUNT_ROWS = `echo $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->options WHERE option_name LIKE 'waygate%'");`;
const rename = (name: string): string => `update_option('notes_hours', '${name}');`;
/** Each name once: a process that takes a second tells at intervals, and everything once more at its end. */
const listTags = (): readonly string[] => [...new Set(site.messages.flatMap(({ tags }) => tags))];
const tagsOf = ({ headers }: Response): string | null => headers.get('x-waygate-tags');
/** Runs PHP while a page is made. */
const run = (code: string, headers: Record<string, string> = {}): Promise<Response> =>
  site.request(`/?notes_run=${encodeURIComponent(code)}`, { headers });
/** Runs PHP in a request that no gateway stores. */
const runAjax = (code: string): Promise<Response> => {
  const body = new URLSearchParams({ notes_ajax: code });
  return site.request('/wp-admin/admin-ajax.php?action=none', { method: 'POST', body });
};

async function logIn(): Promise<string> {
  const { loginPassword, user } = site.wordpress.users.administrator;
  const login = await site.request('/wp-login.php', {
    method: 'POST',
    headers: { ...signRequest(), cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
  });
  expect(login.status).toBe(302);
  expect(login.headers.get('x-waygate-changed')).not.toContain('*');
  return login.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
}

describe('fields', () => {
  test('are sent to a gateway with a present signature, which no plugin sees', async () => {
    const now = Math.floor(Date.now() / 1000);
    const seen = async (headers: Record<string, string>): Promise<boolean> =>
      (
        await run('echo isset($_SERVER["HTTP_X_WAYGATE_REQUEST"]) ? "leaked" : "hidden";', headers)
      ).headers.has('x-waygate-tags');
    expect(await seen(signRequest(now))).toBe(true);
    expect(await seen(signRequest(now - 400))).toBe(false);
    expect(await seen(signRequest(now, 'another secret'))).toBe(false);
    const response = await run('echo isset($_SERVER["HTTP_X_WAYGATE_REQUEST"]) ? "leaked" : "hidden";');
    expect(response.headers.get('x-waygate-version')).toBe(PLUGIN_VERSION);
    expect(await response.text()).toContain('hidden');
  });

  test('have tags for a large page', async () => {
    const response = await run("echo str_repeat('a large page ', 15000);");
    expect(tagsOf(response)).toContain('list-post');
  });

  test.each([
    ['is too large', "echo str_repeat('a large page ', 30000);", 'a page of more than 256 kB'],
    [
      'is larger than the memory',
      "ini_set('memory_limit', 8_000_000 + memory_get_usage()); for ($n = 0; $n < 64; $n++) { echo str_repeat('x', 1_000_000); flush(); }",
      'a page of more than 256 kB',
    ],
    ['is sent in parts', 'ob_end_flush(); flush();', 'a page that is sent in parts'],
  ])('say that a page %s', async (_, code, reason) => {
    const response = await run(code);
    expect([response.status, tagsOf(response)]).toEqual([200, expect.stringContaining('list-post')]);
    expect(response.headers.get('x-waygate-ordinary')).toContain(reason);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>.*<\/html>\s*$/s);
  });

  test.each([
    ['', "echo str_repeat('x', 9000); setcookie('late', '1'); header('X-Late: 1');"],
    ['ob_start();', "echo str_repeat('x', 9000); setcookie('late', '1'); header('X-Late: 1');"],
    ['', "echo str_repeat('x', 9000); header_remove('Link'); header('X-Pingback: other');"],
  ])('leave a head as it is without them: %j, %j', async (before, code) => {
    site.configure(site.receiver, before);
    const read = async (headers: Record<string, string>): Promise<readonly string[]> => {
      const response = await run(code, headers);
      await response.text();
      return [...response.headers].filter(([name]) => !/^(?:x-waygate|date)/.test(name)).map(String);
    };
    expect(await read(signRequest())).toEqual(await read(signRequest(undefined, 'another secret')));
  });

  test('take little memory', async () => {
    const measure = async (headers: Record<string, string>): Promise<number> => {
      const response = await run('echo "peak ", memory_get_peak_usage(), ".";', headers);
      return Number(/peak (\d+)\./.exec(await response.text())?.[1]);
    };
    const stranger = signRequest(undefined, 'another secret');
    // The first response of each kind compiles more.
    for (const headers of [stranger, signRequest()]) await measure(headers);
    expect((await measure(signRequest())) - (await measure(stranger))).toBeLessThan(600_000);
  });

  test('have no tags for a session and another method', async () => {
    const cookie = await logIn();
    for (const response of [
      await site.request('/', { headers: { ...signRequest(), cookie } }),
      await site.request('/', { method: 'HEAD' }),
    ])
      expect(tagsOf(response)).toBeNull();
  });

  test.each([
    ['how long ago something was', 'echo human_time_diff(0);', 'notes.php: a time that passes'],
    [
      'a table without a prefix',
      'echo $wpdb->get_var("SELECT 1 FROM information_schema.tables LIMIT 1");',
      'a table without',
    ],
    ['a random row', 'echo $wpdb->get_var("SELECT text FROM wp_notes ORDER BY RAND()");', 'a random number'],
    ['random posts', "get_posts(['orderby' => 'rand', 'numberposts' => 1]);", 'a random order'],
    ['the response of another server', "wp_remote_get('http://127.0.0.1:9/');", 'notes.php: request to http'],
  ])('are not exact where the response shows %s, and say why', async (_, code, reason) => {
    const response = await run(code);
    expect(tagsOf(response)).toMatch(/\blist-post\b/);
    expect(response.headers.get('x-waygate-ordinary')).toContain(reason);
  });

  test.each([
    ['a table', 'echo $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}notes");', 'table-notes'],
    ['two tables', "echo $wpdb->get_var('SELECT 1 FROM `wp_notes` a, wp_logs b');", 'table-logs'],
    [
      'a joined table',
      '$wpdb->get_var(\'SELECT 1 FROM wp_posts p LEFT JOIN wp_notes n ON n.id = p.ID WHERE n.text = "FROM x"\');',
      'table-notes',
    ],
    [
      'an option',
      'echo $wpdb->get_var(\'SELECT option_value FROM wp_options WHERE option_name = "a"\');',
      'option-a',
    ],
    [
      'options',
      '$wpdb->get_col("SELECT option_value FROM wp_options WHERE option_name LIKE \'a%\'");',
      'option-*',
    ],
    ['posts', 'echo $wpdb->get_var("SELECT post_title FROM $wpdb->posts LIMIT 1");', 'post-*'],
    [
      'posts of a type',
      '$wpdb->get_col("SELECT ID FROM wp_posts WHERE post_type = \'course\'");',
      'text-course',
    ],
    [
      'posts of other types',
      '$wpdb->get_col("SELECT ID FROM wp_posts WHERE post_type != \'course\'");',
      'post-*',
    ],
    ['a post', "$wpdb->get_col('SELECT meta_value FROM wp_postmeta WHERE post_id = 7');", 'post-7'],
    ['a post or more', "$wpdb->get_col('SELECT ID FROM wp_posts WHERE ID = 7 OR menu_order = 3');", 'post-*'],
    ['drafts', "get_posts(['post_status' => 'draft']);", 'hidden-post'],
    [
      'pages in the order of titles',
      "get_posts(['post_type' => 'page', 'orderby' => 'menu_order title']);",
      'titles-page',
    ],
    ['an empty sidebar', "is_active_sidebar('none');", 'blog-widgets'],
  ])('name %s that a plugin reads', async (_, code, tag) => {
    const response = await run(code);
    expect(response.headers.get('x-waygate-ordinary')).toBeNull();
    expect(tagsOf(response)?.split(' ')).toContain(tag);
    expect(tagsOf(response)).not.toMatch(/\btext-page\b/);
  });

  test('exclude a page with DONOTCACHEPAGE from the store', async () => {
    expect(tagsOf(await run("define('DONOTCACHEPAGE', true);"))).toBe('no-store');
    const early = await site.request('/?notes_early=1');
    expect([tagsOf(early), await early.text()]).toEqual(['no-store', 'early']);
  });

  test('are folded until they fit beside the other fields', async () => {
    const read = async (bytes: number): Promise<string> =>
      tagsOf(await site.request(`/wp-json/wp/v2/posts?per_page=20&notes_field=${bytes}`)) ?? '';
    const [short, long] = [await read(1), await read(3_300)];
    expect(short).toMatch(/\bpost-\d/);
    expect(long).toMatch(/\bpost-\*/);
    expect(long.length).toBeLessThan(short.length);
  });

  test('have the titles of posts for comments, unless a plugin adds to them or posts are embedded', async () => {
    const read = async (path: string, query = ''): Promise<string | null> =>
      tagsOf(await site.request(`${path}?${query}`));
    const [comments, feed] = ['/wp-json/wp/v2/comments', '/comments/feed/'];
    const titles = /^(?!.*(?<![\w-])post-\d).*(?<![\w-])title-\d/;
    expect(await read(comments, '_embed')).toMatch(/(?<![\w-])post-\d/);
    site.configure(
      site.receiver,
      `if (isset($_GET['notes_filter'])) add_filter($_GET['notes_filter'], fn ($value) => $value);
      add_action('rest_api_init', fn () => get_transient('post-5'));`,
    );
    await vi.waitFor(
      async () => expect((await read(comments))?.split(' ')).toContain('option-transient-post-5'),
      60_000,
    );
    for (const path of [comments, feed]) expect(await read(path)).toMatch(titles);
    // As Twenty Twenty-One does.
    for (const path of [comments, feed]) expect(await read(path, 'notes_filter=the_title')).toMatch(titles);
    for (const [path, filter] of [
      [comments, 'rest_prepare_comment'],
      [comments, 'rest_request_after_callbacks'],
      [comments, 'rest_post_dispatch'],
      [comments, 'comment_text'],
      [comments, 'post_link'],
      [feed, 'post_link'],
    ] as const)
      expect(await read(path, `notes_filter=${filter}`), filter).toMatch(/(?<![\w-])post-\d/);
  });

  const loop = (blocks: string): string =>
    `echo do_blocks('<!-- wp:query {"queryId":1,"query":{"perPage":1,"postType":"post","order":"asc","orderBy":"date","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template -->${blocks}<!-- /wp:post-template --></div><!-- /wp:query -->');`;
  const latest = (attributes = ''): string =>
    `echo do_blocks('<!-- wp:latest-posts {"postsToShow":1,"order":"asc"${attributes}} /-->');`;
  const titles = loop('<!-- wp:post-title /--><!-- wp:post-date /-->');
  test.each([
    ['title', 'latest posts by title', latest()],
    ['title', 'a loop of titles and dates', titles],
    ['post', 'latest posts with excerpts', latest(',"displayPostContent":true')],
    ['post', 'a loop of excerpts', loop('<!-- wp:post-excerpt /-->')],
    ['post', 'a loop with a block of a plugin', loop('<!-- wp:post-title /--><!-- wp:notes/minutes /-->')],
    ['post', 'a list of a plugin', "echo get_posts(['numberposts' => 1, 'order' => 'ASC'])[0]->post_title;"],
    ['post', 'titles to which a plugin adds', `add_filter('the_title', fn ($text) => "$text!"); ${latest()}`],
    ['post', 'titles, and a text past WordPress', `${titles} echo 'x', get_post(3)->post_content;`],
    [
      'post',
      'titles, and an excerpt in an attribute',
      `${titles} echo '<i title="', get_the_excerpt(3), '">';`,
    ],
    ['post', 'titles, and a field', `${titles} echo strlen(get_post_field('post_content', 3));`],
    ['post', 'titles, and when a post was changed', `${titles} the_modified_date();`],
  ])('name posts by %s where a page shows %s', async (kind, _, code) => {
    // No other post begins with these words.
    await site.php("wp_update_post(['ID' => 3, 'post_content' => '<p>Words of only this one.</p>']);");
    const tags = tagsOf(await run(code))?.split(' ');
    expect(['title', 'post'].filter((each) => tags?.includes(`${each}-3`))).toEqual([kind]);
  });

  test('can be filtered by the developers of the site', async () => {
    const own = `add_filter('waygate_tags', fn ($tags) => ['mine']);`;
    expect(tagsOf(await run(own))).toBe('mine');
    const known = "add_filter('waygate_ordinary', '__return_empty_string'); human_time_diff(0);";
    expect((await run(known)).headers.get('x-waygate-ordinary')).toBeNull();
  });

  test('do not depend on the tasks of Action Scheduler', async () => {
    const code = '$wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}actionscheduler_actions");';
    expect(tagsOf(await run(code))).toMatch(/\blist-post\b/);
  });
});

describe('a plugin', () => {
  test('that starts a buffer in the filter of statements breaks no page', async () => {
    const response = await run(
      "add_filter('query', function ($q) { ob_start(); ob_end_flush(); return $q; });",
    );
    expect([response.status, (await response.text()).includes('</html>')]).toEqual([200, true]);
  });

  test('that counts views in metadata purges nothing', async () => {
    const response = await run("update_post_meta(20, 'views', (int) get_post_meta(20, 'views', true) + 1);");
    expect(tagsOf(response)).toMatch(/\bpost-20\b/);
    expect(response.headers.get('x-waygate-changed')).toBeNull();
  });

  test.each([
    ['a price by GET', 'GET', "update_post_meta(20, 'price', $_GET['to'] ?? '672.50');", 'post-20'],
    [
      'a vote by POST',
      'POST',
      "update_post_meta(20, 'votes', 1 + (int) get_post_meta(20, 'votes', true));",
      'post-20',
    ],
    ['an option by POST', 'POST', "update_option('notes_hours', wp_rand());", 'option-notes_hours'],
    ['a row by POST', 'POST', "$wpdb->insert('wp_notes', ['text' => 'x']);", 'table-notes'],
    [
      'when it was seen',
      'GET',
      "update_post_meta(20, 'seen', time()); update_post_meta(20, 'seen', time() + 1);",
      null,
    ],
    ['a row by GET', 'GET', "$wpdb->insert('wp_notes', ['text' => 'x']);", null],
    ['an option by GET', 'GET', "update_option('notes_counted', wp_rand());", null],
  ])('that writes %s of a stranger names it if it is no view of a page', async (_, method, code, name) => {
    await site.php("update_post_meta(20, 'price', '677');");
    site.messages.length = 0;
    const response = method === 'GET' ? await run(code) : await runAjax(code);
    const names = response.headers.get('x-waygate-changed')?.split(' ') ?? [];
    expect(names.filter((each) => /^(?:post|option-notes|table)/.test(each))).toEqual(
      name === null ? [] : [name],
    );
    expect(response.headers.get('x-waygate-sender')).toBe(name === null ? null : 'stranger');
  });

  test('that changes something by a link with a nonce names it', async () => {
    const cookie = await logIn();
    const code =
      "if (isset($_GET['_wpnonce'])) { check_admin_referer('fill'); update_post_meta(20, 'filled', 1 + (int) get_post_meta(20, 'filled', true)); } else echo 'nonce:', wp_create_nonce('fill');";
    const read = (more: string): Promise<Response> =>
      site.request(`/?notes_run=${encodeURIComponent(code)}${more}`, {
        headers: { ...signRequest(), cookie },
      });
    const [, nonce] = /nonce:(\w+)/.exec(await (await read('')).text()) ?? [];
    for (const _ of [1, 2])
      expect((await read(`&_wpnonce=${nonce}`)).headers.get('x-waygate-changed')?.split(' ')).toContain(
        'post-20',
      );
  });

  test('that edits a post during a read of a visitor names it in the response', async () => {
    const response = await run("wp_update_post(['ID' => 21, 'post_title' => 'Read ' . wp_rand()]);");
    expect(response.headers.get('x-waygate-changed')?.split(' ')).toContain('title-21');
  });

  test.each([
    ["update_option('image_optimizer_queue', wp_rand());", [expect.stringMatching(/^option-[\w-]{8}$/)]],
    ["update_option('default_role', wp_rand() . 'r');", []],
    ["update_option('blogname', 'Name ' . wp_rand());", ['option-blogname']],
    ["update_option('thumbnail_size_w', wp_rand(1, 999));", ['blog-all']],
    ["set_theme_mod('notes', wp_rand());", [expect.stringMatching(/^option-[\w-]+$/)]],
    ["update_option('active_plugins', ['notes.php']); update_option('active_plugins', []);", ['blog-all']],
    ["update_post_meta(20, '_edit_lock', time() . ':1');", []],
    ["update_post_meta(20, 'mood', wp_rand());", ['post-20', 'meta-post']],
    [
      "wp_insert_comment(['comment_post_ID' => 8, 'comment_approved' => 1, 'comment_content' => 'Said']);",
      ['comments-8', 'replies-post'],
    ],
    [
      "wp_insert_comment(['comment_post_ID' => 8, 'comment_approved' => 0, 'comment_content' => 'Held']);",
      [],
    ],
    ["update_post_meta(20, '_thumbnail_id', 7);", expect.arrayContaining(['title-20'])],
    ["set_transient('recent', wp_rand());", expect.arrayContaining(['option-transient-recent'])],
    ["wp_insert_post(['post_title' => 'Draft']);", ['hidden-post']],
    [
      "wp_set_password('new', 2); WP_Session_Tokens::get_instance(2)->create(time() + 3600); WP_Application_Passwords::create_new_application_password(2, ['name' => 'Another']);",
      [],
    ],
    [
      "wp_schedule_event(time() + 3600, 'daily', 'notes_daily'); wp_insert_post(['post_title' => 'Private', 'post_status' => 'private']);",
      ['hidden-post'],
    ],
    ['$wpdb->query("UPDATE $wpdb->posts SET menu_order = 1 WHERE ID = 20");', ['blog-all']],
    ['$wpdb->query("UPDATE {$wpdb->prefix}notes n JOIN $wpdb->posts p SET n.text = \'x\'");', []],
    ["$wpdb->insert('wp_notes', ['text' => 'x']);", ['table-notes']],
    [
      "$wpdb->query('CREATE TABLE wp_acme_sessions (id INT)'); $wpdb->query('DROP TABLE wp_acme_sessions');",
      [],
    ],
    ['$wpdb->query("UPDATE wp_notes SET text = \'y\' WHERE id = 0");', []],
    [
      "update_user_meta(1, 'wp_persisted_preferences', [wp_rand()]); update_user_meta(1, 'closedpostboxes_post', [wp_rand()]); update_user_meta(1, 'admin_color', wp_rand());",
      [],
    ],
    ["update_term_meta(1, 'color', wp_rand());", ['termmeta-1']],
    [
      "$wpdb->query('RENAME TABLE wp_notes TO wp_noted'); $wpdb->query('RENAME TABLE wp_noted TO wp_notes');",
      ['table-notes', 'table-noted'],
    ],
    ["waygate_purge(['post-7', '/about/']);", ['post-7', '/about/']],
  ])('that runs %s names %j', async (code, names) => {
    await site.php(code);
    expect(listTags()).toEqual(names);
  });
});

describe('a change', () => {
  test('of a request of the only gateway needs no message', async () => {
    const meta = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`notes_field_${at}`, 'x']));
    const code = `foreach (${JSON.stringify(Object.keys(meta))} as $key) register_post_meta('post', $key, ['show_in_rest' => true, 'single' => true, 'type' => 'string']);`;
    site.configure(site.receiver, `add_action('init', function () { ${code} });`);
    const response = await site.rest('/posts', { title: 'By REST', status: 'publish', meta });
    const names = response.headers.get('x-waygate-changed')?.split(' ');
    expect(names).toContain('list-post');
    expect(names).not.toContain('*');
    await site.php(rename('a'));
    expect(listTags()).toEqual(['option-notes_hours']);
  });

  test.each([
    ['a flush of all buffers', 'while (ob_get_level()) ob_end_flush(); $send = fn () => flush();'],
    ['a flush for each event', '$send = function () { ob_flush(); flush(); };'],
    [
      'an implicit flush',
      'while (ob_get_level()) ob_end_clean(); ob_implicit_flush(); $send = fn () => null;',
    ],
  ])('of a POST that streams events by %s is told before its end', async (_, start) => {
    const signal = `${site.wordpress.folder}wp-content/uploads/continue`;
    const code = `
      header('Content-Type: text/event-stream'); header('X-Accel-Buffering: no');
      ${start}
      update_option('notes_first', wp_rand());
      echo "data: first\n\n"; $send();
      for ($n = 0; $n < 1000 && !file_exists('${signal}'); $n++) { usleep(20000); clearstatcache(); }
      foreach (['first', 'second'] as $name) update_option("notes_$name", wp_rand());
      echo "data: second\n\n"; exit;
    `;
    closeAfterTest(() => rmSync(signal, { force: true }));
    const response = await runAjax(code);
    const names = response.headers.get('x-waygate-changed')?.split(' ');
    expect([names?.includes('option-notes_first'), names?.includes('option-notes_second')]).toEqual([
      ...[true, false],
    ]);
    const reader = response.body?.getReader();
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toContain('first');
    expect(listTags()).toEqual([]);
    writeFileSync(signal, '');
    while ((await reader?.read())?.done === false);
    expect(listTags()).toEqual(expect.arrayContaining(['option-notes_first', 'option-notes_second']));
  });

  test('can be asked for in the admin bar by those who can edit the page', async () => {
    const read = async (path: string, headers = {}): Promise<[string | null, string]> => {
      const response = await site.request(path, { headers: { ...signRequest(), ...headers } });
      return [response.headers.get('x-waygate-changed'), await response.text()];
    };
    const cookie = await logIn();
    const [, page] = await read('/about/', { cookie });
    const link = /href=['"][^'"]*(\/about\/\?waygate_purge=\w+)/.exec(page)?.[1] ?? '';
    expect(await read(link)).toEqual([null, expect.not.stringContaining('waygate_purge')]);
    expect((await read(link, { cookie }))[0]).toBe('/about/');
    expect((await read(`${link}0`, { cookie }))[0]).toBeNull();
  });

  test('that could not be told is told later as everything, once', async () => {
    site.respond = 503;
    for (const name of ['one', 'two', 'three']) await site.php(rename(name));
    // After the first refusal nobody tries again for a while.
    expect(site.messages.length).toBe(1);
    site.messages.length = 0;
    site.respond = 200;
    await site.php(
      `$name = $wpdb->get_var("SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'waygate%'"); update_option($name, ['until' => 0] + get_option($name)); do_action('waygate_send'); do_action('waygate_send');`,
    );
    expect(site.messages.map(({ tags }) => tags)).toEqual([['*']]);
    await site.php(rename('four'));
    expect(site.messages.at(-1)?.tags).toEqual(['option-notes_hours']);
    expect(await site.php(COUNT_ROWS)).toBe('0');
  });

  test('within a transaction is told at its end, and nobody waits for that', async () => {
    const signal = `${site.wordpress.folder}wp-content/uploads/commit`;
    closeAfterTest(() => rmSync(signal, { force: true }));
    const running = site.php(`
      $wpdb->query('START TRANSACTION');
      for ($n = 0; $n < 400 && !file_exists('${signal}'); $n++) { update_post_meta(20, 'imported', $n); usleep(50000); clearstatcache(); }
      $wpdb->query('COMMIT'); echo file_exists('${signal}') ? 'committed' : 'waited';
    `);
    // A long process tells each second or two of what has changed outside of a transaction.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await site.php(rename('meanwhile'));
    expect(listTags()).toEqual(['option-notes_hours']);
    writeFileSync(signal, '');
    expect(await running).toBe('committed');
    expect(listTags()).toEqual(['option-notes_hours', 'post-20', 'meta-post']);
  }, 60_000);

  test('of a restored database is told like any other', async () => {
    const backup = `$rows = $wpdb->get_results("SELECT * FROM $wpdb->options WHERE option_name LIKE 'waygate%'", ARRAY_A);`;
    await site.php(`${rename('before')} ${backup} update_option('notes_backup', $rows);`);
    await site.php(rename('lost'));
    await site.php(
      `$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'waygate%'"); foreach (get_option('notes_backup') as $row) $wpdb->insert($wpdb->options, $row);`,
    );
    site.messages.length = 0;
    await site.php(rename('after'));
    expect(listTags()).toContain('option-notes_hours');
    expect(new Set(site.messages.map(({ id }) => id)).size).toBe(site.messages.length);
  });

  test('of a long process is told before its end, and few messages tell of an import', async () => {
    const code = `for ($n = 0; $n < 100; $n++) { wp_insert_post(['post_title' => "Imported $n", 'post_type' => 'notes_import', 'post_status' => 'publish']); usleep(50000); } echo 'ended';`;
    const start = Date.now();
    const running = site.php(`register_post_type('notes_import', ['public' => true]); ${code}`);
    await vi.waitFor(() => expect(listTags()).toContain('list-notes_import'), 60_000);
    const told = Date.now() - start;
    expect(await running).toBe('ended');
    expect(told).toBeLessThan(Date.now() - start);
    expect(site.messages.length).toBeLessThanOrEqual(10);
    await site.sql("DELETE FROM wp_posts WHERE post_type = 'notes_import'");
  }, 120_000);

  test('reaches one gateway while another one accepts connections and never answers, which is not asked again', async () => {
    let asked = 0;
    const hung = await runServer(() => {
      asked += 1;
    });
    site.configure([`${hung.origin}/-/webhook/default`, site.receiver]);
    await site.php(rename('hung'));
    expect(listTags()).toContain('option-notes_hours');
    for (const name of ['a', 'b', 'c']) await site.php(rename(name));
    // Once more, with more time.
    expect(asked).toBe(2);
    expect(site.messages.length).toBeGreaterThanOrEqual(4);
  });

  test('reaches a gateway that is far away', async () => {
    const far = await runServer((request, response) => {
      request.resume().on('end', () => setTimeout(() => response.end(), 200));
    });
    site.configure(`${far.origin}/-/webhook/default`);
    await site.php(rename('far'));
    expect(await site.php("echo Waygate::describe()['status'];")).toBe('good');
  });

  test('arrives where PHP has no cURL', async () => {
    site.configure(site.receiver, "add_filter('use_curl_transport', '__return_false');");
    await site.php(rename('sockets'));
    expect(listTags()).toContain('option-notes_hours');
  });

  test('that a gateway refuses is shown by Site Health and a notice, and leaves one note for all', async () => {
    site.respond = 401;
    for (const name of ['a', 'b', 'c']) await site.php(rename(name));
    const status = await site.php(`
      require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
      foreach (WP_Site_Health::get_tests()['direct'] as $test) if ($test['label'] === 'waygate') echo $test['test']()['description'];
      $GLOBALS['pagenow'] = 'index.php';
      do_action('admin_notices');
    `);
    for (const part of ['does not accept messages', '401', 'hears that everything has changed'])
      expect(status).toContain(part);
    expect(await site.php(COUNT_ROWS)).toBe('1');
  });

  test('of odd arguments of a plugin is everything, and stops nothing: the first is logged', async () => {
    const code = `
      ini_set('error_log', '${site.wordpress.folder}errors');
      do_action('post_updated', [], new stdClass(), false); do_action('wp_insert_comment', 1, 'x'); do_action('edited_term', null);
      do_action('updated_post_meta', 1, [], null, null); do_action('set_object_terms'); do_action('updated_option', []); echo 'done';
    `;
    expect(await site.php(code)).toBe('done');
    const log = readFileSync(`${site.wordpress.folder}errors`, 'utf8');
    expect(log.match(/waygate\.php at \w+/g)).toEqual(['waygate.php at edited_term']);
    expect(listTags()).toContain('blog-all');
  });
});

describe('the plugin', () => {
  test('of a copy of the site is silent, and says so', async () => {
    const file = `${site.wordpress.folder}wp-config.php`;
    const config = readFileSync(file, 'utf8');
    for (const [constants, homes] of [
      ['', ['https://example.com']],
      ["define('WP_ENVIRONMENT_TYPE', 'staging');", [site.wordpress.url]],
    ] as const) {
      writeFileSync(file, config.replace('<?php', `<?php ${constants}`));
      site.configure(site.receiver, '', homes);
      // OPcache looks at the files again after two seconds.
      await vi.waitFor(async () => expect(tagsOf(await site.request('/'))).toBeNull(), 60_000);
      await site.php(rename(`copy${constants.length}`));
      expect(site.messages).toEqual([]);
      expect(await site.php("echo Waygate::describe()['description'];")).toContain('Silent');
    }
    writeFileSync(file, config);
    site.configure(site.receiver);
    await vi.waitFor(async () => expect(tagsOf(await site.request('/'))).toContain('list-post'), 60_000);
  });

  test.each([
    ["[['home' => ['x'], 'secret' => 's', 'urls' => ['http://a/']]]", 'homes'],
    ["[['homes' => 'x', 'secret' => getenv('NOTHING') ?: '', 'urls' => ['a']]]", 'homes.*urls.*secret'],
    ["getenv('NOTHING') ?: ''", 'homes.*urls.*secret'],
    ["['homes' => ['x'], 'secret' => 's', 'urls' => ['http://a/']]", 'Entry 3'],
    ['[]', 'Entry 1'],
  ])('with WAYGATE_SITES %s is silent, and Site Health says why', async (sites, fault) => {
    writeFileSync(
      `${site.wordpress.folder}wp-content/mu-plugins/0-config.php`,
      `<?php define('WAYGATE_SITES', ${sites});`,
    );
    expect(
      await site.php("update_option('notes_hours', 'x'); echo 'works ', Waygate::describe()['description'];"),
    ).toMatch(new RegExp(`^works .*${fault}`, 's'));
  });

  test('takes the other entries of WAYGATE_SITES, by any keys', async () => {
    const entry = `['homes' => ['${site.wordpress.url}'], 'secret' => '${SECRET}', 'urls' => ['${site.receiver}']]`;
    writeFileSync(
      `${site.wordpress.folder}wp-content/mu-plugins/0-config.php`,
      `<?php define('WAYGATE_SITES', ['old' => 5, 'shop' => ${entry}]);`,
    );
    await site.php(rename('keys'));
    expect(listTags()).toEqual(['option-notes_hours']);
    expect(await site.php("echo Waygate::describe()['description'];")).toContain('Entry 1');
  });

  test.each([
    ["Waygate::run_purge(['post-7', '/about/']);", 'Success: ', ['post-7', '/about/']],
    ['Waygate::run_purge([]);', 'Success: ', ['*']],
    ["Waygate::run_purge(['a b']);", 'Error: ', []],
  ])('%s as WP-CLI prints %s', async (code, start, names) => {
    expect(await site.php(WP_CLI + code)).toMatch(start);
    expect(listTags()).toEqual(names);
  });

  test.each([
    ['a gateway that refuses', () => (site.respond = 500), '500'],
    ['a copy of the site', () => site.configure(site.receiver, '', ['https://example.com']), 'Silent'],
  ])('reports an error of `wp waygate purge` at %s', async (_, prepare, reason) => {
    prepare();
    const printed = await site.php(`${WP_CLI} Waygate::run_purge(['post-7']);`);
    expect(printed).toMatch(/^Error: /);
    expect(printed).toContain(reason);
  });

  test('names joins of what is long, in messages and fields', async () => {
    await site.php(
      'waygate_purge(array_merge([\'list-post\'], array_map(fn ($n) => "post-$n", range(1, 60000))));',
    );
    // A slow process tells twice.
    expect(new Set(site.messages.map(({ tags }) => tags.join(' ')))).toEqual(new Set(['list-post post-*']));
    const changed = await runAjax(
      'waygate_purge(array_merge([\'list-post\'], array_map(fn ($n) => "post-$n", range(1, 600))));',
    );
    expect(changed.headers.get('x-waygate-changed')).toMatch(/\blist-post post-\*$/);
    const { headers } = await run(
      "foreach (range(1, 300) as $n) get_option(\"notes_setting_number_$n\"); foreach (range(1, 300) as $n) get_term_by('id', $n, 'category');",
    );
    const own = [...headers].filter(([name]) => name.startsWith('x-waygate-'));
    expect(own.map((field) => field.join(': ')).join('  ').length).toBeLessThan(2_000);
    expect(headers.get('x-waygate-tags')?.split(' ')).toContain('option-*');
  });

  test('leaves the callback that a site has registered for its head', async () => {
    site.configure(site.receiver, "header_register_callback(fn () => header('X-Host: kept'));");
    for (const response of [await run(''), await runAjax(rename('head'))])
      expect(response.headers.get('x-host')).toBe('kept');
  });

  test('works beside a second copy of itself', async () => {
    const copy = `${site.wordpress.folder}wp-content/mu-plugins/waygate-copy.php`;
    copyFileSync(`${PLUGIN_FOLDER}/waygate.php`, copy);
    closeAfterTest(() => rmSync(copy));
    const response = await site.request('/');
    expect([response.status, tagsOf(response)?.includes('list-post')]).toEqual([200, true]);
  });

  test('works with a class for the database of another plugin', async () => {
    const file = `${site.wordpress.folder}wp-content/db.php`;
    const included = `${site.wordpress.folder}wp-content/notes-database.php`;
    writeFileSync(
      included,
      '<?php class Notes_Database extends wpdb { function query($sql) { return parent::query($sql); } }',
    );
    writeFileSync(
      file,
      "<?php require_once __DIR__ . '/notes-database.php'; $wpdb = new Notes_Database(DB_USER, DB_PASSWORD, DB_NAME, DB_HOST);",
    );
    for (const each of [included, file]) closeAfterTest(() => rmSync(each));
    expect(tagsOf(await site.request('/'))).toContain('list-post');
    await logIn();
    await site.php(rename('db'));
    expect(listTags()).toContain('option-notes_hours');
  });

  test('names a transient and a missing option in a persistent object cache, and the groups of plugins', async () => {
    await site.useObjectCache();
    const show = "set_transient('recent', 'x'); wp_cache_delete('x'); echo get_transient('recent');";
    expect(tagsOf(await run(show))?.split(' ')).toContain('option-transient-recent');
    await site.php("delete_transient('recent');");
    expect(listTags()).toContain('option-transient-recent');
    // The second response finds in the cache that it is missing.
    for (let n = 0; n < 2; n += 1)
      expect(tagsOf(await run("get_option('notes_missing');"))?.split(' ')).toContain('option-notes_missing');
    const rows = await run("wp_cache_set('rows', [1], 'notes'); wp_cache_get('rows', 'notes');");
    expect(rows.headers.get('x-waygate-ordinary')).toBeNull();
    expect(tagsOf(rows)?.split(' ')).toContain('group-notes');
    for (const [code, names] of [
      ["wp_cache_set('rows', [1], 'notes');", []],
      ["wp_cache_set('rows', [2], 'notes');", ['group-notes']],
      ["wp_cache_delete('rows', 'notes');", ['group-notes']],
      [
        "wp_cache_get('rows', 'notes', false, $found); echo $found ? 'found' : 'missing'; wp_cache_flush();",
        ['group-*'],
      ],
    ] as const) {
      site.messages.length = 0;
      await site.php(code);
      expect([code, listTags()]).toEqual([code, names]);
    }
  });

  test('has no syntax and no function that PHP 7.4 lacks', async () => {
    const script = fileURLToPath(new URL('newer-syntax.php', import.meta.url));
    const { stdout } = await promisify(execFile)('php', [script, `${PLUGIN_FOLDER}/waygate.php`]);
    expect(stdout).toBe('');
  });
});

test('a network of sites has names by site', async () => {
  await site.makeNetwork();
  const other = await site.php(`
    $id = wp_insert_site(['domain' => DOMAIN_CURRENT_SITE, 'path' => '/other/', 'title' => 'Other', 'user_id' => 1]);
    switch_to_blog($id); wp_insert_post(['post_title' => 'Elsewhere', 'post_status' => 'publish']); echo $id;
  `);
  const own = await site.request('/wp-json/wp/v2/posts/20');
  const tags = tagsOf(own)?.split(' ') ?? [];
  expect(own.status).toBe(200);
  expect(tags).toContain('1:post-20');
  expect(tags.some((tag) => tag.startsWith(`${other}:`))).toBe(false);
  const both = await run(`foreach ([${other}, 1] as $id) { switch_to_blog($id); get_option('blogname'); }`);
  expect(tagsOf(both)?.split(' ')).toEqual(
    expect.arrayContaining(['1:option-blogname', `${other}:option-blogname`]),
  );
  const listNames = async (code: string): Promise<readonly string[]> => {
    site.messages.length = 0;
    await site.php(code);
    // A request of WordPress's cron can tell the same change again.
    return [...new Set(listTags())];
  };
  expect(await listNames(`wp_update_post(['ID' => 20, 'post_title' => 'Here']);`)).toContain('1:post-20');
  for (const code of [
    `switch_to_blog(${other}); wp_insert_post(['post_title' => 'There', 'post_status' => 'publish']);`,
    `update_blog_option(${other}, 'blogname', 'Renamed');`,
  ]) {
    const there = await listNames(code);
    expect(there.length).toBeGreaterThan(0);
    expect(there.filter((name) => !name.startsWith(`${other}:`))).toEqual([]);
  }
  expect(await listNames(`update_user_meta(1, 'description', 'Known everywhere');`)).toEqual(['user-1']);
  const user = await site.php("echo username_exists('subscriber');");
  const left = await run(`remove_user_from_blog(${user}, 1);`);
  expect(left.headers.get('x-waygate-changed')?.split(' ')).toContain(`user-${user}`);
  expect(await listNames("update_site_option('notes_network', wp_rand());")).toEqual([
    'network-notes_network',
  ]);
  expect(await listNames("update_site_option('user_count', wp_rand());")).toEqual([]);
  expect(await listNames("update_site_option('site_name', 'Other name');")).toEqual(['*']);
});
