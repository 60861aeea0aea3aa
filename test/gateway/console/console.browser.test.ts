import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../../src/node/index.ts';
import { findSeriousProblems } from '../../support/accessibility.ts';
import { type PageVisit, useBrowser } from '../../support/browser.ts';
import { readSeed } from '../../support/documents.ts';
import { startStubSite } from '../../support/stub-site.ts';

const TOKEN = 'a-token-of-the-tests';
const browser = useBrowser();

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>\u001b[31m\u202e';
const argument = { type: 'string', description: HOSTILE.repeat(20), default: HOSTILE };
const HOSTILE_INDEX = {
  name: HOSTILE + 'x'.repeat(1_000_000),
  description: HOSTILE,
  namespaces: ['evil/v1', '__proto__'],
  routes: {
    '/evil/v1/__proto__': {
      namespace: 'evil/v1',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { [HOSTILE]: argument, __proto__x: argument } }],
    },
    [`/evil/v1/${HOSTILE}`]: {
      namespace: 'evil/v1',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { constructor: { ...argument, required: 'yes' } } }],
    },
  },
};

let gateway: Gateway;
let server: RunningServer;
let closeSite: () => Promise<void>;
let index: object = HOSTILE_INDEX;
beforeAll(async () => {
  const site = await startStubSite({
    intercept: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(index));
      return true;
    },
  });
  closeSite = site.close;
  const stored = { url: 'http://127.0.0.1:9/', discovery: 'off' } as const;
  gateway = createGateway({
    sites: [
      { ...stored, name: 'content', document: readSeed('content') },
      { url: site.url, name: 'hostile' },
    ],
    admin: { token: TOKEN },
    cache: 'memory',
  });
  await gateway.rediscover();
  const [first] = Object.entries(HOSTILE_INDEX.routes);
  index = { ...HOSTILE_INDEX, routes: Object.fromEntries(first === undefined ? [] : [first]) };
  await gateway.rediscover();
  server = await serve(gateway, { port: 0, shutdownGrace: 500 });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await closeSite();
});

/** Signs in with the keyboard alone, as the focus and the form allow. */
async function signIn(path = '/-/'): Promise<PageVisit> {
  const visit = await browser.visit(server.url + path);
  await visit.page.locator('#token:focus').waitFor();
  await visit.page.keyboard.type(TOKEN);
  await visit.page.keyboard.press('Enter');
  await visit.page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  return visit;
}

/** Signs in, and opens a page. */
async function open(path: string): Promise<PageVisit> {
  const visit = await signIn();
  await visit.page.goto(`${server.url}/-/console/${path}`);
  return visit;
}

describe.each([
  ['the overview', ''],
  ['the document', 'sites/content/document'],
  ['the document of a hostile site', 'sites/hostile/document'],
  ['the traffic', 'sites/content/traffic'],
  ['the cache', 'sites/content/cache'],
  ['the validation', 'sites/content/validation'],
  ['the problems of a hostile site', 'sites/hostile/problems'],
])('%s', (_, path) => {
  test('is accessible in light and dark, fits into 360 pixels, and contacts nobody else', async () => {
    const { console: messages, crossOrigin, page } = await open(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      expect(await findSeriousProblems(page, colorScheme)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await page.title()).not.toContain('\u001b');
    expect([messages, crossOrigin()]).toEqual([[], []]);
  });
});

test('the sign-in is accessible, and says what is wrong at its field', async () => {
  const { page, console: messages } = await browser.visit(`${server.url}/-/`);
  expect(await findSeriousProblems(page)).toEqual([]);
  expect(messages).toEqual([]);
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const field = page.getByLabel('Admin token');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('alert').textContent()).toContain("not the gateway's admin token");
  expect(page.url()).not.toContain('wrong');
});

test('a link to a page leads there after the sign-in, and the session ends with the sign-out', async () => {
  const { page } = await signIn('/-/console/sites/content/document');
  expect(new URL(page.url()).pathname).toBe('/-/console/sites/content/document');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in$/);
  await page.goto(`${server.url}/-/console/`);
  expect(page.url()).toContain('/sign-in');
});

test('a session that has become invalid leads to the sign-in, which says why', async () => {
  const { page } = await signIn();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ path: '/-/console', httpOnly: true, sameSite: 'Strict' });
  if (cookie === undefined) throw new Error('no cookie');
  await page.context().addCookies([{ ...cookie, value: `${cookie.value}x` }]);
  await page.reload();
  expect(await page.getByRole('status').first().textContent()).toContain('Your session has ended');
});

