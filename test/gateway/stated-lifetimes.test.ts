import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startGateway } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { cacheStatusOf } from '../support/run.ts';

/** A lifetime that the site states is kept; only what states none is used stale by default (RFC 9111 §4.2.1, §4.2.4). */

type Failure = 'none' | '500' | 'unreachable';
type Fields = Readonly<Record<string, string>>;

async function start(
  fields: Fields,
  path: string,
  cache: NonNullable<SiteOptions['cache']>,
  site: Partial<SiteOptions> = {},
) {
  let failure: Failure = 'none';
  const clock = new GatewayClock();
  const { request } = await startGateway({ cache, ...site, gateway: { clock } }, (_, count, response) => {
    if (failure === '500') return { status: 500 };
    if (failure === 'unreachable') return void response.destroy();
    return { headers: { date: new Date(clock.now()).toUTCString(), ...fields }, body: String(count) };
  });
  /** @returns `hit`, `stale` or the status of a response of the site */
  return async (seconds: number, state: Failure = 'none'): Promise<string> => {
    clock.pass(seconds * 1_000);
    failure = state;
    const response = await request(path);
    await response.text();
    const status = cacheStatusOf(response);
    if (/detail="?(?:stale|refresh|unreachable)/.test(status)) return 'stale';
    return status.startsWith('hit') ? 'hit' : String(response.status);
  };
}

const control = (value: string, more: Fields = {}): Fields => ({ 'cache-control': value, ...more });

describe.each(['/wp-json/wp/v2/types', '/hello/'])('of %s', (path) => {
  test.each<[Fields, report: string]>([
    [control('max-age=60, s-maxage=0'), 'haproxy/haproxy#2203'],
    [{ expires: 'Thu, 19 Nov 1981 08:52:00 GMT' }, 'tempesta-tech/tempesta#525'],
    [control('max-age=soon'), 'RFC 9111 §4.2.1'],
  ])('%j is never used again (%s)', async (fields) => {
    const read = await start(fields, path, { pages: 60 });
    expect([await read(0), await read(0), await read(5)]).toEqual(['200', '200', '200']);
    expect([await read(1, '500'), await read(1, 'unreachable')]).toEqual(['500', '502']);
  });

  test.each<[Fields, ...expected: string[]]>([
    // In 60 s, after them, at a 500, while the site cannot be reached.
    [{}, 'hit', 'stale', 'stale', 'stale'],
    [control('max-age=0, must-revalidate'), 'hit', '200', '500', '502'],
    [control('max-age=60'), 'hit', '200', '500', 'stale'],
    // haproxy/haproxy#2203, envoyproxy/envoy#47403
    [control('max-age=0, s-maxage=60'), 'hit', '200', '500', '502'],
    // caddyserver/cache-handler#57
    [control('max-age=60, stale-while-revalidate=600, stale-if-error=600'), 'hit', 'stale', 'stale', 'stale'],
  ])('a site that states %j', async (fields, ...expected) => {
    const rules = path === '/hello/' ? [] : [{ match: path.slice(8), ttl: 60 }];
    const read = await start(fields, path, { pages: 60, rules });
    expect(await read(0)).toBe('200');
    const seen = [await read(30), await read(60)];
    // The refresh in the background has ended.
    await read(0);
    for (const [seconds, failure] of [
      [120, '500'],
      [5, 'unreachable'],
    ] as const)
      seen.push((await read(seconds, failure)).replace('hit', 'stale'));
    expect(seen).toEqual(expected);
  });

  test.each([
    [{ swr: 600, sie: 600 }, ['stale', 'stale']],
    [{}, ['200', '500']],
  ])('a rule with %j decides about stale use', async (times, expected) => {
    const cache = { rules: [{ match: ['/*', '/wp/v2/*'], ttl: 1, ...times }] };
    const read = await start(control('max-age=60'), path, cache);
    expect([await read(0), await read(30)]).toEqual(['200', 'hit']);
    expect([await read(60), await read(120, '500')]).toEqual(expected);
  });
});

test('a rule without a lifetime decides about stale use at a plain origin, too', async () => {
  const cache = { rules: [{ match: '/*', swr: 600, sie: 600 }] };
  const read = await start(control('max-age=60'), '/hello/', cache, { discovery: 'off', passthrough: true });
  expect([await read(0), await read(30)]).toEqual(['200', 'hit']);
  expect([await read(60), await read(120, '500')]).toEqual(['stale', 'stale']);
});
