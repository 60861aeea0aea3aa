import { afterAll, vi } from 'vitest';
import { closeAfterFile } from './close-after-test.ts';

/**
 * Closes what the tests of a file share. Fails a file that leaves work which repeats in each turn of the event loop, such as an
 * endless stream that nobody ended: files share their process, and such work would take a core from all that come after it.
 */
afterAll(async () => {
  await closeAfterFile();
  const isIdle = (): boolean => !process.getActiveResourcesInfo().includes('Immediate');
  await vi.waitUntil(isIdle, { interval: 10, timeout: 20_000 }).catch(() => {
    throw new Error('this file leaves work that runs in each turn of the event loop');
  });
});
