import { afterAll, vi } from 'vitest';

/**
 * Fails a file that leaves work which repeats in each turn of the event loop, such as an endless stream that nobody ended. Files
 * share their process, and such work would take a core from all that come after it.
 */
afterAll(async () => {
  const isIdle = (): boolean => !process.getActiveResourcesInfo().includes('Immediate');
  await vi.waitUntil(isIdle, { interval: 10, timeout: 20_000 }).catch(() => {
    throw new Error('this file leaves work that runs in each turn of the event loop');
  });
});
