import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CacheStore } from '../../../src/cache/store.ts';
import { createCacheStore } from '../../../src/cache/stores/index.ts';
import { RECORD_PURGE } from '../../../src/cache/stores/redis/scripts.ts';
import { systemClock } from '../../../src/ports.ts';
import { REDIS_FAULTS } from '../../support/redis-faults.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { storedResponse } from './store-contract.ts';
import { StubGateway, VersionedSite } from './stub-gateway.ts';

/** How long a purge on one gateway may take to show on the other, where nothing fails: 50 ms, and a loaded machine. */
const SHOWN_WITHIN = 350;

let redis: RedisServer;
const open: CacheStore[] = [];
const said: string[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
  said.length = 0;
});
afterAll(async () => {
  await redis.stop();
});

async function openStore(prefix: string, url = redis.url, ahead = 0): Promise<CacheStore> {
  const say = (facts: object, message: string) => void said.push(`${message} ${JSON.stringify(facts)}`);
  const store = await createCacheStore(url, {
    redis: { prefix },
    clock: { now: () => Date.now() + ahead, after: systemClock.after },
    log: { info: say, warn: say },
    random: randomUUID,
  });
  open.push(store);
  return store;
}

async function pair(): Promise<{ prefix: string; a: CacheStore; b: CacheStore }> {
  const prefix = `${randomUUID()}:`;
  const [a, b] = [await openStore(prefix), await openStore(prefix)];
  await sleep(3);
  return { prefix, a, b };
}

/** Waits until something holds, looking each time that the process has nothing else to do. */
async function until(holds: () => boolean | Promise<boolean>, within = 10_000): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > within) throw new Error('it never came to be');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return performance.now() - began;
}

describe('a purge reaches the other gateway', () => {
  test('within 50 ms, by message', async () => {
    const { a, b } = await pair();
    const times: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      await b.put('/a', storedResponse(Date.now(), { tags: ['posts'] }));
      // In memory: what is given at once.
      await until(() => Array.isArray(b.get('/a')));
      const began = performance.now();
      const purged = a.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      await until(async () => (await b.get('/a')).length === 0);
      times.push(performance.now() - began);
      await purged;
      await sleep(2);
    }
    times.sort((left, right) => left - right);
    const [median = 0, most = 0] = [times[25], times.at(-1)];
    console.info(
      `a purge shows on the other gateway after ${median.toFixed(1)} ms, ${most.toFixed(1)} ms at most`,
    );
    expect(median).toBeLessThan(50);
    expect(most).toBeLessThan(SHOWN_WITHIN);
  });

  test('when its message was missed, by asking', async () => {
    const { prefix, b } = await pair();
    await b.put('/a', storedResponse(Date.now(), { tags: ['posts'] }));
    const silent = RECORD_PURGE.source.replace("redis.call('PUBLISH', KEYS[3], message)", '');
    expect(silent).not.toBe(RECORD_PURGE.source);
    const told = 'someone \u0000';
    await redis.command(
      'EVAL',
      silent,
      '3',
      `${prefix}purges`,
      `${prefix}told`,
      'x',
      'run',
      'h',
      told,
      'tposts',
    );
    await until(async () => (await b.get('/a')).length === 0, 2000);
  });

  test('when more were missed than are told again: everything is forgotten', async () => {
    const { prefix, b } = await pair();
    await b.put('/a', storedResponse(Date.now(), { tags: ['posts'] }));
    const silent = RECORD_PURGE.source.replace("redis.call('PUBLISH', KEYS[3], message)", '');
    redis.pause();
    const purges = Array.from({ length: 5 }, (_, at) =>
      redis.command(
        'EVAL',
        silent,
        '3',
        `${prefix}purges`,
        `${prefix}told`,
        'x',
        'run',
        'h',
        'someone x',
        `t${at}`,
      ),
    );
    const cut = redis.command('DEL', `${prefix}told`);
    redis.resume();
    await Promise.all([...purges, cut]);
    await until(async () => Array.isArray(b.get('/a')) || (await b.get('/a')).length > 0);
    expect(await b.get('/a')).toHaveLength(1);
  });

  test('although its clock is an hour behind, or ahead', async () => {
    const prefix = `${randomUUID()}:`;
    for (const ahead of [-3_600_000, 3_600_000]) {
      const a = await openStore(prefix);
      const b = await openStore(prefix, redis.url, ahead);
      await sleep(3);
      const asked = Date.now() + ahead;
      await sleep(3);
      await a.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      await sleep(SHOWN_WITHIN);
      // Asked for before the purge, and come after it.
      expect(await b.put('/a', storedResponse(asked, { tags: ['posts'] }))).toBe(false);
      expect(await a.get('/a')).toEqual([]);
      // Asked for after it; the age is the same on either side.
      expect(await b.put('/a', storedResponse(Date.now() + ahead, { tags: ['posts'], initialAge: 7 }))).toBe(
        true,
      );
      const [found] = await a.get('/a');
      const age = (found?.initialAge ?? 0) + (Date.now() - (found?.responseTime ?? 0)) / 1000;
      expect(age).toBeGreaterThan(6);
      expect(age).toBeLessThan(9);
    }
  });

  test('that asks with a stale position: the shared tier refuses what the memory cannot know of yet', async () => {
    const { prefix, a, b } = await pair();
    const silent = RECORD_PURGE.source.replace("redis.call('PUBLISH', KEYS[3], message)", '');
    const asked = Date.now();
    await sleep(3);
    await redis.command(
      'EVAL',
      silent,
      '3',
      `${prefix}purges`,
      `${prefix}told`,
      'x',
      'run',
      'h',
      'someone x',
      'tposts',
    );
    await b.put('/a', storedResponse(asked, { tags: ['posts'] }));
    expect(await a.get('/a')).toEqual([]);
  });
});

