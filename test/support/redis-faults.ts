import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from './redis-server.ts';

/** What is done to Redis while two gateways are read and written through. */
export const REDIS_FAULTS: readonly [string, (redis: RedisServer) => Promise<void>][] = [
  [
    'killed and started again',
    async (redis) => {
      await redis.kill();
      await sleep(1200);
      await redis.start();
    },
  ],
  [
    'killed and started again at once',
    async (redis) => {
      await redis.kill();
      await redis.start();
    },
  ],
  [
    'stopped for 1.5 s',
    async (redis) => {
      redis.pause();
      await sleep(1500);
      redis.resume();
    },
  ],
  [
    'stopped for a moment, again and again',
    async (redis) => {
      for (const time of [100, 200, 300, 400]) {
        redis.pause();
        await sleep(time);
        redis.resume();
        await sleep(150);
      }
    },
  ],
  [
    'told to pause all clients',
    async (redis) => {
      await redis.command('CLIENT', 'PAUSE', '1000', 'ALL');
      await sleep(1200);
    },
  ],
  [
    'emptied, again and again',
    async (redis) => {
      for (let time = 0; time < 10; time += 1) {
        await redis.command('FLUSHALL');
        await sleep(60);
      }
    },
  ],
  [
    'cut off from its clients, again and again',
    async (redis) => {
      for (let time = 0; time < 5; time += 1) {
        await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
        await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await sleep(200);
      }
    },
  ],
  [
    'full',
    async (redis) => {
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      await sleep(600);
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    },
  ],
];
