import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { storedResponse } from './store-contract.ts';

const MIB = 1024 * 1024;

/** Memory of live objects in bytes, after collections until they free nothing more: a busy machine sweeps later. */
async function measureLiveMemory(): Promise<number> {
  let last = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 50; time += 1) {
    collectGarbage();
    await sleep(20);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    if (last - heapUsed - arrayBuffers < MIB / 8) break;
    last = heapUsed + arrayBuffers;
  }
  return last;
}

// `scripts/bench/cache-memory.mjs` stores a million responses, and measures the memory of the whole process.
test('a hundred thousand keys take no more memory than the store estimates', async () => {
  const maxBytes = 24 * MIB;
  const now = Date.now();
  const before = await measureLiveMemory();
  let store: MemoryStore | undefined = new MemoryStore({
    maxBytes,
    clock: { now: () => now, after: () => () => {} },
  });
  for (let index = 0; index < 100_000; index += 1) {
    store.put(
      `GET https://example.com/wp/v2/posts/${index}`,
      storedResponse(now + 1, {
        headers: [
          'Content-Type',
          'application/json',
          'X-WP-Total',
          `${index}`,
          'Link',
          `<https://example.com/${index}>`,
        ],
        body: new Uint8Array(200 + (index % 1800)),
        tags: ['wp/v2', 'wp/v2/posts', `wp/v2/posts/${index}`, `wp/v2/users/${index % 50}`],
      }),
    );
    if (index % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const { bytes, responseCount } = store.stats();
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(bytes).toBeGreaterThan(0.8 * maxBytes);
  expect(responseCount).toBeGreaterThan(1000);
  const withStore = await measureLiveMemory();
  store = undefined;
  // What earlier files of this process have left may be collected before or after the store is measured, not both.
  const changes = [withStore - before, withStore - (await measureLiveMemory())];
  expect(Math.min(...changes)).toBeLessThan(1.2 * maxBytes);
  // The estimate includes at most the same amount again for garbage.
  expect(Math.max(...changes)).toBeGreaterThan(0.3 * maxBytes);
});
