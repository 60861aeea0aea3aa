import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type CacheStoreOptions,
  createCacheStore,
  type OpenCacheStore,
} from '../../../src/cache/stores/create-store.ts';
import { createRedisKeys, RECORD_PURGE } from '../../../src/cache/stores/redis/scripts.ts';
import { systemClock } from '../../../src/ports.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait.ts';
import { storedResponse } from './store-contract.ts';

/**
 * Milliseconds after which a purge on one gateway must show on the other, however busy the machine is: so long may a gateway use
 * its memory without word of Redis.
 */
const MAX_PURGE_DELAY = 500;

const redis = useRedisServer();
const openStores: OpenCacheStore[] = [];
const logged: string[] = [];

afterEach(async () => {
  await Promise.all(openStores.splice(0).map((store) => store.close()));
  logged.length = 0;
});

async function openStore(
  prefix: string,
  url = redis().url,
  options: CacheStoreOptions = {},
): Promise<OpenCacheStore> {
  const log = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const store = await createCacheStore(url, {
    log: { info: log, warn: log, error: log },
    generateId: randomUUID,
    ...options,
    redis: { prefix, ...options.redis },
  });
  openStores.push(store);
  return store;
}

async function openTwoStores(): Promise<{ prefix: string; a: OpenCacheStore; b: OpenCacheStore }> {
  const prefix = `${randomUUID()}:`;
  const [a, b] = [await openStore(prefix), await openStore(prefix)];
  await sleep(3);
  return { prefix, a, b };
}

/** Records a hard purge in Redis without publishing its message, as if the subscribers had missed it. */
function purgeWithoutMessage(prefix: string, tag: string, message = 'someone x'): Promise<string> {
  const script = RECORD_PURGE.replace("redis.call('PUBLISH', KEYS[2], message)", '');
  expect(script).not.toBe(RECORD_PURGE);
  const keys = [createRedisKeys(prefix).purgeStateKey, 'unused-channel', 'unused-instances'];
  return redis().command('EVAL', script, '3', ...keys, 'run', 'h', message, 'tags', tag);
}

describe('a purge on one gateway', () => {
  test('reaches the other by its published message', async () => {
    const prefix = `${randomUUID()}:`;
    // Without timers no gateway renews its lease of a second.
    const options = { clock: { now: Date.now, after: () => () => {} }, redis: { maxStaleness: 60_000 } };
    const a = await openStore(prefix, redis().url, options);
    const b = await openStore(prefix, redis().url, options);
    await sleep(3);
    for (let round = 0; round < 20; round += 1) {
      await b.put('/a', storedResponse(Date.now(), { tags: ['posts'] }));
      // A synchronous result comes from memory.
      expect(b.get('/a')).toHaveLength(1);
      const purged = a.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      await waitUntil(async () => (await b.get('/a')).length === 0);
      await purged;
      await sleep(2);
    }
  });

  test('reaches the other with the next reply of Redis if its message was lost', async () => {
    const { prefix, b } = await openTwoStores();
    await b.put('/a', storedResponse(Date.now(), { tags: ['posts'] }));
    await purgeWithoutMessage(prefix, 'posts', 'someone \u0000');
    await waitUntil(async () => (await b.get('/a')).length === 0);
  });

  test('rejects earlier responses of the other gateway, whose clock is an hour behind or ahead', async () => {
    const prefix = `${randomUUID()}:`;
    for (const clockAhead of [-3_600_000, 3_600_000]) {
      const a = await openStore(prefix);
      const clock = { now: () => Date.now() + clockAhead, after: systemClock.after };
      const b = await openStore(prefix, redis().url, { clock });
      await sleep(3);
      const requestTime = Date.now() + clockAhead;
      await sleep(3);
      await a.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      await sleep(MAX_PURGE_DELAY);
      // Requested before the purge, received after it.
      expect(await b.put('/a', storedResponse(requestTime, { tags: ['posts'] }))).toBe(false);
      expect(await a.get('/a')).toEqual([]);
      // Requested after the purge. Both gateways calculate the same age.
      const fresh = storedResponse(Date.now() + clockAhead, { tags: ['posts'], initialAge: 7 });
      expect(await b.put('/a', fresh)).toBe(true);
      const [found] = await a.get('/a');
      const age = (found?.initialAge ?? 0) + (Date.now() - (found?.responseTime ?? 0)) / 1000;
      expect(age).toBeGreaterThan(6);
      expect(age).toBeLessThan(9);
    }
  });

  test('rejects a response in Redis that the memory of the other could not reject yet', async () => {
    const { prefix, a, b } = await openTwoStores();
    const requestTime = Date.now();
    await sleep(3);
    await purgeWithoutMessage(prefix, 'posts');
    await b.put('/a', storedResponse(requestTime, { tags: ['posts'] }));
    expect(await a.get('/a')).toEqual([]);
  });
});

