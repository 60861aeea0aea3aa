import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CacheStoreOptions } from '../../src/cache/stores/create-store.ts';
import { type RedisServer, useRedisServer } from '../support/redis-server.ts';
import {
  ask,
  askVersion,
  expectFaultUnseen,
  type Instance,
  startInstance,
  startVersionedSite,
} from './stores/shared-gateways.ts';

const redis = useRedisServer();

/** Rounds of reads that are under way during a write, with seven reads after each. */
const ROUNDS = Number(process.env['TWO_GATEWAYS_ROUNDS'] ?? 150);

type FaultStep = number | 'kill' | 'start' | 'pause' | 'resume' | readonly string[];
const repeat = (times: number, ...steps: readonly FaultStep[]): readonly FaultStep[] =>
  Array.from({ length: times }, () => steps).flat();

/** Faults of Redis while two gateways serve reads and writes: methods of the server, commands, and milliseconds to wait. */
const FAULTS: readonly (readonly [name: string, steps: readonly FaultStep[]])[] = [
  ['killed and restarted after 1.2 s', ['kill', 1200, 'start']],
  ['killed and restarted at once', ['kill', 'start']],
  ['suspended for 1.5 s', ['pause', 1500, 'resume']],
  [
    'suspended four times for up to 400 ms',
    [100, 200, 300, 400].flatMap((time): readonly FaultStep[] => ['pause', time, 'resume', 150]),
  ],
  ['pausing all clients (CLIENT PAUSE)', [['CLIENT', 'PAUSE', '1000', 'ALL'], 1200]],
  ['emptied ten times (FLUSHALL)', repeat(10, ['FLUSHALL'], 60)],
  [
    'disconnecting all clients five times (CLIENT KILL)',
    repeat(5, ['CLIENT', 'KILL', 'TYPE', 'normal'], ['CLIENT', 'KILL', 'TYPE', 'pubsub'], 200),
  ],
  ['out of memory', [['CONFIG', 'SET', 'maxmemory', '1'], 600, ['CONFIG', 'SET', 'maxmemory', '0']]],
];

async function inject(redis: RedisServer, steps: readonly FaultStep[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'number') await sleep(step);
    else await (typeof step === 'string' ? redis[step]() : redis.command(...step));
  }
}

/** Starts a site, and prepares gateways in front of it that share what is stored. */
async function prepareGateways(options: CacheStoreOptions['redis'] = {}) {
  const site = await startVersionedSite();
  const prefix = `${randomUUID()}:`;
  const start = (): Promise<Instance> => startInstance(site.url, redis().url, { prefix, ...options });
  return { site, start };
}

describe('two gateways and one Redis', () => {
  test('one that starts while a write of another is under way is never outdated after it', async () => {
    const { start } = await prepareGateways();
    const a = await start();
    let hits = 0;
    for (let round = 0; round < 12; round += 1) {
      const writing = askVersion(a, '/slow', 'POST');
      await sleep(round * 8);
      const started = await start();
      const before = await Promise.all([askVersion(started, '/slow'), askVersion(started, '/slow')]);
      const written = await writing;
      expect(before.every((version) => version <= written)).toBe(true);
      for (let count = 0; count < 5; count += 1) {
        const { isHit, version } = await ask(started, '/slow');
        expect(version).toBe(written);
        if (isHit) hits += 1;
      }
    }
    expect(hits).toBeGreaterThan(0);
  });

  test('a hundred clients of both cause one request to the site for a cold key', async () => {
    // By default a gateway that is too busy to hear of Redis for half a second uses nothing stored, and asks the site itself.
    const { site, start } = await prepareGateways({ maxStaleness: 30_000, timeout: 30_000 });
    const [a, b] = [await start(), await start()];
    await Promise.all(Array.from({ length: 100 }, (_, at) => askVersion(at % 2 === 0 ? a : b, '/cold')));
    expect(site.reads).toBe(1);
  });

  test('no read after a write through one is outdated at the other, whatever it is reading meanwhile', async () => {
    const { start } = await prepareGateways();
    const [a, b] = [await start(), await start()];
    const times: number[] = [];
    let outdated = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await askVersion(b, '/one');
      const underWay = Array.from({ length: 8 }, (_, at) =>
        askVersion(b, at % 2 === 0 ? '/one' : `/${round}-${at}`),
      );
      const started = performance.now();
      const version = await askVersion(a, '/one', 'POST');
      times.push(performance.now() - started);
      const versions = await Promise.all(Array.from({ length: 7 }, () => askVersion(b, '/one')));
      outdated += versions.filter((each) => each < version).length;
      await Promise.all(underWay);
    }
    times.sort((left, right) => left - right);
    console.info(
      `${ROUNDS * 7} reads after writes, ${outdated} outdated; a write took ${times[times.length >> 1]?.toFixed(1)} ms, ${times.at(-1)?.toFixed(1)} ms at most`,
    );
    expect(outdated).toBe(0);
  });

  test.each(FAULTS)(
    'Redis %s under load: no outdated response, no error for a client',
    async (name, steps) => {
      const { start } = await prepareGateways();
      await expectFaultUnseen(name, start, () => inject(redis(), steps));
    },
  );
});
