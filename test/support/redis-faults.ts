import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from './redis-server.ts';

/** Faults that tests inject into Redis while two gateways serve reads and writes. */
export const REDIS_FAULTS: readonly [name: string, inject: (redis: RedisServer) => Promise<void>][] = [
  [
    'killed and restarted after 1.2 s',
    async (redis) => {
      await redis.kill();
      await sleep(1200);
      await redis.start();
    },
  ],
  [
    'killed and restarted at once',
    async (redis) => {
      await redis.kill();
      await redis.start();
    },
  ],
  [
    'suspended for 1.5 s',
    async (redis) => {
      redis.pause();
      await sleep(1500);
      redis.resume();
    },
  ],
  [
    'suspended four times for up to 400 ms',
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
    'pausing all clients (CLIENT PAUSE)',
    async (redis) => {
      await redis.command('CLIENT', 'PAUSE', '1000', 'ALL');
      await sleep(1200);
    },
  ],
  [
    'emptied ten times (FLUSHALL)',
    async (redis) => {
      for (let time = 0; time < 10; time += 1) {
        await redis.command('FLUSHALL');
        await sleep(60);
      }
    },
  ],
  [
    'disconnecting all clients five times (CLIENT KILL)',
    async (redis) => {
      for (let time = 0; time < 5; time += 1) {
        await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
        await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await sleep(200);
      }
    },
  ],
  [
    'out of memory',
    async (redis) => {
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      await sleep(600);
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    },
  ],
];
