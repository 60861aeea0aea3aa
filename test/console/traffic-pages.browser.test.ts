import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPageProblems } from '../support/accessibility.ts';
import { useBrowser } from '../support/browser.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { useWordPress } from '../support/wordpress.ts';

const TOKEN = 'a-token-of-the-tests';
const site = useWordPress();
const browser = useBrowser();

let gateway: RunningGateway;
const request = async (path: string, init?: RequestInit): Promise<void> => {
  await (await fetch(gateway.origin + path, init)).arrayBuffer();
};

beforeAll(async () => {
  gateway = await startNodeGateway({
    sites: [{ url: site().url, name: 'blog', validation: { mode: 'strict' } }],
    cache: 'memory',
    admin: { token: TOKEN },
  });
  for (let at = 0; at < 3; at += 1) {
    await request('/blog/wp/v2/posts?per_page=5');
    await request('/blog/wp/v2/posts?per_page=1000');
    await request('/blog/wp/v2/categories');
  }
}, 60_000);
afterAll(async () => gateway.stop());

/** Opens a page of the console after signing in. */
async function open(path: string) {
  const visit = await browser.visit(`${gateway.origin}/-/console/sites/blog/${path}`);
  await visit.page.getByLabel('token', { exact: false }).fill(TOKEN);
  await visit.page.keyboard.press('Enter');
  await visit.page.waitForURL(/sites\/blog/);
  return visit;
}

/** Chromium suggests a field for a name of a user beside the token of the sign-in. */
const withoutHints = (messages: readonly string[]): readonly string[] =>
  messages.filter((message) => !message.startsWith('verbose: [DOM] Password forms'));

test.each([
  ['traffic', 'traffic?span=10m'],
  ['cache', 'cache?address=%2Fblog%2Fwp%2Fv2%2Fposts%3Fper_page%3D5'],
  ['problems', 'problems'],
])('the page %s is accessible, fits into 360 pixels, and contacts nobody else', async (_, path) => {
  expect(await findPageProblems(await open(path))).toEqual([]);
});

test('an operator finds how long a list of posts is cached, and purges it', async () => {
  const { page, console: messages } = await open('cache');
  await page
    .getByRole('textbox', { name: 'URL or path at the gateway' })
    .fill('/blog/wp/v2/posts?per_page=5');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('By the default: fresh for 30 s').waitFor();
  await page
    .getByText(/^(yes|no):?/)
    .first()
    .waitFor();
  await page.locator('select[name=kind]').selectOption('route');
  await page.getByLabel('Value', { exact: true }).fill('/wp/v2/posts');
  await page.getByRole('button', { name: 'Purge' }).click();
  await page.getByText(/Purged: \d+ responses? in the memory/).waitFor();
  expect(withoutHints(messages)).toEqual([]);
});

test('the traffic is refreshed while the page is open', async () => {
  const { page } = await open('traffic?span=10m');
  const count = async (): Promise<number> =>
    Number(((await page.locator('.figures b').first().textContent()) ?? '').replace(/\D/g, ''));
  const before = await count();
  await request('/blog/wp/v2/tags');
  await expect.poll(count, { timeout: 30_000 }).toBe(before + 1);
});
