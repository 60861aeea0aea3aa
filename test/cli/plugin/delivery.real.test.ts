import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLUGIN_FOLDER, PluginSite } from './plugin-site.ts';

/** Which requests get the fields of `waygate.php`, and how its messages arrive. */

let site: PluginSite;
beforeAll(async () => {
  site = await PluginSite.start();
}, 120_000);
afterAll(() => site?.stop());
beforeEach(async () => {
  site.respond = 200;
  await site.php('do_action("waygate_send");');
  site.messages.length = 0;
});

const rename = (name: string): string => `update_option('notes_hours', '${name}');`;

describe('fields', () => {
  test('are sent to a gateway with the secret alone', async () => {
    const fields = ['x-waygate-tags', 'x-waygate-sequence'];
    const own = await site.request('/');
    const wrong = await site.request('/', { headers: { 'x-waygate-request': 'f'.repeat(64) } });
    expect(fields.map((name) => own.headers.has(name))).toEqual([true, true]);
    expect(fields.map((name) => wrong.headers.has(name))).toEqual([false, false]);
  });

  test('have no tags for a session, another method, and a response that is sent in parts', async () => {
    const { loginPassword, user } = site.wordpress.users.administrator;
    const login = await site.request('/wp-login.php', {
      method: 'POST',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: new URLSearchParams({ log: user, pwd: loginPassword, testcookie: '1' }),
    });
    const cookie = login.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    expect(login.status).toBe(302);
    for (const response of [
      await site.request('/', { headers: { cookie } }),
      await site.request('/', { method: 'HEAD' }),
      await site.request('/?notes_parts=1'),
    ]) {
      expect(response.headers.get('x-waygate-tags')).toBeNull();
      expect(response.headers.get('x-waygate-sequence')).toMatch(/^[0-9a-f]{16}\.\d+$/);
    }
  });

  test('have no tags where the response shows how long ago something was', async () => {
    const response = await site.request('/?notes_ago=1');
    expect(await response.text()).toContain('years ago');
    expect(response.headers.get('x-waygate-tags')).toBeNull();
  });

  test('are folded until they fit beside the other fields', async () => {
    const short =
      (await site.request('/wp-json/wp/v2/posts?per_page=20')).headers.get('x-waygate-tags') ?? '';
    const long =
      (await site.request('/wp-json/wp/v2/posts?per_page=20&notes_field=3200')).headers.get(
        'x-waygate-tags',
      ) ?? '';
    expect(short).toMatch(/\bpost\.content-\d/);
    expect(long).toMatch(/\bpost\.content-\*/);
    expect(long.length).toBeLessThan(short.length);
  });
});

