#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSite } from '../wordpress/site.mjs';

/**
 * npm run availability
 *
 * Breaks a real WordPress behind gateways with passthrough, in one way after another, and prints what visitors, editors and `/-/ready`
 * see at each second, as a Markdown table. It needs `npm run build` and the Debian packages of `npm run wordpress`.
 */

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const PLUGINS = fileURLToPath(new URL('mu-plugins', import.meta.url));
const SHOP = fileURLToPath(new URL('../wordpress/plugins/shop.php', import.meta.url));
const TOKEN = 'the-token-of-availability';

/** @typedef {{ url: string, stop(): Promise<void>, kill(): Promise<void> }} Gateway */

/** @param {string} site @param {readonly string[]} args @returns {Promise<Gateway>} */
async function startGateway(site, args) {
  const options = ['--site', site, '--passthrough', '--port', '0', '--rediscover', '2s', ...args];
  const child = spawn(process.execPath, [MAIN, 'serve', ...options], {
    env: { ...process.env, WAYGATE_ADMIN_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    child.stdout.resume();
    const end = async (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      await exited;
    };
    return { url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
  }
  throw new Error('the gateway did not listen');
}

/** What a request gets, in a few characters: the status, and whether it came from the store. */
/** @param {string} url @param {RequestInit} [init] */
async function look(url, init = {}) {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000), ...init });
    await response.arrayBuffer();
    // A stored response that could not be confirmed is an error of the gateway.
    const isStored =
      response.status < 500 && /^waygate; (?:hit|fwd=stale)/.test(response.headers.get('cache-status') ?? '');
    return `${response.status}${isStored ? ' stored' : ''}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection';
  }
}

/** The state of `/-/ready`: `200`, with the details that it states. @param {string} url */
async function readReady(url) {
  try {
    const response = await fetch(`${url}/-/ready`);
    const { details = [] } = /** @type {{ details?: { state: string }[] }} */ (await response.json());
    return [response.status, ...details.map(({ state }) => state)].join(' ');
  } catch {
    return 'no connection';
  }
}

/** @param {string} url */
async function countOperations(url) {
  const response = await fetch(`${url}/-/sites`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { sites } = /** @type {{ sites: { operations: number }[] }} */ (await response.json());
  return String(sites[0]?.operations ?? 0);
}

const COLUMNS = [
  's',
  'the site',
  'page',
  'file',
  'REST',
  'editor reads',
  'editor saves',
  'ready',
  'operations',
];
/** The same of a gateway that was started in this second without state. */
const FRESH = ['new: page', 'new: REST', 'new: ready'];

const site = await createSite({ muPlugins: PLUGINS });
const plugin = join(site.folder, 'wp-content/mu-plugins/shop.php');
copyFileSync(SHOP, plugin);
const state = mkdtempSync(join(tmpdir(), 'waygate-availability-'));
const trouble = join(site.folder, 'wp-content/trouble.txt');
const origin = site.url.replace(/\/$/, '');
const { password, user } = site.users.administrator;
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
// The shop creates its content with the first requests.
await look(site.url);
await look(site.url);
const list = await fetch(`${site.url}wp-json/wp/v2/posts`);
const [{ id }] = /** @type {[{ id: number }]} */ (await list.json());
let gateway = await startGateway(origin, ['--state', state]);
while ((await readReady(gateway.url)) !== '200') await sleep(100);

/** What happens at a second, and how the site is called from then on. @type {Record<number, [string, () => unknown]>} */
const EVENTS = {
  0: ['as it should be', () => {}],
  4: ['its REST is closed to visitors (401)', () => writeFileSync(trouble, 'closed')],
  9: ['its REST responds with a page', () => writeFileSync(trouble, 'html')],
  14: ['as it should be', () => rmSync(trouble)],
  17: ['its index lists no routes', () => writeFileSync(trouble, 'empty')],
  22: ['as it should be', () => rmSync(trouble)],
  25: ['a plugin is switched off', () => renameSync(plugin, `${plugin}.off`)],
  30: ['the plugin is switched on', () => renameSync(`${plugin}.off`, plugin)],
  34: ['its web server is killed', () => site.killWebServer()],
  38: [
    'the same; the gateway is killed and started',
    async () => {
      await gateway.kill();
      gateway = await startGateway(origin, ['--state', state]);
    },
  ],
  42: ['its web server is started', () => site.startWebServer()],
};
const END = 47;

/** @param {readonly string[]} cells */
const print = (cells) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
try {
  print([...COLUMNS, ...FRESH]);
  print([...COLUMNS, ...FRESH].map(() => '---'));
  let name = '';
  const start = Date.now();
  for (let second = 0; second < END; second += 1) {
    await sleep(Math.max(0, start + second * 1_000 - Date.now()));
    const event = EVENTS[second];
    if (event !== undefined) {
      name = event[0];
      await event[1]();
    }
    const { url } = gateway;
    const json = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ title: `Saved at ${second}` });
    const fresh = event === undefined ? undefined : await startGateway(origin, []);
    const visitor = await look(`${url}/wp-json/wp/v2/posts`);
    const cells = await Promise.all([
      look(`${url}/?s=${second}`),
      look(`${url}/readme.html`),
      visitor,
      look(`${url}/wp-json/wp/v2/posts?context=edit`, { headers: { authorization } }),
      look(`${url}/wp-json/wp/v2/posts/${id}`, { method: 'POST', headers: json, body }),
      readReady(url),
      countOperations(url),
      ...(fresh === undefined
        ? ['', '', '']
        : [look(`${fresh.url}/`), look(`${fresh.url}/wp-json/wp/v2/posts`), readReady(fresh.url)]),
    ]);
    // Other visitors have read the list since the editor has saved.
    await look(`${url}/wp-json/wp/v2/posts`);
    print([String(second), event === undefined ? '' : name, ...cells]);
    await fresh?.kill();
  }
} finally {
  await gateway.stop();
  await site.stop();
  rmSync(state, { recursive: true });
  if (existsSync(trouble)) rmSync(trouble);
}
