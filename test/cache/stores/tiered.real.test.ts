import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { CacheStore } from '../../../src/cache/store.ts';
import { createCacheStore } from '../../../src/cache/stores/create-store.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { describeStoreContract } from './store-contract.ts';

const redis = useRedisServer();

function openStore(prefix: string): Promise<CacheStore> {
  return createCacheStore(redis().url, {
    redis: { prefix },
    clock: systemClock,
    log: silentLog,
    generateId: randomUUID,
  });
}

describeStoreContract('memory in front of Redis', async (run) => {
  const prefix = `${randomUUID()}:`;
  const [store, peer] = [await openStore(prefix), await openStore(prefix)];
  // A request in the millisecond in which the store was opened counts as earlier.
  await sleep(3);
  await run({ store, peer, now: systemClock.now, tick: () => sleep(3) });
  await Promise.all([store.close(), peer.close()]);
});