describe('a change', () => {
  test('of a request of the only gateway needs no message, and its number is that of the response', async () => {
    const response = await site.rest('/posts/20', { title: 'By REST' });
    expect(response.headers.get('x-waygate-changed')?.split(' ')).toContain('post-20');
    const number = response.headers.get('x-waygate-sequence');
    await site.php(rename('a'));
    expect(site.messages.map(({ tags }) => tags)).toEqual([['option-notes_hours', 'options-notes']]);
    expect((await site.request('/')).headers.get('x-waygate-sequence')).not.toBe(number);
  });

  test('is told once the gateway is back, in order', async () => {
    // The first page of a theme stores something.
    await (await site.request('/')).text();
    site.respond = 503;
    for (const name of ['one', 'two', 'three']) await site.php(rename(name));
    const { headers } = await site.request('/');
    site.messages.length = 0;
    site.respond = 200;
    // The requests of a gateway show that batches wait.
    await vi.waitFor(async () => {
      await (await site.request('/')).text();
      expect(site.messages.length).toBeGreaterThanOrEqual(3);
    }, 10_000);
    const numbers = site.messages.map(({ sequence }) => sequence);
    expect(numbers.slice(0, 3)).toEqual([...numbers.slice(0, 3)].sort((a, b) => a - b));
    const [, number] = headers.get('x-waygate-sequence')?.split('.') ?? [];
    expect(numbers).toContain(Number(number));
  });

  test('is one that says everything, if more than a hundred wait', async () => {
    site.respond = 503;
    await site.php(
      `for ($n = 0; $n < 103; $n++) { ${rename('$n').replace("'$n'", '$n')} Waygate::send(false); }`,
    );
    site.messages.length = 0;
    site.respond = 200;
    await site.php('do_action("waygate_send");');
    expect(site.messages[0]?.tags).toEqual(['*']);
    expect(site.messages.length).toBeLessThan(10);
  });

  test('says everything if the process was killed before it was complete', async () => {
    await expect(site.php(`${rename('killed')} posix_kill(getmypid(), 9);`)).rejects.toThrow();
    await site.php(
      `mysqli_query($wpdb->dbh, "UPDATE $wpdb->options SET option_value = REPLACE(option_value, '\\"open\\":', '\\"open\\":-') WHERE option_name LIKE 'waygate_batch%' AND option_value <> ''"); do_action('waygate_send');`,
    );
    expect(site.messages.map(({ tags }) => tags)).toEqual([['*']]);
  });

  test('of a long process is told before its end', async () => {
    const end = `${site.wordpress.folder}end`;
    const running = site.php(
      `${rename('early')} sleep(1); usleep(100000); get_posts(); while (!file_exists('${end}')) { usleep(20000); clearstatcache(); } echo 'ended';`,
    );
    await vi.waitFor(() => expect(site.messages.length).toBe(1), 20_000);
    writeFileSync(end, '');
    expect(await running).toBe('ended');
  });

  test('is not told before its statement has run', async () => {
    const late = `$wpdb->query("INSERT INTO {$wpdb->prefix}notes (text) VALUES ('late')");`;
    await expect(
      site.php(`${rename('before')} usleep(1100000); ${late} posix_kill(getmypid(), 9);`),
    ).rejects.toThrow();
    expect(site.messages.map(({ tags }) => tags)).toEqual([['option-notes_hours', 'options-notes']]);
  });

  test('of a long process is not told before a statement that reads what the last one has left', async () => {
    const code = `
      $wpdb->insert($wpdb->prefix . 'notes', ['text' => 'parent']); $id = $wpdb->insert_id; usleep(1100000);
      echo (int) $wpdb->get_var('SELECT LAST_INSERT_ID()') - $id; get_posts();
      ${rename('found')} $wpdb->query("SELECT SQL_CALC_FOUND_ROWS ID FROM $wpdb->posts LIMIT 1"); usleep(1100000);
      echo $wpdb->get_var('SELECT FOUND_ROWS()') > 5 ? ' right' : ' wrong';
    `;
    expect(await site.php(code)).toBe('0 right');
  });

  test('of a long process does not wait for a gateway again that has not answered', async () => {
    site.respond = 503;
    await site.php(['a', 'b', 'c', 'd'].map((name) => `${rename(name)} usleep(1100000);`).join(' '));
    expect(site.messages.length).toBe(2);
  });

  test('of odd arguments of a plugin is everything, and stops nothing', async () => {
    const code = `
      do_action('post_updated', [], new stdClass(), false); do_action('wp_insert_comment', 1, 'x'); do_action('edited_term', null);
      do_action('updated_post_meta', 1, [], null, null); do_action('set_object_terms'); do_action('updated_option', []); echo 'done';
    `;
    expect(await site.php(code)).toBe('done');
    expect(site.messages.map(({ tags }) => tags)).toEqual([['*']]);
  });
});

test('a network of sites has names by site, and one number', async () => {
  await site.makeNetwork();
  const other = await site.php(`
    $id = wp_insert_site(['domain' => DOMAIN_CURRENT_SITE, 'path' => '/other/', 'title' => 'Other', 'user_id' => 1]);
    switch_to_blog($id); wp_insert_post(['post_title' => 'Elsewhere', 'post_status' => 'publish']); echo $id;
  `);
  const own = await site.request('/wp-json/wp/v2/posts/20');
  const tags = own.headers.get('x-waygate-tags')?.split(' ') ?? [];
  expect(own.status).toBe(200);
  expect(tags).toContain('1:post-20');
  expect(tags.some((tag) => tag.startsWith(`${other}:`))).toBe(false);
  const messages = async (code: string): Promise<readonly string[]> => {
    site.messages.length = 0;
    await site.php(code);
    return site.messages.flatMap(({ tags: names }) => names);
  };
  expect(await messages(`wp_update_post(['ID' => 20, 'post_title' => 'Here']);`)).toContain('1:post-20');
  const there = await messages(
    `switch_to_blog(${other}); wp_insert_post(['post_title' => 'There', 'post_status' => 'publish']);`,
  );
  expect(there).toContain(`${other}:posts-post`);
  expect(there.every((name) => !name.startsWith('1:'))).toBe(true);
  expect(await messages(`update_user_meta(1, 'description', 'Known everywhere');`)).toContain(
    'user.meta-1_description',
  );
  expect(await messages("update_site_option('site_name', 'Other name');")).toEqual(['*']);
  const numbers = site.messages.map(({ sequence }) => sequence);
  expect((await site.request('/')).headers.get('x-waygate-sequence')).toMatch(
    new RegExp(`\\.${numbers.at(-1)}$`),
  );
});

describe('the source', () => {
  test('has no syntax and no function that PHP 7.4 lacks', async () => {
    const script = fileURLToPath(new URL('newer-syntax.php', import.meta.url));
    const { stdout } = await promisify(execFile)('php', [script, `${PLUGIN_FOLDER}/waygate.php`]);
    expect(stdout).toBe('');
  });
});
