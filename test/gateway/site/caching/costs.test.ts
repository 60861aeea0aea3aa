import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { startGateway } from '../../../support/gateway.ts';

/** Which cookie, field or parameter costs the most hits. */

async function start(cache: SiteCacheOptions = {}, headers: Record<string, string> = {}) {
  const site = { cache: { pages: 3_600, ...cache }, isNew: true };
  const { administer, request } = await startGateway(site, () => ({ headers, body: '<p>a</p>' }));
  return {
    async send(count: number, path: string, fields: Record<string, string> = {}) {
      const ask = async () => (await request(path, { headers: fields })).arrayBuffer();
      await ask();
      await Promise.all(Array.from({ length: count - 1 }, ask));
    },
    async readRemark(): Promise<string> {
      const response = await administer('/-/sites');
      const remarks: readonly Readonly<Record<'text' | 'remedy', string>>[] = (await response.json()).sites[0]
        .state.remarks;
      const found = remarks.find(({ text }) => text.includes('no hits'));
      return found === undefined ? '' : `${found.text}. ${found.remedy}`;
    },
  };
}

describe('the state of a site names', () => {
  /** Of 120 reads, 30 bypass the store for a reason. */
  async function describeReads(path: string, fields: Record<string, string>): Promise<string> {
    const { readRemark, send } = await start();
    await send(90, '/a/');
    await send(30, path, fields);
    return readRemark();
  }

  test.each<[what: string, path: string, fields: Record<string, string>, words: RegExp]>([
    [
      'a cookie',
      '/a/',
      { cookie: 'shop_region=a' },
      /the cookie shop_region .*keyCookies .* harmlessCookies/,
    ],
    ['a field', '/a/', { 'x-shop': 'a' }, /x-shop is a header field .*harmlessHeaders.* keyHeaders/],
    ['a query', '/a/?sort=a', {}, /sort is a parameter .*queries/],
    ['a namespace', '/wp-json/acme/v1/a', {}, /acme\/v1 is a namespace .*a rule with ttl/],
  ])('%s that costs hits, its share, and what helps', async (_, path, fields, words) => {
    const remark = await describeReads(path, fields);
    expect(remark).toMatch(/^2\d\.\d\s% of requests/);
    expect(remark).toMatch(words);
  });

  test.each<[name: string, value: string]>([
    ['cookie', 'wordpress_logged_in_0123=a'],
    ['cookie', 'wp_woocommerce_session_0123=a'],
    ['cookie', 'PHPSESSID=a'],
    ['authorization', 'Bearer a'],
  ])('nothing if what costs hits is of one client: %s %s', async (name, value) => {
    expect(await describeReads('/a/', { [name]: value })).toBe('');
  });

  test('a cookie that the site sets', async () => {
    const { readRemark, send } = await start({}, { 'set-cookie': 'visit=1; path=/' });
    await send(40, '/a/');
    expect(await readRemark()).toMatch(/(?:9\d|100)\.\d\s% of requests .* visit.*ignoreCookies/);
  });

  test('no setting for a cookie that the site sets, if content differs by it', async () => {
    for (const cookie of ['wcpay_currency=EUR; path=/', 'shop_region=north']) {
      const { readRemark, send } = await start({ keyCookies: ['shop_region'] }, { 'set-cookie': cookie });
      await send(40, '/a/');
      expect(await readRemark()).toBe('');
    }
  });

  test('a cookie among names that clients invent', async () => {
    const { readRemark, send } = await start();
    await send(40, '/a/');
    expect(await readRemark()).toBe('');
    const invent = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    for (let at = 0; at < 40; at += 1) await send(1, '/a/', { cookie: `${invent(at)}_made_up=1` });
    await send(30, '/a/', { cookie: 'shop_region=a' });
    expect(await readRemark()).toContain('shop_region');
  });
});
