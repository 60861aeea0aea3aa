import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/ports.ts';
import type { RedisStoreOptions } from '../../../../src/gateway/cache/stores/redis/connection.ts';
import type { RedisStore } from '../../../../src/gateway/cache/stores/redis/redis-store.ts';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { useRedisServer } from '../../../support/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.ts';
import { giveTurns, waitUntil } from '../../../support/wait.ts';
import { openRedisStore } from './shared-gateways.ts';
import { describeStoreContract, put, read, storedResponse } from './store-contract.ts';

/** What one store promises to others with the same Redis server. */

const redis = useRedisServer();

const openStore = (
  prefix: string,
  options?: Partial<RedisStoreOptions>,
  url = redis().url,
): Promise<RedisStore> => openRedisStore({ url, prefix }, options);

const withStore: Parameters<typeof describeStoreContract>[1] = async (run) => {
  const prefix = `${randomUUID()}:`;
  const [store, peer] = [await openStore(prefix), await openStore(prefix)];
  const tick = (): Promise<void> => {
    const before = Date.now();
    return waitUntil(() => Date.now() > before + 2);
  };
  await run({ store, peer, now: systemClock.now, tick });
};
describeStoreContract('the Redis store', withStore);

/** Two stores, of which the first can be cut off from Redis. */
async function openTwo() {
  const prefix = `${randomUUID()}:`;
  const proxy = await startTcpProxy(redis().port);
  closeAfterTest(() => proxy.close());
  const a = await openStore(prefix, {}, `redis://127.0.0.1:${proxy.port}`);
  return { a, b: await openStore(prefix), prefix, proxy };
}

const tags = ['posts'];
const now = Date.now;
const purge = { kind: 'tags', tags } as const;
const whenAway = (store: RedisStore) => waitUntil(() => store.report().shared?.state === 'bypassed');
const whenBack = (store: RedisStore, proxy: TcpProxy) => {
  proxy.restore();
  return waitUntil(() => store.report().shared?.state === 'connected');
};

test('a response in memory crosses the wire once, and again after another gateway has stored a newer one', async () => {
  const { a, b } = await openTwo();
  const sent = async (): Promise<number> =>
    Number(/total_net_output_bytes:(\d+)/.exec(await redis().command('INFO', 'stats'))?.[1]);
  const body = new Uint8Array(100_000);
  await put(b, '/a', storedResponse(now(), { body }));
  await read(a, '/a');
  const before = await sent();
  for (let count = 0; count < 20; count += 1) expect(await read(a, '/a')).toHaveLength(1);
  expect((await sent()) - before).toBeLessThan(body.byteLength);
  await put(b, '/a', storedResponse(now(), { body: Uint8Array.of(1) }));
  expect((await read(a, '/a'))[0]?.body).toEqual(Uint8Array.of(1));
});

test('what is no response in Redis counts as missing, and a script that the server has removed is sent again', async () => {
  const { a, b, prefix } = await openTwo();
  await redis().command('HSET', `${prefix}responses:/a`, 'v', 'hello', 'revision', 'x');
  await redis().command('SCRIPT', 'FLUSH');
  expect(await read(a, '/a')).toEqual([]);
  expect(await put(a, '/a', storedResponse(now()))).toBe('stored');
  expect(await read(b, '/a')).toHaveLength(1);
});

test('a value of another type under a key of waygate is deleted and written anew', async () => {
  const { a, b, prefix } = await openTwo();
  for (const junk of ['before a lookup', 'after it']) {
    const mark = String((await a.get('/a')).mark);
    await redis().command('SET', `${prefix}responses:/a`, junk);
    if (junk === 'before a lookup') expect(await read(a, '/a')).toEqual([]);
    expect(await a.put('/a', storedResponse(now()), mark)).toBe('stored');
    expect(await read(b, '/a')).toHaveLength(1);
  }
  expect(a.report().shared).toMatchObject({ state: 'connected', losses: 0 });
  await redis().command('SET', `${prefix}purges`, 'junk');
  expect(await read(a, '/a')).toEqual([]);
  await waitUntil(async () => (await a.get('/a')).mark !== null);
  expect(await put(a, '/a', storedResponse(now()))).toBe('stored');
});

test('more purges than Redis records, and than a reply contains, are purges of everything', async () => {
  const { a, b } = await openTwo();
  for (const count of [1_500, 101_000]) {
    await put(a, '/a', storedResponse(now()));
    expect(await read(b, '/a')).toHaveLength(1);
    for (let at = 0; at < count; at += 500) {
      const names = Array.from({ length: 500 }, (_, offset) => `${at + offset}`);
      await b.purge({ kind: 'tags', tags: names }, 'hard');
    }
    if (count > 100_000) expect(await read(b, '/a')).toEqual([]);
    await put(b, '/b', storedResponse(now()));
    expect(await read(a, '/b')).toHaveLength(1);
  }
});

describe('a gateway that is cut off from Redis', () => {
  test('does not complete a purge before Redis has it, and the other serves what is stored until then', async () => {
    const { a, b, proxy } = await openTwo();
    await put(b, '/a', storedResponse(now(), { tags }));
    await put(b, '/b', storedResponse(now()));
    proxy.block();
    let isComplete = false;
    const purged = Promise.resolve(a.purge(purge, 'hard')).then(() => (isComplete = true));
    await whenAway(a);
    expect((await a.get('/b')).mark).toBeNull();
    expect([await read(b, '/a'), await read(b, '/b')]).toMatchObject([[{}], [{}]]);
    expect(isComplete).toBe(false);
    await whenBack(a, proxy);
    await purged;
    for (const store of [a, b]) {
      expect(await read(store, '/a')).toEqual([]);
      expect(await read(store, '/b')).toHaveLength(1);
    }
  });
});

test('a gateway that could not read for a while because it was busy has not lost Redis', async () => {
  const { a } = await openTwo();
  await put(a, '/a', storedResponse(now()));
  for (let count = 0; count < 3; count += 1) {
    const lookup = a.get('/a');
    await giveTurns(5);
    const end = Date.now() + 1_500;
    while (Date.now() < end);
    expect((await lookup).responses).toHaveLength(1);
  }
  expect(a.report().shared).toEqual({ state: 'connected', losses: 0, emptied: [], remedy: null });
});

test('without Redis, a store opens, finds nothing, holds no write, and logs no password', async () => {
  const logged: string[] = [];
  const log = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const options = { log: { info: log, warn: log, error: log } };
  const store = await openStore('x:', options, 'redis://someone:secret@127.0.0.1:1/0');
  expect(await store.get('/a')).toEqual({ responses: [], mark: null });
  await store.purge({ kind: 'all' }, 'hard');
  expect(logged).toHaveLength(1);
  expect(logged.join()).not.toContain('secret');
});
