import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityProblems, findPageProblems } from '../../support/accessibility.ts';
import { type PageVisit, useBrowser } from '../../support/browser.ts';
import { readSeed } from '../../support/documents.ts';
import { startGateway, TOKEN } from '../../support/gateway.ts';
import { runServer } from '../../support/run.ts';

const browser = useBrowser();

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>\u001b[31m\u202e';
const argument = { type: 'string', description: HOSTILE.repeat(20), default: HOSTILE };
const route = (args: object): object => {
  return { namespace: 'evil/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] };
};
const FIRST = { '/evil/v1/__proto__': route({ [HOSTILE]: argument, __proto__x: argument }) };
const HOSTILE_INDEX = {
  name: HOSTILE + 'x'.repeat(1_000_000),
  description: HOSTILE,
  namespaces: ['evil/v1', '__proto__'],
  routes: { ...FIRST, [`/evil/v1/${HOSTILE}`]: route({ constructor: { ...argument, required: 'yes' } }) },
};

let origin: string;
let index: object = HOSTILE_INDEX;
beforeAll(async () => {
  const site = await runServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(index));
  });
  const failing = await runServer((_, response) => void response.writeHead(500).end());
  const stored = { url: 'http://127.0.0.1:9/', discovery: 'off' } as const;
  const unread = { url: failing.origin, discovery: 'off', passthrough: true } as const;
  const sites = [
    { ...stored, name: 'content', document: readSeed('content') },
    { url: site.origin, name: 'hostile' },
    { ...unread, name: 'failing' },
    ...Array.from({ length: 12 }, (_, at) => ({ ...unread, name: `unused-${at}` })),
  ];
  const running = await startGateway({ gateway: { sites } });
  ({ origin } = running);
  index = { ...HOSTILE_INDEX, routes: FIRST };
  await running.gateway.rediscover();
  for (const path of ['__proto__?x=5', '__proto__?x=5', HOSTILE])
    await (await fetch(`${origin}/hostile/evil/v1/${encodeURI(path)}`)).arrayBuffer();
  for (const path of ['failing/1', 'failing/2', 'failing/3', 'content/core/v2/posts'])
    await (await fetch(`${origin}/${path}`)).arrayBuffer();
}, 60_000);

/** Signs in with the keyboard alone, as the focus and the form allow. */
async function signIn(path = '/-/'): Promise<PageVisit> {
  const visit = await browser.visit(origin + path);
  await visit.page.locator('#token:focus').waitFor();
  await visit.page.keyboard.type(TOKEN);
  await visit.page.keyboard.press('Enter');
  await visit.page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  return visit;
}

async function open(path: string): Promise<PageVisit> {
  const visit = await signIn();
  await visit.page.goto(`${origin}/-/console/${path}`);
  return visit;
}

test.each([
  ['the overview of fifteen sites', ''],
  ['the timeline of a site that is down', 'sites/content/traffic'],
  ['the problems of a failing site', 'sites/failing/problems'],
  ['the timeline of a site without traffic', 'sites/unused-1/traffic'],
  ['the problems of a hostile site', 'sites/hostile/problems'],
  ['the traffic of a hostile site', 'sites/hostile/traffic?span=10m'],
  [
    'the cache of a hostile site',
    'sites/hostile/cache?address=http:%2F%2Fexample.com%2Fhostile%2Fevil%2Fv1%2F__proto__%3Fx%3D5',
  ],
])(
  '%s is accessible, fits into 360 pixels and a zoom of 200 %, and contacts nobody else',
  async (_, path) => {
    const visit = await open(path);
    await visit.page.setViewportSize({ width: 720, height: 450 });
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
    await visit.page.setViewportSize({ width: 1440, height: 900 });
    expect(await findPageProblems(visit)).toEqual([]);
    expect(await visit.page.title()).not.toContain('\u001b');
  },
);

test('the sign-in is accessible, and says what is wrong at its field', async () => {
  const { page, console: messages } = await browser.visit(`${origin}/-/`);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(messages).toEqual([]);
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const field = page.getByLabel('Admin token');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('alert').textContent()).toContain("not the gateway's admin token");
  expect(page.url()).not.toContain('wrong');
});

async function tabTo(page: Page, text: string): Promise<void> {
  const readFocused = () => page.evaluate(() => document.activeElement?.textContent);
  while ((await readFocused()) !== text) await page.keyboard.press('Tab');
}

test('the keyboard alone does an action, which says so once; the page follows without a reload', async () => {
  const visit = await signIn();
  const { page } = visit;
  const second = await page.context().newPage();
  for (const each of [page, second]) await each.goto(`${origin}/-/console/sites/content/traffic`);
  await second.getByText('live', { exact: true }).waitFor();
  await page.goto(`${origin}/-/console/sites/content/cache`);
  await tabTo(page, 'Purge everything');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Yes, purge everything');
  await page.keyboard.press('Enter');
  await page.getByText(/^Purged: /).waitFor();
  await second.getByText('purge by a purge by hand').first().waitFor();
  await page.reload();
  expect(await page.getByText(/^Purged: /).count()).toBe(0);
  expect(visit.console).toEqual([]);
});

test('everything works without JavaScript', async () => {
  const { page } = await browser.visit(`${origin}/-/`);
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  if (plain === undefined) throw new Error('no page');
  await plain.goto(`${origin}/-/`);
  await plain.getByLabel('Admin token').fill(TOKEN);
  await plain.getByRole('button', { name: 'Sign in' }).click();
  await plain.goto(`${origin}/-/console/sites/content/traffic`);
  await plain.getByRole('button', { name: 'Rediscover' }).click();
  await plain.getByText('Reading site content.').waitFor();
  await plain.reload();
  expect(await plain.getByText('Reading site content.').count()).toBe(0);
  await context?.close();
});

test('numbers go on while a table has the focus, which stays, and tables are sorted by touch', async () => {
  const { page } = await signIn();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${origin}/-/console/sites/content/traffic`);
  await page.getByText('live', { exact: true }).waitFor();
  const table = page.getByRole('group', { name: 'Operations' });
  await table.focus();
  const before = await table.textContent();
  await (await fetch(`${origin}/content/core/v2/posts`)).arrayBuffer();
  await expect.poll(() => table.textContent(), { timeout: 20_000 }).not.toBe(before);
  expect(await table.evaluate((element) => element === document.activeElement)).toBe(true);
  const sorting = table.getByRole('link', { name: 'requests', exact: true });
  const box = await sorting.boundingBox();
  expect([(box?.x ?? -1) >= 0, (box?.height ?? 0) >= 24]).toEqual([true, true]);
  await sorting.click();
  await page.waitForURL(/[?&]sort=requests#operations$/);
});

test("times are UTC, as in the log, and the tooltip has the browser's own", async () => {
  const { page } = await open('sites/failing/problems');
  const times = page.locator('time[data-clock]');
  await times.first().waitFor();
  const shown = await times.evaluateAll((elements: HTMLTimeElement[]) =>
    elements.map(({ dateTime, textContent, title }) => ({
      ...{ dateTime, textContent, title, own: new Date(dateTime).toLocaleString() },
    })),
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const { dateTime, own, textContent, title } of shown) {
    expect(textContent?.trim()).toBe(`${dateTime.slice(11, 19)} UTC`);
    expect(title).toBe(own);
  }
});
