import { describe, expect, test } from 'vitest';
import type { CacheStore, Lease, StoredResponse } from '../../../src/cache/store.ts';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
import { Bench } from './support/bench.ts';

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Two gateways on one store that is reached over a network, and gives each key to one of them at a time. */
function twoGateways(): { one: Bench; other: Bench; held: Map<string, Lease> } {
  const held = new Map<string, Lease>();
  const kept = new Bench();
  const shared = createMemoryStore({ clock: kept.clock });
  const store: CacheStore = {
    get: async (key) => shared.get(key),
    put: async (key, answer) => shared.put(key, answer),
    purge: async (selection, mode) => shared.purge(selection, mode),
    async lease(key) {
      if (held.has(key)) return null;
      const lease = { release: () => void held.delete(key) };
      held.set(key, lease);
      return lease;
    },
    stats: () => shared.stats(),
    close: () => shared.close(),
  };
  return { one: new Bench({ store }), other: new Bench({ store }), held };
}

describe('of several gateways with one store', () => {
  test('one asks the site for a key, and the others have its answer', async () => {
    const { held, one, other } = twoGateways();
    const here = one.ask();
    const there = other.ask();
    await soon();
    expect([one.site.requests.length, other.site.requests.length]).toEqual([1, 0]);
    one.site.last.answer({ body: 'shared' });
    await soon();
    expect(held.size).toBe(0);
    other.clock.advance(40);
    await soon();
    expect(here.body).toBe('shared');
    expect(there).toMatchObject({ body: 'shared', ended: true });
    expect(there.cacheStatus).toMatch(/^hit; ttl=/);
    expect(other.site.requests).toHaveLength(0);
  });

  test('another asks where the first had no luck', async () => {
    const { one, other } = twoGateways();
    one.ask();
    const there = other.ask();
    await soon();
    one.site.last.fail('refused');
    other.clock.advance(40);
    await soon();
    await soon();
    other.site.last.answer({ body: 'mine' });
    await soon();
    expect(there.body).toBe('mine');
  });

  test('another asks where the answer of the first is not for sharing', async () => {
    const { one, other } = twoGateways();
    one.ask();
    other.ask();
    await soon();
    one.site.last.head(200, ['Cache-Control', 'private']);
    other.clock.advance(40);
    await soon();
    await soon();
    expect(other.site.requests).toHaveLength(1);
  });

  test('nobody waits longer than a lease lasts', async () => {
    const { held, other } = twoGateways();
    held.set('/a', { release() {} });
    const there = other.ask();
    for (let waited = 0; waited < 10_080; waited += 40) {
      other.clock.advance(40);
      await soon();
    }
    expect(other.site.requests).toHaveLength(1);
    other.site.last.answer();
    await soon();
    expect(there.status).toBe(200);
  });
});

describe('a store that does not answer', () => {
  const never = new Promise<never>(() => {});

  test('is as one that has nothing', () => {
    const silent: CacheStore = {
      get: () => never,
      put: () => never,
      purge: () => never,
      lease: () => never,
      stats: () => ({ entries: 0, bytes: 0, maxBytes: 0 }),
      close: async () => {},
    };
    const bench = new Bench({ store: silent });
    const callers = [bench.ask(), bench.ask()];
    bench.clock.advance(1_000);
    expect(bench.site.requests).toHaveLength(0);
    bench.clock.advance(10_000);
    expect(bench.site.requests).toHaveLength(1);
    bench.site.last.answer({ body: 'asked' });
    expect(callers[0]).toMatchObject({ body: 'asked', ended: true });
    bench.clock.advance(75_000);
    bench.clock.advance(1_000);
    bench.site.last.answer({ body: 'asked again' });
    expect(callers[1]).toMatchObject({ body: 'asked again', ended: true });
  });
});

describe('many distinct addresses', () => {
  test('take no more than the store may hold, and leave nothing behind', () => {
    const maxBytes = 4 * 1024 * 1024;
    const bench = new Bench();
    const store = createMemoryStore({ clock: bench.clock, maxBytes });
    const filled = new Bench({ store });
    const body = 'x'.repeat(1_000);
    filled.site.answering = (request) => request.answer({ body });
    for (let count = 0; count < 100_000; count++) {
      const caller = filled.ask({ key: `/${count}` });
      if (!caller.ended) throw new Error(`/${count} was not answered`);
      filled.site.requests.length = 0;
    }
    const { bytes, entries } = store.stats();
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(entries).toBeGreaterThan(500);
    expect(filled.clock.pending).toBe(0);
    const last: readonly StoredResponse[] = store.get('/99999');
    expect(last).toHaveLength(1);
  });
});
