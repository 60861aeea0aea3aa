import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

/**
 * Fails a file that leaves work which repeats in each turn of the event loop, such as an endless stream that nobody ended. Files
 * share their process, and such work would take a core from all that come after it.
 */
afterAll(async () => {
  for (let tries = 0; process.getActiveResourcesInfo().includes('Immediate'); tries++) {
    if (tries === 50) throw new Error('this file leaves work that runs in each turn of the event loop');
    await sleep(10);
  }
});
