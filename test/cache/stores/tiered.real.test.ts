import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCacheStore, type OpenCacheStore } from '../../../src/cache/stores/create-store.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { describeBoundedStore, describeStoreContract, storedResponse } from './store-contract.ts';

const redis = useRedisServer();

function openStore(prefix: string): Promise<OpenCacheStore> {
  return createCacheStore(redis().url, {
    redis: { prefix },
    clock: systemClock,
    log: silentLog,
    generateId: randomUUID,
  });
}

const withStore: Parameters<typeof describeStoreContract>[1] = async (run) => {
  const prefix = `${randomUUID()}:`;
  const [store, peer] = [await openStore(prefix), await openStore(prefix)];
  // A request in the millisecond in which the store was opened counts as earlier.
  await sleep(3);
  await run({ store, peer, now: systemClock.now, tick: () => sleep(3) });
  await Promise.all([store.close(), peer.close()]);
};
describeStoreContract('memory in front of Redis', withStore);
describeBoundedStore('memory in front of Redis', withStore);

test('the variants of one key take no more than a lookup can read in time', async () => {
  const prefix = `${randomUUID()}:`;
  const [store, peer] = [await openStore(prefix), await openStore(prefix)];
  const body = new Uint8Array(1024 * 1024);
  for (let index = 0; index < 10; index += 1) {
    await sleep(3);
    expect(await store.put('/a', storedResponse(systemClock.now(), { variantKey: `${index}`, body }))).toBe(
      true,
    );
  }
  // Each has some bytes beside its body, so that eight of them exceed eight MiB: then the others make room.
  expect((await peer.get('/a')).map(({ variantKey }) => variantKey)).toEqual([...'987']);
  await Promise.all([store.close(), peer.close()]);
});
