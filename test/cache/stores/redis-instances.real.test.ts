import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenCacheStore } from '../../../src/cache/stores/create-store.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { RedisStore } from '../../../src/cache/stores/redis/redis-store.ts';
import { systemClock } from '../../../src/ports.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait.ts';
import { storedResponse } from './store-contract.ts';

const redis = useRedisServer();
let proxy: TcpProxy;
const openStores: OpenCacheStore[] = [];
const warnings: string[] = [];

afterEach(async () => {
  proxy.restore();
  await Promise.all(openStores.splice(0).map((store) => store.close()));
  await proxy.close();
  warnings.length = 0;
});

async function openStore(prefix: string, port: number, forgetInstanceAfter: number): Promise<OpenCacheStore> {
  const memory = new MemoryStore({ clock: systemClock });
  const log = { info() {}, warn: (_: object, text: string) => void warnings.push(text), error() {} };
  const options = {
    servers: { url: `redis://127.0.0.1:${port}` },
    prefix,
    forgetInstanceAfter,
    clock: systemClock,
    log,
    generateId: randomUUID,
  };
  const store = new RedisStore(options, memory);
  await store.open();
  openStores.push(store);
  return store;
}

/** Opens two stores. The connection of the first one to Redis can be cut. */
async function openTwoStores(
  forgetInstanceAfter = 60_000,
  prefix = `${randomUUID()}:`,
): Promise<{ a: OpenCacheStore; b: OpenCacheStore }> {
  proxy = await startTcpProxy(redis().port);
  const a = await openStore(prefix, proxy.port, forgetInstanceAfter);
  const b = await openStore(prefix, redis().port, forgetInstanceAfter);
  await sleep(3);
  return { a, b };
}

const tags = ['posts'];
const purge = { kind: 'tags', tags } as const;

function waitUntilServed(store: OpenCacheStore, key: string): Promise<void> {
  return waitUntil(async () => (await store.get(key)).length > 0);
}

/**
 * Stores a response, until it is in the memory that the gateway uses: on a busy machine a gateway is without word of Redis for a
 * moment, and then it uses nothing stored.
 */
function putInMemory(store: OpenCacheStore, key: string): Promise<void> {
  return waitUntil(async () => {
    await store.put(key, storedResponse(Date.now(), { tags: key === '/a' ? tags : [] }));
    const found = store.get(key);
    // A result that is no promise comes from memory.
    return Array.isArray(found) && found.length === 1;
  });
}

async function timePurge(store: OpenCacheStore): Promise<number> {
  const started = performance.now();
  await store.purge(purge, 'hard');
  return performance.now() - started;
}