describe('a purge that cannot be told', () => {
  const tags = ['posts'];

  test('is over when the other believes no more what it holds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { a, b } = await pair();
      await b.put('/a', storedResponse(Date.now(), { tags }));
      expect(b.get('/a')).toHaveLength(1);
      redis.pause();
      await a.purge({ kind: 'tags', tags }, 'hard');
      expect(await b.get('/a')).toEqual([]);
      redis.resume();
      await sleep(400);
    }
  });

  test('is told before anyone reads again', async () => {
    const cable = await startTcpProxy(redis.port);
    const prefix = `${randomUUID()}:`;
    const a = await openStore(prefix, `redis://127.0.0.1:${cable.port}`);
    const b = await openStore(prefix);
    await sleep(3);
    await b.put('/a', storedResponse(Date.now(), { tags }));
    await b.put('/b', storedResponse(Date.now()));
    // Redis answers nobody for a while, and what one of them says to it is lost.
    cable.cut();
    redis.pause();
    await a.purge({ kind: 'tags', tags }, 'hard');
    redis.resume();
    const seen: number[] = [];
    const looking = until(async () => {
      seen.push((await b.get('/a')).length);
      await sleep(5);
      return (await b.get('/b')).length > 0;
    }, 5000);
    await sleep(300);
    cable.mend();
    await looking;
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen)).toEqual(new Set([0]));
    expect(await b.get('/a')).toEqual([]);
    await a.close();
    await cable.close();
  });

  test('strikes what was being read when it came', async () => {
    const { a, b } = await pair();
    await b.put('/a', storedResponse(Date.now(), { tags }));
    const read = a.get('/a');
    const purged = a.purge({ kind: 'tags', tags }, 'hard');
    await Promise.all([read, purged]);
    expect(await a.get('/a')).toEqual([]);
  });
});

describe('a lease', () => {
  test('is given to one of two gateways, until it is given back', async () => {
    const { a, b } = await pair();
    const first = await a.lease('/a', 10_000);
    expect(first).not.toBeNull();
    expect(await b.lease('/a', 10_000)).toBeNull();
    first?.release();
    await until(async () => (await b.lease('/a', 10_000)) !== null);
  });

  test('lasts for as long as it is held, where it may', async () => {
    const { a, b } = await pair();
    const first = await a.lease('/a', 10_000);
    await sleep(2500);
    expect(await b.lease('/a', 10_000)).toBeNull();
    first?.release();
  });

  test('ends soon where its holder is gone', async () => {
    const { a, b } = await pair();
    await a.lease('/a', 60_000);
    await a.close();
    expect(await until(async () => (await b.lease('/a', 60_000)) !== null)).toBeLessThan(4000);
  });

  test('ends by itself when its time is over, and is not given back by who no longer has it', async () => {
    const { a, b } = await pair();
    const first = await a.lease('/a', 50);
    await until(async () => (await b.lease('/a', 10_000)) !== null);
    first?.release();
    await sleep(50);
    expect(await a.lease('/a', 10_000)).toBeNull();
  });
});

