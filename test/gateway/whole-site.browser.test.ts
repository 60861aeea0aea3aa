import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport, type RunningServer, serve } from '../../src/node/index.ts';
import { type TestBrowser, useBrowser } from '../support/browser.ts';
import { findFreePort } from '../support/server.ts';
import { basicAuth, startWordPress, type WordPress } from '../support/wordpress.ts';

const browser = useBrowser();
let site: WordPress;
let port: number;
let gatewayUrl: string;
let server: RunningServer | undefined;
let warnings: string[] = [];

beforeAll(async () => {
  site = await startWordPress();
  port = await findFreePort();
  gatewayUrl = `http://127.0.0.1:${port}`;
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await site.stop();
}, 30_000);

async function startGateway(options: Partial<SiteOptions>): Promise<void> {
  await server?.stop();
  warnings = [];
  const gateway = createGateway({
    sites: [{ url: site.url, passthrough: true, validation: { mode: 'enforce' }, ...options }],
    cache: 'memory',
    transport: nodeTransport,
    log: { info() {}, error() {}, warn: (_, text) => warnings.push(text) },
  });
  await gateway.rediscover();
  server = await serve(gateway, { port, shutdownGrace: 500 });
}

/** Signs in, writes a post with the block editor, reads it, and returns the origins that the pages have requested. */
async function writePost(title: string, { visit }: TestBrowser = browser): Promise<readonly string[]> {
  const { page, requests } = await visit(`${gatewayUrl}/wp-login.php`);
  const { loginPassword, user } = site.users.administrator;
  await page.fill('#user_login', user);
  await page.fill('#user_pass', loginPassword);
  await page.click('#wp-submit');
  await page.waitForURL(`${gatewayUrl}/wp-admin/**`, { timeout: 30_000 });
  await page.goto(`${gatewayUrl}/wp-admin/post-new.php`);
  await page.waitForFunction("window.wp?.data?.select('core/editor')?.getCurrentPostId()", undefined, {
    timeout: 60_000,
  });
  const isSaved = await page.evaluate(`(async () => {
    const editor = wp.data.dispatch('core/editor');
    editor.editPost({ title: ${JSON.stringify(title)}, status: 'publish' });
    await editor.savePost();
    return wp.data.select('core/editor').didPostSaveRequestSucceed();
  })()`);
  expect(isSaved).toBe(true);
  await page.goto(`${gatewayUrl}/`);
  expect(await page.content()).toContain(title);
  await page.click(`text=${title}`);
  expect(page.url()).toContain(gatewayUrl);
  return [...new Set(requests.map((url) => new URL(url).origin))];
}

async function findPost(title: string): Promise<number> {
  const headers = { authorization: basicAuth(site.users.administrator) };
  const response = await fetch(`${gatewayUrl}/wp-json/wp/v2/posts?search=${title}`, { headers });
  return ((await response.json()) as unknown[]).length;
}

// `test/journeys/whole-site.browser.test.ts` has the other way: `publicUrl`, `upstream.host` and a site that has the same name.
describe('a visitor and an editor stay at the gateway', () => {
  test('with `rewriteBodies`', async () => {
    await startGateway({ rewriteBodies: true });
    expect(warnings.join()).not.toContain('past the gateway');
    expect(await writePost('Rewritten')).not.toContain(new URL(site.url).origin);
    expect(await findPost('Rewritten')).toBe(1);
  });
});

test('without these settings the log says that pages link past the gateway', async () => {
  await startGateway({});
  expect(warnings.join()).toContain(`link to ${new URL(site.url).origin}, past the gateway`);
});
