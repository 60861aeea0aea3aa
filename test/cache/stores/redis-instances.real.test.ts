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
import { StubGateway, VersionedSite } from './stub-gateway.ts';

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

function waitUntilServed(store: OpenCacheStore, key: string): Promise<void> {
  return waitUntil(async () => (await store.get(key)).length > 0);
}

const tags = ['posts'];
const purge = { kind: 'tags', tags } as const;

describe('a gateway that alone is cut off from Redis', () => {
  test('purges: the other serves nothing stored until the purge is published', async () => {
    const { a, b } = await openTwoStores();
    await b.put('/a', storedResponse(Date.now(), { tags }));
    await b.put('/b', storedResponse(Date.now()));
    expect(b.get('/a')).toHaveLength(1);
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
    await b.put('/b', storedResponse(Date.now()));
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
    const site = new VersionedSite();
    const [writer, reader] = [new StubGateway(a, site), new StubGateway(b, site)];
    for (let round = 0; round < 3; round += 1) {
      await reader.read('/a');
      await b.put('/b', storedResponse(Date.now()));
      proxy.block();
      for (let write = 0; write < 3; write += 1) {
        const oldest = await writer.write('/a');
        for (let read = 0; read < 20; read += 1) {
          expect(await reader.read('/a')).toBeGreaterThanOrEqual(oldest);
          await sleep(5);
        }
      }
      proxy.restore();
      await waitUntilServed(b, '/b');
      expect(await reader.read('/a')).toBe(3 * (round + 1));
    }
  });
});

test('a gateway that stops does not keep the other from serving', async () => {
  const { a, b } = await openTwoStores();
  await b.put('/b', storedResponse(Date.now()));
  await a.close();
  const end = Date.now() + 2_500;
  while (Date.now() < end) {
    expect(await b.get('/b')).toHaveLength(1);
    await sleep(20);
  }
});

describe('a purge completes when the other gateway', () => {
  test('has applied it', async () => {
    const { a, b } = await openTwoStores();
    const started = performance.now();
    for (let round = 0; round < 80; round += 1) {
      // What was requested in the millisecond of a purge is not stored.
      await sleep(5);
      await a.put('/a', storedResponse(Date.now(), { tags }));
      expect(await a.get('/a')).toHaveLength(1);
      await b.purge(purge, 'hard');
      expect(await a.get('/a')).toEqual([]);
    }
    // None of them has waited until the memory of the other was no longer current, which takes 500 ms.
    expect(performance.now() - started).toBeLessThan(80 * 100);
  });

  test('no longer uses its memory, because it has had no word of Redis', async () => {
    const { a, b } = await openTwoStores();
    await a.put('/a', storedResponse(Date.now(), { tags }));
    expect(a.get('/a')).toHaveLength(1);
    proxy.block();
    expect(a.get('/a')).toHaveLength(1);
    await b.purge(purge, 'hard');
    expect(await a.get('/a')).toEqual([]);
  });

  test('has stopped', async () => {
    const { a, b } = await openTwoStores();
    await a.close();
    const started = performance.now();
    await b.purge(purge, 'hard');
    expect(performance.now() - started).toBeLessThan(400);
  });
});

describe('a purge that completes after Redis has lost', () => {
  test.each<readonly [string, (prefix: string) => readonly string[]]>([
    ['all of its data', () => ['FLUSHALL']],
    ['the recorded purges', (prefix) => ['DEL', `${prefix}purge-state`]],
    ['the purge messages', (prefix) => ['DEL', `${prefix}purge-messages`]],
    ['the instances', (prefix) => ['DEL', `${prefix}instances`]],
    [
      'the purge messages and the instances',
      (prefix) => ['DEL', `${prefix}purge-messages`, `${prefix}instances`],
    ],
  ])('%s has been applied by a gateway that hears of it late', async (_, createLoss) => {
    const prefix = `${randomUUID()}:`;
    const loss = createLoss(prefix);
    const { a, b } = await openTwoStores(60_000, prefix);
    proxy.delay(40);
    for (let round = 0; round < 8; round += 1) {
      // What was requested in the millisecond of a purge is not stored.
      await sleep(5);
      await waitUntil(async () => {
        await a.put('/a', storedResponse(Date.now(), { tags }));
        const found = a.get('/a');
        return Array.isArray(found) && found.length === 1;
      });
      // Losses at all moments of the heartbeats.
      await sleep(round * 13);
      await redis().command(...loss);
      await sleep(round % 3);
      await b.purge(purge, 'hard');
      expect(await a.get('/a')).toEqual([]);
    }
  });
});
