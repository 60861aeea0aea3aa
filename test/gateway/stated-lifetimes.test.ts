import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, startStubSite } from '../support/stub-site.ts';

/** A lifetime that the site states is kept; only what states none is used stale by default (RFC 9111 §4.2.1, §4.2.4). */

const PAST = 'Thu, 19 Nov 1981 08:52:00 GMT';
type Cache = NonNullable<SiteOptions['cache']>;
type Failure = 'none' | '500' | 'unreachable';

async function start(fields: Readonly<Record<string, string>>, path: string, cache: Cache) {
  let now = Date.now();
  let failure: Failure = 'none';
  let count = 0;
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept({ url }, response) {
      if (url !== path) return false;
      count += 1;
      if (failure === 'unreachable') response.destroy();
      else if (failure === '500') response.writeHead(500).end();
      else {
        response.setHeader('Date', new Date(now).toUTCString());
        const type = path.startsWith('/wp-json') ? 'application/json' : 'text/html';
        response.writeHead(200, { 'Content-Type': type, ...fields }).end(String(count));
      }
      return true;
    },
  });
  const { request, stop } = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, cache }],
    cache: 'memory',
    clock: { ...systemClock, now: () => now },
  });
  closeAfterTest(site.close, stop);
  /** @returns `hit`, `stale` or the status of a response of the site */
  return async (seconds: number, state: Failure = 'none'): Promise<string> => {
    now += seconds * 1000;
    failure = state;
    const response = await request(path);
    await response.text();
    const status = response.headers.get('cache-status') ?? '';
    if (/detail="?(?:stale|refresh|unreachable)/.test(status)) return 'stale';
    return status.includes('; hit') ? 'hit' : String(response.status);
  };
}

const PATHS = ['/wp-json/wp/v2/types', '/hello/'];

describe.each(PATHS)('of %s', (path) => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['max-age=0', { 'Cache-Control': 'max-age=0' }, 'alphagov/cdn-acceptance-tests#82'],
    ['public, max-age=0', { 'Cache-Control': 'public, max-age=0' }, 'G7'],
    ['s-maxage=0', { 'Cache-Control': 's-maxage=0' }, 'G7'],
    ['max-age=60 and s-maxage=0', { 'Cache-Control': 'max-age=60, s-maxage=0' }, 'haproxy/haproxy#2203'],
    ['Expires in the past', { Expires: PAST }, 'tempesta-tech/tempesta#525'],
    ['Expires: 0', { Expires: '0' }, 'RFC 9111 §5.3'],
    ['Expires: -1', { Expires: '-1' }, 'RFC 9111 §5.3'],
    ['an invalid max-age', { 'Cache-Control': 'max-age=soon' }, 'RFC 9111 §4.2.1'],
    [
      'max-age=0 and Expires in the future',
      { 'Cache-Control': 'max-age=0', Expires: 'Fri, 01 Jan 2100 00:00:00 GMT' },
      'apache/trafficserver#7136',
    ],
    ['max-age=0 and a validator', { 'Cache-Control': 'max-age=0', ETag: '"1"' }, 'unjs/ocache#45'],
  ])('%s is never used again (%s)', async (_, fields) => {
    const read = await start(fields, path, { pages: 60 });
    expect([await read(0), await read(0), await read(5)]).toEqual(['200', '200', '200']);
    expect([await read(1, '500'), await read(1, 'unreachable')]).toEqual(['500', '502']);
  });

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    // In 60 s, after them, at a 500, while the site cannot be reached.
    ['nothing', {}, ['hit', 'stale', 'stale', 'stale']],
    ['max-age=60', { 'Cache-Control': 'max-age=60' }, ['hit', '200', '500', 'stale']],
    [
      'max-age=0, s-maxage=60 (haproxy/haproxy#2203)',
      { 'Cache-Control': 'max-age=0, s-maxage=60' },
      ['hit', '200', '500', '502'],
    ],
    [
      's-maxage=60 (envoyproxy/envoy#47403)',
      { 'Cache-Control': 's-maxage=60' },
      ['hit', '200', '500', '502'],
    ],
    [
      'max-age=60, must-revalidate',
      { 'Cache-Control': 'max-age=60, must-revalidate' },
      ['hit', '200', '500', '502'],
    ],
    [
      'max-age=60, proxy-revalidate',
      { 'Cache-Control': 'max-age=60, proxy-revalidate' },
      ['hit', '200', '500', '502'],
    ],
    [
      'max-age=60 and both windows (caddyserver/cache-handler#57)',
      { 'Cache-Control': 'max-age=60, stale-while-revalidate=600, stale-if-error=600' },
      ['hit', 'stale', 'stale', 'stale'],
    ],
  ])('a site that states %s', async (_, fields, expected) => {
    const rules = path === '/hello/' ? [] : [{ match: path.slice(8), ttl: 60 }];
    const read = await start(fields, path, { pages: 60, rules });
    expect(await read(0)).toBe('200');
    const seen = [await read(30), await read(60)];
    // The refresh in the background has ended.
    await read(0);
    expect(
      [...seen, await read(120, '500'), await read(5, 'unreachable')].map((each, at) =>
        at > 1 && each === 'hit' ? 'stale' : each,
      ),
    ).toEqual(expected);
  });

  test.each<[string, Cache, readonly string[]]>(
    [
      ['swr and sie', { swr: 600, sie: 600 }, ['stale', 'stale']],
      ['neither', {}, ['200', '500']],
    ].map(([name, times, expected]) => [
      name as string,
      { rules: [{ match: ['/*', '/wp/v2/*'], ttl: 1, ...(times as object) }] },
      expected as string[],
    ]),
  )('a rule with %s decides about stale use', async (_, cache, expected) => {
    const read = await start({ 'Cache-Control': 'max-age=60' }, path, cache);
    expect([await read(0), await read(30)]).toEqual(['200', 'hit']);
    expect([await read(60), await read(120, '500')]).toEqual(expected);
  });
});
