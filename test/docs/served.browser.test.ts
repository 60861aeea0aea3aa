import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSeriousProblems } from '../support/accessibility.ts';
import { type PageVisit, useBrowser } from '../support/browser.ts';
import { readSeed } from '../support/documents.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { useWordPress } from '../support/wordpress.ts';

const site = useWordPress();
const browser = useBrowser();

let gateway: RunningGateway;
beforeAll(async () => {
  const stored = { url: 'http://127.0.0.1:9/', discovery: 'off' } as const;
  gateway = await startNodeGateway({
    sites: [
      { url: site().url, name: 'blog' },
      { ...stored, name: 'boards', document: readSeed('boards') },
      { ...stored, name: 'content', document: readSeed('content') },
    ],
  });
}, 60_000);
afterAll(async () => gateway.stop());

describe.each([
  ['the start page', ''],
  ['the overview', '/content/docs'],
  ['a namespace', '/boards/docs/boards/v2'],
  ['a resource', '/content/docs/core/v2/posts'],
  ['a resource with 33 operations', '/boards/docs/boards/v2/projects'],
  ['a resource of WordPress', '/blog/docs/wp/v2/posts'],
])('%s', (_, path) => {
  let visit: PageVisit;
  beforeAll(async () => {
    visit = await browser.visit(`${gateway.origin}${path}`);
  });

  test.each(['light', 'dark'] as const)('has no serious accessibility problem in %s', async (colorScheme) => {
    expect(await findSeriousProblems(visit.page, colorScheme)).toEqual([]);
    expect(visit.console).toEqual([]);
    expect(visit.crossOrigin()).toEqual([]);
  });

  test('fits into 360 pixels', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test('an operation is found with the keyboard alone, despite a typing error', async () => {
  const { page, console: messages } = await browser.visit(`${gateway.origin}/boards/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('craete task label');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('archive stage');
  await page
    .getByRole('option', { name: /Archive a project stage/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/projects\/stages#archive-a-project-stage/);
  expect(messages).toEqual([]);
});

describe('a request of a form', () => {
  const open = async (path: string, anchor: string) => {
    const visit = await browser.visit(`${gateway.origin}${path}#${anchor}`);
    const operation = visit.page.locator(`#${anchor}`);
    await operation.getByText('Try it', { exact: true }).click();
    await operation.getByRole('button', { name: 'Send' }).waitFor();
    return { ...visit, operation };
  };
  const send = async (operation: Locator) => {
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.locator('.received .status').waitFor();
    return operation.locator('.received .status').textContent();
  };

  test('is sent through the gateway, and its response shown', async () => {
    const {
      operation,
      requests,
      crossOrigin,
      console: messages,
    } = await open('/blog/docs/wp/v2/posts', 'list-posts');
    expect(await send(operation)).toBe('200 OK');
    expect(await operation.locator('.received').textContent()).toContain('slug');
    expect(requests).toContain(`${gateway.origin}/blog/wp/v2/posts`);
    expect([crossOrigin(), messages]).toEqual([[], []]);
  });

  test('shows an error at the field that it concerns, and its values in the code samples', async () => {
    const { operation, page } = await open('/blog/docs/wp/v2/posts', 'list-posts');
    await operation.getByLabel('per_page', { exact: true }).fill('1000');
    expect(await operation.locator('.samples pre').first().textContent()).toContain('per_page=1000');
    expect(await send(operation)).toBe('400 Bad Request');
    const field = operation.getByLabel('per_page', { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await browser.screenshot(page, 'docs-field-error');
  });

  test('that writes asks first', async () => {
    const { operation, page, requests } = await open('/blog/docs/wp/v2/posts', 'create-a-post');
    const messages: string[] = [];
    page.once('dialog', (dialog) => {
      messages.push(dialog.message());
      void dialog.dismiss();
    });
    await operation.getByRole('button', { name: 'Send' }).click();
    expect(messages).toEqual(['POST may change the site. Send it?']);
    expect(requests.filter((url) => url === `${gateway.origin}/blog/wp/v2/posts`)).toEqual([]);
    page.once('dialog', (dialog) => void dialog.accept());
    expect(await send(operation)).toBe('401 Unauthorized');
  });
});

test('a deep link leads to its operation, and the page is complete without JavaScript', async () => {
  const { page } = await browser.visit(`${gateway.origin}/content/docs/core/v2/posts`);
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  await plain?.goto(`${gateway.origin}/content/docs/core/v2/posts#delete-a-post`);
  expect(await plain?.locator('#delete-a-post h2').textContent()).toContain('Delete a post');
  await plain?.locator('#delete-a-post .samples summary', { hasText: 'PHP' }).click();
  expect(await plain?.locator('#delete-a-post .samples').textContent()).toContain('wp_remote_request(');
  expect(await plain?.getByRole('button', { name: /Search/ }).count()).toBe(0);
  await context?.close();
});

test('no script of the origin runs but that of the page', async () => {
  const { page } = await browser.visit(`${gateway.origin}/blog/docs`);
  const outcome = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = '/blog/openapi.json';
        script.onload = () => resolve('loaded');
        script.onerror = () => resolve('refused');
        document.head.append(script);
      }),
  );
  expect(outcome).toBe('refused');
});
