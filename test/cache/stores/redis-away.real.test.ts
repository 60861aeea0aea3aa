import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SharedStoreState } from '../../../src/cache/store.ts';
import {
  type CacheStoreOptions,
  createCacheStore,
  type OpenCacheStore,
} from '../../../src/cache/stores/create-store.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

/** What gateways do with stored responses while a real Redis server is killed, suspended, and back. */

const redis = useRedisServer();

/** A site whose response is the number of its writes, and is fresh for a minute. */
async function startSite() {
  let version = 0;
  let reads = 0;
  let delay: Promise<unknown> = Promise.resolve();
  const { close, origin } = await startServer((request, response) => {
    request.resume();
    if (request.method === 'POST') version += 1;
    else reads += 1;
    const body = String(version);
    const send = () => response.writeHead(200, { 'cache-control': 'max-age=60' }).end(body);
    if (request.method === 'POST') send();
    else void delay.then(send);
  });
  closeAfterTest(close);
  return {
    url: origin,
    reads: () => reads,
    /** Responses to reads that begin from now on are sent after the promise, with the number of when they were requested. */
    delayReads: (until: Promise<unknown>) => {
      delay = until;
    },
  };
}

interface Instance {
  readonly store: OpenCacheStore;
  readonly gateway: RunningGateway;
}

async function startInstance(
  url: string,
  prefix: string,
  redisOptions: CacheStoreOptions['redis'] = {},
): Promise<Instance> {
  const store = await createCacheStore(redis().url, { redis: { prefix, ...redisOptions } });
  const gateway = await startNodeGateway({
    sites: [{ url, discovery: 'off', passthrough: true, breaker: false }],
    cache: store,
    publicUrl: 'http://gateway.example.com',
    admin: { token: 'token' },
  });
  closeAfterTest(async () => {
    await gateway.stop();
    await store.close();
  });
  // A response that is requested in the millisecond of the start counts as earlier.
  await sleep(5);
  return { store, gateway };
}

const read = async ({
  gateway,
}: Instance): Promise<readonly [status: number, body: string, isHit: boolean]> => {
  const response = await gateway.request('/a');
  const body = await response.text();
  return [response.status, body, response.headers.get('cache-status')?.includes('hit') === true];
};
const write = async ({ gateway }: Instance): Promise<number> => {
  const response = await gateway.request('/a', { method: 'POST', body: 'new' });
  await response.text();
  return response.status;
};
const isIn = (state: SharedStoreState, { store }: Instance): Promise<void> =>
  waitUntil(() => store.report().shared?.state === state);
const readyOf = async ({ gateway }: Instance): Promise<object> =>
  (await (await gateway.request('/-/ready')).json()) as object;

describe('a gateway', () => {
  test.each([
    ['allkeys-random', [{ state: 'cache-eviction' }]],
    ['volatile-lru', undefined],
    ['noeviction', undefined],
  ])('with the policy %s says whether Redis may evict its record of purges', async (policy, details) => {
    await redis().command('CONFIG', 'SET', 'maxmemory', '64mb', 'maxmemory-policy', policy);
    const site = await startSite();
    const ready = await readyOf(await startInstance(site.url, `${randomUUID()}:`));
    await redis().command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
    if (details === undefined) expect(ready).toEqual({ status: 'ready' });
    else expect(ready).toMatchObject({ status: 'ready', details });
  });
});

describe('one of two gateways', () => {
  test('uses nothing stored while Redis is killed', async () => {
    const site = await startSite();
    const prefix = `${randomUUID()}:`;
    const [one, two] = [await startInstance(site.url, prefix), await startInstance(site.url, prefix)];
    await waitUntil(async () => (await read(one))[2] && (await read(two))[2]);
    await redis().kill();
    await isIn('bypassed', one);
    await isIn('bypassed', two);
    expect(await readyOf(one)).toMatchObject({ status: 'ready', details: [{ state: 'cache-bypassed' }] });
    expect(await write(one)).toBe(200);
    expect(await read(two)).toEqual([200, '1', false]);
    await redis().start();
    await isIn('connected', one);
    expect(await readyOf(one)).toEqual({ status: 'ready' });
    const headers = { authorization: 'Bearer token' };
    const metrics = await (await one.gateway.request('/-/metrics', { headers })).text();
    expect(metrics).toMatch(/^waygate_cache_shared_losses_total 1$/m);
    expect(metrics).toMatch(/^waygate_cache_shared_away_seconds_total [1-9]/m);
  });

  test('joins no fetch that began before a write through the other, while Redis does not reply', async () => {
    const site = await startSite();
    const prefix = `${randomUUID()}:`;
    const [one, two] = [await startInstance(site.url, prefix), await startInstance(site.url, prefix)];
    let respond = (): void => {};
    site.delayReads(new Promise<void>((resolve) => (respond = resolve)));
    const before = [read(one), read(one)];
    await waitUntil(() => site.reads() === 1);
    redis().pause();
    expect(await write(two)).toBe(200);
    site.delayReads(Promise.resolve());
    const after = await Promise.all([read(one), read(one)]);
    respond();
    expect(after.map(([, body]) => body)).toEqual(['1', '1']);
    expect((await before[0])?.[1]).toBe('0');
    redis().resume();
    await Promise.all(before);
    await isIn('connected', one);
  });

  test('uses its memory for as long as the configuration allows, and no longer', async () => {
    const site = await startSite();
    const prefix = `${randomUUID()}:`;
    const options = { maxAway: 3_000 };
    const one = await startInstance(site.url, prefix, options);
    const two = await startInstance(site.url, prefix, options);
    await waitUntil(async () => (await read(one))[2] && (await read(two))[2]);
    await redis().kill();
    await isIn('memory', two);
    expect(await readyOf(two)).toMatchObject({ status: 'ready', details: [{ state: 'cache-memory' }] });
    expect(await read(two)).toEqual([200, '0', true]);
    await isIn('bypassed', two);
    expect(await read(two)).toEqual([200, '0', false]);
    // Its own writes are never stale.
    expect(await write(one)).toBe(200);
    expect((await read(one))[1]).toBe('1');
    await redis().start();
    await isIn('connected', one);
  });
});
