import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';
import { basicAuth, startWordPress, type WordPress } from '../../support/wordpress.ts';

export const PLUGIN_FOLDER: string = fileURLToPath(new URL('../../../src/cli/plugin', import.meta.url));
const NOTES = fileURLToPath(new URL('mu-plugins/notes.php', import.meta.url));
const OBJECT_CACHE = fileURLToPath(new URL('object-cache.php', import.meta.url));
/** What WordPress needs of PHP. To load all of Debian's extensions takes a third of a process without a request. */
const EXTENSIONS =
  'mysqlnd mysqli curl ctype dom exif fileinfo iconv igbinary mbstring posix redis simplexml tokenizer xml'.split(
    ' ',
  );
export const SECRET = 'a secret of the tests';
/** Signs the field by which the site knows its gateway. @param time in seconds */
export function signRequest(
  time: number = Math.floor(Date.now() / 1000),
  secret: string = SECRET,
): Record<string, string> {
  const number = `${time}-${randomUUID().slice(0, 13)}`;
  const signature = createHmac('sha256', secret).update(`waygate request ${number}`).digest('hex');
  return { 'x-waygate-request': `${number}.${signature}` };
}

/** What the site tells of a change. */
export interface Message {
  readonly id: string;
  readonly tags: readonly string[];
}

/** A real site with `waygate.php`. The test sends the requests of a gateway, and receives the messages of the site. */
export class PluginSite {
  readonly wordpress: WordPress;
  /** Messages with a right signature. */
  readonly messages: Message[] = [];
  /** Status of the response to a message. */
  respond = 200;
  #receiver: TestServer | undefined;

  private constructor(wordpress: WordPress) {
    this.wordpress = wordpress;
  }

