import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RunningExample, startExample } from '../../sites/example/gateway/running.ts';
import { findAccessibilityProblems } from '../../support/accessibility.ts';
import { type PageVisit, useBrowser } from '../../support/browser.ts';

const browser = useBrowser();
let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
}, 120_000);

interface OpenForm extends PageVisit {
  readonly operation: Locator;
  readonly send: Locator;
}

async function openForm(width = 1400, content?: unknown, name = 'list-posts'): Promise<OpenForm> {
  const visit = await browser.visit(`${example.origin}/content/docs/core/v2/posts#${name}`);
  const { page } = visit;
  await page.setViewportSize({ width, height: 780 });
  if (content !== undefined) {
    await page.route('**/content/core/v2/posts*', (route) => route.fulfill({ json: content }));
  }
  const operation = page.locator(`#${name}`);
  await operation.getByText('Try it', { exact: true }).click();
  const send = operation.getByRole('button', { name: 'Send' });
  await send.waitFor();
  return { ...visit, operation, send };
}

async function receive({ operation, send }: OpenForm): Promise<Locator> {
  await send.click();
  await operation.locator('.send .status').waitFor();
  return operation.locator('.received');
}

const isInWindow = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { bottom, top } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(element.getBoundingClientRect().x + 5, top + 5);
    return top >= 0 && bottom <= innerHeight && hit !== null && element.contains(hit);
  });

