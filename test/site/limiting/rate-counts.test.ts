import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/ports.ts';
import { RateCounts } from '../../../src/site/limiting/rate-counts.ts';
import type { SharedCounts } from '../../../src/site/options/gateway-options.ts';

const MINUTE = { requests: 10, window: 60_000 };

/** A clock whose timers the test runs. */
function createClock() {
  let now = 0;
  let tasks: { at: number; task: () => void }[] = [];
  return {
    now: () => now,
    after(delay: number, task: () => void) {
      const entry = { at: now + delay, task };
      tasks.push(entry);
      return () => {
        tasks = tasks.filter((other) => other !== entry);
      };
    },
    /** Lets time pass, and the promises of due tasks settle. */
    async pass(milliseconds: number): Promise<void> {
      now += milliseconds;
      const due = tasks.filter(({ at }) => at <= now);
      tasks = tasks.filter(({ at }) => at > now);
      for (const { task } of due) task();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
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
    const counts = new RateCounts(createClock(), silentLog, undefined);
    expect([take(counts, 'a', 0), take(counts, 'a', 59_999), take(counts, 'a', 60_000)]).toEqual([1, 2, 1]);
  });

  test('of any number of clients take bounded memory, and a client that goes on is not forgotten', () => {
    const counts = new RateCounts(createClock(), silentLog, undefined);
    let own = 0;
    for (let client = 0; client < 120_000; client += 1) {
      take(counts, `2001:db8:${client}`, 0);
      if (client % 1_000 === 0) own = take(counts, 'attacker', 0);
    }
    expect(counts.size).toBe(50_000);
    expect(own).toBe(120);
  });

  test('begin anew when the clock was set back to before their window', () => {
    const counts = new RateCounts(createClock(), silentLog, undefined);
    const taken = [3_600_000, 3_650_000, 0].map((now) => take(counts, 'a', now));
    expect(taken).toEqual([1, 2, 1]);
  });

  test('of any number of clients wait for their exchange in bounded memory', async () => {
    const clock = createClock();
    const shared = createShared();
    const counts = new RateCounts(clock, silentLog, shared);
    for (let client = 0; client < 120_000; client += 1) take(counts, `2001:db8:${client}`, 0);
    for (let batch = 0; batch < 100; batch += 1) await clock.pass(100);
    expect(shared.sums.size).toBe(50_000);
  });

  test('of several processes add up, and the window is that of the first one', async () => {
    const clock = createClock();
    const shared = createShared();
    const [one, other] = [0, 1].map(() => new RateCounts(clock, silentLog, shared));
    if (one === undefined || other === undefined) throw new Error('two are created');
    for (let request = 0; request < 4; request += 1) take(one, 'a', 0);
    for (let request = 0; request < 3; request += 1) take(other, 'a', 0);
    await clock.pass(100);
    expect(shared.calls).toBe(2);
    take(one, 'a', 100);
    await clock.pass(100);
    expect(one.find('a', MINUTE, 200)).toMatchObject({ shared: 8, own: 0, end: 30_100 });
  });

  test('of which little is used are not exchanged', async () => {
    const clock = createClock();
    const shared = createShared();
    const counts = new RateCounts(clock, silentLog, shared);
    const quota = { requests: 1_000, window: 86_400_000 };
    const request = (key: string, times: number): void => {
      for (let count = 0; count < times; count += 1) counts.add(key, counts.find(key, quota, 0), quota);
    };
    for (let client = 0; client < 2_000; client += 1) request(`client ${client}`, 1);
    request('busy', 99);
    await clock.pass(100);
    expect(shared.calls).toBe(0);
    request('busy', 1);
    await clock.pass(100);
    request('busy', 1);
    await clock.pass(100);
    expect([...shared.sums]).toEqual([['busy', 101]]);
  });

  test('of many clients are exchanged in batches', async () => {
    const clock = createClock();
    const shared = createShared();
    const counts = new RateCounts(clock, silentLog, shared);
    for (let client = 0; client < 1_200; client += 1) take(counts, `client ${client}`, 0);
    const calls: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await clock.pass(100);
      calls.push(shared.calls);
    }
    expect(calls).toEqual([500, 1_000, 1_200, 1_200]);
  });

  test('go on alone while the shared ones are away, and are added later', async () => {
    const clock = createClock();
    const shared = createShared();
    const counts = new RateCounts(clock, silentLog, shared);
    shared.isAway = true;
    take(counts, 'a', 0);
    await clock.pass(100);
    expect(counts.isAlone).toBe(true);
    expect(take(counts, 'a', 100)).toBe(2);
    shared.isAway = false;
    await clock.pass(1_000);
    expect(counts.isAlone).toBe(false);
    expect(shared.sums.get('a')).toBe(2);
    expect(counts.find('a', MINUTE, 1_100)).toMatchObject({ shared: 2, own: 0 });
  });

  test('that are exchanged when a new window begins do not count in it', async () => {
    const clock = createClock();
    let finish = (): void => {};
    const shared: SharedCounts = {
      add: (_key, amount) =>
        new Promise((resolve) => {
          finish = () => resolve({ count: amount, remaining: 1 });
        }),
    };
    const counts = new RateCounts(clock, silentLog, shared);
    for (let request = 0; request < 5; request += 1) take(counts, 'a', 0);
    await clock.pass(100);
    expect(take(counts, 'a', 60_000)).toBe(1);
    finish();
    await clock.pass(0);
    expect(counts.find('a', MINUTE, 60_001)).toMatchObject({ shared: 0, own: 1 });
  });
});
