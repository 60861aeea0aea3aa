// @ts-check
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../bench/processes.mjs';
import { missingPackages } from './packages.mjs';
import { startDatabase, startPhp, startWebServer, stopService, unprivileged } from './services.mjs';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
/** A database without tables of a site, copied for each site: its creation takes longer than the start of the server. */
const EMPTY_DATABASE = join(CACHE, `waygate-wordpress-database-${process.getuid?.()}`);
/** Debian's WordPress. */
const SOURCE = '/usr/share/wordpress';
/** A copy of WordPress whose files the sites link to: copying 3,000 files takes as long as the installation. Nobody writes them. */
const WORDPRESS = join(CACHE, `waygate-wordpress-files-${process.getuid?.()}`);
const INSTALLER = fileURLToPath(new URL('install.php', import.meta.url));
/** Gives the content of an installed site another address and title. */
const MOVER = fileURLToPath(new URL('move.php', import.meta.url));
/** Makes an installed site a network. */
const NETWORK_MAKER = fileURLToPath(new URL('network.php', import.meta.url));
/** Activates plugins and a theme. */
const ACTIVATOR = fileURLToPath(new URL('activate.php', import.meta.url));
/** Two plugins, a community and a shop, that tests use as examples of unknown plugins. */
const TEST_PLUGINS = fileURLToPath(new URL('plugins', import.meta.url));

/**
 * Installs and starts a WordPress site. Database, PHP and web server are child processes of this one, and write to one
 * temporary folder.
 *
 * @param {import('./start.mjs').WordPressOptions} options
 * @returns {Promise<import('./start.mjs').WordPressInfo & {
 *   stop(): Promise<void>,
 *   killWebServer(): Promise<void>,
 *   startWebServer(): Promise<void>,
 * }>} the web server can be killed and started again: the site is down in between
 */
