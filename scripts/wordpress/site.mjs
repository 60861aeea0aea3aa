// @ts-check
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { missingPackages } from './packages.mjs';
import { freePort, startDatabase, startPhp, startWebServer, stopService, unprivileged } from './services.mjs';

const run = promisify(execFile);
/** A database without tables of a site, copied for each site: its creation takes longer than the start of the server. */
const EMPTY_DATABASE = fileURLToPath(
  new URL(`../../node_modules/.cache/waygate-wordpress-database-${process.getuid?.()}`, import.meta.url),
);
const SOURCE = '/usr/share/wordpress';
const INSTALLER = fileURLToPath(new URL('install.php', import.meta.url));
/** Two plugins, a community and a shop, that tests use as examples of unknown plugins. */
const TEST_PLUGINS = fileURLToPath(new URL('plugins', import.meta.url));

/**
 * Installs and starts a WordPress site. Database, PHP and web server are child processes of this one, and write to one
 * temporary folder.
 *
 * @param {import('./start.d.mts').WordPressOptions} options
 * @returns {Promise<import('./start.d.mts').WordPressInfo & {
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
    copyWordPress(web, [options.muPlugins, options.testPlugins ? TEST_PLUGINS : undefined]);
    mkdirSync(join(folder, 'tmp'));
    await takeOwnership(folder);
    await createDatabase(folder);

    const port = options.port ?? (await freePort());
    const url = `http://127.0.0.1:${port}${mount}`;
    writeFileSync(join(web, 'wp-config.php'), wpConfig(folder));
    services.push(await startWebServer(folder, { port, mount }));
    services.push(await startDatabase(folder));
    services.push(await startPhp(folder, options.workers ?? 4));

    const settings = {
      url,
      title: options.title ?? 'Waygate test site',
      permalinks: options.permalinks ?? 'pretty',
    };
    const { stdout } = await runUnprivileged([
      'php',
      '-ddisplay_errors=stderr',
      '-dsendmail_path=/bin/true',
      `-dsys_temp_dir=${join(folder, 'tmp')}`,
      INSTALLER,
      web,
      JSON.stringify(settings),
    ]);
    const { version, users } = JSON.parse(stdout);
    const response = await fetch(`${url}index.php?rest_route=/`);
    if (response.status !== 200) {
      throw new Error(`the new site responds with status ${response.status}: ${await response.text()}`);
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
        services[0] = await startWebServer(folder, { port, mount });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Copies WordPress to the site's folder. Links would not work: PHP resolves them and would load Debian's wp-config.php.
 *
 * @param {string} web
 * @param {readonly (string | undefined)[]} muPlugins folders that are copied to `wp-content/mu-plugins`
 */
function copyWordPress(web, muPlugins) {
  mkdirSync(web, { recursive: true });
  cpSync(SOURCE, web, {
    recursive: true,
    dereference: true,
    filter: (path) =>
      !path.startsWith(`${SOURCE}/wp-content/languages/`) && path !== `${SOURCE}/wp-config.php`,
  });
  mkdirSync(join(web, 'wp-content/uploads'), { recursive: true });
  for (const source of muPlugins) {
    if (source) cpSync(source, join(web, 'wp-content/mu-plugins'), { recursive: true });
  }
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
  const copy = `${EMPTY_DATABASE}-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  await run('cp', ['-R', '--sparse=always', database, copy]);
  try {
    renameSync(copy, EMPTY_DATABASE);
  } catch {
    // Another process was faster.
    rmSync(copy, { recursive: true });
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
    // Application passwords over plain http are allowed to local sites only.
    WP_ENVIRONMENT_TYPE: 'local',
    // No requests to other hosts (updates, avatars) and no cron requests of the site to itself.
    WP_HTTP_BLOCK_EXTERNAL: true,
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
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}
