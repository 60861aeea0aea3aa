import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLACEHOLDERS } from '../../src/docs/sample-request.ts';
import { DEMO_USERS } from '../../src/example/index.ts';
import { type RunningExample, startExample } from '../example/gateway/running.ts';
import { useBrowser } from '../support/browser.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, type StubSite, startStubSite } from '../support/stub-site.ts';
import { useWordPress } from '../support/wordpress.ts';

/** What readers come to a reference for. They have a phone's width, a dark screen and a keyboard alone, and begin at the overview. */

const wordpress = useWordPress();
const browser = useBrowser();

let example: RunningExample;
let changing: StubSite;
let gateway: RunningGateway;
let index: unknown = readSmallIndex();
beforeAll(async () => {
  example = await startExample({ cache: 'memory' });
  changing = await startStubSite({ index: () => index });
  gateway = await startNodeGateway({
    cache: 'memory',
    sites: [
      { url: wordpress().url, name: 'blog' },
      { url: changing.url, name: 'changing' },
    ],
  });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([example?.stop(), changing?.close()]);
});

const EXAMPLES: ReadonlySet<string> = new Set(['content', 'boards']);

async function openOverview(site: string): Promise<Page> {
  const { origin } = EXAMPLES.has(site) ? example : gateway;
  const { page } = await browser.visit(`${origin}/${site}/docs`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return page;
}

/** Results of a search that a reader looks at. */
const MAX_RESULTS = 10;

/** Searches, and opens a result. */
async function search(page: Page, words: string, result: RegExp): Promise<void> {
  await page.keyboard.press('/');
  // One query, so that no later results replace those that are read.
  await page.keyboard.insertText(words);
  await page.getByText(/^\d+ results?$/).waitFor();
  const selected = page.getByRole('option', { selected: true });
  for (let at = 0; at < MAX_RESULTS && !result.test((await selected.textContent()) ?? ''); at += 1)
    await page.keyboard.press('ArrowDown');
  expect(await selected.textContent()).toMatch(result);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement);

/** Most steps to anything on a page. */
const MAX_STEPS = 60;

async function tabTo(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await element.waitFor({ state: 'attached' });
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    await element.page().keyboard.press(key);
    if (await isFocused(element)) return;
  }
  expect.fail(`${String(element)} is not reached in ${MAX_STEPS} steps`);
}

/** Opens a part of the page, or uses a button. */
async function use(element: Locator): Promise<void> {
  await tabTo(element);
  await element.page().keyboard.press('Enter');
}

async function follow(link: Locator): Promise<void> {
  const address = new URL((await link.getAttribute('href')) ?? '', link.page().url()).href;
  await use(link);
  await link.page().waitForURL(address);
}

/** Copies a sample with the button before it. */
async function copy(sample: Locator): Promise<string> {
  const button = sample.locator('xpath=preceding-sibling::button[1]');
  await use(button);
  await sample.page().waitForFunction((node) => node?.textContent === 'Copied', await button.elementHandle());
  return sample.page().evaluate(() => navigator.clipboard.readText());
}

interface User {
  readonly name: string;
  readonly password: string;
}

function userOf(site: string): User {
  const [admin] = DEMO_USERS;
  const { password, user } = wordpress().users.administrator;
  return EXAMPLES.has(site)
    ? { name: admin?.login ?? '', password: admin?.password ?? '' }
    : { name: user, password };
}

/** Runs a sample of curl with the credentials of a user in place of the placeholders. */
async function run(sample: string, { name, password }: User): Promise<string> {
  const code = sample.replace(`${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`, `${name}:${password}`);
  const script = `curl() { command curl --silent --output /dev/null --write-out '%{http_code}' "$@"; }\n${code}`;
  return (await promisify(execFile)('/bin/sh', ['-c', script])).stdout;
}

/** The samples of a guide. */
const guideSample = (page: Page, index = 0): Locator => page.locator('.guide pre').nth(index);
/** Part of the operation that the address names. */
const ofTarget = (page: Page, selector: string, text: string | RegExp): Locator =>
  page.locator(`:target ${selector}`, { hasText: text });
/** The sample of the open tab. */
const openSample = (page: Page): Locator => page.locator(':target .samples > details[open] > pre');

