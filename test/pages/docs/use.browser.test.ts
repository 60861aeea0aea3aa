import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fillLogin, useBrowser } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { ATTACK, createHostileIndex } from '../../support/hostile-document.ts';
import { PIXEL } from '../../support/pixel.ts';
import { runStubSite } from '../../support/run.ts';
import { useWordPress } from '../../support/wordpress.ts';

const wordpress = useWordPress();
const browser = useBrowser();

let gateway: TestGateway;
let whole: TestGateway;
beforeAll(async () => {
  const hostile = await runStubSite({ index: createHostileIndex(ATTACK) });
  const sites = [
    { url: wordpress().url, name: 'blog' },
    { url: hostile.url, name: 'hostile' },
  ];
  gateway = await startGateway({ gateway: { sites } });
  whole = await startGateway({ gateway: { sites: [{ url: wordpress().url, passthrough: true }] } });
}, 120_000);

interface SiteUse {
  readonly docs: string;
  readonly user: { readonly name: string; readonly password: string };
}

function useBlog(): SiteUse {
  const { password, user } = wordpress().users.administrator;
  return { docs: `${gateway.origin}/blog/docs`, user: { name: user, password } };
}

async function openForm(page: Page, anchor: string): Promise<Locator> {
  const operation = page.locator(`[data-operation="${anchor}"]`);
  await operation.getByText('Try it', { exact: true }).click();
  await operation.getByRole('button', { name: 'Send' }).waitFor();
  return operation;
}

/** Fills in the credentials box, and waits for the name under which the site knows the user. */
async function signIn(page: Page, { name, password }: SiteUse['user']): Promise<void> {
  await page.getByRole('button', { name: 'Credentials' }).click();
  const box = page.getByRole('dialog', { name: 'Credentials' });
  await box.getByRole('combobox').selectOption('user');
  await box.getByLabel('User name').fill(name);
  await box.getByLabel('Password, consumer').fill(password);
  await box.getByRole('button', { name: 'Use' }).click();
  await box.getByText(/The site knows you as .+ \(administrator\)/).waitFor();
  await box.getByRole('button', { name: 'Close' }).click();
}

async function send(page: Page, operation: Locator): Promise<string | null> {
  page.once('dialog', (dialog) => void dialog.accept());
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.locator('.send .status').waitFor();
  return operation.locator('.send .status').textContent();
}

test('the search leads to an operation, which is tried signed in', async () => {
  const address = 'wp/v2/posts#create-a-post';
  const { docs, user } = useBlog();
  const { console: messages, crossOrigin, page } = await browser.visit(docs);
  await page.keyboard.press('/');
  await page.keyboard.type('create post');
  await page
    .getByRole('option', { name: /^Create a post/ })
    .first()
    .click();
  await page.waitForURL((url) => url.href.endsWith(`/${address}`));

  const operation = await openForm(page, 'create-a-post');
  await signIn(page, user);
  await operation.getByLabel('Body (JSON)').fill(JSON.stringify({ status: 'never' }));
  expect(await send(page, operation)).toMatch(/^400 Bad Request /);
  const input = operation.getByLabel('Body (JSON)');
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(await operation.locator('textarea + .problem').textContent()).toContain('status: ');

  await input.fill(JSON.stringify({ title: 'Tried', status: 'draft' }));
  expect(await send(page, operation)).toMatch(/^20[01] /);
  expect(await operation.locator('.received').textContent()).toContain('Tried');
  expect(await input.getAttribute('aria-invalid')).toBeNull();
  // Chromium itself reports the refused request.
  expect(messages.filter((message) => !/status of 400/.test(message))).toEqual([]);
  expect(crossOrigin()).toEqual([]);
  // Another form of the tab sends the same credentials, and no other tab has them.
  await page.reload();
  const other = page.locator('[data-operation]').first();
  await other.getByText('Try it', { exact: true }).click();
  await other.getByText(`Sent as ${user.name}.`).waitFor();
  const kept = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie]);
  expect(kept.join()).not.toContain(user.password);
});

test("this browser's login is used with a nonce", async () => {
  const { loginPassword, user } = wordpress().users.subscriber;
  // Cookies belong to a host and all of its ports.
  const { page } = await browser.visit(new URL('wp-login.php', wordpress().url).href);
  await fillLogin(page, user, loginPassword);
  await Promise.all([page.waitForURL(/wp-admin/), page.click('#wp-submit')]);
  await page.goto(`${whole.origin}/-/docs/wp/v2/posts`);
  await page.getByRole('button', { name: 'Credentials' }).click();
  const box = page.getByRole('dialog', { name: 'Credentials' });
  await box.getByRole('combobox').selectOption('browser');
  await box.getByRole('button', { name: 'Use' }).click();
  await box.getByText('The site knows you as subscriber (subscriber).').waitFor();
});

test('nothing of a hostile document runs in its search, its operation and its form', async () => {
  const { console: messages, page } = await browser.visit(`${gateway.origin}/hostile/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('script');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${gateway.origin}/hostile/docs/a/v1/things`);
  const operation = page.locator('[data-operation]').first();
  await operation.getByText('Try it', { exact: true }).click();
  await operation.getByRole('button', { name: 'Send' }).waitFor();
  expect(await page.locator('img, iframe, object').count()).toBe(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'ran'))).toBeUndefined();
  expect(messages).toEqual([]);
});

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

async function use(element: Locator): Promise<void> {
  await tabTo(element);
  await element.page().keyboard.press('Enter');
}

/** Part of the operation that the address names. */
const ofTarget = (page: Page, selector: string, text: string | RegExp): Locator =>
  page.locator(`:target ${selector}`, { hasText: text });

test('a reader with a phone and a keyboard alone uploads a file', async () => {
  const { docs, user } = useBlog();
  const { page } = await browser.visit(docs);
  await page.setViewportSize({ width: 390, height: 844 });
  await search(page, 'upload a file', /^Create media/);
  await use(ofTarget(page, 'summary', 'Try it'));
  await use(page.locator(':target').getByRole('button', { name: 'Change' }));
  const box = page.getByRole('dialog', { name: 'Credentials' });
  await box.getByRole('combobox').selectOption('user');
  await tabTo(box.getByLabel('User name'));
  await page.keyboard.type(user.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await box.getByText('The site knows you as').waitFor();
  await page.keyboard.press('Escape');
  const chooser = page.waitForEvent('filechooser');
  await use(page.locator(':target').getByLabel('File', { exact: true }));
  await (await chooser).setFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL });
  expect(await page.locator(':target .samples > details[open] > pre').textContent()).toContain('pixel.png');
  page.once('dialog', (dialog) => void dialog.accept());
  const send = page.locator(':target').getByRole('button', { name: 'Send' });
  await tabTo(send, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await ofTarget(page, '.send .status', '201 Created').waitFor();
  expect(await ofTarget(page, '.received', 'image/png').count()).toBe(1);
  // Another request needs no other step.
  expect(await isFocused(send)).toBe(true);
});
