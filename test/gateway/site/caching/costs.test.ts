import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { type Log, systemClock } from '../../../../src/base/ports.ts';
import { StoreExclusions } from '../../../../src/gateway/site/caching/store-exclusions.ts';
import { createBypass } from '../../../../src/gateway/wordpress/bypass-rules.ts';
import { createMovableClock, runAnswering } from '../../../support/run.ts';

/** Which cookie, field or parameter costs the most hits: the state of a site says it, and the log once an hour. */

const TOKEN = 'a-token-of-an-operator';

async function start(cache: SiteCacheOptions = {}, headers: Record<string, string> = {}) {
  const lines: string[] = [];
  const add = (_: object, message: string): void => void lines.push(message);
  const log = { trace: add, debug: add, info: add, warn: add, error: add, fatal: add } as unknown as Log;
  const clock = createMovableClock();
  const { request } = await runAnswering(
    () => ({ headers, body: '<p>a</p>' }),
    { cache: { pages: 3_600, ...cache } },
    { log, clock, admin: { token: TOKEN } },
  );
  return {
    clock,
    costs: () => lines.filter((line) => line.includes('of reads')),
    async send(count: number, path: string, fields: Record<string, string> = {}) {
      const ask = async () => (await request(path, { headers: fields })).arrayBuffer();
      await ask();
      await Promise.all(Array.from({ length: count - 1 }, ask));
    },
    async readState(): Promise<string> {
      const response = await request('/-/sites', { headers: { authorization: `Bearer ${TOKEN}` } });
      const { remarks } = (await response.json()).sites[0].state;
      const texts = remarks.map(({ text }: { text: string }) => text);
      return texts.find((text: string) => text.includes('of reads')) ?? '';
    },
  };
}

describe('the state of a site names', () => {
  /** Of 230 reads, 60 bypass the store for a reason. */
  const describeCosts = (...[reason, name]: Parameters<typeof createBypass>): string => {
    const exclusions = new StoreExclusions({ warn() {} } as unknown as Log, systemClock, () => false);
    for (let at = 0; at < 230; at += 1) exclusions.countRead();
    for (let at = 0; at < 60; at += 1) exclusions.countBypass(createBypass(reason, name));
    return exclusions.describeCosts();
  };

  test.each<[...Parameters<typeof createBypass>, words: RegExp]>([
    ['cookie', 'shop_region', /the cookie shop_region: keyCookies .* harmlessCookies/],
    ['header', 'X-Shop', /the request field x-shop: harmlessHeaders.* keyHeaders/],
    ['query', 'sort', /the parameter sort: queries/],
    ['namespace', 'acme/v1', /the namespace acme\/v1: a rule with ttl/],
  ])('a %s that costs hits, its share, and what helps', (reason, name, words) => {
    expect(describeCosts(reason, name)).toMatch(/^26\.\d\s% of reads/);
    expect(describeCosts(reason, name)).toMatch(words);
  });

  test.each([
    ['cookie', 'wordpress_logged_in_0123'],
    ['cookie', 'wp_woocommerce_session_0123'],
    ['cookie', 'PHPSESSID'],
    ['credentials', 'Authorization'],
  ] as const)('nothing if what costs hits is of one client: %s %s', (reason, name) => {
    expect(describeCosts(reason, name)).toBe('');
  });

  test('a cookie that the site sets', async () => {
    const { readState, send } = await start({}, { 'set-cookie': 'visit=1; path=/' });
    await send(230, '/a/');
    expect(await readState()).toMatch(/(?:9\d|100)\.\d\s% of reads .* visit: ignoreCookies/);
  });

  test('no setting for a cookie that the site sets, if content differs by it', async () => {
    const cookies = ['wcpay_currency=EUR; path=/', 'shop_region=north'];
    for (const cookie of cookies) {
      const { costs, readState, send } = await start(
        { keyCookies: ['shop_region'] },
        { 'set-cookie': cookie },
      );
      await send(230, '/a/');
      expect([await readState(), costs()]).toEqual(['', []]);
    }
  });
});

test('the log says it once an hour at most, whatever clients invent', async () => {
  const { clock, costs, readState, send } = await start();
  await send(200, '/a/');
  expect(await readState()).toBe('');
  // Names that a number tells apart would be one cause.
  const invent = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let at = 0; at < 150; at += 1) await send(1, '/a/', { cookie: `${invent(at)}_made_up=1` });
  await send(60, '/a/', { cookie: 'shop_region=a' });
  expect(costs()).toEqual([expect.stringContaining('shop_region')]);
  await send(60, '/a/', { 'x-shop': 'a' });
  expect(costs()).toHaveLength(1);
  clock.move(3_601);
  await send(300, '/a/', { 'x-shop': 'a' });
  expect(costs()).toEqual([expect.stringContaining('shop_region'), expect.stringContaining('x-shop')]);
  expect(await readState()).toContain('x-shop');
});

test('the cause is not searched with each request, whatever names clients invent', () => {
  const exclusions = new StoreExclusions({ warn() {} } as unknown as Log, systemClock, () => false);
  const count = (reason: 'cookie' | 'header' | 'parameter' | 'query' | 'namespace', name: string): void => {
    exclusions.countRead();
    exclusions.countBypass(createBypass(reason, name));
  };
  for (const reason of ['cookie', 'header', 'parameter', 'query', 'namespace'] as const)
    for (let at = 0; at < 60; at += 1) count(reason, `name-${at}`);
  const start = performance.now();
  // Nothing helps against the cookies of users. Each search took milliseconds.
  for (let at = 0; at < 2_000; at += 1) count('cookie', 'wordpress_logged_in_1');
  expect(performance.now() - start).toBeLessThan(500);
});
