import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openResult, search, tryOperation } from '../support/docs-page.ts';
import { useWordPress } from '../support/wordpress.ts';

/** The command that `npm ci` builds. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const site = useWordPress();
const browser = useBrowser();

describe.each([
  ['at the root', '', (url: string) => url],
  ['below a name', '/blog', (url: string) => `blog=${url}`],
])('`waygate serve` in front of a real WordPress, mounted %s', (_, mount, named) => {
  let gateway: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    gateway = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--site', named(site().url)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (gateway.stdout === null) throw new Error('the gateway has no output');
    for await (const line of createInterface({ input: gateway.stdout })) {
      const { msg, url }: { msg?: string; url?: string } = JSON.parse(line);
      if (msg !== 'listening' || url === undefined) continue;
      origin = url;
      break;
    }
    // The test reads no more of the log; a full pipe would block the gateway.
    gateway.stdout.resume();
    await vi.waitUntil(async () => (await fetch(`${origin}/-/ready`)).ok, { timeout: 20_000 });
  }, 30_000);
  afterAll(async () => {
    const ended = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    await ended;
  });

  test('its documentation can be searched and tried with requests to the gateway only', async () => {
    const visit = await browser.visit(`${origin}${mount}/docs`);
    expect(await search(visit.page, 'list posts')).toContain('List posts GET /wp/v2/posts');
    await openResult(visit.page, 'GET', '/wp/v2/posts');
    await browser.screenshot(visit.page, `served${mount.replace('/', '-')}-operation`);

    const response = await tryOperation(visit.page, 'GET', '/wp/v2/posts');
    expect(response.status).toBe('200 OK');
    expect(response.body).toContain('"id": ');

    await browser.screenshot(visit.page, `served${mount.replace('/', '-')}-response`);
    expect(visit.requests).toContainEqual(expect.stringContaining(`${origin}${mount}/wp/v2/posts`));
    expect(visit.crossOrigin()).toEqual([]);
    expect(visit.console).toEqual([]);
  });
});