export async function createSite(options) {
  const missing = missingPackages();
  if (missing.length > 0) {
    throw new Error(`not installed: ${missing.join(' ')} (apt-get install them, or pass --install)`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'waygate-wordpress-'));
  /** @type {import('./services.mjs').Service[]} */
  const services = [];
  const stop = async () => {
    await Promise.allSettled(services.splice(0).reverse().map(stopService));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const mount = options.subfolder ? `/${options.subfolder}/` : '/';
    const web = join(folder, 'web', mount);
    const { wordpress = SOURCE } = options;
    await placeWordPress(web, wordpress);
    mkdirSync(join(folder, 'tmp'));
    await takeOwnership(folder);

    const port = options.port ?? (await freePort());
    const url = `http://127.0.0.1:${port}${mount}`;
    writeFileSync(join(web, 'wp-config.php'), wpConfig(folder));
    const { webServer = 'nginx' } = options;
    const isNetwork = options.subsites !== undefined;
    services.push(await startWebServer(folder, { port, mount, webServer, isNetwork }));
    const settings = {
      url,
      title: options.title ?? 'Waygate test site',
      permalinks: options.permalinks ?? 'pretty',
    };
    const { version, users } = await installContent(folder, web, settings, wordpress);
    await addPlugins(web, [options.muPlugins, options.testPlugins ? TEST_PLUGINS : undefined]);
    services.push(await startDatabase(folder));
    await moveContent(folder, settings);
    if (options.subsites) await makeNetwork(folder, web, url, options.subsites);
    await activate(folder, web, url, options);
    services.push(await startPhp(folder, options.workers ?? 4));

    const response = await fetch(`${url}index.php?rest_route=/`);
    if (response.status !== 200) {
      const errors = readFileSync(join(folder, 'php-fpm.error.log'), 'utf8');
      throw new Error(
        `the new site responds with status ${response.status}: ${await response.text()}\n${errors}`,
      );
    }
    await response.arrayBuffer();
    return {
      url,
      version,
      users,
      folder: web,
      log: join(folder, 'access.log'),
      stop,
      async killWebServer() {
        const service = services[0];
        if (service?.child.pid === undefined) return;
        // The processes of the server are a group.
        process.kill(-service.child.pid, 'SIGKILL');
        await service.ended;
      },
      async startWebServer() {
        services[0] = await startWebServer(folder, { port, mount, webServer, isNetwork });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Places WordPress in the site's folder, by hard links where the file system can. Symbolic links would not work: PHP resolves them
 * and would load Debian's wp-config.php.
 *
 * @param {string} web
 * @param {string} source
 */
async function placeWordPress(web, source) {
  const times = ['wp-includes/version.php', 'wp-content/themes'].map(
    (path) => statSync(join(source, path)).mtimeMs,
  );
  const files = `${WORDPRESS}-${Math.floor(Math.max(...times))}`;
  if (!existsSync(files)) {
    await cacheFolder(files, async (folder) => {
      cpSync(source, folder, {
        recursive: true,
        dereference: true,
        filter: (path) =>
          !path.startsWith(`${source}/wp-content/languages/`) && path !== `${source}/wp-config.php`,
      });
      await takeOwnership(folder);
    });
  }
  mkdirSync(web, { recursive: true });
  await run('cp', ['-Rl', `${files}/.`, web]).catch(() => run('cp', ['-R', `${files}/.`, web]));
}

/**
 * @param {string} web
 * @param {readonly (string | undefined)[]} muPlugins folders that are copied to `wp-content/mu-plugins`
 */
async function addPlugins(web, muPlugins) {
  const folder = join(web, 'wp-content/mu-plugins');
  mkdirSync(folder, { recursive: true });
  for (const source of muPlugins) if (source) cpSync(source, folder, { recursive: true });
  await takeOwnership(folder);
}

/** @typedef {{ url: string, title: string, permalinks: string }} ContentSettings */

/**
 * Places database and uploads of an installed site. They are copied from the first site with the same path and permalinks, because
 * an installation takes longer than everything else together. Their addresses remain those of that site.
 *
 * @param {string} folder
 * @param {string} web
 * @param {ContentSettings} settings
 * @param {string} source
 * @returns {Promise<Pick<import('./start.mjs').WordPressInfo, 'version' | 'users'>>}
 */
async function installContent(folder, web, settings, source) {
  const { pathname } = new URL(settings.url);
  const sources = [INSTALLER, join(source, 'wp-includes/version.php')].map((file) => readFileSync(file));
  const key = createHash('sha256')
    .update([pathname, settings.permalinks, ...sources].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const installed = join(CACHE, `waygate-wordpress-site-${process.getuid?.()}-${key}`);
  const uploads = join(web, 'wp-content/uploads');
  if (!existsSync(installed)) {
    await createDatabase(folder);
    const database = await startDatabase(folder);
    let facts = '';
    try {
      mkdirSync(uploads, { recursive: true });
      await takeOwnership(uploads);
      const { stdout } = await runUnprivileged([
        'php',
        '-ddisplay_errors=stderr',
        '-dsendmail_path=/bin/true',
        `-dsys_temp_dir=${join(folder, 'tmp')}`,
        INSTALLER,
        web,
        JSON.stringify(settings),
      ]);
      facts = stdout;
    } finally {
      await stopService(database);
    }
    await cacheFolder(installed, async (partial) => {
      mkdirSync(partial);
      await run('cp', ['-R', '--sparse=always', join(folder, 'db'), uploads, partial]);
      writeFileSync(join(partial, 'facts.json'), facts);
    });
    return JSON.parse(facts);
  }
  await run('cp', ['-R', '--sparse=always', join(installed, 'db'), folder]);
  await run('cp', ['-R', join(installed, 'uploads'), join(web, 'wp-content')]);
  await Promise.all([join(folder, 'db'), uploads].map(takeOwnership));
  return JSON.parse(readFileSync(join(installed, 'facts.json'), 'utf8'));
}

/** Gives the content its address and title. @param {string} folder @param {ContentSettings} settings */
async function moveContent(folder, { url, title }) {
  await runUnprivileged(['php', '-ddisplay_errors=stderr', MOVER, join(folder, 'db.sock'), url, title]);
}

/**
 * Copies plugins and a theme to the site, and activates them.
 *
 * @param {string} folder
 * @param {string} web
 * @param {string} url
 * @param {Pick<import('./start.mjs').WordPressOptions, 'plugins' | 'theme'>} options
 */
async function activate(folder, web, url, { plugins = [], theme }) {
  if (plugins.length === 0 && theme === undefined) return;
  const isFolder = theme?.includes('/') === true;
  for (const source of plugins)
    cpSync(source, join(web, 'wp-content/plugins', basename(source)), { recursive: true });
  if (theme && isFolder) cpSync(theme, join(web, 'wp-content/themes', basename(theme)), { recursive: true });
  await Promise.all(['plugins', 'themes'].map((name) => takeOwnership(join(web, 'wp-content', name))));
  const chosen = {
    url,
    plugins: plugins.map((source) => basename(source)),
    ...(theme && { theme: basename(theme) }),
  };
  for (const settings of [chosen, { url, step: 'admin' }]) {
    const temp = `-dsys_temp_dir=${join(folder, 'tmp')}`;
    await runUnprivileged(['php', '-ddisplay_errors=stderr', temp, ACTIVATOR, web, JSON.stringify(settings)]);
  }
}

/** @param {string} folder @param {string} web @param {string} url @param {readonly string[]} subsites */
async function makeNetwork(folder, web, url, subsites) {
  const make = (/** @type {object} */ settings) =>
    runUnprivileged([
      'php',
      `-dsys_temp_dir=${join(folder, 'tmp')}`,
      NETWORK_MAKER,
      web,
      JSON.stringify(settings),
    ]);
  await make({ url });
  const { host, pathname } = new URL(url);
  const constants = { DOMAIN_CURRENT_SITE: host, PATH_CURRENT_SITE: pathname };
  const lines = Object.entries(constants).map(([name, value]) => `define('${name}', '${value}');`);
  const numbers =
    "define('MULTISITE', true); define('SUBDOMAIN_INSTALL', false); define('SITE_ID_CURRENT_SITE', 1); define('BLOG_ID_CURRENT_SITE', 1);";
  const config = join(web, 'wp-config.php');
  writeFileSync(config, readFileSync(config, 'utf8').replace('<?php', `<?php ${numbers} ${lines.join(' ')}`));
  await make({ url, subsites });
}

/** Creates the files of a database in `<folder>/db`. @param {string} folder */
async function createDatabase(folder) {
  const database = join(folder, 'db');
  if (existsSync(EMPTY_DATABASE)) {
    await run('cp', ['-R', '--sparse=always', EMPTY_DATABASE, database]);
    return takeOwnership(database);
  }
  await runUnprivileged([
    'mariadb-install-db',
    '--no-defaults',
    `--datadir=${database}`,
    // Concurrent installations would overwrite each other's temporary tables in a shared folder.
    `--tmpdir=${join(folder, 'tmp')}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  await cacheFolder(EMPTY_DATABASE, (folder) => run('cp', ['-R', '--sparse=always', database, folder]));
}

/**
 * Creates a folder that other processes see when it is complete.
 *
 * @param {string} folder
 * @param {(folder: string) => Promise<unknown>} fill creates it at another path
 */
async function cacheFolder(folder, fill) {
  const partial = `${folder}-${process.pid}`;
  mkdirSync(dirname(partial), { recursive: true });
  await fill(partial);
  try {
    renameSync(partial, folder);
  } catch {
    // Another process was faster.
    rmSync(partial, { recursive: true });
  }
}

/** Gives a folder to the user whom the services run as. @param {string} folder */
async function takeOwnership(folder) {
  if (process.getuid?.() === 0) await run('chown', ['-R', 'www-data:www-data', folder]);
}

/** Runs a command without root privileges. @param {string[]} argv */
function runUnprivileged(argv) {
  const [command = '', ...args] = unprivileged(argv);
  return run(command, args, { maxBuffer: 2 ** 24, timeout: 60_000 });
}

/** Creates the text of wp-config.php. @param {string} folder */
function wpConfig(folder) {
  const salts = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `${name}_KEY`,
    `${name}_SALT`,
  ]);
  const constants = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${join(folder, 'db.sock')}`,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    ...Object.fromEntries(salts.map((name) => [name, randomBytes(32).toString('hex')])),
    // No requests to other hosts (updates, avatars) and no cron requests of the site to itself.
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1',
    AUTOMATIC_UPDATER_DISABLED: true,
    DISABLE_WP_CRON: true,
    FS_METHOD: 'direct',
  };
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${typeof value === 'string' ? `'${value}'` : value});`,
  );
  return `<?php
${lines.join('\n')}
$table_prefix = 'wp_';
// Application passwords over plain http are otherwise allowed to local sites only, where waygate.php is silent.
$wp_filter['wp_is_application_passwords_available'][10][] = ['function' => '__return_true', 'accepted_args' => 1];
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}
