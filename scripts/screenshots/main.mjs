// @ts-check
// node scripts/screenshots/main.mjs [--widths 390,1280] [<folder>] [<page>…]
//
// Takes screenshots of the documentation and the console of the two example sites, after `npm run build`, in both colour schemes.
// Without names of pages: all of them. Needs chromium-headless-shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { readOptions } from '../read-options.mjs';
import { sendTraffic } from './traffic.mjs';

const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: { widths: { type: 'string', default: '360,1024,1600' } },
});
const [folder = join(tmpdir(), 'waygate-screenshots'), ...names] = positionals;
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const WIDTHS = values.widths.split(',').map(Number);
const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** Paths of the console, below `/-/console/`, by the name of their screenshot. */
const CONSOLE = {
  'console-overview': '',
  'console-traffic': 'sites/content/traffic?span=10m',
  'console-cache': 'sites/content/cache',
  'console-explained': 'sites/content/cache?address=%2Fcontent%2Fcore%2Fv2%2Fposts%3Fper_page%3D5',
  'console-problems': 'sites/content/problems',
};

/** @type {readonly { name: string, path: string, prepare?: (page: import('playwright-core').Page) => Promise<unknown> }[]} */
const PAGES = [
  { name: 'start', path: '/' },
  { name: 'overview', path: '/content/docs' },
  { name: 'namespace', path: '/boards/docs/boards/v2' },
  { name: 'resource', path: '/content/docs/core/v2/posts' },
  { name: 'operation', path: '/content/docs/core/v2/posts#create-a-post' },
  {
    name: 'search',
    path: '/boards/docs',
    async prepare(page) {
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('create task');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'try-response',
    path: '/content/docs/core/v2/posts#list-posts',
    async prepare(page) {
      const operation = page.locator('#list-posts');
      await operation.getByText('Try it', { exact: true }).click();
      await operation.getByRole('button', { name: 'Send' }).click();
      await operation.locator('.received .status').waitFor();
      await operation.locator('.received').scrollIntoViewIfNeeded();
    },
  },
  { name: 'console-sign-in', path: '/-/' },
  ...Object.entries(CONSOLE).map(([name, path]) => ({ name, path: `/-/console/${path}`, prepare: signIn })),
];

/** The token of the example, which is for the local machine alone. */
const token = process.env['WAYGATE_ADMIN_TOKEN'] ?? 'example';

/** @param {import('playwright-core').Page} page */
async function signIn(page) {
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

mkdirSync(folder, { recursive: true });
const gateway = spawn(process.execPath, [command, 'example', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
for await (const chunk of gateway.stdout) {
  output += chunk;
  if (output.includes('Ctrl-C')) break;
}
const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
const traffic = new AbortController();
const sent = sendTraffic(origin, /admin:\S+/.exec(output)?.[0] ?? '', traffic.signal);
await wait(5_000);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      for (const { name, path, prepare } of PAGES) {
        if (names.length > 0 && !names.includes(name)) continue;
        const page = await browser.newPage({
          viewport: { width, height: width < 500 ? 780 : 1000 },
          colorScheme,
        });
        await page.goto(origin + path);
        await prepare?.(page);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
  traffic.abort();
  await sent;
  const ended = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await ended;
}
console.log(folder);