/** An image of one pixel. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a reader with a keyboard', () => {
  test.each([
    ['content', 'change title of a post', /^Update a post/, '/core/v2/posts#update-a-post'],
    ['boards', 'add a comment to a task', /^Create a project task comment/, '#create-a-project-task-comment'],
    ['blog', 'add a comment', /^Create a comment/, '/wp/v2/comments#create-a-comment'],
  ])('of %s finds an operation by the words %s', async (site, words, title, address) => {
    const page = await openOverview(site);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to content');
    await search(page, words, title);
    expect(page.url()).toMatch(new RegExp(`${address}$`));
    expect(await page.locator(':target h2').textContent()).toMatch(title);
  });

  test.each(['content', 'blog'])('of %s authenticates', async (site) => {
    const page = await openOverview(site);
    await follow(page.getByRole('main').getByRole('link', { name: 'Credentials', exact: true }));
    const sample = await copy(guideSample(page));
    expect(await run(sample, userOf(site))).toBe('200');
    expect(await run(sample, { ...userOf(site), password: 'wrong' })).toBe('401');
  });

  test.each(['content', 'blog'])('of %s uploads a file', async (site) => {
    const page = await openOverview(site);
    await search(page, 'upload a file', /^Uploads/);
    await follow(page.getByRole('main').getByRole('link', { name: 'Create media' }));
    await use(ofTarget(page, 'summary', 'Try it'));
    await use(ofTarget(page, 'summary', 'Credentials (kept'));
    const { name, password } = userOf(site);
    await tabTo(page.locator(':target').getByLabel('User name'));
    await page.keyboard.type(name);
    await tabTo(page.locator(':target').getByLabel('Application password'));
    await page.keyboard.type(password);
    const chooser = page.waitForEvent('filechooser');
    await use(page.locator(':target').getByLabel('File', { exact: true }));
    await (await chooser).setFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: IMAGE });
    expect(await openSample(page).textContent()).toContain('pixel.png');
    page.once('dialog', (dialog) => void dialog.accept());
    const send = page.locator(':target').getByRole('button', { name: 'Send' });
    await tabTo(send, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await ofTarget(page, '.received .status', '201 Created').waitFor();
    expect(await ofTarget(page, '.received', 'image/png').count()).toBe(1);
    // Another request needs no other step.
    expect(await isFocused(send)).toBe(true);
  });

  test.each([
    ['content', 'rest_post_invalid_id', 'There is no such item. Read its id from the list.'],
    ['boards', 'rest_forbidden', 'Sign in as a user with the right to do this.'],
  ])('of %s handles the error %s', async (site, code, advice) => {
    const page = await openOverview(site);
    await search(page, code, new RegExp(`^${code}`));
    const target = page.locator(':target');
    expect(await target.textContent()).toBe(code);
    expect(await target.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid');
    expect(await target.locator('xpath=../following-sibling::dd[1]').textContent()).toBe(advice);
    expect(await guideSample(page, 1).textContent()).toContain('error?.code ===');
  });

  test('sees what has changed since a version', async () => {
    index = readSmallIndex();
    await gateway.gateway.rediscover();
    const before = readSmallIndex();
    const { '/wp/v2/types': types, ...routes } = Object(before['routes']);
    index = { ...before, routes: { ...routes, '/wp/v2/kinds': types } };
    await gateway.gateway.rediscover();
    const page = await openOverview('changing');
    await search(page, 'what changed since', /^Changes/);
    expect(await page.locator('main').textContent()).toContain('GET /wp/v2/types was removed');
    await follow(page.getByRole('main').getByRole('link', { name: 'GET /wp/v2/kinds', exact: true }));
    expect(await page.locator(':target h2').textContent()).toContain('kinds');
  });

  test.each(['content', 'blog'])('of %s learns whether a call was cached', async (site) => {
    const page = await openOverview(site);
    await search(page, 'list posts', /^List posts/);
    await use(ofTarget(page, 'summary', 'Try it'));
    await use(page.locator(':target').getByRole('button', { name: 'Send' }));
    await ofTarget(page, '.received .status', '200 OK').waitFor();
    expect(await ofTarget(page, '.received p', /^The gateway /).count()).toBe(1);
  });
});