describe('what is not ours', () => {
  test('under a key of ours counts as absent, and is replaced', async () => {
    const { prefix, a, b } = await pair();
    const entry = `${prefix}answers:/a`;
    const foreign: readonly (readonly string[])[] = [
      ['SET', entry, 'hello'],
      ['HSET', entry, 'm', 'hello', 'a', 'hello'],
      ['HSET', entry, 'm', '\u0095\u0001\u0002\u0003\u0004', 'a', ''],
      ['RPUSH', entry, 'hello'],
    ];
    for (const command of foreign) {
      await redis.command('DEL', entry);
      await redis.command(...command);
      expect(await a.get('/a')).toEqual([]);
    }
    expect(await a.put('/a', storedResponse(Date.now()))).toBe(true);
    expect(await b.get('/a')).toHaveLength(1);
  });

  test('in a frame that was cut or changed counts as absent', async () => {
    const { prefix, a, b } = await pair();
    await a.put('/a', storedResponse(Date.now()));
    await redis.command('HSET', `${prefix}answers:/a`, 'a', 'cut');
    expect(await b.get('/a')).toEqual([]);
  });

  test('scripts that the server has forgotten are sent again', async () => {
    const { a, b } = await pair();
    await redis.command('SCRIPT', 'FLUSH');
    await a.put('/a', storedResponse(Date.now()));
    expect(await b.get('/a')).toHaveLength(1);
  });
});

describe('without Redis', () => {
  test('a store opens all the same, finds nothing, and names no password in what it says', async () => {
    const store = await openStore('x:', 'redis://someone:secret@127.0.0.1:1/0');
    expect(store.get('/a')).toEqual([]);
    await store.put('/a', storedResponse(Date.now()));
    expect(store.get('/a')).toEqual([]);
    expect(await store.lease('/a', 1000)).not.toBeNull();
    expect(said).toHaveLength(1);
    expect(said.join()).not.toContain('secret');
  });

  test.each(['redis', 'http://127.0.0.1:6379', 'redis://[', 'memory:secret'])(
    '%o is refused',
    async (where) => {
      await expect(openStore('x:', where)).rejects.toThrow(/^the cache is "memory", or an address/);
    },
  );
});

describe('under load, with Redis', () => {
  test.each(REDIS_FAULTS)('%s: no wrong answer, no error, and recovery by itself', async (_, fault) => {
    const site = new VersionedSite();
    const { a, b } = await pair();
    const gateways = [new StubGateway(a, site), new StubGateway(b, site)];
    const keys = Array.from({ length: 20 }, (_, at) => `/${at}`);
    /** What everyone must see: written, purged, and given the time in which a purge shows. */
    const due = new Map<string, number>();
    let [reads, writes, wrong, slowest] = [0, 0, 0, 0];
    let going = true;

    const reader = async (gateway: StubGateway) => {
      for (let turn = 0; going; turn += 1) {
        const key = keys[turn % keys.length] ?? '';
        const least = due.get(key) ?? 0;
        const began = performance.now();
        const version = await gateway.read(key);
        slowest = Math.max(slowest, performance.now() - began);
        reads += 1;
        if (version < least) wrong += 1;
        if (turn % 50 === 0) await sleep(1);
      }
    };
    const writer = async (gateway: StubGateway, own: readonly string[]) => {
      for (let turn = 0; going; turn += 1) {
        const key = own[turn % own.length] ?? '';
        const version = await gateway.write(key);
        writes += 1;
        void sleep(SHOWN_WITHIN).then(() => due.set(key, Math.max(version, due.get(key) ?? 0)));
        await sleep(15);
      }
    };
    const [left, right] = gateways;
    if (left === undefined || right === undefined) throw new Error('there are two');
    const running = [
      ...[reader(left), reader(left), reader(right), reader(right)],
      ...[writer(left, keys.slice(0, 7)), writer(right, keys.slice(7, 14))],
    ];
    await sleep(300);
    await fault(redis);
    await sleep(1500);
    going = false;
    await Promise.all(running);
    console.info(
      `${reads} reads, ${writes} writes, slowest read ${slowest.toFixed(0)} ms; ${site.requestCount} asked of the site`,
    );
    expect(wrong).toBe(0);
    expect(reads).toBeGreaterThan(100);
    expect(writes).toBeGreaterThan(10);
    // A command is given up after 275 ms, once.
    expect(slowest).toBeLessThan(3000);

    // It works as before: what one has read the other has, and a purge shows.
    await until(async () => {
      const key = `/recovered/${randomUUID()}`;
      await left.read(key);
      const asked = site.requestCount;
      await right.read(key);
      return site.requestCount === asked;
    });
    await left.read('/again');
    const version = await left.write('/again');
    await until(async () => (await right.read('/again')) === version, SHOWN_WITHIN);
  });
});
