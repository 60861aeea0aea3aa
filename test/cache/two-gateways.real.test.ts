import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type CacheStoreOptions, createCacheStore } from '../../src/cache/stores/create-store.ts';
import { silentLog, systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { REDIS_FAULTS } from '../support/redis-faults.ts';
import { useRedisServer } from '../support/redis-server.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const redis = useRedisServer();

/** Rounds of reads that are under way during a write, with seven reads after each. */
const ROUNDS = Number(process.env['TWO_GATEWAYS_ROUNDS'] ?? 150);

/** A site whose responses contain the number of writes, and are fresh for a minute. */
async function startNumberedSite() {
  const versions = new Map<string, number>();
  let reads = 0;
  const server = await startServer((request, response) => {
    const path = request.url ?? '/';
    request.resume();
    if (request.method === 'POST' && path.startsWith('/slow')) {
      setTimeout(() => {
        versions.set(path, (versions.get(path) ?? 0) + 1);
        setTimeout(() => response.end(String(versions.get(path))), 40);
      }, 40);
      return;
    }
    if (request.method === 'POST') {
      versions.set(path, (versions.get(path) ?? 0) + 1);
      return void response.end(String(versions.get(path)));
    }
    reads += 1;
    const version = versions.get(path) ?? 0;
    // The response is older than its arrival.
    setTimeout(() => {
      response.setHeader('Cache-Control', 'max-age=60');
      response.end(String(version));
    }, 3);
  });
  closeAfterTest(server.close);
  return { url: server.origin, reads: () => reads };
}

async function startGateways(redisOptions: CacheStoreOptions['redis'] = {}) {
  const site = await startNumberedSite();
  const prefix = `${randomUUID()}:`;
  const startOne = async (): Promise<RunningGateway> => {
    const store = await createCacheStore(redis().url, {
      redis: { prefix, ...redisOptions },
      clock: systemClock,
      log: silentLog,
      generateId: randomUUID,
    });
    const gateway = await startNodeGateway({
      sites: [{ url: site.url, discovery: 'off', passthrough: true }],
      cache: store,
      // As behind a load balancer: responses contain the same public URL.
      publicUrl: 'http://gateway.example.com',
    });
    closeAfterTest(async () => {
      await gateway.stop();
      await store.close();
    });
    return gateway;
  };
  const [a, b] = [await startOne(), await startOne()];
  await sleep(5);
  return { site, a, b, startOne };
}

async function read(gateway: RunningGateway, path: string): Promise<number> {
  const response = await gateway.request(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return Number(text);
}

async function write(gateway: RunningGateway, path: string): Promise<number> {
  const response = await gateway.request(path, { method: 'POST', body: 'new' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return Number(text);
}

describe('two gateways and one Redis', () => {
  test('one serves responses that the other has fetched', async () => {
    const { site, a, b } = await startGateways();
    await read(a, '/one');
    await read(b, '/one');
    expect(site.reads()).toBe(1);
  });

  test('one that starts while a write of another is under way is never outdated after it', async () => {
    const { a, startOne } = await startGateways();
    let hits = 0;
    for (let round = 0; round < 12; round += 1) {
      const writing = write(a, '/slow');
      await sleep(round * 8);
      const started = await startOne();
      const before = await Promise.all([read(started, '/slow'), read(started, '/slow')]);
      const written = await writing;
      expect(before.every((version) => version <= written)).toBe(true);
      for (let count = 0; count < 5; count += 1) {
        const response = await started.request('/slow');
        expect(Number(await response.text())).toBe(written);
        if (response.headers.get('cache-status')?.includes('hit')) hits += 1;
      }
    }
    expect(hits).toBeGreaterThan(0);
  });

  test('a hundred clients of both cause one request to the site for a cold key', async () => {
    // By default a gateway that is too busy to hear of Redis for half a second uses nothing stored, and asks the site itself.
    const { site, a, b } = await startGateways({ maxStaleness: 30_000, timeout: 30_000 });
    await Promise.all(Array.from({ length: 100 }, (_, at) => read(at % 2 === 0 ? a : b, '/cold')));
    expect(site.reads()).toBe(1);
  });

  test('no read after a write through one is outdated at the other, whatever it is reading meanwhile', async () => {
    const { a, b } = await startGateways();
    const times: number[] = [];
    let outdated = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await read(b, '/one');
      const underWay = Array.from({ length: 8 }, (_, at) =>
        read(b, at % 2 === 0 ? '/one' : `/${round}-${at}`),
      );
      const start = performance.now();
      const version = await write(a, '/one');
      times.push(performance.now() - start);
      const versions = await Promise.all(Array.from({ length: 7 }, () => read(b, '/one')));
      outdated += versions.filter((each) => each < version).length;
      await Promise.all(underWay);
    }
    times.sort((left, right) => left - right);
    console.info(
      `${ROUNDS * 7} reads after writes, ${outdated} outdated; a write took ${times[times.length >> 1]?.toFixed(1)} ms, ${times.at(-1)?.toFixed(1)} ms at most`,
    );
    expect(outdated).toBe(0);
  });

  test.each(REDIS_FAULTS)(
    'Redis %s under load: no outdated response, no error for a client',
    async (_, fault) => {
      const { site, a, b } = await startGateways();
      const paths = Array.from({ length: 12 }, (_, at) => `/${at}`);
      const due = new Map<string, number>();
      const outdated: string[] = [];
      let [reads, writes, slowest] = [0, 0, 0];
      let isRunning = true;
      const reader = async (gateway: RunningGateway) => {
        for (let round = 0; isRunning; round += 1) {
          const path = paths[round % paths.length] ?? '/';
          const minimum = due.get(path) ?? 0;
          const start = performance.now();
          const version = await read(gateway, path);
          slowest = Math.max(slowest, performance.now() - start);
          reads += 1;
          if (version < minimum) outdated.push(`${path}: ${version} for ${minimum}`);
          await sleep(5);
        }
      };
      const writer = async (gateway: RunningGateway, ownPaths: readonly string[]) => {
        for (let round = 0; isRunning; round += 1) {
          const path = ownPaths[round % ownPaths.length] ?? '/';
          const version = await write(gateway, path);
          writes += 1;
          due.set(path, Math.max(version, due.get(path) ?? 0));
          await sleep(25);
        }
      };
      const running = [
        ...[reader(a), reader(a), reader(b), reader(b)],
        ...[writer(a, paths.slice(0, 4)), writer(b, paths.slice(4, 8))],
      ];
      await sleep(200);
      await fault(redis());
      await sleep(1300);
      // A busy machine needs longer for as many.
      await waitUntil(() => reads > 50);
      isRunning = false;
      await Promise.all(running);
      console.info(
        `${reads} reads, ${writes} writes, slowest ${slowest.toFixed(0)} ms, ${site.reads()} at the site`,
      );
      expect(outdated).toEqual([]);
      // Afterwards the gateways share responses again.
      for (let attempt = 0, shared = false; !shared; attempt += 1) {
        expect(attempt).toBeLessThan(50);
        await read(a, `/recovered/${attempt}`);
        const before = site.reads();
        await read(b, `/recovered/${attempt}`);
        shared = site.reads() === before;
        if (!shared) await sleep(100);
      }
    },
  );
});
