import { describe, expect, test } from 'vitest';
import type { CacheStore, Lease, StoredResponse } from '../../../src/cache/store.ts';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
import { CacheHarness } from './support/cache-harness.ts';

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Two gateways with one asynchronous store, which leases each key to one of them at a time. */
function twoGateways(): { one: CacheHarness; other: CacheHarness; held: Map<string, Lease> } {
  const held = new Map<string, Lease>();
  const kept = new CacheHarness();
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
  return { one: new CacheHarness({ store }), other: new CacheHarness({ store }), held };
}

describe('several gateways with one store', () => {
  test('one forwards the request, and the others serve its response', async () => {
    const { held, one, other } = twoGateways();
    const here = one.request();
    const there = other.request();
    await soon();
    expect([one.site.requests.length, other.site.requests.length]).toEqual([1, 0]);
    one.site.last.respond({ body: 'shared' });
    await soon();
    expect(held.size).toBe(0);
    other.clock.advance(40);
    await soon();
    expect(here.body).toBe('shared');
    expect(there).toMatchObject({ body: 'shared', ended: true });
    expect(there.cacheStatus).toMatch(/^hit; ttl=/);
    expect(other.site.requests).toHaveLength(0);
  });

  test('another forwards the request after the first has failed', async () => {
    const { one, other } = twoGateways();
    one.request();
    const there = other.request();
    await soon();
    one.site.last.fail('refused');
    other.clock.advance(40);
    await soon();
    await soon();
    other.site.last.respond({ body: 'mine' });
    await soon();
    expect(there.body).toBe('mine');
  });

  test('another forwards the request if the first response cannot be shared', async () => {
    const { one, other } = twoGateways();
    one.request();
    other.request();
    await soon();
    one.site.last.head(200, ['Cache-Control', 'private']);
    other.clock.advance(40);
    await soon();
    await soon();
    expect(other.site.requests).toHaveLength(1);
  });

  test('no client waits longer than a lease lasts', async () => {
    const { held, other } = twoGateways();
    held.set('/a', { release() {} });
    const there = other.request();
    for (let waited = 0; waited < 10_080; waited += 40) {
      other.clock.advance(40);
      await soon();
    }
    expect(other.site.requests).toHaveLength(1);
    other.site.last.respond();
    await soon();
    expect(there.status).toBe(200);
  });
});

describe('a store that does not respond', () => {
  const never = new Promise<never>(() => {});

  test('counts as a miss', () => {
    const silent: CacheStore = {
      get: () => never,
      put: () => never,
      purge: () => never,
      lease: () => never,
      stats: () => ({ entries: 0, bytes: 0, maxBytes: 0 }),
      close: async () => {},
    };
    const harness = new CacheHarness({ store: silent });
    const clients = [harness.request(), harness.request()];
    harness.clock.advance(1_000);
    expect(harness.site.requests).toHaveLength(0);
    harness.clock.advance(10_000);
    expect(harness.site.requests).toHaveLength(1);
    harness.site.last.respond({ body: 'asked' });
    expect(clients[0]).toMatchObject({ body: 'asked', ended: true });
    harness.clock.advance(75_000);
    harness.clock.advance(1_000);
    harness.site.last.respond({ body: 'asked again' });
    expect(clients[1]).toMatchObject({ body: 'asked again', ended: true });
  });
});

describe('many distinct keys', () => {
  test("use no more than the store's limit, and leave no pending timers", () => {
    const maxBytes = 4 * 1024 * 1024;
    const harness = new CacheHarness();
    const store = createMemoryStore({ clock: harness.clock, maxBytes });
    const filled = new CacheHarness({ store });
    const body = 'x'.repeat(1_000);
    filled.site.onRequest = (request) => request.respond({ body });
    for (let count = 0; count < 100_000; count++) {
      const client = filled.request({ key: `/${count}` });
      if (!client.ended) throw new Error(`/${count} was not answered`);
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