  /** @param theme folder of an installed theme. @default that of the installation */
  static async start(theme = ''): Promise<PluginSite> {
    const wordpress = await startWordPress({ muPlugins: PLUGIN_FOLDER, ...(theme && { theme }) });
    const site = new PluginSite(wordpress);
    site.#receiver = await startServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const timestamp = request.headers['x-waygate-timestamp'];
      const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
      const isSigned = request.headers['x-waygate-signature'] === `sha256=${signature}`;
      if (isSigned) site.messages.push(JSON.parse(body));
      response.writeHead(isSigned ? site.respond : 401).end();
    });
    site.configure(site.receiver);
    await site.php(`
      $wpdb->query("CREATE TABLE {$wpdb->prefix}notes (id INT AUTO_INCREMENT PRIMARY KEY, text TEXT)");
      $menu = wp_create_nav_menu('Main');
      set_theme_mod('nav_menu_locations', ['primary' => $menu, 'notes' => $menu]);
      $item = ['menu-item-status' => 'publish'];
      wp_update_nav_menu_item($menu, 0, $item + ['menu-item-title' => 'Home', 'menu-item-url' => home_url('/')]);
      wp_update_nav_menu_item($menu, 0, $item + ['menu-item-object' => 'page', 'menu-item-object-id' => get_page_by_path('about')->ID, 'menu-item-type' => 'post_type']);
      wp_insert_post(['post_type' => 'page', 'post_title' => 'Notes', 'post_name' => 'noticeboard', 'post_status' => 'publish', 'post_content' => '[notes]']);
      update_option('widget_text', [2 => ['title' => 'Words', 'text' => 'Some words']]);
      foreach (['posts', 'comments'] as $kind) update_option("widget_recent-$kind", [2 => ['title' => '', 'number' => 3]]);
      if (!wp_is_block_theme()) update_option('sidebars_widgets', ['sidebar-1' => ['text-2', 'recent-posts-2', 'recent-comments-2'], 'array_version' => 3]);
    `);
    return site;
  }

  /** @param urls where messages are sent @param more PHP that runs before the plugin */
  configure(
    urls: string | readonly string[],
    more = '',
    homes: readonly string[] = [this.wordpress.url],
  ): void {
    const sites = `[['homes' => ${JSON.stringify(homes)}, 'secret' => '${SECRET}', 'urls' => ${JSON.stringify([urls].flat())}]]`;
    writeFileSync(
      `${this.wordpress.folder}wp-content/mu-plugins/0-config.php`,
      `<?php defined('WAYGATE_SITES') || define('WAYGATE_SITES', ${sites}); ${more} require_once '${NOTES}';`,
    );
  }

  /** Names the gateway's sites for the blogs of a network. @param homes by the name of the site */
  configureNetwork(homes: Readonly<Record<string, string>>, gateway: string): void {
    const sites = Object.entries(homes).map(
      ([name, home]) =>
        `['homes' => ['${home}'], 'secret' => '${SECRET}', 'urls' => ['${gateway}/-/webhook/${name}']]`,
    );
    const file = `${this.wordpress.folder}wp-content/mu-plugins/0-config.php`;
    writeFileSync(file, `<?php define('WAYGATE_SITES', [${sites.join(', ')}]); require_once '${NOTES}';`);
  }

  /** Address of the messages that the test receives. */
  get receiver(): string {
    return `${this.#receiver?.origin}/-/webhook/default`;
  }

  async stop(): Promise<void> {
    await this.wordpress.stop();
    await this.#receiver?.close();
  }

  /** Keeps what WordPress caches in Redis until the end of the test. */
  async useObjectCache(): Promise<void> {
    const redis = await startRedisServer();
    const file = `${this.wordpress.folder}wp-content/object-cache.php`;
    writeFileSync(
      file,
      readFileSync(OBJECT_CACHE, 'utf8').replace(
        '<?php',
        `<?php define('OBJECT_CACHE_PORT', ${redis.port});`,
      ),
    );
    closeAfterTest(() => rmSync(file, { force: true }));
  }

  /** Stores the site's pages for a minute in its own nginx (`fastcgi_cache`), until the end of the test. */
  async usePageCache(): Promise<void> {
    const folder = `${this.wordpress.folder}../`;
    const config = readFileSync(`${folder}nginx.conf`, 'utf8');
    const load = async (text: string, isStored: boolean): Promise<void> => {
      writeFileSync(`${folder}nginx.conf`, text);
      process.kill(Number(readFileSync(`${folder}nginx.pid`, 'utf8')), 'SIGHUP');
      await waitUntil(async () => (await this.request('/about/')).headers.has('x-cache') === isStored);
    };
    const cached = config
      .replace(/\bhttp \{/, `$& fastcgi_cache_path ${folder}tmp/pages keys_zone=pages:1m;`)
      .replace(
        'fastcgi_pass ',
        'fastcgi_cache pages; fastcgi_cache_key $request_uri; fastcgi_cache_valid 200 60s; add_header X-Cache $upstream_cache_status; $&',
      );
    await load(cached, true);
    closeAfterTest(() => load(config, false));
  }

  /** Makes the site the first of a network (multisite). */
  async makeNetwork(): Promise<void> {
    const { host } = new URL(this.wordpress.url);
    await this.php(`
      require_once ABSPATH . 'wp-admin/includes/upgrade.php'; require_once ABSPATH . 'wp-admin/includes/schema.php';
      foreach ($wpdb->tables('ms_global') as $table => $name) $wpdb->$table = $name;
      install_network();
      populate_network(1, '${host}', 'administrator@example.com', 'Network', '/', false);
    `);
    const file = `${this.wordpress.folder}wp-config.php`;
    const constants = `define('MULTISITE', true); define('SUBDOMAIN_INSTALL', false); define('DOMAIN_CURRENT_SITE', '${host}'); define('PATH_CURRENT_SITE', '/'); define('SITE_ID_CURRENT_SITE', 1); define('BLOG_ID_CURRENT_SITE', 1);`;
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        '<?php',
        `<?php ${constants} $_SERVER['HTTP_HOST'] = $_SERVER['HTTP_HOST'] ?? '${host}';`,
      ),
    );
  }

  /** Runs a statement past WordPress. */
  async sql(statement: string): Promise<void> {
    const socket = `${this.wordpress.folder}../db.sock`;
    await promisify(execFile)('mariadb', [`--socket=${socket}`, 'wordpress', '-e', statement]);
  }

  /** Runs PHP as WP-CLI would: a process with WordPress, without a request. */
  async php(code: string): Promise<string> {
    const load = `require '${this.wordpress.folder}wp-load.php'; require_once ABSPATH . 'wp-admin/includes/admin.php'; wp_set_current_user(1);`;
    // Compiled files are kept, because the compilation of WordPress takes longer than most of the code.
    const cache = ['enable_cli=1', 'file_cache_only=1', `file_cache=${this.wordpress.folder}../tmp`];
    const options = [
      'display_errors=stderr',
      'zend_extension=opcache',
      ...cache.map((option) => `opcache.${option}`),
      ...EXTENSIONS.map((name) => `extension=${name}`),
    ].map((option) => `-d${option}`);
    const { stdout } = await promisify(execFile)('php', ['-n', ...options, '-r', load + code]);
    return stdout;
  }

  /** Sends a request as a gateway does. */
  request(
    path: string,
    { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(this.wordpress.url.slice(0, -1) + path, {
      redirect: 'manual',
      headers: { ...signRequest(), ...headers },
      ...init,
    });
  }

  /** Writes to a route of `wp/v2` as an administrator. */
  async rest(route: string, body: object): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      authorization: basicAuth(this.wordpress.users.administrator),
    };
    const response = await this.request(`/wp-json/wp/v2${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    return response;
  }
}