describe('a gateway that alone is cut off from Redis', () => {
  test('purges: the other serves nothing stored until the purge is published', async () => {
    const { a, b } = await openTwoStores();
    await putInMemory(b, '/b');
    await putInMemory(b, '/a');
    proxy.block();
    await a.purge(purge, 'hard');
    const end = Date.now() + 3_000;
    while (Date.now() < end) {
      expect([await b.get('/a'), await b.get('/b')]).toEqual([[], []]);
      await sleep(20);
    }
    expect(warnings.some((text) => text.includes('a gateway that shares the cache store is cut off'))).toBe(
      true,
    );
    proxy.restore();
    await waitUntilServed(b, '/b');
    expect(await b.get('/a')).toEqual([]);
  });

  test('is forgotten after a while, and everything stored before is purged', async () => {
    const { a, b } = await openTwoStores(1_000);
    await putInMemory(b, '/b');
    proxy.block();
    await a.purge(purge, 'hard');
    expect(await b.get('/b')).toEqual([]);
    await waitUntil(async () => {
      expect(await b.get('/b')).toEqual([]);
      await b.put('/c', storedResponse(Date.now()));
      return (await b.get('/c')).length > 0;
    });
    expect(await b.get('/b')).toEqual([]);
  });

  test.each<readonly [string, () => void]>([
    ['has not read the reply yet', () => {}],
    ['is cut off again', () => proxy.block()],
  ])('purges when the other has seen it return, but it %s', async (_, happens) => {
    const { a, b } = await openTwoStores();
    proxy.block();
    await a.purge(purge, 'hard');
    proxy.restore();
    // Less than the timeout. The other sees the lease of this gateway before this gateway reads that it was renewed.
    proxy.delay(200);
    await waitUntil(async () => {
      await b.put('/a', storedResponse(Date.now(), { tags }));
      return (await b.get('/a')).length > 0;
    });
    happens();
    await a.purge(purge, 'hard');
    expect(await b.get('/a')).toEqual([]);
  });

  test('writes: no client of the other sees an outdated response afterwards', async () => {
    const { a, b } = await openTwoStores();
    let version = 0;
    const write = (): Promise<unknown> => {
      version += 1;
      return Promise.resolve(a.purge(purge, 'hard'));
    };
    /** A read as a gateway makes it: the site responds with the version of before a delay. */
    const read = async (): Promise<number> => {
      const [found] = await b.get('/a');
      if (found !== undefined) return found.body[0] ?? -1;
      const requestTime = Date.now();
      const body = Uint8Array.of(version);
      await sleep(2);
      await b.put('/a', storedResponse(requestTime, { responseTime: Date.now(), body, tags }));
      return body[0] ?? -1;
    };
    for (let round = 0; round < 3; round += 1) {
      await putInMemory(b, '/b');
      await read();
      proxy.block();
      for (let writes = 0; writes < 3; writes += 1) {
        await write();
        for (let reads = 0; reads < 20; reads += 1) {
          expect(await read()).toBe(version);
          await sleep(5);
        }
      }
      proxy.restore();
      await waitUntilServed(b, '/b');
      expect(await read()).toBe(version);
    }
  });
});

test('a gateway that stops does not keep the other from serving', async () => {
  const { a, b } = await openTwoStores();
  await putInMemory(b, '/b');
  await a.close();
  let [served, missed] = [0, 0];
  // Longer than the lease of a gateway. One that is cut off would be waited for a minute.
  const end = Date.now() + 2_500;
  while (Date.now() < end) {
    if ((await b.get('/b')).length > 0) served += 1;
    else missed += 1;
    await sleep(20);
  }
  expect(served).toBeGreaterThan(missed);
});

describe('a purge completes when the other gateway', () => {
  test('has applied it', async () => {
    const { a, b } = await openTwoStores();
    const times: number[] = [];
    for (let round = 0; round < 80; round += 1) {
      await putInMemory(a, '/a');
      times.push(await timePurge(b));
      expect(await a.get('/a')).toEqual([]);
    }
    // Most have not waited until the memory of the other was no longer current, which takes 500 ms.
    expect(times.toSorted((one, other) => one - other)[40]).toBeLessThan(400);
  });

  test('no longer uses its memory, because it has had no word of Redis', async () => {
    const { a, b } = await openTwoStores();
    await putInMemory(a, '/a');
    proxy.block();
    await b.purge(purge, 'hard');
    expect(await a.get('/a')).toEqual([]);
  });

  test('has stopped', async () => {
    const { a, b } = await openTwoStores();
    await a.close();
    const times = [await timePurge(b), await timePurge(b), await timePurge(b)];
    expect(Math.min(...times)).toBeLessThan(400);
  });
});

describe('a purge that completes after Redis has lost', () => {
  test.each<readonly [string, (prefix: string) => readonly string[]]>([
    ['all of its data', () => ['FLUSHALL']],
    ['the recorded purges', (prefix) => ['DEL', `${prefix}purge-state`]],
    ['the instances', (prefix) => ['DEL', `${prefix}instances`]],
  ])('%s has been applied by a gateway that hears of it late', async (_, createLoss) => {
    const prefix = `${randomUUID()}:`;
    const loss = createLoss(prefix);
    const { a, b } = await openTwoStores(60_000, prefix);
    proxy.delay(40);
    for (let round = 0; round < 8; round += 1) {
      await putInMemory(a, '/a');
      // Losses at all moments of the heartbeats.
      await sleep(round * 13);
      await redis().command(...loss);
      await sleep(round % 3);
      await b.purge(purge, 'hard');
      expect(await a.get('/a')).toEqual([]);
    }
  });
});
