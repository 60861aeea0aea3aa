import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SharedStoreState } from '../../../src/cache/store.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { waitUntil } from '../../support/wait.ts';
import { ask, type Instance, startInstance, startVersionedSite } from './shared-gateways.ts';

/** What gateways do with stored responses while a real Redis server is killed, suspended, and back. */

const redis = useRedisServer();

async function startTwo(options: Parameters<typeof startInstance>[2] = {}) {
  const site = await startVersionedSite();
  const start = () => startInstance(site.url, redis().url, { prefix, ...options });
  const prefix = `${randomUUID()}:`;
  return { site, one: await start(), two: await start() };
}

const read = (instance: Instance) => ask(instance, '/a');
const write = async (instance: Instance): Promise<number> => (await ask(instance, '/a', 'POST')).status;
const isIn = (state: SharedStoreState, { store }: Instance): Promise<void> =>
  waitUntil(() => store.report().shared?.state === state);
const readyOf = async ({ gateway }: Instance): Promise<object> =>
  (await (await gateway.request('/-/ready')).json()) as object;

describe('a gateway', () => {
  test.each([
    ['allkeys-random', [{ state: 'cache-eviction' }]],
    ['volatile-lru', undefined],
  ])('with the policy %s says whether Redis may evict its record of purges', async (policy, details) => {
    await redis().command('CONFIG', 'SET', 'maxmemory', '64mb', 'maxmemory-policy', policy);
    const ready = await readyOf((await startTwo()).one);
    await redis().command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
    if (details === undefined) expect(ready).toEqual({ status: 'ready' });
    else expect(ready).toMatchObject({ status: 'ready', details });
  });
});

describe('one of two gateways', () => {
  test('uses nothing stored while Redis is killed', async () => {
    const { one, two } = await startTwo();
    await waitUntil(async () => (await read(one)).isHit && (await read(two)).isHit);
    await redis().kill();
    await isIn('bypassed', one);
    await isIn('bypassed', two);
    expect(await readyOf(one)).toMatchObject({ status: 'ready', details: [{ state: 'cache-bypassed' }] });
    expect(await write(one)).toBe(200);
    expect(await read(two)).toEqual({ status: 200, version: 1, isHit: false });
    await redis().start();
    await isIn('connected', one);
    expect(await readyOf(one)).toEqual({ status: 'ready' });
    const headers = { authorization: 'Bearer token' };
    const metrics = await (await one.gateway.request('/-/metrics', { headers })).text();
    expect(metrics).toMatch(/^waygate_cache_shared_losses_total 1$/m);
  });

  test('joins no fetch that began before a write through the other, while Redis does not reply', async () => {
    const { site, one, two } = await startTwo();
    let respond = (): void => {};
    const delay = new Promise<void>((resolve) => (respond = resolve));
    site.delay = () => delay;
    const before = [read(one), read(one)];
    await waitUntil(() => site.reads === 1);
    redis().pause();
    expect(await write(two)).toBe(200);
    site.delay = () => Promise.resolve();
    const after = await Promise.all([read(one), read(one)]);
    respond();
    expect(after.map(({ version }) => version)).toEqual([1, 1]);
    expect((await before[0])?.version).toBe(0);
    redis().resume();
    await Promise.all(before);
    await isIn('connected', one);
  });

  test('uses its memory for as long as the configuration allows, and no longer', async () => {
    const { one, two } = await startTwo({ maxAway: 3_000 });
    await waitUntil(async () => (await read(one)).isHit && (await read(two)).isHit);
    await redis().kill();
    await isIn('memory', two);
    expect(await readyOf(two)).toMatchObject({ status: 'ready', details: [{ state: 'cache-memory' }] });
    expect(await read(two)).toEqual({ status: 200, version: 0, isHit: true });
    await isIn('bypassed', two);
    expect(await read(two)).toEqual({ status: 200, version: 0, isHit: false });
    // Its own writes are never stale.
    expect(await write(one)).toBe(200);
    expect((await read(one)).version).toBe(1);
    await redis().start();
    await isIn('connected', one);
  });
});
