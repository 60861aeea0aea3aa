import { expect, test } from 'vitest';
import { RateCounts } from '../../../../src/gateway/site/limiting/site-limits.ts';

const MINUTE = { requests: 10, window: 60_000 };

const take = (counts: RateCounts, key: string, now: number): number => {
  const count = counts.find(key, MINUTE, now);
  count.requests += 1;
  return count.requests;
};

test.each([
  ['with each window, which begins with its first request', [0, 59_999, 60_000]],
  ['when the clock was set back to before their window', [3_600_000, 3_650_000, 0]],
])('counts begin anew %s', (_, times) => {
  const counts = new RateCounts();
  expect(times.map((now) => take(counts, 'a', now))).toEqual([1, 2, 1]);
});

test('counts of any number of clients take bounded memory, and a client that goes on is not forgotten', () => {
  const counts = new RateCounts();
  let own = 0;
  for (let client = 0; client < 120_000; client += 1) {
    take(counts, `2001:db8:${client}`, 0);
    if (client % 1_000 === 0) own = take(counts, 'attacker', 0);
  }
  expect(take(counts, '2001:db8:60000', 0)).toBe(1);
  expect(own).toBe(120);
});
