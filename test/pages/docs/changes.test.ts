import { expect, test } from 'vitest';
import type { Gateway } from '../../../src/gateway/index.ts';
import { openGateway } from '../../../src/open-gateway.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { ATTACK } from '../../support/hostile-document.ts';
import { createRoutesIndex } from '../../support/index-routes.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { runStubSite } from '../../support/run.ts';

const ROUTES = { '/wp/v2/books': 'GET POST', '/wp/v2/films': 'GET', '/wp/v2/games': 'GET' };
const HOST = { host: 'gateway.example.com' };

async function startSubject(first: object) {
  let index = first;
  const state = createMemoryState();
  const site = await runStubSite({ index: () => index });
  const open = (options: object = {}): Gateway => {
    const gateway = openGateway({ sites: [{ url: site.url, ...options }], state });
    closeAfterTest(() => gateway.stop());
    return gateway;
  };
  const read = async (gateway: Gateway, path = '/docs/changes'): Promise<string> =>
    (await gateway.app.request(path, { headers: HOST })).text();
  return {
    ...{ open, read, site, state },
    async discover(gateway: Gateway, next: object): Promise<string> {
      index = next;
      await gateway.rediscover();
      return read(gateway);
    },
  };
}

/** The rows of each replacement: operation, effect and change. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  Array.from(page.matchAll(/<tbody>(.*?)<\/tbody>/gs), ([, body = '']) =>
    Array.from(body.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) =>
      row
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );

const REMOVED = 'GET /wp/v2/films breaking it was removed';
const ADDED = 'GET /wp/v2/plays compatible it was added';

test('the page of changes lists what each new document has changed, the latest first', async () => {
  const { discover, open, read } = await startSubject(createRoutesIndex(ROUTES));
  const gateway = open();
  await gateway.rediscover();
  expect(rowsOf(await read(gateway))).toEqual([]);
  expect(await read(gateway, '/docs')).toContain('href="./docs/changes"');
  const { '/wp/v2/films': _, ...fewer } = ROUTES;
  expect(rowsOf(await discover(gateway, createRoutesIndex(fewer)))).toEqual([[REMOVED]]);
  const page = await discover(gateway, createRoutesIndex({ ...fewer, '/wp/v2/plays': 'GET' }));
  expect(rowsOf(page)).toEqual([[ADDED], [REMOVED]]);
  expect(page).toMatch(/<a href="..\/docs\/wp\/v2\/plays#[\w-]+"><code translate="no">GET \/wp\/v2\/plays/);
  expect(
    rowsOf(await discover(gateway, createRoutesIndex({ ...fewer, '/wp/v2/plays': 'GET' }))),
  ).toHaveLength(2);
  expect(await read(gateway, '/docs.md')).toContain('/docs/changes)');
});

test('a restart keeps the changes, and sees those since the stored document', async () => {
  const { discover, open, read } = await startSubject(createRoutesIndex(ROUTES));
  const first = open();
  await first.rediscover();
  const { '/wp/v2/films': _, ...fewer } = ROUTES;
  const before = await discover(first, createRoutesIndex(fewer));
  await first.stop();
  const second = open();
  await second.restore();
  expect(await read(second)).toBe(before);
  // The first request has started a discovery, which the next one would join.
  await second.rediscover();
  const page = await discover(second, createRoutesIndex({ ...fewer, '/wp/v2/plays': 'GET' }));
  expect(rowsOf(page)).toEqual([[ADDED], [REMOVED]]);
  await second.stop();
  // The operator has excluded what the changes before name.
  const third = open({ discover: { exclude: ['/wp/v2/films*'] } });
  await third.restore();
  await third.rediscover();
  expect(rowsOf(await read(third))).toEqual([]);
});

test('stored changes with a time that no date has are not shown', async () => {
  const { discover, open, read, state } = await startSubject(createRoutesIndex(ROUTES));
  const first = open();
  await first.rediscover();
  await discover(first, createRoutesIndex({ ...ROUTES, '/wp/v2/plays': 'GET' }));
  await first.stop();
  const text = (await state.read('document.default')) ?? '';
  await state.write('document.default', text.replace(/"time":\d+/, '"time":1e300'));
  const second = open();
  await second.restore();
  expect((await second.app.request('/docs/changes', { headers: HOST })).status).toBe(200);
  expect(rowsOf(await read(second))).toEqual([]);
});

test('names of a site neither add tags nor tell its address', async () => {
  const { discover, open, site } = await startSubject(createRoutesIndex(ROUTES));
  const gateway = open();
  await gateway.rediscover();
  const hostile = {
    ...ROUTES,
    [`/wp/v2/${ATTACK.replace(/[^<>"'&\w]/g, '')}`]: 'GET',
    '/wp/v2/<img src=x>|`#`': 'GET',
  };
  const args = { [ATTACK]: { type: 'string', default: `${site.url}/x` }, other: { default: site.url } };
  const page = await discover(gateway, createRoutesIndex(hostile, args));
  expect(rowsOf(page)[0]?.length).toBeGreaterThan(4);
  expect(page.match(/<script[^>]*>/g)).toHaveLength(1);
  expect(page).not.toMatch(/<img|<[^>"]* on\w+=|javascript:/);
  expect(page).not.toContain(new URL(site.url).host);
});

test('a replacement is kept with a bounded length', async () => {
  const toRoutes = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/wp/v2/${'a'.repeat(400)}${at}`, 'GET']));
  const toArguments = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'b'.repeat(70)}${at}`, {}]));
  const { discover, open } = await startSubject(createRoutesIndex(ROUTES, toArguments(400)));
  const gateway = open();
  await gateway.rediscover();
  const page = await discover(gateway, createRoutesIndex({ ...ROUTES, ...toRoutes(40) }, {}));
  expect(page).toMatch(/\d+ further changes/);
  expect(rowsOf(page)[0]?.length).toBeLessThan(200);
  expect(rowsOf(page).join().length).toBeLessThan(16_000);
});

test('twenty replacements are kept', async () => {
  const { discover, open, read } = await startSubject(createRoutesIndex(ROUTES));
  const gateway = open();
  await gateway.rediscover();
  for (let count = 0; count < 22; count += 1)
    await discover(gateway, createRoutesIndex(count % 2 ? ROUTES : { ...ROUTES, '/wp/v2/plays': 'GET' }));
  const page = await read(gateway);
  expect(rowsOf(page)).toHaveLength(20);
  expect(page).toMatch(/<p class="lead">[^<]* 20 /);
});
