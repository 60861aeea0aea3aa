import { describe, expect, test } from 'vitest';
import type { CacheStore } from '../../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { CacheHarness } from './support/cache-harness.ts';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Starts a gateway whose asynchronous store can be away. */
function startGateway() {
  const { clock } = new CacheHarness();
  const shared = new MemoryStore({ clock });
  const state = { isAway: false };
  const store: CacheStore = {
    get: async (key) => (state.isAway ? { responses: [], mark: null } : { ...shared.get(key) }),
    put: async (...stored) => (state.isAway ? 'outdated' : shared.put(...stored)),
    addForm() {},
    purge: async (selection, mode) => shared.purge(selection, mode),
    report: () => shared.report(),
  };
  const gateway = new CacheHarness({ store });
  const request = async () => {
    const client = gateway.request();
    await nextTick();
    return client;
  };
  return { gateway, request, state };
}

describe('while the shared store is away', () => {
  test('requests of one moment share a fetch, and those that come later the next one', async () => {
    const { gateway, request, state } = startGateway();
    state.isAway = true;
    const before = [await request(), await request()];
    gateway.clock.pass(0);
    const later = [await request(), await request(), await request()];
    expect(gateway.site.requests).toHaveLength(1);
    gateway.site.last.respond({ body: 'old' });
    await nextTick();
    gateway.clock.pass(0);
    expect(before.map(({ body }) => body)).toEqual(['old', 'old']);
    expect(gateway.site.requests).toHaveLength(2);
    gateway.site.last.respond({ body: 'new' });
    await nextTick();
    expect(later.map(({ body }) => body)).toEqual(['new', 'new', 'new']);
    for (const { cacheStatus } of [...before, ...later]) expect(cacheStatus).not.toContain(' stored');
  });

  test.each([
    ['before it has gone', false, true],
    ['while it was away', true, false],
  ])('a request does not share a fetch that began %s', async (_, isAwayBefore, isAwayAfter) => {
    const { gateway, request, state } = startGateway();
    state.isAway = isAwayBefore;
    await request();
    gateway.clock.pass(0);
    state.isAway = isAwayAfter;
    const later = await request();
    gateway.clock.pass(0);
    expect(gateway.site.requests).toHaveLength(1);
    gateway.site.last.respond({ body: 'old' });
    await nextTick();
    gateway.clock.pass(0);
    await nextTick();
    expect(gateway.site.requests).toHaveLength(2);
    gateway.site.last.respond({ body: 'new' });
    await nextTick();
    expect(later).toMatchObject({ body: 'new', ended: true });
  });

  test('followers of a fetch that began before do not get its response', async () => {
    const { gateway, request, state } = startGateway();
    const leader = await request();
    const follower = await request();
    state.isAway = true;
    gateway.site.last.respond({ body: 'old' });
    await nextTick();
    gateway.clock.pass(0);
    expect(leader).toMatchObject({ body: 'old', ended: true });
    expect(gateway.site.requests).toHaveLength(2);
    gateway.site.last.respond({ body: 'new' });
    await nextTick();
    expect(follower).toMatchObject({ body: 'new', ended: true });
  });
});
