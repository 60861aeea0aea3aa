import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { CacheStore } from '../../../src/cache/store.ts';
import { createStore } from '../../../src/cache/stores/index.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';
import { type Redis, startRedis } from '../../support/redis.ts';
import { describeStore } from './contract.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
});

function openStore(prefix: string): Promise<CacheStore> {
  return createStore(redis.url, {
    redis: { prefix },
    clock: systemClock,
    log: silentLog,
    random: randomUUID,
  });
}

describeStore('memory in front of Redis', async (run) => {
  const prefix = `${randomUUID()}:`;
  const [store, peer] = [await openStore(prefix), await openStore(prefix)];
  // What is asked for in the millisecond in which the store was opened was asked for before.
  await sleep(3);
  await run({ store, peer, now: systemClock.now, tick: () => sleep(3) });
  await Promise.all([store.close(), peer.close()]);
});
