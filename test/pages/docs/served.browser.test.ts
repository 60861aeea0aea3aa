import { beforeAll, expect, test } from 'vitest';
import { findPageProblems } from '../../support/accessibility.ts';
import { useBrowser } from '../../support/browser.ts';
import { readSeed } from '../../support/documents.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { useWordPress } from '../../support/wordpress.ts';

const site = useWordPress();
const browser = useBrowser();

let gateway: TestGateway;
beforeAll(async () => {
  const stored = { url: 'http://127.0.0.1:9/', discovery: 'off' } as const;
  const sites = [
    { url: site().url, name: 'blog' },
    { ...stored, name: 'boards', document: readSeed('boards') },
    { ...stored, name: 'content', document: readSeed('content') },
  ];
  gateway = await startGateway({ gateway: { sites } });
}, 60_000);

test.each([
  ['the overview', '/content/docs'],
  ['a namespace', '/boards/docs/boards/v2'],
  ['a resource of WordPress', '/blog/docs/wp/v2/posts'],
  ['the guide', '/blog/docs/guide'],
])('%s is accessible, fits into 360 pixels, and contacts nobody else', async (_, path) => {
  expect(await findPageProblems(await browser.visit(gateway.origin + path))).toEqual([]);
});

test('a request that writes asks first', async () => {
  const visit = await browser.visit(`${gateway.origin}/blog/docs/wp/v2/posts#create-a-post`);
  const { console: problems, crossOrigin, page, requests } = visit;
  const operation = page.locator('#create-a-post');
  await operation.getByText('Try it', { exact: true }).click();
  const messages: string[] = [];
  page.once('dialog', (dialog) => {
    messages.push(dialog.message());
    void dialog.dismiss();
  });
  const send = operation.getByRole('button', { name: 'Send' });
  await send.click();
  const listSent = () => requests.filter((url) => url === `${gateway.origin}/blog/wp/v2/posts`);
  expect([messages, listSent()]).toEqual([
    [
      `Send POST /blog/wp/v2/posts to ${new URL(gateway.origin).host} without credentials? It can change the site.`,
    ],
    [],
  ]);
  page.once('dialog', (dialog) => void dialog.accept());
  await send.click();
  await operation.locator('.send .status', { hasText: '401 Unauthorized' }).waitFor();
  expect([listSent().length, crossOrigin()]).toEqual([1, []]);
  await operation.getByRole('button', { name: 'Enter credentials' }).click();
  await page.getByRole('dialog', { name: 'Credentials' }).waitFor();
  expect(problems.filter((message) => !/status of 401/.test(message))).toEqual([]);
});

test('samples stand beside an operation from 1,000 pixels on, below its heading under that; the tree follows', async () => {
  const { page } = await browser.visit(`${gateway.origin}/content/docs/core/v2/posts`);
  const topOf = (selector: string): Promise<number> =>
    page.locator(`#create-a-post ${selector}`).evaluate((element) => element.getBoundingClientRect().top);
  await page.setViewportSize({ width: 1_000, height: 800 });
  expect(await topOf('.samples')).toBe(await topOf('.details'));
  await page.setViewportSize({ width: 999, height: 800 });
  expect(await topOf('.samples')).toBeLessThan(await topOf('.details'));
  const place = page.locator('.tree a[aria-current="location"]');
  await expect
    .poll(async () => {
      // What is laid out above only now moves the operation again.
      await page.evaluate("document.querySelector('#delete-a-post').scrollIntoView()");
      return place.allTextContents();
    })
    .toEqual([expect.stringContaining('Delete a post')]);
});

test('the language of samples that a reader has chosen is that of other pages', async () => {
  const { page } = await browser.visit(`${gateway.origin}/content/docs/core/v2/posts`);
  await page.locator('#list-posts .samples summary', { hasText: 'fetch' }).click();
  await page.goto(`${gateway.origin}/content/docs/core/v2/pages`);
  const open = page.locator('.samples > details[open] > summary').first();
  await expect.poll(() => open.textContent()).toBe('fetch');
});

test('code is copied on plain http, where scripts have no clipboard', async () => {
  const { page } = await browser.visit('about:blank');
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(`${gateway.origin}/content/docs/core/v2/posts#create-a-post`);
  await page.locator('#create-a-post .samples > details[open] .copy').click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
});

test('a deep link leads to its operation, and the page is complete without JavaScript', async () => {
  const { page } = await browser.visit(`${gateway.origin}/content/docs/core/v2/posts`);
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  await plain?.goto(`${gateway.origin}/content/docs/core/v2/posts#delete-a-post`);
  expect(await plain?.locator('#delete-a-post h2').textContent()).toContain('Delete a post');
  await plain?.locator('#delete-a-post .samples summary', { hasText: 'fetch' }).click();
  expect(await plain?.locator('#delete-a-post .samples').textContent()).toContain('await fetch(');
  const statuses = plain?.locator('#delete-a-post .responses > details[open] > summary > .status');
  expect(await statuses?.allTextContents()).toEqual(['200']);
  await plain
    ?.locator('#delete-a-post .responses > details', { hasText: 'default' })
    .locator('> summary')
    .click();
  expect(await statuses?.allTextContents()).toEqual(['default']);
  expect(await plain?.getByRole('button', { name: /Search/ }).count()).toBe(0);
  await context?.close();
});

test.each([true, false])(
  'after a link to an operation, the first Tab is inside of it (script: %s)',
  async (runs) => {
    const url = `${gateway.origin}/blog/docs/wp/v2/posts#update-a-post`;
    const { page } = await browser.visit(`${gateway.origin}/blog/docs`);
    if (!runs) await page.route('**/*.js', (route) => route.abort());
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(url);
    await page.locator('#update-a-post').waitFor();
    if (runs) await page.locator('.tree [aria-current=location]', { hasText: 'Update a post' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('section')?.id)).toBe('update-a-post');
  },
);

test('samples are tabs, and code scrolls in its box', async () => {
  const { page } = await browser.visit(`${gateway.origin}/blog/docs/wp/v2/posts#create-a-post`);
  const samples = page.locator('#create-a-post .samples');
  const tops = await samples
    .locator('> details:not(.try) > summary')
    .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  await samples.getByText('PHP', { exact: true }).click();
  expect(await samples.locator('pre:visible').count()).toBe(1);
  expect(await samples.locator('pre:visible').evaluate((box) => getComputedStyle(box).whiteSpace)).toBe(
    'pre',
  );
});

test('a member with the id of something leads to it', async () => {
  const { page } = await browser.visit(`${gateway.origin}/blog/docs/wp/v2/posts#create-a-post`);
  const author = page.locator('[id="create-a-post.body.author"]').locator('xpath=../a[not(@id)]');
  await author.click();
  await page.waitForURL('**/docs/wp/v2/users#get-a-user');
});

test('five operations are printed on eight pages, without buttons', async () => {
  const { page } = await browser.visit(`${gateway.origin}/blog/docs/wp/v2/posts`);
  await page.locator('.copy').first().waitFor();
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(8);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('button:visible').count()).toBe(0);
});
