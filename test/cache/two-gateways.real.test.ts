import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCacheStore } from '../../src/cache/stores/index.ts';
import { silentLog, systemClock } from '../../src/ports.ts';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { REDIS_FAULTS } from '../support/redis-faults.ts';

/** The others are tried on the stores alone. */
const MAIN_FAULTS = REDIS_FAULTS.filter(([name]) => /^(?:killed|suspended for 1|pausing|emptied|out of)/.test(name));

/** How long a write through one gateway may take to show on the other: 50 ms, and a loaded machine. */
const SHOWN_WITHIN = 350;

let redis: RedisServer;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await redis.stop();
});

/** A site whose answers say how often they were written, each good for a minute. */
async function startNumberedSite() {
  const versions = new Map<string, number>();
  let reads = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    request.resume();
    if (request.method === 'POST') {
      versions.set(path, (versions.get(path) ?? 0) + 1);
      return void response.end(String(versions.get(path)));
    }
    reads += 1;
    const version = versions.get(path) ?? 0;
    // It was read before it comes.
    setTimeout(() => {
      response.setHeader('Cache-Control', 'max-age=60');
      response.end(String(version));
    }, 3);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reads: () => reads };
}

async function startGateways() {
  const site = await startNumberedSite();
  const prefix = `${randomUUID()}:`;
  const start = TRANSPORTS['the Node server'];
  if (start === undefined) throw new Error('there is such a transport');
  const gateways: RunningGateway[] = [];
  for (let count = 0; count < 2; count += 1) {
    const store = await createCacheStore(redis.url, {
      redis: { prefix },
      clock: systemClock,
      log: silentLog,
      random: randomUUID,
    });
    const gateway = await start({
      sites: [{ url: site.url, discovery: 'off', passthrough: true }],
      cache: store,
      // As behind a balancer: what goes out names the same address.
      publicUrl: 'http://gateway.example.com',
    });
    closers.unshift(async () => {
      await gateway.stop();
      await store.close();
    });
    gateways.push(gateway);
  }
  await sleep(5);
  const [a, b] = gateways;
  if (a === undefined || b === undefined) throw new Error('there are two');
  return { site, a, b };
}

async function read(gateway: RunningGateway, path: string): Promise<number> {
  const response = await gateway.ask(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return Number(text);
}

async function write(gateway: RunningGateway, path: string): Promise<number> {
  const response = await gateway.ask(path, { method: 'POST', body: 'new' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return Number(text);
}

describe('two gateways and one Redis', () => {
  test('what one has asked the site for the other answers', async () => {
    const { site, a, b } = await startGateways();
    await read(a, '/one');
    await read(b, '/one');
    expect(site.reads()).toBe(1);
  });

  test('a hundred callers of both for one cold key make one request to the site', async () => {
    const { site, a, b } = await startGateways();
    await Promise.all(Array.from({ length: 100 }, (_, at) => read(at % 2 === 0 ? a : b, '/cold')));
    expect(site.reads()).toBe(1);
  });

  test('a write through one shows on the other within 50 ms', async () => {
    const { a, b } = await startGateways();
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      await read(b, '/one');
      const version = await write(a, '/one');
      const began = performance.now();
      while ((await read(b, '/one')) < version) {
        if (performance.now() - began > 5000) throw new Error('it never shows');
      }
      times.push(performance.now() - began);
    }
    times.sort((left, right) => left - right);
    const [median = 0, most = 0] = [times[15], times.at(-1)];
    console.info(
      `a write shows on the other gateway after ${median.toFixed(1)} ms, ${most.toFixed(1)} ms at most`,
    );
    expect(median).toBeLessThan(50);
    expect(most).toBeLessThan(SHOWN_WITHIN);
  });

  test.each(MAIN_FAULTS)('Redis %s under load: no wrong answer, no error to a caller', async (_, fault) => {
    const { site, a, b } = await startGateways();
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}`);
    const due = new Map<string, number>();
    const wrong: string[] = [];
    let [reads, writes, slowest] = [0, 0, 0];
    let going = true;
    const reader = async (gateway: RunningGateway) => {
      for (let turn = 0; going; turn += 1) {
        const path = paths[turn % paths.length] ?? '/';
        const least = due.get(path) ?? 0;
        const began = performance.now();
        const version = await read(gateway, path);
        slowest = Math.max(slowest, performance.now() - began);
        reads += 1;
        if (version < least) wrong.push(`${path}: ${version} for ${least}`);
      }
    };
    const writer = async (gateway: RunningGateway, own: readonly string[]) => {
      for (let turn = 0; going; turn += 1) {
        const path = own[turn % own.length] ?? '/';
        const version = await write(gateway, path);
        writes += 1;
        void sleep(SHOWN_WITHIN).then(() => due.set(path, Math.max(version, due.get(path) ?? 0)));
        await sleep(25);
      }
    };
    const running = [
      ...[reader(a), reader(a), reader(b), reader(b)],
      ...[writer(a, paths.slice(0, 4)), writer(b, paths.slice(4, 8))],
    ];
    await sleep(200);
    await fault(redis);
    await sleep(1300);
    going = false;
    await Promise.all(running);
    console.info(
      `${reads} reads, ${writes} writes, slowest ${slowest.toFixed(0)} ms, ${site.reads()} at the site`,
    );
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(50);
    // It keeps answers as before: what one has asked for, the other has.
    for (let attempt = 0, shared = false; !shared; attempt += 1) {
      expect(attempt).toBeLessThan(50);
      await read(a, `/recovered/${attempt}`);
      const before = site.reads();
      await read(b, `/recovered/${attempt}`);
      shared = site.reads() === before;
      if (!shared) await sleep(100);
    }
  });
});
