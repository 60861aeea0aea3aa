import { describe, expect, test } from 'vitest';
import { systemClock } from '../src/ports.ts';

/** Timers that keep the process alive. */
const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('a timer of the system clock', () => {
  test.each([
    ['keeps the process alive if it is due now: a program may wait for work that pauses', 0, 1],
    ['does not keep the process alive if it is due later', 60_000, 0],
  ])('%s', (_, delay, timers) => {
    const before = countTimers();
    const cancel = systemClock.after(delay, () => {});
    expect(countTimers() - before).toBe(timers);
    cancel();
    expect(countTimers()).toBe(before);
  });
});
