import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/ports.ts';
import { RateCounts } from '../../../src/site/limiting/rate-counts.ts';
import type { SharedCounts } from '../../../src/site/options/gateway-options.ts';
import { ManualClock } from '../../cache/engine/support/manual-clock.ts';

const MINUTE = { requests: 10, window: 60_000 };

/** Lets time pass, and the promises of due tasks settle. */
async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

function createShared(): SharedCounts & {
  isAway: boolean;
  readonly sums: Map<string, number>;
  calls: number;
} {
  const sums = new Map<string, number>();
  return {
    sums,
    isAway: false,
    calls: 0,
    async add(key, amount) {
      this.calls += 1;
      if (this.isAway) throw new Error('away');
      sums.set(key, (sums.get(key) ?? 0) + amount);
      return { count: sums.get(key) ?? 0, remaining: 30_000 };
    },
  };
}

describe('counts', () => {
  const take = (counts: RateCounts, key: string, now: number): number => {
    const count = counts.find(key, MINUTE, now);
    counts.add(key, count, MINUTE);
    return count.shared + count.own;
  };

  test('begin anew with each window, which begins with its first request', () => {
    const counts = new RateCounts(new ManualClock(0), silentLog, undefined);
    expect([take(counts, 'a', 0), take(counts, 'a', 59_999), take(counts, 'a', 60_000)]).toEqual([1, 2, 1]);
  });

  test('of any number of clients take bounded memory, and a client that goes on is not forgotten', () => {
    const counts = new RateCounts(new ManualClock(0), silentLog, undefined);
    let own = 0;
    for (let client = 0; client < 120_000; client += 1) {
      take(counts, `2001:db8:${client}`, 0);
      if (client % 1_000 === 0) own = take(counts, 'attacker', 0);
    }
    expect(take(counts, '2001:db8:60000', 0)).toBe(1);
    expect(own).toBe(120);
  });

  test('begin anew when the clock was set back to before their window', () => {
    const counts = new RateCounts(new ManualClock(0), silentLog, undefined);
    const taken = [3_600_000, 3_650_000, 0].map((now) => take(counts, 'a', now));
    expect(taken).toEqual([1, 2, 1]);
  });

  test('of any number of clients wait for their exchange in bounded memory', async () => {
    const clock = new ManualClock(0);
    const shared = createShared();
    const counts = new RateCounts(clock, silentLog, shared);
    for (let client = 0; client < 60_000; client += 1) take(counts, `2001:db8:${client}`, 0);
    for (let batch = 0; batch < 100; batch += 1) await pass(clock, 100);
    expect(shared.sums.size).toBe(50_000);
  });

  test('that are exchanged when a new window begins do not count in it', async () => {
    const clock = new ManualClock(0);
    let finish = (): void => {};
    const shared: SharedCounts = {
      add: (_key, amount) =>
        new Promise((resolve) => {
          finish = () => resolve({ count: amount, remaining: 1 });
        }),
    };
    const counts = new RateCounts(clock, silentLog, shared);
    for (let request = 0; request < 5; request += 1) take(counts, 'a', 0);
    await pass(clock, 100);
    expect(take(counts, 'a', 60_000)).toBe(1);
    finish();
    await pass(clock, 0);
    expect(counts.find('a', MINUTE, 60_001)).toMatchObject({ shared: 0, own: 1 });
  });
});