describe('a purge that cannot be published', () => {
  const tags = ['posts'];

  test('is published before any gateway reads again', async () => {
    const proxy = await startTcpProxy(redis().port);
    const prefix = `${randomUUID()}:`;
    const a = await openStore(prefix, `redis://127.0.0.1:${proxy.port}`);
    const b = await openStore(prefix);
    await sleep(3);
    await b.put('/a', storedResponse(Date.now(), { tags }));
    await b.put('/b', storedResponse(Date.now()));
    // Redis does not reply for a while, and the commands of the first gateway are lost.
    proxy.block();
    redis().pause();
    await a.purge({ kind: 'tags', tags }, 'hard');
    redis().resume();
    const counts: number[] = [];
    const polling = waitUntil(async () => {
      counts.push((await b.get('/a')).length);
      await sleep(5);
      return (await b.get('/b')).length > 0;
    });
    await sleep(300);
    proxy.restore();
    await polling;
    expect(counts.length).toBeGreaterThan(10);
    expect(new Set(counts)).toEqual(new Set([0]));
    expect(await b.get('/a')).toEqual([]);
    await a.close();
    await proxy.close();
  });
});

describe('a lease', () => {
  test('is granted to one of two gateways until it is released', async () => {
    const { a, b } = await openTwoStores();
    const first = await a.acquireLease?.('/a', 10_000);
    expect(first).not.toBeNull();
    expect(await b.acquireLease?.('/a', 10_000)).toBeNull();
    first?.release();
    await waitUntil(async () => (await b.acquireLease?.('/a', 10_000)) !== null);
  });

  test('expires after three seconds, e.g. because its holder has closed', async () => {
    const { a, b } = await openTwoStores();
    await a.acquireLease?.('/a', 60_000);
    await a.close();
    // Long before its maximum.
    await waitUntil(async () => (await b.acquireLease?.('/a', 60_000)) !== null);
  });

  test('expires at its maximum, and its former holder cannot release it', async () => {
    const { a, b } = await openTwoStores();
    const first = await a.acquireLease?.('/a', 50);
    await waitUntil(async () => (await b.acquireLease?.('/a', 10_000)) !== null);
    first?.release();
    await sleep(50);
    expect(await a.acquireLease?.('/a', 10_000)).toBeNull();
  });
});

test('what is no response in Redis counts as missing, and a script that the server has removed is sent again', async () => {
  const { prefix, a, b } = await openTwoStores();
  await redis().command('HSET', createRedisKeys(prefix).responsesKey('/a'), '', 'hello');
  await redis().command('SCRIPT', 'FLUSH');
  expect(await a.get('/a')).toEqual([]);
  expect(await a.put('/a', storedResponse(Date.now()))).toBe(true);
  expect(await b.get('/a')).toHaveLength(1);
});

describe('without Redis', () => {
  test('a store opens, returns no responses, and logs no password', async () => {
    const store = await openStore('x:', 'redis://someone:secret@127.0.0.1:1/0');
    expect(store.get('/a')).toEqual([]);
    await store.put('/a', storedResponse(Date.now()));
    expect(store.get('/a')).toEqual([]);
    expect(await store.acquireLease?.('/a', 1000)).not.toBeNull();
    expect(logged).toHaveLength(1);
    expect(logged.join()).not.toContain('secret');
  });
});