test('a form without the token of the session is refused with advice, and changes nothing', async () => {
  const { page } = await signIn();
  const selector = 'form[action$="/drain"] input[name="_token"]';
  await page.locator(selector).waitFor({ state: 'attached' });
  // In one step: the page refreshes, and a form that was replaced is not submitted.
  await page.evaluate((found) => {
    const input = document.querySelector(found);
    input?.setAttribute('value', 'x');
    input?.closest('form')?.requestSubmit();
  }, selector);
  await page.getByText('This form is no longer valid').waitFor();
  expect(await page.getByRole('heading').textContent()).toBe('This form is no longer valid');
  await page.getByRole('link', { name: 'To the overview' }).click();
  await page.getByText('in service').waitFor();
});

test('a form of another site is not accepted, although the browser has a session', async () => {
  const { page } = await signIn();
  const other = await page.context().newPage();
  // Another port is another origin of the same site, so the browser sends the cookie.
  const foreign = await startStubSite({
    intercept: (_, response) => {
      const form = `<form method="post" action="${server.url}/-/console/drain"><button>Go</button></form>`;
      response.writeHead(200, { 'content-type': 'text/html' }).end(form);
      return true;
    },
  });
  await other.goto(foreign.url);
  await other.getByRole('button').click();
  expect(await other.getByRole('heading').textContent()).toBe('This form comes from another site');
  await foreign.close();
});

test('an action asks, is done, and says so once; the page follows without a reload', async () => {
  const visit = await signIn();
  const { page } = visit;
  const second = await page.context().newPage();
  await second.goto(`${server.url}/-/console/`);
  await second.getByText('live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Drain', exact: true }).click();
  await page.getByRole('heading', { name: 'Drain this gateway?' }).waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Drain', exact: true }).click();
  await page.getByText('The gateway is draining.').waitFor();
  expect((await fetch(`${server.url}/-/ready`)).status).toBe(503);
  await second.getByRole('button', { name: 'Take back into service' }).waitFor();
  await page.reload();
  expect(await page.getByText('The gateway is draining.').count()).toBe(0);
  await second.getByRole('button', { name: 'Take back into service' }).click();
  await second.getByText('The gateway is back in service.').waitFor();
  expect(visit.console).toEqual([]);
});

test('many open pages do not stop each other, and one that is hidden has no stream', async () => {
  const { page } = await signIn();
  const context = page.context();
  // Browsers open six connections to a host over HTTP/1.1, and each stream keeps one.
  for (let count = 0; count < 8; count += 1) {
    const another = await context.newPage();
    await another.goto(`${server.url}/-/console/`, { timeout: 10_000 });
  }
  await page.getByText('ended: reload the page').waitFor();
  const setHidden = (isHidden: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  const request = page.waitForRequest(/\/events/);
  await setHidden(false);
  await request;
  await page.getByText('live', { exact: true }).waitFor();
  const closed = page.waitForEvent('requestfailed', (failed) => failed.url().includes('/events'));
  await setHidden(true);
  await closed;
}, 60_000);

test('two gateways with different tokens at one host keep their sessions apart', async () => {
  const another = createGateway({
    sites: [{ url: 'http://127.0.0.1:9/', discovery: 'off', name: 'content', document: readSeed('content') }],
    admin: { token: 'another-token' },
  });
  const second = await serve(another, { port: 0, shutdownGrace: 500 });
  const { page } = await signIn();
  const other = await page.context().newPage();
  await other.goto(`${second.url}/-/console/`);
  await other.getByLabel('Admin token').fill('another-token');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  await other.reload();
  await other.getByRole('heading', { name: 'Overview' }).waitFor();
  await other.close();
  await second.stop();
});

test('everything works without JavaScript', async () => {
  const { page } = await browser.visit(`${server.url}/-/`);
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  if (plain === undefined) throw new Error('no page');
  await plain.goto(`${server.url}/-/`);
  await plain.getByLabel('Admin token').fill(TOKEN);
  await plain.getByRole('button', { name: 'Sign in' }).click();
  await plain.getByRole('button', { name: 'Rediscover content' }).click();
  await plain.getByText('content: nothing has changed.').waitFor();
  await plain.getByRole('link', { name: 'Refresh' }).click();
  expect(await plain.getByText('content: nothing has changed.').count()).toBe(0);
  await context?.close();
});
