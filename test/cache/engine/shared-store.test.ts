import { describe, expect, test } from 'vitest';
import type { CacheStore, Lease, SharedStoreState } from '../../../src/cache/store.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { RedisStore } from '../../../src/cache/stores/redis/redis-store.ts';
import { silentLog } from '../../../src/ports.ts';
import { CacheHarness } from './support/cache-harness.ts';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Creates two gateways with one asynchronous store that grants one lease per key. */
function twoGateways(): { first: CacheHarness; second: CacheHarness; leases: Map<string, Lease> } {
  const leases = new Map<string, Lease>();
  const { clock } = new CacheHarness();
  const shared = new MemoryStore({ clock });
  const store: CacheStore = {
    get: async (key) => shared.get(key),
    put: async (key, response) => shared.put(key, response),
    purge: async (selection, mode) => shared.purge(selection, mode),
    async acquireLease(key) {
      if (leases.has(key)) return null;
      const lease = { release: () => void leases.delete(key) };
      leases.set(key, lease);
      return lease;
    },
    isPurgedSince: (...response) => shared.isPurgedSince(...response),
    report: () => shared.report(),
  };
  return { first: new CacheHarness({ store }), second: new CacheHarness({ store }), leases };
}

describe('several gateways with one store', () => {
  test('one forwards the request, and the other serves its response', async () => {
    const { leases, first, second } = twoGateways();
    const firstClient = first.request();
    const secondClient = second.request();
    await nextTick();
    expect([first.site.requests.length, second.site.requests.length]).toEqual([1, 0]);
    first.site.last.respond({ body: 'shared' });
    await nextTick();
    expect(leases.size).toBe(0);
    second.clock.advance(40);
    await nextTick();
    expect(firstClient.body).toBe('shared');
    expect(secondClient).toMatchObject({ body: 'shared', ended: true });
    expect(secondClient.cacheStatus).toMatch(/^hit; ttl=/);
    expect(second.site.requests).toHaveLength(0);
  });

  test('another forwards the request after the first has failed', async () => {
    const { first, second } = twoGateways();
    first.request();
    const secondClient = second.request();
    await nextTick();
    first.site.last.fail('refused');
    second.clock.advance(40);
    await nextTick();
    await nextTick();
    second.site.last.respond({ body: 'mine' });
    await nextTick();
    expect(secondClient.body).toBe('mine');
  });

  test('no client waits longer than a lease lasts', async () => {
    const { leases, second } = twoGateways();
    leases.set('/a', { release() {} });
    const secondClient = second.request();
    for (let waited = 0; waited < 10_080; waited += 40) {
      second.clock.advance(40);
      await nextTick();
    }
    expect(second.site.requests).toHaveLength(1);
    second.site.last.respond();
    await nextTick();
    expect(secondClient.status).toBe(200);
  });
});

describe('a store that does not respond', () => {
  const never = new Promise<never>(() => {});

  test('counts as a miss', () => {
    const silent: CacheStore = {
      get: () => never,
      put: () => never,
      purge: () => never,
      acquireLease: () => never,
      isPurgedSince: () => false,
      report: () => ({ responseCount: 0, bytes: 0, maxBytes: 0, entries: [] }),
    };
    const harness = new CacheHarness({ store: silent });
    const clients = [harness.request(), harness.request()];
    harness.clock.advance(1_000);
    expect(harness.site.requests).toHaveLength(0);
    harness.clock.advance(10_000);
    expect(harness.site.requests).toHaveLength(1);
    harness.site.last.respond({ body: 'first response' });
    expect(clients[0]).toMatchObject({ body: 'first response', ended: true });
    harness.clock.advance(75_000);
    harness.clock.advance(1_000);
    harness.site.last.respond({ body: 'second response' });
    expect(clients[1]).toMatchObject({ body: 'second response', ended: true });
  });
});

describe('while the shared store cannot be used', () => {
  /** A store that has no connection, in a state that a test sets. */
  class UnconnectedStore extends RedisStore {
    state: SharedStoreState = 'connected';
    override get isReadable(): boolean {
      return this.state === 'connected';
    }
    override get mayUseMemory(): boolean {
      return this.state !== 'bypassed';
    }
  }

  function startGateway() {
    const { clock } = new CacheHarness();
    const options = { servers: { url: 'redis://127.0.0.1' }, clock, log: silentLog, generateId: () => 'one' };
    const store = new UnconnectedStore(options, new MemoryStore({ clock }));
    return { store, gateway: new CacheHarness({ store }) };
  }

  test.each(['connected', 'bypassed'] as const)(
    'a request does not join a fetch that began while it was %s',
    async (before) => {
      const { gateway, store } = startGateway();
      store.state = before;
      gateway.request();
      await nextTick();
      store.state = 'bypassed';
      const later = gateway.request();
      await nextTick();
      expect(gateway.site.requests).toHaveLength(2);
      gateway.site.last.respond({ body: 'new' });
      gateway.site.requests[0]?.respond({ body: 'old' });
      await nextTick();
      expect(later).toMatchObject({ body: 'new', ended: true });
      expect(later.cacheStatus).not.toMatch(/stored|collapsed/);
    },
  );

  test('followers do not get the response of a fetch that they joined before', async () => {
    const { gateway, store } = startGateway();
    const leader = gateway.request();
    await nextTick();
    const follower = gateway.request();
    await nextTick();
    expect(gateway.site.requests).toHaveLength(1);
    store.state = 'bypassed';
    gateway.site.last.respond({ body: 'old' });
    await nextTick();
    expect(leader).toMatchObject({ body: 'old', ended: true });
    expect(leader.cacheStatus).not.toContain('stored');
    expect(gateway.site.requests).toHaveLength(2);
    gateway.site.last.respond({ body: 'new' });
    expect(follower).toMatchObject({ body: 'new', ended: true });
    expect(follower.cacheStatus).not.toMatch(/stored|collapsed/);
  });
});
