// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));

/**
 * @typedef {object} WordPressOptions
 * @property {number} [port] to listen on. A free port of the loopback interface by default
 * @property {string} [wordpress] folder of WordPress with themes, without `wp-config.php`. Debian's by default
 * @property {string} [subfolder] installs the site below `/<name>/`
 * @property {readonly string[]} [subsites] makes it a network in folders with these subsites
 * @property {'pretty' | 'plain'} [permalinks] `plain`: REST URLs with `?rest_route=` only, no `/wp-json/`
 * @property {'nginx' | 'apache'} [webServer] `apache`: with WordPress's own rewrite rules
 * @property {string} [muPlugins] folder that is copied to `wp-content/mu-plugins`
 * @property {boolean} [testPlugins] installs the two plugins of `scripts/wordpress/plugins`, a community (`community/v1`) and a shop
 * (`store/v1`, `catalog/v1`, `wp/v2/products`), with content
 * @property {readonly string[]} [plugins] folders that are copied to `wp-content/plugins` and activated
 * @property {string} [theme] name of an installed theme, or a folder that is copied to `wp-content/themes`
 * @property {string} [title]
 * @property {number} [workers] number of PHP processes. 4 by default
 */

/**
 * A user with an application password and the password of the login form.
 *
 * @typedef {{ readonly user: string, readonly password: string, readonly loginPassword: string }} WordPressUser
 */

/**
 * A running site, without the means to stop it: its front page with a trailing slash, its version, users, the folder with wp-config.php,
 * and the web server's access log.
 *
 * @typedef {{ readonly url: string, readonly version: string, readonly folder: string, readonly log: string,
 *   readonly users: Readonly<Record<'administrator' | 'editor' | 'subscriber', WordPressUser>> }} WordPressInfo
 * @typedef {WordPressInfo & { stop(): Promise<void> }} WordPress
 */

/**
 * Starts a temporary WordPress site on the loopback interface, and resolves when it responds. It stops with `stop()`, or when this
 * process ends for any reason. Throws if Debian packages are missing, or with the log of a server that fails.
 *
 * @param {WordPressOptions} [options]
 * @returns {Promise<WordPress>}
 */
export async function startWordPress(options = {}) {
  const flags = {
    port: options.port,
    wordpress: options.wordpress,
    subfolder: options.subfolder,
    permalinks: options.permalinks,
    'mu-plugins': options.muPlugins,
    theme: options.theme,
    title: options.title,
    'web-server': options.webServer,
    workers: options.workers,
  };
  const args = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  for (const name of options.subsites ?? []) args.push(`--subsite=${name}`);
  for (const folder of options.plugins ?? []) args.push(`--plugin=${folder}`);
  if (options.testPlugins) args.push('--test-plugins');
  // The site runs in a process that stops when its input ends. So it stops when this process ends for any reason.
  const child = spawn(process.execPath, [MAIN, '--json', '--until-stdin-ends', ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await exited;
  };
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error(errorOutput || 'the WordPress process exited without a message');
  // The site does not keep this process alive if it is not stopped.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) /** @type {any} */ (stream).unref();
  return { ...JSON.parse(line[0]), stop };
}
