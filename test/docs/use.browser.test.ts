import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_USERS } from '../../src/example/index.ts';
import { type RunningExample, startExample } from '../example/gateway/running.ts';
import { useBrowser } from '../support/browser.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { ATTACK, createHostileIndex } from '../support/hostile-document.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { useWordPress } from '../support/wordpress.ts';

const wordpress = useWordPress();
const browser = useBrowser();

let example: RunningExample;
let hostile: StubSite;
let gateway: RunningGateway;
beforeAll(async () => {
  example = await startExample();
  hostile = await startStubSite({ index: createHostileIndex(ATTACK) });
  gateway = await startNodeGateway({
    sites: [
      { url: wordpress().url, name: 'blog' },
      { url: hostile.url, name: 'hostile' },
    ],
  });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([example?.stop(), hostile?.close()]);
});

interface SiteUse {
  readonly docs: string;
  readonly user: { readonly name: string; readonly password: string };
}

function siteOf(name: string): SiteUse {
  const [admin] = DEMO_USERS;
  const { password, user } = wordpress().users.administrator;
  return name === 'blog'
    ? { docs: `${gateway.origin}/blog/docs`, user: { name: user, password } }
    : {
        docs: `${example.origin}/${name}/docs`,
        user: { name: admin?.login ?? '', password: admin?.password ?? '' },
      };
}

async function openForm(page: Page, anchor: string): Promise<Locator> {
  const operation = page.locator(`[data-operation="${anchor}"]`);
  await operation.getByText('Try it', { exact: true }).click();
  await operation.getByRole('button', { name: 'Send' }).waitFor();
  return operation;
}

async function signIn(operation: Locator, { name, password }: SiteUse['user']): Promise<void> {
  await operation.getByText('Credentials (kept until you leave the page)').click();
  await operation.getByLabel('User name').fill(name);
  await operation.getByLabel('Application password').fill(password);
}

/** Sends the form. A request that writes is confirmed. */
async function send(page: Page, operation: Locator): Promise<string | null> {
  page.once('dialog', (dialog) => void dialog.accept());
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.locator('.received .status').waitFor();
  return operation.locator('.received .status').textContent();
}

const DRAFT = { title: 'Tried', status: 'draft' };
const NEVER = { status: 'never' };

describe.each<[name: string, words: string, option: RegExp, page: string, body: object, invalid: object]>([
  [
    'boards',
    'create admin folder',
    /^Create an admin folder/,
    'boards/v2/admin/folders#create-an-admin-folder',
    { title: 'Tried' },
    { title: [] },
  ],
  ['blog', 'create post', /^Create a post/, 'wp/v2/posts#create-a-post', DRAFT, NEVER],
])('the documentation of %s', (name, words, option, address, body, invalid) => {
  test('leads from the search to an operation, which is tried signed in', async () => {
    const { docs, user } = siteOf(name);
    const { console: messages, crossOrigin, page } = await browser.visit(docs);
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    await page.getByRole('option', { name: option }).first().click();
    await page.waitForURL((url) => url.href.endsWith(`/${address}`));

    const operation = await openForm(page, address.split('#')[1] ?? '');
    await signIn(operation, user);
    await operation.getByLabel('Body (JSON)').fill(JSON.stringify(invalid));
    expect(await send(page, operation)).toBe('400 Bad Request');
    const input = operation.getByLabel('Body (JSON)');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await operation.locator('textarea + .problem').textContent()).toContain(
      `${Object.keys(invalid)[0]}: `,
    );

    await input.fill(JSON.stringify(body));
    expect(await send(page, operation)).toMatch(/^20[01] /);
    expect(await operation.locator('.received').textContent()).toContain('Tried');
    expect(await input.getAttribute('aria-invalid')).toBeNull();
    // Chromium itself reports the refused request.
    expect(messages.filter((message) => !/status of 400/.test(message))).toEqual([]);
    expect(crossOrigin()).toEqual([]);
    // Credentials are in memory alone.
    const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
    expect(kept).toEqual([0, 0, '']);
  });
});

test('the language of the samples is remembered', async () => {
  const url = `${siteOf('content').docs}/core/v2/posts`;
  const { page } = await browser.visit(url);
  await page.locator('[data-operation="create-a-post"] summary', { hasText: /^fetch$/ }).click();
  const countOpen = (): Promise<number> =>
    page.locator('details[open] > summary', { hasText: /^fetch$/ }).count();
  const operations = await page.locator('[data-operation]').count();
  expect(await countOpen()).toBe(operations);
  await page.goto(`${url}/autosaves`);
  expect(await countOpen()).toBe(await page.locator('[data-operation]').count());
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