describe('the form of an operation with many parameters', () => {
  test('folds most of them, and opens the fold where one has an error', async () => {
    const form = await openForm();
    const fold = form.operation.locator('form > details', { hasText: 'more parameters' });
    const field = form.operation.getByLabel('offset', { exact: true });
    expect(await field.isVisible()).toBe(false);
    await fold.locator('summary').click();
    await field.fill('none');
    await fold.locator('summary').click();
    expect(await field.isVisible()).toBe(false);

    await receive(form);
    expect(await field.isVisible()).toBe(true);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    const id = await field.getAttribute('aria-describedby');
    expect(await form.page.locator(`#${id}`).textContent()).toContain('offset');

    await field.fill('1');
    await receive(form);
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    expect(await form.operation.locator('.problem').count()).toBe(0);
  });

  test.each([360, 1400])('keeps address, button and outcome in sight at %i pixels', async (width) => {
    const form = await openForm(width);
    await form.operation.locator('form > details summary', { hasText: 'more parameters' }).click();
    const last = form.operation.getByLabel('sticky', { exact: true });
    await last.selectOption('true');
    expect(await isInWindow(form.send)).toBe(true);
    expect(await form.operation.locator('.send code').textContent()).toMatch(
      /^\/content\/core\/v2\/posts\?.*\bsticky=true/,
    );
    const field = form.operation.getByLabel('per_page', { exact: true });
    await field.fill('1000');
    expect(await form.operation.locator('.samples pre').first().textContent()).toContain('per_page=1000');
    await receive(form);
    const state = form.operation.getByRole('status');
    expect(await state.textContent()).toMatch(/^400 Bad Request in \d+ ms, /);
    expect(await Promise.all([field, form.send, state].map(isInWindow))).toEqual([true, true, true]);
    expect(await form.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});

describe('the content of a response', () => {
  test('is text, whatever it contains', async () => {
    const attack = '<img src=x onerror="globalThis.ran=1"></span><script>ran=1</script>';
    const form = await openForm(1400, {
      [attack]: attack,
      ['__proto__']: { [attack]: [attack] },
      deep: attack,
    });
    const received = await receive(form);
    expect(await received.locator('img, script').count()).toBe(0);
    expect(await received.locator('.code-text').first().textContent()).toBe(JSON.stringify(attack));
    expect(await form.page.evaluate(() => Reflect.get(globalThis, 'ran'))).toBeUndefined();
    expect(form.console).toEqual([]);
  });
});

test('a number that JavaScript rounds is shown as it came (swagger-api/swagger-ui#2030)', async () => {
  const form = await openForm();
  const json = {
    contentType: 'application/json',
    body: '[{"id":1253261109769874438,"at":"1253261109769874438"}]',
  };
  await form.page.route('**/content/core/v2/posts*', (route) => route.fulfill(json));
  const received = await receive(form);
  expect(await received.locator('pre').last().textContent()).toBe(json.body);
});

test('a file is saved by the name that the site gives it (swagger-api/swagger-ui#7577)', async () => {
  const form = await openForm();
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="a b.zip"',
  };
  await form.page.route('**/content/core/v2/posts*', (route) => route.fulfill({ headers, body: 'PK' }));
  const received = await receive(form);
  expect(await received.locator('a').getAttribute('download')).toBe('a b.zip');
});

test('a long word does not widen the list of parameters (scalar/scalar#1687)', async () => {
  const { page } = await openForm(360);
  const widths = await page
    .locator('.details .schema')
    .first()
    .evaluate((element) => {
      for (const text of element.querySelectorAll('p')) text.textContent = 'x'.repeat(500);
      return [element.scrollWidth, element.clientWidth];
    });
  expect(widths[0]).toBe(widths[1]);
});

test('a path without its value is not sent, and the field says so', async () => {
  const form = await openForm(1400, undefined, 'get-a-post');
  const field = form.operation.getByLabel('id', { exact: true });
  await field.fill('');
  await form.send.click();
  const id = await field.getAttribute('aria-describedby');
  expect(await form.page.locator(`#${id}`).textContent()).toBe('id is missing.');
  expect(await form.operation.locator('.send .status').count()).toBe(0);
  await field.fill('a+b');
  expect(await form.operation.locator('.send code').textContent()).toMatch(/\/posts\/a\+b$/);
});

test('a bearer token is sent by each form, and a failure is followed by the advice for its code', async () => {
  const form = await openForm(1400, undefined, 'get-a-post');
  const { operation, page, send } = form;
  await page.getByRole('button', { name: 'Credentials' }).click();
  const box = page.getByRole('dialog', { name: 'Credentials' });
  await box.getByRole('combobox').selectOption('bearer');
  await box.getByLabel('Password, consumer').fill('secret-token');
  await box.getByRole('button', { name: 'Use' }).click();
  await box.getByRole('button', { name: 'Close' }).click();
  await operation.getByText('Sent with a bearer token.').waitFor();
  const sent = page.waitForRequest(/\/core\/v2\/posts\/999999$/);
  const json = { code: 'rest_post_invalid_id', message: 'Invalid post ID.', data: { status: 404 } };
  await page.route('**/posts/999999', (route) => route.fulfill({ status: 404, json }));
  await operation.getByLabel('id', { exact: true }).fill('999999');
  await send.click();
  expect((await sent).headers()['authorization']).toBe('Bearer secret-token');
  await operation.locator('.received .note', { hasText: 'There is no such item.' }).waitFor();
});

test('search and credentials box have no accessibility problem, light or dark', async () => {
  const { page } = await browser.visit(`${example.origin}/content/docs`);
  const read = async () => [
    ...(await findAccessibilityProblems(page, 'light', 'dialog[open]')),
    ...(await findAccessibilityProblems(page, 'dark', 'dialog[open]')),
  ];
  await page.keyboard.press('/');
  await page.keyboard.insertText('create post');
  await page.getByRole('option').first().waitFor();
  expect(await read()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Credentials' }).click();
  await page.getByRole('dialog', { name: 'Credentials' }).getByRole('combobox').selectOption('user');
  expect(await read()).toEqual([]);
});

test.each([
  [360, '1000'],
  [1400, '3'],
])(
  'a form with an answer has no accessibility problem, light or dark, at %i pixels',
  async (width, count) => {
    const form = await openForm(width);
    await form.operation.getByLabel('per_page', { exact: true }).fill(count);
    await receive(form);
    for (const colorScheme of ['light', 'dark'] as const) {
      const problems = await findAccessibilityProblems(form.page, colorScheme, '#list-posts');
      expect([colorScheme, problems]).toEqual([colorScheme, []]);
    }
  },
);
